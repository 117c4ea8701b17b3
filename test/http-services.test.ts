import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { HttpServer } from "../src/http/server.ts";
import { raw, serve } from "./support/http.ts";

describe("services over HTTP", () => {
  let url = "";
  let port = 0;
  let server: HttpServer;

  before(async () => {
    ({ url, port, server } = await serve());
  });
  after(() => server.stop());

  it("shows a service with owners now and before, open incidents, changes and both ways of dependencies", async () => {
    const view = (await (await fetch(`${url}/api/services/checkout`)).json()) as Record<string, { label: string; causes: unknown[] }[]>;
    const labels = (key: string): string[] => (view[key] ?? []).map((one) => one.label);

    assert.deepEqual(labels("owners"), ["Rahul Sharma"]);
    assert.deepEqual(labels("formerOwners"), ["Meera Iyer"]);
    assert.deepEqual(labels("openIncidents"), ["JR-441 checkout-api returns 503 at peak"]);
    assert.equal(view.openIncidents?.[0]?.causes.length, 1);
    assert.deepEqual(labels("dependsOn"), ["payments", "redis"]);
    assert.deepEqual(labels("changes"), ["a3f8c2d open one Redis connection per request"]);
  });

  it("shows a service as it was in a window of time", async () => {
    const to = Date.parse("2025-01-31T00:00:00Z");
    const view = (await (await fetch(`${url}/api/services/checkout?from=${to - 86_400_000}&to=${to}`)).json()) as Record<
      string,
      { label: string }[]
    >;

    assert.deepEqual(
      view.owners?.map((one) => one.label),
      ["Meera Iyer"],
    );
    assert.deepEqual([view.openIncidents, view.changes], [[], []]);
  });

  it("takes a window with one end: an hour before it, or until now; and one with its ends exchanged", async () => {
    const windowOf = async (query: string): Promise<unknown> =>
      ((await (await fetch(`${url}/api/services/checkout?${query}`)).json()) as { window: unknown }).window;

    assert.deepEqual(await windowOf("to=2026-03-12T01:00:00Z"), { from: "2026-03-12T00:00:00.000Z", to: "2026-03-12T01:00:00.000Z" });
    assert.deepEqual(await windowOf("from=2026-03-12T01:00:00Z"), { from: "2026-03-12T01:00:00.000Z", to: "2026-03-12T02:10:00.000Z" });
    assert.deepEqual(await windowOf("from=2026-03-12T01:00:00Z&to=2026-03-11T01:00:00Z"), {
      from: "2026-03-11T01:00:00.000Z",
      to: "2026-03-12T01:00:00.000Z",
    });
    assert.equal(await windowOf(""), null);
  });

  it("names the nearest services where none is called so", async () => {
    const reply = await fetch(`${url}/api/services/checkuot`);

    assert.equal(reply.status, 404);
    assert.match(((await reply.json()) as { remedy: string }).remedy, /checkout-api/);
  });

  it("pages through services without losing or repeating one", async () => {
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const query: string = after === null ? "" : `&after=${encodeURIComponent(after)}`;
      const page = (await (await fetch(`${url}/api/services?limit=4${query}`)).json()) as {
        services: { name: string }[];
        next: string | null;
      };
      seen.push(...page.services.map((one) => one.name));
      after = page.next;
    } while (after !== null);

    assert.equal(seen.length, 9);
    assert.equal(new Set(seen).size, 9);
    assert.equal(seen[0], "checkout-api");
  });

  it("opens the page of every service name, encoded or as it is, and runs nothing of it", async () => {
    for (const name of ["tim's #2a", "a/b", "a&b=c", "%", "<img src=x onerror=alert(1)>"]) {
      const page = await raw(port, `/s/${encodeURIComponent(name)}?from=1773273600000&to=1773281400000`, { accept: "text/html" });
      assert.equal(page.status, 200, name);
      assert.doesNotMatch(page.text, /<img src=x/);
      const json = await raw(port, `/s/${encodeURIComponent(name)}?from=1773273600000&to=1773281400000`, { accept: "application/json" });
      const view = JSON.parse(json.text) as { name: string; window: { from: string }; note: unknown };
      assert.equal(view.name, name);
      assert.equal(view.window.from, "2026-03-12T00:00:00.000Z");
      assert.equal(view.note, null);
    }
    for (const [path, name] of [
      ["/s/a/b", "a/b"],
      ["/s/a&b=c?from=1", "a&b=c"],
      ["/s/%", "%"],
    ] as const) {
      const json = await raw(port, path, { accept: "application/json" });
      assert.equal((JSON.parse(json.text) as { name: string }).name, name);
    }
  });

  it("opens the nearest service with a note where a link was cut short", async () => {
    const json = await raw(port, "/s/tim's%20", { accept: "application/json" });
    const view = JSON.parse(json.text) as { name: string; note: string };

    assert.equal(view.name, "tim's #2a");
    assert.match(view.note, /nearest/);
  });
});
