import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeServer, json, type Reply, type Seen, type Trouble } from "../../test/fakes/server.ts";
import { failure, Shelf } from "../../test/support/pulls.ts";
import type { ErrorCode } from "../core/errors.ts";
import { connectorOf, SourceConfig } from "./registry.ts";

const SECRET = "secret-of-the-test";

/** Answers every request with the same trouble. */
class Troubled extends FakeServer {
  private readonly trouble: Trouble;

  constructor(trouble: Trouble) {
    super();
    this.trouble = trouble;
    this.beforeEach = () => this.troubles.push(this.trouble);
  }

  protected answer(_seen: Seen): Reply {
    return json({ whole: "but cut in two on its way" });
  }
}

/** Every kind of source that is reached over the network, with credentials wherever it takes any. */
const sources = (baseUrl: string): readonly object[] => [
  { kind: "jira", baseUrl, email: "me@users.example", token: SECRET, projects: ["JR"] },
  { kind: "jira", deployment: "datacenter", baseUrl, token: SECRET, projects: ["JR"] },
  { kind: "github", baseUrl, token: SECRET, repositories: ["acme/shop"] },
  { kind: "confluence", baseUrl, email: "me@users.example", token: SECRET, spaces: ["OPS"] },
  { kind: "confluence", deployment: "datacenter", baseUrl, token: SECRET, spaces: ["OPS"] },
  { kind: "statuspage", baseUrl },
  { kind: "loki", baseUrl, query: '{app="shop"}', user: "1", token: SECRET },
  { kind: "opensearch", baseUrl, index: "logs-*", apiKey: SECRET },
  { kind: "pagerduty", baseUrl, token: SECRET },
];

const html = (status: number, title: string): Reply => ({
  status,
  headers: { "content-type": "text/html" },
  body: `<!doctype html><html><head><title>${title}</title></head></html>`,
});

/** What is wrong, the code, what the message must say, and how often it is worth a request. */
const troubles: readonly (readonly [string, Trouble, ErrorCode, RegExp, number])[] = [
  ["401", json({ message: "No such token" }, 401), "SOURCE_UNAUTHORIZED", /answered 401 to .*No such token/, 1],
  ["403", json({ message: "Not for you" }, 403), "SOURCE_FORBIDDEN", /answered 403 to .*Not for you/, 1],
  ["404", json({ message: "Nothing here" }, 404), "SOURCE_NOT_FOUND", /./, 1],
  ["410", json({ message: "It was removed" }, 410), "SOURCE_REFUSED", /answered 410 to .*It was removed/, 1],
  ["429 with Retry-After", json({ message: "Slow down" }, 429, { "retry-after": "7" }), "SOURCE_RATE_LIMITED", /429 to .*Slow down/, 5],
  ["429 without it", { status: 429, body: "" }, "SOURCE_RATE_LIMITED", /answered 429 to/, 5],
  ["500", json({ message: "We broke" }, 500), "SOURCE_UNAVAILABLE", /answered 500 to .*We broke/, 5],
  ["an HTML error page", html(502, "Bad gateway"), "SOURCE_UNAVAILABLE", /answered 502 to .*a web page titled "Bad gateway"/, 5],
  ["a log-in page", html(200, "Log in"), "SOURCE_BAD_REPLY", /a web page titled "Log in"/, 1],
  ["truncated JSON", { status: 200, headers: { "content-type": "application/json" }, body: '{"a": [' }, "SOURCE_BAD_REPLY", /no JSON/, 3],
  ["JSON of another kind", json({ hello: "world" }), "SOURCE_BAD_REPLY", /./, 1],
  ["a body cut in transfer", "cut", "SOURCE_UNAVAILABLE", /connection to .* failed/, 5],
  ["a broken connection", "reset", "SOURCE_UNAVAILABLE", /connection to .* failed/, 5],
  ["a hung socket", "hang", "SOURCE_UNAVAILABLE", /did not answer .* within 0\.05 seconds/, 2],
];

const titleOf = ({ kind, deployment }: { kind?: string; deployment?: string }) => [kind, deployment].filter(Boolean).join(" ");

async function refusal(block: object, shelf: Shelf, log: string[], isHung = false) {
  const parsed = SourceConfig.parse(block);
  // no manifest may say so, since nobody waits for so short a time
  const config = isHung ? { ...parsed, timeoutSeconds: 0.05 } : parsed;
  const note = (fields: object, message: string) => void log.push(JSON.stringify(fields) + message);
  return failure(shelf.pull(connectorOf(parsed), config as SourceConfig, { log: { debug: note, info: note, warn: note, error: note } }));
}

describe("every source over the network", () => {
  for (const block of sources("http://127.0.0.1:1")) {
    it(`says of each trouble what it is, in few requests, and shows no credential: ${titleOf(block)}`, async () => {
      const said = new Set<string>();
      for (const [what, trouble, code, message, requests] of troubles) {
        // without a limit of its own for a single answer; it is the transport's
        if (titleOf(block) === "statuspage" && trouble === "hang") continue;
        await using fake = await new Troubled(trouble).start();
        const shelf = new Shelf();
        const log: string[] = [];

        const error = await refusal({ ...block, baseUrl: fake.url }, shelf, log, trouble === "hang");

        assert.equal(error.code, code, what);
        assert.match(error.message, message, what);
        assert.notEqual(error.remedy, "", what);
        assert.ok(fake.requests.length <= requests + 1, `${what}: ${fake.requests.length} requests`);
        assert.ok(!JSON.stringify([error.message, error.remedy, error.detail, log]).includes(SECRET), what);
        assert.equal(shelf.cursor, null, what);
        said.add(error.message.replaceAll(fake.url.replace("http://", ""), "HOST"));
      }
      assert.ok(said.size >= troubles.length - 2, `${said.size} messages for ${troubles.length} troubles`);
    });

    it(`sends nothing to another host that it is sent on to: ${titleOf(block)}`, async () => {
      await using other = await new Troubled(json({})).start();
      await using fake = await new Troubled({ status: 302, headers: { location: `${other.url}/x` }, body: "" }).start();

      const error = await refusal({ ...block, baseUrl: fake.url }, new Shelf(), []);

      assert.equal(error.code, "SOURCE_REDIRECTED");
      assert.ok(error.message.includes(other.url));
      assert.equal(other.requests.length, 0);
    });
  }

  it("has a failed line in doctor for what it may not read, with a remedy, after one request a check", async () => {
    for (const block of sources("http://127.0.0.1:1")) {
      await using fake = await new Troubled(json({ message: "Not for you" }, 403)).start();
      const config = SourceConfig.parse({ ...block, baseUrl: fake.url });

      const checks = await connectorOf(config).check(config, new Shelf().io());

      assert.ok(checks.length > 0 && checks.every(({ ok, remedy }) => !ok && remedy !== null && remedy !== ""), titleOf(block));
      assert.ok(fake.requests.length <= checks.length, titleOf(block));
    }
  });
});
