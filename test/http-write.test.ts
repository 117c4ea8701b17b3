import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Answer } from "../src/core/answer.ts";
import type { ContextError } from "../src/core/errors.ts";
import type { RecordId } from "../src/core/record.ts";
import { channelMessage } from "../src/http/forward.ts";
import type { Webhook } from "../src/http/hooks.ts";
import { Limits } from "../src/http/limits.ts";
import type { HttpServer } from "../src/http/server.ts";
import { TokenFile } from "../src/http/tokens.ts";
import { safeName } from "../src/http/uploads.ts";
import { appDouble } from "./support/app-double.ts";
import { testServer } from "./support/server.ts";

/** A product that signs its raw body with HMAC and names records line by line. */
const plain: Webhook = {
  isSigned: (headers, raw, secret) => headers["x-signature"] === createHmac("sha256", secret).update(raw).digest("hex"),
  deliveryId: (headers) => headers["x-delivery"] ?? null,
  records: (_headers, raw) => Buffer.from(raw).toString("utf8").trim().split(/\s+/) as RecordId[],
};

describe("uploads over HTTP", () => {
  const root = mkdtempSync(join(tmpdir(), "contextd-uploads-"));
  const app = appDouble();
  let url = "";
  let server: HttpServer;

  before(async () => {
    server = testServer(app, { uploads: { root, maxFileBytes: 1000, maxFiles: 2 } });
    ({ url } = await server.start());
  });
  after(async () => {
    await server.stop();
    rmSync(root, { recursive: true });
    rmSync(`${root}.incoming`, { recursive: true, force: true });
  });

  function upload(files: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
    const form = new FormData();
    for (const [name, text] of Object.entries(files)) form.append("file", new Blob([text]), name);
    return fetch(`${url}/api/documents`, { method: "POST", body: form, headers });
  }

  it("keep half a file out of the folder that is indexed, and let go of it", async () => {
    const incoming = `${root}.incoming`;
    const open = request(`${url}/api/documents`, { method: "POST", headers: { "content-type": "multipart/form-data; boundary=b" } });
    open.on("error", () => {});
    open.write('--b\r\nContent-Disposition: form-data; name="file"; filename="half.md"\r\n\r\nThe valve was half recei');
    const files = (folder: string): string[] =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /half/.test(name));
    const until = async (is: () => boolean): Promise<void> => {
      while (!is()) await nextTurn();
    };
    await until(() => existsSync(incoming) && files(incoming).length > 0);

    assert.deepEqual(files(root), []);
    open.destroy();
    await until(() => files(incoming).length === 0);

    mkdirSync(join(incoming, "of-a-killed-daemon"), { recursive: true });
    const again = testServer(app, { uploads: { root, maxFileBytes: 1000, maxFiles: 2 } });
    await again.start();
    await again.stop();
    assert.equal(existsSync(incoming), false);
  });

  it("answer while the rest still comes when a file cannot be written, and the daemon goes on", async () => {
    const staged = join(`${root}.incoming`, "taken");
    const narrow = testServer(app, { uploads: { root, maxFileBytes: 1e9, maxFiles: 2 }, newId: () => "taken" });
    const { url: at } = await narrow.start();
    mkdirSync(join(staged, "a.txt"), { recursive: true });
    const form = new FormData();
    form.append("file", new Blob(["x".repeat(20_000_000)]), "a.txt");

    const reply = await fetch(`${at}/api/documents`, { method: "POST", body: form });

    assert.deepEqual([reply.status, ((await reply.json()) as { code: string }).code], [500, "DATA_DIR_UNWRITABLE"]);
    assert.equal((await fetch(`${at}/healthz`)).status, 200);
    assert.equal(existsSync(staged), false);
    await narrow.stop();
  });

  it("index what was sent, list it, and take it out again", async () => {
    const reply = await upload({ "Rücksetzen.md": "Failover of redis takes 20 seconds." });
    const { documents } = (await reply.json()) as { documents: { id: string; outcome: string }[] };

    assert.equal(reply.status, 201);
    assert.deepEqual(
      documents.map((one) => [one.id, one.outcome]),
      [["doc:uploads/Rücksetzen.md", "added"]],
    );
    const listed = (await (await fetch(`${url}/api/documents`)).json()) as { documents: { name: string }[] };
    assert.deepEqual(
      listed.documents.map((one) => one.name),
      ["Rücksetzen.md"],
    );
    const place = `${url}/api/documents/${encodeURIComponent("doc:uploads/Rücksetzen.md")}`;
    const gone = await fetch(place, { method: "DELETE" });
    assert.deepEqual([gone.status, await gone.json()], [200, { id: "doc:uploads/Rücksetzen.md", chunks: 1 }]);
    assert.equal(app.record("doc:uploads/Rücksetzen.md"), null);
    assert.equal((await fetch(place, { method: "DELETE" })).status, 404);
  });

  it("keep nothing of a file that is too large, empty, unreadable, or one of too many", async () => {
    const large = await upload({ "a.txt": "x".repeat(2000) });
    const empty = await upload({ "b.txt": "" });
    const program = await upload({ "c.pdf": "MZ program" });
    const many = await upload({ "1.txt": "x", "2.txt": "x", "3.txt": "x" });
    const codes = await Promise.all([large, empty, program, many].map(async (reply) => ((await reply.json()) as { code: string }).code));

    assert.deepEqual([large.status, empty.status, program.status, many.status], [413, 422, 415, 413]);
    assert.deepEqual(codes, ["FILE_TOO_LARGE", "FILE_EMPTY", "FILE_UNSUPPORTED", "PAYLOAD_TOO_LARGE"]);
    assert.deepEqual(readdirSync(join(root, "uploads")), []);
    assert.deepEqual(readdirSync(root), ["uploads"]);
  });

  it("say so where no folder can be made for them", async (t) => {
    const away = testServer(app, { uploads: { root: "/proc/none", maxFileBytes: 1000, maxFiles: 2 } });
    t.after(() => away.stop());
    const form = new FormData();
    form.append("file", new Blob(["redis"]), "a.txt");

    const reply = await fetch(`${(await away.start()).url}/api/documents`, { method: "POST", body: form });

    assert.deepEqual([reply.status, ((await reply.json()) as { code: string }).code], [500, "DATA_DIR_UNWRITABLE"]);
  });

  it("keep the good file of two and name the failure of the other", async () => {
    const reply = await upload({ "good.txt": "redis", "bad.txt": "MZ" });
    const { documents } = (await reply.json()) as { documents: { name: string; failure: { code: string } | null }[] };

    assert.equal(reply.status, 201);
    assert.deepEqual(
      documents.map((one) => [one.name, one.failure?.code ?? null]),
      [
        ["good.txt", null],
        ["bad.txt", "FILE_UNSUPPORTED"],
      ],
    );
    assert.deepEqual(readdirSync(join(root, "uploads")), ["good.txt"]);
  });

  it("fail alone where they are empty or too large, and leave the earlier document of that name", async () => {
    await upload({ "kept.txt": "Rotate the key of redis weekly." });
    const reply = await upload({ "kept.txt": "", "new.txt": "Redis fails over in 20 seconds." });
    const second = await upload({ "large.txt": "x".repeat(2000), "more.txt": "Redis has one replica." });
    const outcomes = await Promise.all(
      [reply, second].map(async (one) =>
        ((await one.json()) as { documents: { name: string; outcome: string; failure: { code: string } | null }[] }).documents.map(
          ({ name, outcome, failure }) => [name, outcome, failure?.code ?? null],
        ),
      ),
    );

    assert.deepEqual([reply.status, second.status], [201, 201]);
    assert.deepEqual(outcomes, [
      [
        ["kept.txt", "failed", "FILE_EMPTY"],
        ["new.txt", "added", null],
      ],
      [
        ["large.txt", "failed", "FILE_TOO_LARGE"],
        ["more.txt", "added", null],
      ],
    ]);
    assert.equal(readFileSync(join(root, "uploads", "kept.txt"), "utf8"), "Rotate the key of redis weekly.");
    assert.equal(readdirSync(join(root, "uploads")).includes("large.txt"), false);
  });

  it("stream their progress and end with what became of them", async () => {
    const text = await (await upload({ "live.txt": "redis" }, { accept: "text/event-stream" })).text();

    assert.match(text, /event: progress\ndata: \{"stage":"receive"/);
    assert.match(text, /event: documents\ndata: \{"documents":\[\{"id":"doc:uploads\/live\.txt"/);
  });

  it("stay in their folder whatever a file is called", () => {
    for (const name of ["../../etc/passwd", "..\\..\\boot.ini", "/etc/passwd", ".hidden", "a\u0000b.txt", "x".repeat(300)]) {
      const safe = safeName(name);
      assert.doesNotMatch(safe, /[/\\\p{Cc}]|^\./u);
      assert.ok(safe.length > 0 && Buffer.byteLength(safe) <= 240);
    }
    assert.equal(safeName(".."), "");
    assert.match(safeName(`${"手順".repeat(100)}.md`), /^(?:手順)+手?\S*手順\.md$/);
    assert.equal(Buffer.byteLength(safeName(`${"🔧".repeat(100)}.md`)), 239);
  });

  it("can be removed here only if they were uploaded here", async () => {
    const other = await fetch(`${url}/api/documents/jira%3AJR-441`, { method: "DELETE" });
    const outside = await fetch(`${url}/api/documents/${encodeURIComponent("doc:uploads/../../x")}`, { method: "DELETE" });

    assert.equal(other.status, 403);
    assert.equal(outside.status, 404);
    assert.equal((await fetch(`${url}/api/documents`, { method: "POST", body: "x" })).status, 415);
  });
});

describe("webhooks over HTTP", () => {
  const app = appDouble();
  let url = "";
  let server: HttpServer;

  before(async () => {
    server = testServer(app, { hooks: { jira: { webhook: plain, secret: "top" } } });
    ({ url } = await server.start());
  });
  after(() => server.stop());

  function deliver(body: string, headers: Record<string, string> = {}): Promise<Response> {
    const signature = createHmac("sha256", "top").update(body).digest("hex");
    return fetch(`${url}/hooks/jira`, {
      method: "POST",
      body,
      headers: { "x-signature": signature, "content-type": "application/json", ...headers },
    });
  }

  it("check the signature over the bytes as they came, and read the named records again in one run", async () => {
    const odd = await deliver("jira:JR-441  jira:JR-398 ", { "x-delivery": "1" });
    const again = await deliver("jira:JR-441  jira:JR-398 ", { "x-delivery": "1" });
    const more = await deliver("jira:JR-666", { "x-delivery": "2" });

    assert.deepEqual([odd.status, await odd.json()], [202, { records: 2, repeated: false }]);
    assert.deepEqual(await again.json(), { records: 0, repeated: true });
    assert.equal(more.status, 202);
    while (app.reread.length === 0) await fetch(`${url}/healthz`);
    assert.deepEqual(app.reread, [["jira:JR-441", "jira:JR-398", "jira:JR-666"]]);
  });

  it("refuse a wrong signature and a product without a secret", async () => {
    assert.equal((await deliver("jira:JR-1", { "x-signature": "0" })).status, 401);
    assert.equal((await fetch(`${url}/hooks/github`, { method: "POST", body: "{}" })).status, 404);
  });

  it("answer an alert with context of the service that it names", async () => {
    const alerts = [
      { status: "firing", labels: { alertname: "HighErrorRate", app: "checkoutservice" }, annotations: {} },
      { status: "firing", labels: { alertname: "Slow", job: "checkout" } },
      { status: "resolved", labels: { service: "redis" } },
    ];
    const reply = await fetch(`${url}/hooks/alertmanager`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ version: "4", status: "firing", alerts }),
    });
    const { answers } = (await reply.json()) as { answers: { question: string }[] };

    assert.deepEqual(
      answers.map((one) => one.question),
      ["Why is checkout-api broken?"],
    );
  });
});

