import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeOpensearch } from "../../../test/fakes/opensearch.ts";
import { failure, Shelf } from "../../../test/support/pulls.ts";
import { opensearch } from "./index.ts";

const START = Date.now() - 3_600_000;

async function cluster(more: object = {}) {
  const fake = await new FakeOpensearch().start();
  const config = opensearch.config.parse({ kind: "opensearch", baseUrl: fake.url, index: "logs-*", ...more });
  const shelf = new Shelf();
  return { fake, config, shelf, pull: () => shelf.pull(opensearch, config) };
}

describe("the OpenSearch connector", () => {
  it("reads documents of ECS, of OpenTelemetry, and of collectors that keep the line as it was", async () => {
    const { fake, shelf, pull } = await cluster();
    await using _ = fake;
    fake.add(START, { message: "pool exhausted", log: { level: "error" }, service: { name: "cart" }, trace: { id: "9f1c2ab4" } });
    fake.add(START + 1, { body: "no ads", severityText: "WARN", resource: { "service.name": "ad" } });
    fake.add(START + 2, { message: "2026-08-20T20:52:01Z ERROR redis refused", kubernetes: { pod: { name: "quote-7d9f8b6c5-x2x9p" } } });

    await pull();

    const shown = [...shelf.records.values()].map(({ id, fields }) => `${id} ${fields.service} ${fields.level}`).sort();
    assert.deepEqual(shown, ["log:opensearch/ad:1 ad warn", "log:opensearch/cart:1 cart error", "log:opensearch/quote:1 quote error"]);
    assert.match(shelf.records.get("log:opensearch/cart:1")?.body ?? "", /ERROR cart: pool exhausted/);
    assert.equal(shelf.records.get("log:opensearch/cart:1")?.fields.traceId, "9f1c2ab4");
    assert.equal(shelf.records.get("log:opensearch/quote:1")?.createdAt, "2026-08-20T20:52:01Z");
  });

  it("follows a scroll to its end, gives it back, and reads what is new", async () => {
    const { fake, shelf, pull } = await cluster({ pageLines: 100 });
    await using _ = fake;
    // a thousand of one millisecond: nothing tells them apart but the scroll
    for (let n = 0; n < 1_000; n += 1) fake.add(START, { message: `ERROR slow request id=${n}a7`, service: { name: "cart" } });

    await pull();

    assert.equal(shelf.records.get("log:opensearch/cart:1")?.fields.count, 1_000);
    assert.equal(fake.open.size, 0);
    fake.take();
    fake.add(START - 1_000, { message: "ERROR slow request id=9a7", service: { name: "cart" } });
    await pull();
    assert.equal(shelf.records.get("log:opensearch/cart:1")?.fields.count, 1_001);
    assert.equal(fake.open.size, 0);
    assert.deepEqual(fake.unexpected, []);
  });

  it("asks for the query and the window, with the credentials that are configured", async () => {
    const { fake, config, shelf } = await cluster({ query: "kubernetes.namespace: shop", windowHours: 1 });
    await using _ = fake;
    fake.add(START - 3_600_000, { message: "ERROR too old" });

    await shelf.pull(opensearch, { ...config, apiKey: "key" });
    await shelf.pull(opensearch, { ...config, user: "reader", token: "secret" });
    await shelf.pull(opensearch, { ...config, token: "secret" });

    assert.equal(shelf.records.size, 0);
    const searches = fake.requests.filter(({ path }) => path === "/logs-*/_search");
    assert.deepEqual(
      searches.map(({ headers }) => headers.authorization),
      ["ApiKey key", `Basic ${btoa("reader:secret")}`, "Bearer secret"],
    );
    assert.match(searches[0]?.body ?? "", /"query_string":\{"query":"kubernetes.namespace: shop"/);
  });

  it("takes part of an index for a failure, and says in the cluster's words what is wrong", async () => {
    const { fake, config, shelf } = await cluster();
    await using _ = fake;
    fake.failedShards = 1;
    const partial = await failure(shelf.pull(opensearch, config));
    fake.failedShards = 0;
    const missing = await failure(shelf.pull(opensearch, { ...config, index: "nope" }));
    const syntax = await failure(shelf.pull(opensearch, { ...config, query: "((" }));

    assert.equal(partial.code, "SOURCE_UNAVAILABLE");
    assert.equal(missing.code, "SOURCE_NOT_FOUND");
    assert.match(missing.message, /404 to POST \/nope\/_search: no such index \[nope\]/);
    assert.match(missing.remedy, /Check index/);
    assert.match(syntax.message, /Failed to parse query/);
    assert.match(syntax.remedy, /Correct query/);
    assert.equal(shelf.cursor, null);
  });
});
