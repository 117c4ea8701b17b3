import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Desk, Sheet } from "../desk.ts";
import { intentsOf } from "../intents.ts";
import { View } from "../view.ts";
import { logs } from "./logs.ts";

const till = { id: "service:till", kind: "service", label: "till", aliases: [] };

function run(id: string, title: string, level: string, service: string | null) {
  const record = { id, title, body: title, proseEnd: title.length, fields: { repository: "acme/till", level } };
  return { node: `log:${id}`, record, at: "2026-03-11T10:00:00Z", level, service };
}

const lines = [
  run("github:deployment:till#1", "Deployed till to production at aaaaaaa", "info", till.id),
  run("github:deployment:till#2", "Deployment of till to production at bbbbbbb failed", "error", till.id),
  run("github:check:desk#3", "Check unit failed on main at commit ccccccc", "error", null),
];

async function said(
  masked: string,
  services: readonly object[] = [],
  window: object | null = null,
): Promise<{ texts: readonly string[]; conclusive: boolean }> {
  const graph = { node: () => null, nodes: () => [], edgesOf: () => [], mentions: () => [], resolve: () => ({ type: "none" }) };
  const view = new View(graph as never, {} as never, {} as never, "2026-03-12T00:00:00Z", () => lines as never);
  const sheet = new Sheet();
  const question = { masked, window, services, tickets: [], ambiguous: [], topic: [] };
  await logs({ question, view, sheet } as unknown as Desk);
  return { texts: sheet.statements(8).map(({ text }) => text), conclusive: sheet.conclusive };
}

describe("deployments and checks that failed", () => {
  it("are what is asked for, not those that went well", async () => {
    const seed = { services: [], tickets: [], commits: [], people: [], literals: [], ambiguous: [], window: null };

    assert.deepEqual(intentsOf({ ...seed, masked: "did a deployment fail?" }), ["logs"]);
    assert.deepEqual(intentsOf({ ...seed, masked: "which checks failed?" }), ["logs"]);
    assert.deepEqual((await said("did a deployment fail?")).texts, [
      "Deployment of till to production at bbbbbbb failed (acme/till) on 2026-03-11 10:00 UTC.",
    ]);
    assert.deepEqual((await said("which checks failed?")).texts, [
      "Check unit failed on main at commit ccccccc (acme/till) on 2026-03-11 10:00 UTC.",
    ]);
  });

  it("leave nothing to say where none did for the service", async () => {
    assert.deepEqual(await said("did a check of \u27e8service\u27e9 fail?", [till]), { texts: [], conclusive: true });
  });
});

describe("deployments that went well", () => {
  it("show that none failed", async () => {
    const window = { from: "2026-03-11T09:00:00Z", to: "2026-03-11T11:00:00Z", moment: false, text: "then" };
    const good = lines.splice(1, 1);
    const { texts } = await said("did a deployment of \u27e8service\u27e9 fail?", [till], window);
    lines.splice(1, 0, ...good);

    assert.deepEqual(texts, [
      'No deployment is recorded as failed; the last one is "Deployed till to production at aaaaaaa" (acme/till) on 2026-03-11 10:00 UTC.',
    ]);
  });
});

describe("what was logged around a time of day", () => {
  const seed = { services: [], tickets: [], commits: [], people: [], literals: [], ambiguous: [] };
  const at = (from: string, to: string, moment = true) => ({ from, to, moment, text: "then" });

  it("is a part of what happened then, of whatever service, and no part of what happened in a day", () => {
    const masked = "what happened at 10:03?";

    assert.ok(intentsOf({ ...seed, masked, window: at("2026-03-11T09:33:00Z", "2026-03-11T10:34:00Z") }).includes("logs"));
    assert.ok(!intentsOf({ ...seed, masked, window: at("2026-03-11T00:00:00Z", "2026-03-12T00:00:00Z") }).includes("logs"));
  });

  it("is within five minutes of it", async () => {
    const near = await said("what happened at 10:03?", [], at("2026-03-11T09:33:00Z", "2026-03-11T10:34:00Z"));
    const far = await said("what happened at 10:20?", [], at("2026-03-11T09:50:00Z", "2026-03-11T10:51:00Z"));

    assert.equal(near.texts.length, 3);
    assert.match(near.texts.join("\n"), /logged "Deployment of till to production at bbbbbbb failed" \(error\) at 2026-03-11 10:00/);
    assert.deepEqual(far.texts, []);
  });
});