describe("an answer for a channel", () => {
  it("arrives at the incoming webhook, with links, and no record's text works as a command", async () => {
    const posted = Promise.withResolvers<string>();
    const channel = createHttpServer((req, res) => {
      let body = "";
      req.on("data", (part: Buffer) => {
        body += part.toString();
      });
      req.on("end", () => {
        res.end("ok");
        posted.resolve(body);
      });
    }).listen(0, "127.0.0.1");
    await once(channel, "listening");
    const { port } = channel.address() as AddressInfo;
    const server = testServer(appDouble(), { forwardAlertsTo: `http://127.0.0.1:${port}/services/x` });
    const { url } = await server.start();

    await fetch(`${url}/hooks/alertmanager`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ alerts: [{ status: "firing", labels: { service: "checkout" }, annotations: {} }] }),
    });
    const { text } = JSON.parse(await posted.promise) as { text: string };

    assert.match(text, /^\*Why is checkout-api broken\?\*\n.*Rahul Sharma \[2\]/);
    assert.match(text, /\[1\] <https:\/\/example\.com\/jira\/jira%3AJR-441\|JR-441 affects/);
    const [answer] = [{ question: "<!channel> a & b", answer: "<@U1> [1].", citations: [] }];
    assert.equal(channelMessage([answer as unknown as Answer]).text, "*&lt;!channel&gt; a &amp; b*\n&lt;@U1&gt; [1].");
    await server.stop();
    channel.close();
  });
});

