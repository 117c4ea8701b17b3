import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeLoki } from "../../../test/fakes/loki.ts";
import { failure, Shelf } from "../../../test/support/pulls.ts";
import { loki } from "./index.ts";

const START = Date.now() - 3_600_000;
const SECOND = 1_000;

async function store(more: object = {}) {
  const fake = await new FakeLoki().start();
  const config = loki.config.parse({ kind: "loki", baseUrl: fake.url, query: '{namespace="shop"}', ...more });
  const shelf = new Shelf();
  return { fake, config, shelf, pull: () => shelf.pull(loki, config) };
}

describe("the Loki connector", () => {
  it("makes entries of lines, with service and pod from the labels, the time from the store, and stack traces in one", async () => {
    const { fake, shelf, pull } = await store();
    await using _ = fake;
    fake.add("slow request took 120 ms", START);
    fake.add("2026-08-20T20:52:01Z ERROR connection to redis refused", START + SECOND);
    fake.add("java.lang.IllegalStateException: no ads", START + 2 * SECOND);
    fake.add("\tat a.B.c(B.java:1)", START + 2 * SECOND + 1);
    fake.add('{"level":"warn","msg":"retrying","trace_id":"9f1c2ab4"}', START + 3 * SECOND, { app: "quote" });

    const counts = await pull();

    assert.equal(counts.scan, "full");
    assert.deepEqual([...shelf.records.keys()].sort(), ["log:loki/cart:1", "log:loki/cart:2", "log:loki/cart:3", "log:loki/quote:1"]);
    const [plain, headed, trace, structured] = ["cart:1", "cart:2", "cart:3", "quote:1"].map((id) => shelf.records.get(`log:loki/${id}`));
    assert.deepEqual([plain?.fields.service, plain?.fields.pod], ["cart", "cart-7d9f8b6c5-x2x9p"]);
    assert.equal(plain?.createdAt, new Date(START).toISOString().replace(".000Z", "Z"));
    assert.deepEqual([headed?.fields.level, headed?.createdAt], ["error", "2026-08-20T20:52:01Z"]);
    assert.equal(trace?.fields.exception, "java.lang.IllegalStateException");
    assert.match(trace?.body ?? "", /no ads\n\tat a\.B/);
    assert.deepEqual([structured?.fields.service, structured?.fields.level, structured?.fields.traceId], ["quote", "warn", "9f1c2ab4"]);
  });

  it("folds a flood into templates over many pages, whatever the page's size, and reads what is new in one request", async () => {
    const { fake, config, shelf, pull } = await store();
    await using _ = fake;
    for (let n = 0; n < 2_000; n += 1) fake.add(`ERROR slow request id=${n}a7 took ${n} ms`, START + n * 10);
    await pull();
    const whole = [...shelf.records.values()].map(({ body }) => body);
    const paged = new Shelf();
    fake.take();

    // lines of one nanosecond fall on both sides of a page's end
    for (let n = 0; n < 40; n += 1) fake.add(`INFO tick ${n}`, START + 500, { app: "clock" });
    await paged.pull(loki, { ...config, pageLines: 97 });

    assert.equal(fake.take().length, 22);
    assert.deepEqual(
      [...paged.records.values()].filter(({ id }) => id.includes("cart")).map(({ body }) => body),
      whole,
    );
    assert.equal(paged.records.get("log:loki/cart:1")?.fields.count, 2_000);
    assert.equal([...paged.records.keys()].filter((id) => id.includes("clock")).length, 40);
    await pull();
    fake.take();
    fake.add("ERROR slow request id=9a7 took 9 ms", START + 100_000);
    const { added, changed, gone } = await pull();
    assert.deepEqual([added, changed, gone], [0, 1, 0]);
    assert.equal(shelf.records.get("log:loki/cart:1")?.fields.count, 2_001);
    assert.equal(fake.take().length, 1);
  });

  it("reads a line once that came late or is asked for twice", async () => {
    const { fake, shelf, pull } = await store();
    await using _ = fake;
    fake.add("INFO one", START);
    fake.add("INFO three", START + 30 * SECOND);
    await pull();
    fake.add("INFO two came late", START + 10 * SECOND);

    const { added, changed } = await pull();
    const again = await pull();

    assert.deepEqual([added, changed, again.added + again.changed], [1, 0, 0]);
    assert.match(shelf.records.get("log:loki/cart:3")?.body ?? "", /^INFO two came late/);
  });

  it("makes one entry of a stack trace that was half written when a pull ended", async () => {
    const { fake, shelf, pull } = await store();
    await using _ = fake;
    const now = Date.now();
    fake.add("2026-08-20T20:52:00Z INFO ready", now - 901);
    fake.add("java.lang.IllegalStateException: no ads", now - 900);
    await pull();
    assert.equal(shelf.records.get("log:loki/cart:2")?.title, "java.lang.IllegalStateException: no ads");
    fake.add("\tat a.B.c(B.java:1)", now - 899);
    await pull();
    fake.add("Caused by: java.net.SocketException: reset", now - 898);
    fake.add("2026-08-20T20:52:02Z INFO done", now - 500);

    const { added, changed, gone } = await pull();
    const again = await pull();

    assert.deepEqual([added, changed, gone, again.added + again.changed + again.gone], [1, 1, 0, 0]);
    assert.deepEqual([...shelf.records.keys()].sort(), ["log:loki/cart:1", "log:loki/cart:2", "log:loki/cart:5"]);
    const trace = shelf.records.get("log:loki/cart:2");
    assert.match(trace?.body ?? "", /^java\.lang[^\n]+\n\tat a\.B[^\n]+\nCaused by: java\.net\.SocketException/);
    assert.deepEqual([trace?.fields.exception, trace?.fields.count], ["java.lang.IllegalStateException", undefined]);
  });

  it("lets single lines go once a service is no longer a small one", async () => {
    const { fake, shelf, pull } = await store();
    await using _ = fake;
    for (let n = 0; n < 30; n += 1) fake.add(`INFO tick ${n} of the clock`, START + n * SECOND);
    await pull();
    assert.equal(shelf.records.size, 30);
    for (let n = 30; n < 90; n += 1) fake.add(`INFO tick ${n} of the clock`, START + n * SECOND);

    await pull();

    assert.deepEqual([...shelf.records.keys()], ["log:loki/cart:1"]);
    assert.equal(shelf.records.get("log:loki/cart:1")?.fields.count, 90);
  });

  it("lets no secret through, and keeps to the level that is configured", async () => {
    const { fake, shelf, pull } = await store({ level: "warn" });
    await using _ = fake;
    fake.add("ERROR login with password=hunter2hunter2 failed", START);
    fake.add("INFO nothing of note", START + 1);

    await pull();

    assert.equal(shelf.records.size, 1);
    assert.ok(!JSON.stringify([...shelf.records.values(), ...shelf.raw.values()]).includes("hunter2"));
  });

  it("sends its credentials and tenant, and says what is wrong in Loki's words", async () => {
    const { fake, config, shelf, pull } = await store({ user: "1234", token: "secret" });
    await using _ = fake;
    await pull();
    assert.equal(fake.take()[0]?.headers.authorization, `Basic ${btoa("1234:secret")}`);

    fake.tenant = "shop";
    const tenant = await failure(shelf.pull(loki, config));
    await shelf.pull(loki, { ...config, tenant: "shop" });
    const syntax = await failure(shelf.pull(loki, { ...config, tenant: "shop", query: "namespace" }));
    const metric = await failure(shelf.pull(loki, { ...config, tenant: "shop", query: 'rate({a="b"}[5m])' }));
    fake.mostLines = 1_000;
    const limit = await failure(shelf.pull(loki, { ...config, tenant: "shop" }));

    assert.deepEqual(
      [tenant.code, syntax.code, metric.code, limit.code],
      ["SOURCE_UNAUTHORIZED", "SOURCE_REFUSED", "SOURCE_BAD_REPLY", "SOURCE_REFUSED"],
    );
    assert.match(tenant.remedy, /Set tenant/);
    assert.match(syntax.message, /parse error at line 1/);
    assert.match(metric.remedy, /without functions/);
    assert.match(limit.remedy, /Lower pageLines/);
  });
});
