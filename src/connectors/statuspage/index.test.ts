import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeServer, json, type Reply, type Seen } from "../../../test/fakes/server.ts";
import { Shelf } from "../../../test/support/pulls.ts";
import { statuspage } from "./index.ts";

/** Shape after https://www.githubstatus.com/api; the incident is composed. */
class FakeStatuspage extends FakeServer {
  incidents: object[] = [
    {
      id: "k7mf5z1gz05c",
      name: "Delays in webhooks",
      status: "resolved",
      impact: "minor",
      shortlink: "https://stspg.io/k7mf",
      created_at: "2026-03-10T09:00:00.000Z",
      updated_at: "2026-03-10T10:30:00.000Z",
      resolved_at: "2026-03-10T10:30:00.000Z",
      components: [{ id: "1", name: "Webhooks" }],
      incident_updates: [
        { id: "b", status: "resolved", body: "All caught up.", created_at: "2026-03-10T10:30:00.000Z" },
        { id: "a", status: "investigating", body: "Webhooks are late.", created_at: "2026-03-10T09:00:00.000Z" },
      ],
    },
  ];

  protected answer(seen: Seen): Reply | null {
    return seen.path === "/api/v2/incidents.json" ? json({ page: { name: "Acme" }, incidents: this.incidents }) : null;
  }
}

describe("the status page connector", () => {
  it("reads an incident with its updates in the order in which they came", async () => {
    await using fake = await new FakeStatuspage().start();
    const shelf = new Shelf();

    await shelf.pull(statuspage, { kind: "statuspage", baseUrl: fake.url });

    const record = shelf.records.get("statuspage:k7mf5z1gz05c");
    assert.ok(record?.body.startsWith("Delays in webhooks\n\nWebhooks are late.\n\nAll caught up.\n\nStatus: resolved"));
    assert.deepEqual(
      [record?.fields.open, record?.fields.components, record?.fields.resolvedAt],
      [false, ["Webhooks"], "2026-03-10T10:30:00Z"],
    );
  });

  it("keeps incidents that the page no longer lists, and reports one that does not fit", async () => {
    await using fake = await new FakeStatuspage().start();
    const shelf = new Shelf();
    await shelf.pull(statuspage, { kind: "statuspage", baseUrl: fake.url });
    fake.incidents = [{ id: 7 }];

    const counts = await shelf.pull(statuspage, { kind: "statuspage", baseUrl: fake.url });

    assert.equal(shelf.records.size, 1);
    assert.equal(counts.failed, 1);
  });

  it("says in doctor when the address is no status page", async () => {
    await using fake = await new FakeStatuspage().start();
    fake.troubles.push({ status: 200, headers: { "content-type": "text/html" }, body: "<title>Shop</title>" });

    const [check] = await statuspage.check({ kind: "statuspage", baseUrl: fake.url }, new Shelf().io());

    assert.equal(check?.ok, false);
    assert.match(check?.detail ?? "", /a web page titled "Shop"/);
  });
});