describe("named tokens", () => {
  const folder = mkdtempSync(join(tmpdir(), "contextd-tokens-"));
  const path = join(folder, "tokens.json");
  after(() => rmSync(folder, { recursive: true }));

  it("are kept as hashes, known at once in another process, and gone when revoked", () => {
    const commandLine = new TokenFile(path);
    const daemon = new TokenFile(path);
    assert.equal(daemon.verify("x"), null);

    const token = commandLine.add("grafana", "read", ["sre"], new Date("2026-03-12T00:00:00Z"));

    assert.deepEqual(daemon.verify(token), { name: "grafana", scope: "read", groups: ["sre"] });
    assert.equal(daemon.verify(`${token}x`), null);
    assert.ok(!readFileSync(path, "utf8").includes(token));
    assert.throws(
      () => commandLine.add("grafana", "admin", [], new Date()),
      (error: ContextError) => error.code === "BAD_REQUEST",
    );
    commandLine.revoke("grafana");
    assert.equal(daemon.verify(token), null);
    assert.throws(
      () => commandLine.revoke("grafana"),
      (error: ContextError) => error.code === "NOT_FOUND",
    );
  });

  it("let nobody in by a damaged file", () => {
    writeFileSync(path, "{");

    assert.throws(
      () => new TokenFile(path).verify("x"),
      (error: ContextError) => error.code === "CONFIG_INVALID",
    );
  });
});

