import assert from "node:assert/strict";
import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { type Io, type Pulled, silent } from "../../core/connector.ts";
import { ContextError } from "../../core/errors.ts";
import type { SourceRecord } from "../../core/record.ts";
import { records } from "./index.ts";

function line(id: string, more: object = {}): string {
  return JSON.stringify({
    id,
    source: "jira",
    kind: "incident",
    title: "Checkout is slow",
    text: "Checkout is slow\n\nSince noon.",
    author: "rahul-sharma",
    createdAt: "2026-03-12T01:00:00+01:00",
    updatedAt: "2026-03-12T02:00:00Z",
    url: "https://acme.atlassian.net/browse/JR-1",
    ...more,
  });
}

describe("the records connector on a flat file", () => {
  let root = "";
  before(async () => {
    root = await mkdtemp(join(tmpdir(), "contextd-records-"));
  });
  after(() => rm(root, { recursive: true, force: true }));

  const io = (): Io => ({ fetch, signal: new AbortController().signal, log: silent, now: () => new Date(0), root });

  async function pull(lines: readonly string[], since: string | null = null): Promise<readonly Pulled[]> {
    await writeFile(join(root, "r.jsonl"), lines.join("\n"));
    return Array.fromAsync(records.pull({ kind: "records", path: "r.jsonl" }, io(), since));
  }

  async function one(text: string): Promise<SourceRecord> {
    const [first] = await pull([text]);
    assert.equal(first?.type, "record");
    return first?.type === "record" ? first.record : assert.fail();
  }

  it("maps kinds and times to ours and states what the line states", async () => {
    const record = await one(line("jira:JR-1"));

    assert.equal(record.kind, "ticket");
    assert.equal(record.createdAt, "2026-03-12T00:00:00Z");
    assert.deepEqual(record.author, { name: "Rahul Sharma", login: "rahul-sharma" });
    assert.deepEqual({ key: record.fields.key, type: record.fields.ticketType }, { key: "JR-1", type: "Incident" });
    assert.equal(record.body.slice(0, record.proseEnd), "Checkout is slow\n\nSince noon.");
    assert.match(
      record.body.slice(record.proseEnd),
      /^\n\nKey: JR-1\nType: Incident\nAuthor: Rahul Sharma \(@rahul-sharma\)\nDate: 2026-03-12T02:00:00Z$/,
    );
  });

  it("reads a commit's sha, a pull request's number and a file's path out of the id", async () => {
    const commit = await one(
      line("github:commit:a3f8c2d94be17f60", {
        source: "github",
        kind: "commit",
        url: "https://github.com/acme/shop/commit/a3f8c2d94be17f60",
      }),
    );
    const pullRequest = await one(line("github:pull:shop#88", { source: "github", kind: "pull" }));
    const file = await one(line("github:file:acme/shop/.github/CODEOWNERS", { source: "github", kind: "file", text: "* @rsharma" }));

    assert.deepEqual([commit.fields.sha, commit.fields.repository], ["a3f8c2d94be17f60", "acme/shop"]);
    assert.equal(pullRequest.fields.number, 88);
    assert.deepEqual([file.fields.repository, file.fields.path], ["acme/shop", ".github/CODEOWNERS"]);
    assert.equal(file.body.slice(0, file.proseEnd), "* @rsharma");
  });

  it("reads level and service out of a log line", async () => {
    const record = await one(
      line("log:shop.log:2", {
        source: "logs",
        kind: "log",
        author: null,
        url: null,
        text: "2026-03-12T01:20:31Z ERROR checkout-api-7d9f8b6c5-x2x9p no clients left",
      }),
    );

    assert.equal(record.fields.level, "error");
    assert.equal(record.fields.service, "checkout-api");
    assert.match(record.body, /\nPod: checkout-api-7d9f8b6c5-x2x9p/);
  });

  it("keeps unknown fields in the raw payload only", async () => {
    const [first] = await pull([line("jira:JR-1", { status: "Exploded", severity: "SEV1" })]);

    assert.ok(first?.type === "record");
    assert.ok(!JSON.stringify(first.record).includes("Exploded"));
    assert.equal((first.raw as { status: string }).status, "Exploded");
  });

  it("puts the title over a text that lacks it", async () => {
    assert.equal((await one(line("jira:JR-1", { text: "Since noon." }))).body.split("\n")[0], "Checkout is slow");
  });

  it("names file and line of every broken line and keeps the others", async () => {
    const pulled = await pull([line("jira:JR-1"), "{broken", "", '{"id":"jira:JR-9"}', line("jira:JR-2")]);

    assert.deepEqual(
      pulled.map((each) => (each.type === "record" ? each.record.id : each.type === "failed" ? each.id : each.type)),
      ["jira:JR-1", "r.jsonl:2", "r.jsonl:4", "jira:JR-2", "end"],
    );
    const errors = pulled.flatMap((each) => (each.type === "failed" ? [each.error] : []));
    assert.deepEqual(
      errors.map((error) => error.code),
      ["RECORD_INVALID", "RECORD_INVALID"],
    );
    assert.match(
      errors[1]?.message ?? "",
      /^r\.jsonl:4 is no record: source: .*; kind: .*; title: is missing; it must be text in quotation marks$/,
    );
  });

  it("takes the last of two lines with one id", async () => {
    const pulled = await pull([line("jira:JR-1"), line("jira:JR-1", { title: "Checkout is back" })]);

    assert.deepEqual(
      pulled.flatMap((each) => (each.type === "record" ? [each.record.title] : [])),
      ["Checkout is back"],
    );
  });

  it("does not open an unchanged file again, and reads a changed one whole", async () => {
    const end = (await pull([line("jira:JR-1")])).at(-1);
    assert.ok(end?.type === "end" && end.scan === "full" && end.cursor !== undefined);

    const again = await Array.fromAsync(records.pull({ kind: "records", path: "r.jsonl" }, io(), end.cursor));
    assert.deepEqual(again, [{ type: "end", scan: "delta", cursor: end.cursor }]);

    const changed = await pull([line("jira:JR-1"), line("jira:JR-2")], end.cursor);
    assert.deepEqual(
      changed.map((each) => (each.type === "record" ? each.record.id : each.type === "end" ? each.scan : each.type)),
      ["jira:JR-1", "jira:JR-2", "full"],
    );
  });

  it("gives the same records when only the file's time has changed", async () => {
    const first = await pull([line("jira:JR-1")]);
    await utimes(join(root, "r.jsonl"), new Date(1e12), new Date(1e12));
    const again = await Array.fromAsync(records.pull({ kind: "records", path: "r.jsonl" }, io(), null));

    assert.deepEqual(again[0], first[0]);
  });

  it("reads a line with U+2028 in it, a byte-order mark and CRLF ends", async () => {
    const pulled = await pull([`\uFEFF${line("jira:JR-1", { text: "Checkout is slow\u2028still" })}\r`, line("jira:JR-2")]);

    assert.equal(pulled.filter((each) => each.type === "record").length, 2);
  });

  it("drops a link that is no web address", async () => {
    assert.equal((await one(line("jira:JR-1", { url: "javascript:alert(1)" }))).url, null);
  });

  it("says which file is missing, in check as in pull", async () => {
    const config = { kind: "records", path: "gone.jsonl" } as const;
    const [check] = await records.check(config, io());

    assert.equal(check?.ok, false);
    assert.match(check?.detail ?? "", /gone\.jsonl does not exist/);
    await assert.rejects(
      Array.fromAsync(records.pull(config, io(), null)),
      (error) => error instanceof ContextError && error.code === "FILE_NOT_FOUND",
    );
  });

  it("stops when it is told to", async () => {
    const controller = new AbortController();
    await writeFile(join(root, "r.jsonl"), [line("jira:JR-1"), line("jira:JR-2")].join("\n"));
    const pulling = records.pull({ kind: "records", path: "r.jsonl" }, { ...io(), signal: controller.signal }, null);
    controller.abort();

    await assert.rejects(pulling.next(), { name: "AbortError" });
  });
});
