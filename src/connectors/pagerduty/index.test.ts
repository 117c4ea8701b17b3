import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakePagerduty } from "../../../test/fakes/pagerduty.ts";
import { json } from "../../../test/fakes/server.ts";
import { failure, Shelf, undated } from "../../../test/support/pulls.ts";
import { pagerduty } from "./index.ts";

const NOW = new Date("2026-03-12T02:10:00Z");

async function account(more: object = {}) {
  const fake = await new FakePagerduty().start();
  fake.services.push({ id: "P1", name: "checkout-api", policy: "E1" }, { id: "P2", name: "search-api", policy: "E2" });
  fake.shifts.push(
    { policy: "E1", level: 1, user: "Rahul Sharma", start: "2026-03-09T08:00:00Z", end: "2026-03-16T08:00:00Z" },
    { policy: "E1", level: 1, user: "Meera Iyer", start: "2026-03-02T09:00:00+01:00", end: "2026-03-09T08:00:00Z" },
    { policy: "E1", level: 2, user: "Rohan Sharma", start: null, end: null },
    { policy: "E1", level: 1, user: "Too Old", start: "2025-12-01T08:00:00Z", end: "2025-12-08T08:00:00Z" },
  );
  const config = pagerduty.config.parse({ kind: "pagerduty", baseUrl: fake.url, token: "key-of-the-test", ...more });
  const shelf = new Shelf();
  const pull = (now = NOW) => shelf.pull(pagerduty, config, { now: () => now, fetch: undated });
  return { fake, config, shelf, pull };
}

describe("the PagerDuty connector", () => {
  it("states who is on call for a service from when to when, in UTC", async () => {
    const { fake, shelf, pull } = await account();
    await using _ = fake;

    await pull();

    const record = shelf.records.get("pagerduty:service:P1");
    assert.equal(
      record?.body.slice(0, record.proseEnd),
      [
        "On-call schedule of checkout-api",
        "",
        "On-call rota, handover at 08:00 UTC:",
        "",
        "From | checkout-api",
        "2026-03-02 | Meera Iyer",
        "2026-03-09 | Rahul Sharma",
        "",
        "On call: Meera Iyer for checkout-api from 2026-03-02T08:00:00Z to 2026-03-09T08:00:00Z (Primary)",
        "On call: Rahul Sharma for checkout-api from 2026-03-09T08:00:00Z to 2026-03-16T08:00:00Z (Primary)",
        "On call: Rohan Sharma for checkout-api (level 2)",
      ].join("\n"),
    );
    assert.equal(record?.updatedAt, "2026-03-09T08:00:00Z");
    assert.deepEqual(record?.fields.people?.[1], { name: "Rahul Sharma", email: "rahul@users.example" });
    assert.equal(shelf.records.size, 2);
    assert.deepEqual(fake.unexpected, []);
  });

  it("changes nothing in a pull an hour later, one record for a shift that was given away, and lets a service go", async () => {
    const { fake, shelf, pull } = await account();
    await using _ = fake;
    await pull();
    fake.take();

    const later = await pull(new Date(NOW.getTime() + 3_600_000));
    assert.deepEqual([later.added, later.changed, later.gone], [0, 0, 0]);
    assert.equal(fake.take().length, 2);
    fake.shifts[0] = { policy: "E1", level: 1, user: "Meera Iyer", start: "2026-03-09T08:00:00Z", end: "2026-03-16T08:00:00Z" };
    assert.equal((await pull()).changed, 1);
    fake.services.pop();
    assert.equal((await pull()).gone, 1);
    assert.equal(shelf.records.size, 1);
  });

  it("follows both lists to their end, and reads the services that are named", async () => {
    const { fake, shelf, pull } = await account({ services: ["checkout-api", "s150"] });
    await using _ = fake;
    for (let n = 0; n < 230; n += 1) {
      fake.services.push({ id: `X${n}`, name: `s${n}`, policy: `F${n}` });
      fake.shifts.push({ policy: `F${n}`, level: 1, user: `User ${n}`, start: "2026-03-10T00:00:00Z", end: "2026-03-17T00:00:00Z" });
    }

    await pull();

    assert.deepEqual([...shelf.records.keys()].sort(), ["pagerduty:service:P1", "pagerduty:service:X150"]);
    assert.match(shelf.records.get("pagerduty:service:X150")?.body ?? "", /On call: User 150 for s150 from/);
    assert.equal(fake.requests.length, 6);
  });

  it("reports an odd shift and an odd service, and keeps the others", async () => {
    const { fake, shelf, pull } = await account();
    await using _ = fake;
    fake.troubles.push(json({ oncalls: [{ user: 7 }], more: false }), json({ services: [{ id: 7 }], more: false }));

    const counts = await pull();

    assert.equal(counts.failed, 2);
    assert.match(shelf.failures[0]?.message ?? "", /^pagerduty:oncall:unknown does not fit: /);
  });

  it("says what a wrong key means", async () => {
    const { fake, config } = await account();
    await using _ = fake;

    const error = await failure(new Shelf().pull(pagerduty, { ...config, token: "wrong" }));
    const checks = await pagerduty.check(config, new Shelf().io());

    assert.equal(error.code, "SOURCE_UNAUTHORIZED");
    assert.match(error.remedy, /REST API key/);
    assert.deepEqual(
      checks.map(({ ok }) => ok),
      [true, true],
    );
  });
});