describe("the queue of questions", () => {
  it("gives callers turns, so that one who sends many delays nobody by more than one", async () => {
    const limits = new Limits({ concurrency: 1, queue: 10, maxWaitMs: 10_000, perMinute: null, clock: () => 0 });
    const signal = new AbortController().signal;
    const order: string[] = [];
    const first = await limits.enter("greedy", signal);
    const work = async (caller: string): Promise<void> => {
      using _turn = await limits.enter(caller, signal);
      order.push(caller);
    };
    const all = [work("greedy"), work("greedy"), work("greedy"), work("other")];

    first[Symbol.dispose]();
    await Promise.all(all);

    assert.deepEqual(order, ["greedy", "other", "greedy", "greedy"]);
    assert.deepEqual([limits.active, limits.waiting], [0, 0]);
  });

  it("forgets who left while waiting", async () => {
    const limits = new Limits({ concurrency: 1, queue: 10, maxWaitMs: 10_000, perMinute: null, clock: () => 0 });
    const stay = new AbortController().signal;
    const leave = new AbortController();
    const first = await limits.enter("a", stay);
    const gone = limits.enter("b", leave.signal);
    leave.abort();

    await assert.rejects(gone, (error: ContextError) => error.code === "CANCELLED");
    first[Symbol.dispose]();
    assert.deepEqual([limits.active, limits.waiting], [0, 0]);
  });
});
