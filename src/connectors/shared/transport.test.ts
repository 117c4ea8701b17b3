import assert from "node:assert/strict";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { describe, it } from "node:test";
import { FakeServer, json, type Reply, type Seen } from "../../../test/fakes/server.ts";
import { failure, Shelf } from "../../../test/support/pulls.ts";
import type { Io } from "../../core/connector.ts";
import { Transport } from "./transport.ts";

const SECRET = "Bearer token-of-the-test";

class Fake extends FakeServer {
  open = 0;
  most = 0;
  protected answer(_seen: Seen): Reply {
    return json({ ok: true });
  }
}

function transport(baseUrl: string, io: Io = new Shelf().io(), limits: object = {}): Transport {
  return new Transport({
    io,
    product: "Jira",
    baseUrl,
    headers: { authorization: SECRET },
    limits: { maxRequests: 100, concurrency: 2, timeoutSeconds: 5, ...limits },
    random: () => 1,
  });
}

describe("Transport", () => {
  it("sends its headers, follows redirects on its own host and counts them", async () => {
    await using fake = await new Fake().start();
    fake.troubles.push({ status: 302, headers: { location: "/moved?x=1" }, body: "" });
    const under = transport(fake.url);

    assert.deepEqual(await under.json(`${fake.url}/a`), { ok: true });
    assert.deepEqual(
      fake.requests.map(({ path, headers }) => [path, headers.authorization]),
      [
        ["/a", SECRET],
        ["/moved", SECRET],
      ],
    );
    assert.equal(under.requests, 2);
  });

  it("ends a circle of redirects", async () => {
    await using fake = await new Fake().start();
    for (let index = 0; index < 10; index += 1) fake.troubles.push({ status: 307, headers: { location: "/a" }, body: "" });

    assert.match((await failure(transport(fake.url).json(`${fake.url}/a`))).message, /in a circle/);
  });

  it("asks no other host, whoever says so", async () => {
    await using fake = await new Fake().start();
    await using other = await new Fake().start();
    fake.troubles.push({ status: 301, headers: { location: `${other.url}/a` }, body: "" });

    assert.equal((await failure(transport(fake.url).json(`${fake.url}/a`))).code, "SOURCE_REDIRECTED");
    assert.equal((await failure(transport(fake.url).json(`${other.url}/a`))).code, "SOURCE_REDIRECTED");
    assert.equal(other.requests.length, 0);
  });

  it("fetches a file from where it is sent, with no credential there, and a page of JSON never", async () => {
    await using fake = await new Fake().start();
    await using other = await new Fake().start();
    fake.troubles.push({ status: 302, headers: { location: `${other.url}/file?token=of-the-file` }, body: "" });
    other.troubles.push({ status: 200, headers: { "content-type": "application/pdf" }, body: "%PDF-1.7" });
    const under = transport(fake.url);

    const bytes = await under.download(`${fake.url}/download`);

    assert.equal(Buffer.from(bytes).toString("utf8"), "%PDF-1.7");
    assert.equal(fake.requests[0]?.headers.authorization, SECRET);
    assert.equal(other.requests[0]?.headers.authorization, undefined);
    assert.equal(other.requests[0]?.query.get("token"), "of-the-file");
    assert.equal((await failure(under.download(`${other.url}/file`))).code, "SOURCE_REDIRECTED");
    fake.troubles.push({ status: 302, headers: { location: "http://files.example/x" }, body: "" });
    assert.equal((await failure(under.download(`${fake.url}/download`))).code, "SOURCE_REDIRECTED");
    fake.troubles.push(json({ message: "no" }, 404));
    assert.equal((await failure(under.download(`${fake.url}/download`))).code, "SOURCE_NOT_FOUND");
  });

  it("says of each kind of trouble that stays what it is, in words of its own", async () => {
    const says = async (reply: Reply | "hang" | "reset" | "cut", tries = 5) => {
      await using fake = await new Fake().start();
      for (let index = 0; index < tries; index += 1) fake.troubles.push(reply);
      const error = await failure(
        transport(fake.url, new Shelf().io(), { timeoutSeconds: reply === "hang" ? 0.05 : 5 }).json(`${fake.url}/a`),
      );
      assert.notEqual(error.remedy, "");
      return `${error.code} ${error.message.replace(/127\.0\.0\.1:\d+/, "HOST")}`;
    };
    const html = (status: number, title: string): Reply => ({
      status,
      headers: {},
      body: `<html><head><title>${title}</title></head></html>`,
    });

    const said = [
      await says(json({ message: "Bad credentials" }, 401), 1),
      await says(json({ message: "Not for you" }, 403), 1),
      await says(json({ message: "Not Found" }, 404), 1),
      await says(json({ message: "This endpoint was removed" }, 410), 1),
      await says(json({ message: "Too many" }, 429, { "retry-after": "7" })),
      await says(json({}, 429)),
      await says(html(500, "Oops")),
      await says(html(200, "Log in"), 1),
      await says({ status: 200, headers: {}, body: '{"issues":[{"ke' }),
      await says("reset"),
      await says("cut"),
      await says("hang"),
    ];

    assert.deepEqual(said, [
      "SOURCE_UNAUTHORIZED Jira answered 401 to GET /a: Bad credentials",
      "SOURCE_FORBIDDEN Jira answered 403 to GET /a: Not for you",
      "SOURCE_NOT_FOUND Jira answered 404 to GET /a: Not Found",
      "SOURCE_REFUSED Jira answered 410 to GET /a: This endpoint was removed",
      "SOURCE_RATE_LIMITED Jira answered 429 to GET /a: Too many",
      "SOURCE_RATE_LIMITED Jira answered 429 to GET /a.",
      'SOURCE_UNAVAILABLE Jira answered 500 to GET /a: a web page titled "Oops"',
      'SOURCE_BAD_REPLY Jira answered GET /a with a web page titled "Log in".',
      "SOURCE_BAD_REPLY Jira answered GET /a with something that is no JSON.",
      "SOURCE_UNAVAILABLE The connection to Jira (HOST) failed (UND_ERR_SOCKET).",
      "SOURCE_UNAVAILABLE The connection to Jira (HOST) failed (UND_ERR_SOCKET).",
      "SOURCE_UNAVAILABLE Jira (HOST) did not answer /a within 0.05 seconds.",
    ]);
  });

  it("doubles its waits, and takes Retry-After as seconds or as a date by the server's clock", async () => {
    await using fake = await new Fake().start();
    const date = new Date(Date.UTC(2030, 0, 1)).toUTCString();
    const until = new Date(Date.UTC(2030, 0, 1, 0, 0, 40)).toUTCString();
    fake.troubles.push(
      { status: 500, body: "" },
      { status: 502, body: "" },
      { status: 429, headers: { "retry-after": until, date }, body: "" },
    );
    const shelf = new Shelf();

    await transport(fake.url, shelf.io({ now: () => new Date(0) })).json(`${fake.url}/a`);

    assert.deepEqual(shelf.waits, [1_000, 2_000, 40_000]);
  });

  it("waits for the reset that Atlassian writes as a time to the minute", async () => {
    await using fake = await new Fake().start();
    const headers = {
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": "2030-01-01T00:01Z",
      date: new Date(Date.UTC(2030, 0, 1)).toUTCString(),
    };
    fake.troubles.push({ status: 429, headers, body: "" });
    const shelf = new Shelf();

    await transport(fake.url, shelf.io({ now: () => new Date(0) })).json(`${fake.url}/a`);

    assert.deepEqual(shelf.waits, [61_000]);
  });

  it("never repeats a refusal", async () => {
    await using fake = await new Fake().start();
    for (const status of [400, 401, 403, 404, 409, 410, 422, 451]) {
      fake.troubles.push({ status, headers: { "content-type": "application/json" }, body: "{}" });
      await failure(transport(fake.url).json(`${fake.url}/a`));
    }
    assert.equal(fake.requests.length, 8);
  });

  it("keeps to its number of requests at once", async () => {
    await using fake = await new Fake().start();
    const io = new Shelf().io();
    let open = 0;
    let most = 0;
    const counted: typeof fetch = async (input, init) => {
      open += 1;
      most = Math.max(most, open);
      try {
        const response = await fetch(input, init);
        return new Response(await response.text(), response);
      } finally {
        open -= 1;
      }
    };
    const under = transport(fake.url, { ...io, fetch: counted }, { concurrency: 3 });

    await Promise.all(Array.from({ length: 20 }, (_, index) => under.json(`${fake.url}/${index}`)));

    assert.equal(most, 3);
    assert.equal(fake.requests.length, 20);
  });

  it("stops waiting at once when the pull is stopped", async () => {
    await using fake = await new Fake().start();
    fake.troubles.push({ status: 429, headers: { "retry-after": "3000" }, body: "" });
    const controller = new AbortController();
    const { wait: _, ...io } = new Shelf().io({ signal: controller.signal });
    fake.beforeEach = () => setImmediate(() => controller.abort(new Error("stopped")));

    await assert.rejects(transport(fake.url, io).json(`${fake.url}/a`));
    assert.equal(fake.requests.length, 1);
  });

  it("says that a certificate is not accepted, without trying again", async () => {
    const server = createServer({ key: KEY, cert: CERTIFICATE }, (_, response) => response.end("{}"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const shelf = new Shelf();

    const error = await failure(transport(url, shelf.io()).json(`${url}/a`));

    assert.equal(error.code, "SOURCE_UNAVAILABLE");
    assert.match(error.message, /certificate or TLS of Jira \(127\.0\.0\.1:\d+\) is not accepted \(DEPTH_ZERO_SELF_SIGNED_CERT\)/);
    assert.match(error.remedy, /NODE_EXTRA_CA_CERTS/);
    assert.equal(shelf.waits.length, 0);
    server.closeAllConnections();
    server.close();
  });

  it("says that nobody listens, after trying again", async () => {
    const fake = await new Fake().start();
    const { url } = fake;
    await fake[Symbol.asyncDispose]();
    const shelf = new Shelf();

    const error = await failure(transport(url, shelf.io()).json(`${url}/a`));

    assert.match(error.message, /connection to Jira \(127\.0\.0\.1:\d+\) failed \(ECONNREFUSED\)/);
    assert.deepEqual(shelf.waits, [1_000, 2_000, 4_000, 8_000]);
  });

  it("writes no credential and no query to the log", async () => {
    await using fake = await new Fake().start();
    fake.troubles.push({ status: 503, body: "" });
    const lines: string[] = [];
    const note = (fields: object, message: string) => void lines.push(JSON.stringify(fields) + message);
    const log = { debug: note, info: note, warn: note, error: note };

    await transport(fake.url, new Shelf().io({ log })).json(`${fake.url}/a?jql=private`);

    assert.equal(lines.length, 1);
    assert.ok(!lines.join().includes("token-of-the-test") && !lines.join().includes("private"));
  });
});

// self-signed, for 127.0.0.1, made for this test; nobody trusts it
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgRxyyIh0j3lpDRw/Z
EAk2a/XQ61Kz+yMmYncPV5BlyGahRANCAAQpcjT5dUvQPs7xGtI1zvaM0j8aCmr5
dPi2K8tF+JZ6d4bCvE8E73dSeZ6lPOM7y2D9Oa6rbQfs/UkSiZ2cHlJS
-----END PRIVATE KEY-----`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBhzCCAS2gAwIBAgIUQNEoTHrPjXSV+4N4Swo+lYFUN5owCgYIKoZIzj0EAwIw
GDEWMBQGA1UEAwwNY29udGV4dGQtdGVzdDAgFw0yNjExMzAwOTQzNTRaGA8yMTI2
MTEwNjA5NDM1NFowGDEWMBQGA1UEAwwNY29udGV4dGQtdGVzdDBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABClyNPl1S9A+zvEa0jXO9ozSPxoKavl0+LYry0X4lnp3
hsK8TwTvd1J5nqU84zvLYP05rqttB+z9SRKJnZweUlKjUzBRMB0GA1UdDgQWBBRn
Y7uvq294LteQIFD557zZfLkI2TAfBgNVHSMEGDAWgBRnY7uvq294LteQIFD557zZ
fLkI2TAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIHf5zlc2tAr9
k1JS5HslGtJ0zGiMQn2tj7aA7heOhmHNAiEA8XrS1zwyEMuX3MaMi3zLpeMy1Zlj
VvXAqS61NsTwUoQ=
-----END CERTIFICATE-----`;
