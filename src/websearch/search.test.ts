import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Trouble } from "../../test/fakes/server.ts";
import { braveError, FakeBrave, FakeWikipedia, wikiError } from "../../test/fakes/web-search.ts";
import { Shelf } from "../../test/support/pulls.ts";
import { WebSearchConfig } from "./config.ts";
import { createWebSearch } from "./search.ts";

const signal = new AbortController().signal;
const breaker = {
  title: "Circuit breaker pattern",
  url: "https://example.org/breaker",
  text: "A circuit breaker stops calls to a service that fails.",
};
const bulkhead = { title: "Bulkhead", url: "https://example.org/bulkhead", text: "A bulkhead keeps one failure from sinking the rest." };

function engine(fake: FakeBrave | FakeWikipedia): object {
  return fake instanceof FakeBrave ? { kind: "brave", token: fake.token, baseUrl: fake.url } : { kind: "wikipedia", baseUrl: fake.url };
}

function searching(fakes: readonly (FakeBrave | FakeWikipedia)[], more: object = {}, shelf = new Shelf()) {
  const { signal: _signal, root: _root, ...io } = shelf.io();
  return createWebSearch(WebSearchConfig.parse({ engines: fakes.map(engine), ...more }), io);
}

describe("web search", () => {
  it("asks Brave with its token and reads title, address, date and plain text of its results", async () => {
    await using fake = await new FakeBrave().start();
    fake.pages = [{ ...breaker, text: "A <strong>circuit breaker</strong> isn&#x27;t a fuse &amp; resets itself." }];

    const { pages, engines } = await searching([fake]).search("What is a circuit breaker?", signal);

    assert.deepEqual(pages, [
      {
        title: breaker.title,
        url: breaker.url,
        text: "A circuit breaker isn't a fuse & resets itself.",
        engine: "Brave Search",
        updatedAt: "2026-02-01T08:00:00",
      },
    ]);
    assert.deepEqual(engines, [{ name: "Brave Search", found: 1, failure: null }]);
    assert.equal(fake.requests[0]?.query.get("q"), "What is a circuit breaker?");
    assert.equal(fake.requests[0]?.headers["x-subscription-token"], fake.token);
  });

  it("asks Wikipedia for keywords, then for the introductions, and keeps the order of the search", async () => {
    await using fake = await new FakeWikipedia().start();
    fake.pages = [breaker, bulkhead];

    const { pages } = await searching([fake]).search("What is a circuit breaker?", signal);

    assert.deepEqual(
      pages.map(({ title }) => title),
      [breaker.title, bulkhead.title],
    );
    assert.deepEqual(
      pages.map(({ text }) => text),
      [breaker.text, bulkhead.text],
    );
    assert.equal(fake.requests[0]?.query.get("srsearch"), "circuit breaker");
    assert.match(String(fake.requests[0]?.headers["user-agent"]), /^contextd/);
    assert.deepEqual(fake.unexpected, []);
  });

  it("lets engines take turns, keeps each address once, and brings no more pages than configured", async () => {
    await using one = await new FakeBrave().start();
    await using two = await new FakeWikipedia().start();
    const third = { title: "Retry", url: "https://example.org/retry", text: "A retry tries again after a while." };
    one.pages = [breaker, third];
    two.pages = [breaker, bulkhead];

    const { pages } = await searching([one, two], { results: 2 }).search("circuit breaker", signal);

    assert.deepEqual(
      pages.map(({ url, engine }) => [url, engine]),
      [
        [breaker.url, "Brave Search"],
        [third.url, "Brave Search"],
      ],
    );
  });

  it("sends the question without its secrets, and says what it sent", async () => {
    await using fake = await new FakeBrave().start();
    const secret = `ghp_${"a1B2".repeat(9)}`;

    const { query } = await searching([fake]).search(`Why does\n GitHub refuse ${secret} with 403?`, signal);

    assert.equal(query, "Why does GitHub refuse with 403?");
    assert.equal(fake.requests[0]?.query.get("q"), query);
    assert.ok(!JSON.stringify(fake.requests[0]).includes(secret));
  });

  it("cuts a question to what Brave takes", async () => {
    await using fake = await new FakeBrave().start();

    const { engines } = await searching([fake]).search("pod ".repeat(1_000), signal);

    assert.equal(engines[0]?.failure, null);
  });

  it("leaves out results without text or without an address that a reader can open", async () => {
    await using fake = await new FakeBrave().start();
    const results = [
      { title: "x", url: "javascript:alert(1)", description: "Click." },
      { title: "y", url: "https://example.org/y", description: "" },
      { title: 7, url: "https://example.org/z", description: "A number for a title." },
      { title: "w", url: "https://example.org/w", description: "Good." },
    ];
    fake.troubles.push({ status: 200, body: JSON.stringify({ type: "search", web: { results } }) });

    const { pages } = await searching([fake]).search("a", signal);

    assert.deepEqual(
      pages.map(({ title }) => title),
      ["w"],
    );
  });

  it("waits and asks again after 429 and 503", async () => {
    await using fake = await new FakeBrave().start();
    fake.pages = [breaker];
    fake.troubles.push(braveError(429, "RATE_LIMITED", "Request rate limit exceeded for plan."), { status: 503, body: "" });
    const shelf = new Shelf();

    const { pages } = await searching([fake], {}, shelf).search("circuit breaker", signal);

    assert.equal(pages.length, 1);
    assert.equal(shelf.waits.length, 2);
  });

  it("does not wait for a quota that comes back in an hour", async () => {
    await using fake = await new FakeBrave().start();
    fake.troubles.push({ ...braveError(429, "RATE_LIMITED", "Quota exceeded."), headers: { "retry-after": "3600" } });
    const shelf = new Shelf();

    const { engines } = await searching([fake], {}, shelf).search("circuit breaker", signal);

    assert.equal(engines[0]?.failure?.code, "SOURCE_RATE_LIMITED");
    assert.deepEqual(shelf.waits, []);
    assert.equal(fake.requests.length, 1);
  });

  const page = { status: 200, headers: { "content-type": "text/html" }, body: "<html><title>Proxy login</title></html>" };
  for (const [what, trouble, code] of [
    ["refuses with 401", { status: 401, body: "{}" }, "SOURCE_UNAUTHORIZED"],
    [
      "refuses the token as Brave does, with 422",
      braveError(422, "SUBSCRIPTION_TOKEN_INVALID", "The provided subscription token is invalid."),
      "SOURCE_REFUSED",
    ],
    ["has no quota left", braveError(429, "RATE_LIMITED", "Request rate limit exceeded for plan."), "SOURCE_RATE_LIMITED"],
    ["is broken", { status: 500, body: "" }, "SOURCE_UNAVAILABLE"],
    ["is hidden behind a web page", page, "SOURCE_BAD_REPLY"],
    ["sends JSON of another kind", { status: 200, body: '{"hello": 1}' }, "SOURCE_BAD_REPLY"],
    [
      "sends the question on to another host",
      { status: 302, headers: { location: "https://example.com/x" }, body: "" },
      "SOURCE_REDIRECTED",
    ],
    ["never answers", "hang", "SOURCE_UNAVAILABLE"],
    ["breaks off", "cut", "SOURCE_UNAVAILABLE"],
  ] satisfies readonly [string, Trouble, string][]) {
    it(`names the engine that ${what}, and brings what the other one found`, async () => {
      await using one = await new FakeBrave().start();
      await using two = await new FakeWikipedia().start();
      one.troubles.push(trouble, trouble, trouble);
      two.pages = [bulkhead];

      const { pages, engines } = await searching([one, two], { timeoutSeconds: trouble === "hang" ? 0.2 : 8 }).search("bulkhead", signal);

      assert.equal(engines[0]?.failure?.code, code);
      assert.ok(!engines[0]?.failure?.message.includes(one.token));
      assert.deepEqual(
        pages.map(({ engine }) => engine),
        ["Wikipedia"],
      );
    });
  }

  it("takes an error that Wikipedia reports with status 200 for what it is", async () => {
    await using fake = await new FakeWikipedia().start();
    fake.troubles.push({ status: 200, body: JSON.stringify(wikiError("ratelimited", "You've exceeded your rate limit.")) });

    const { engines } = await searching([fake]).search("bulkhead", signal);

    assert.match(engines[0]?.failure?.message ?? "", /ratelimited/);
  });

  it("stops when the question is stopped", async () => {
    await using fake = await new FakeBrave().start();
    const stopping = new AbortController();
    fake.beforeEach = () => stopping.abort();
    fake.troubles.push("hang");

    await assert.rejects(searching([fake]).search("bulkhead", stopping.signal), { name: "AbortError" });
  });

  it("is checked by one small search an engine, with a remedy where the token is wrong", async () => {
    await using one = await new FakeBrave().start();
    await using two = await new FakeWikipedia().start();
    one.troubles.push(braveError(422, "SUBSCRIPTION_TOKEN_INVALID", "The provided subscription token is invalid."));

    const checks = await searching([one, two]).check(signal);

    assert.deepEqual(
      checks.map(({ name, ok }) => [name, ok]),
      [
        ["web search by Brave Search", false],
        ["web search by Wikipedia", true],
      ],
    );
    assert.match(checks[0]?.remedy ?? "", /token/i);
  });
});
