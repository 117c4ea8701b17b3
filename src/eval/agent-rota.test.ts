import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { quickWorld } from "../../test/support/quick-world.ts";
import { refusals } from "../core/answer.ts";
import type { AgentWorld } from "./agent-world.ts";

const at = "2027-01-28T08:00:00Z";
const pages = [
  ["rota", "On-call rota", "Service | Primary | Secondary\nferry-api | Ada Lind | Bo Marsh\ntoll-api | Cy Noor | Ada Lind"],
  ["about", "Services", "toll-api depends on ferry-api."],
];

describe("a rota with a second in line", () => {
  const folder = mkdtempSync(join(tmpdir(), "rota-"));
  let world: AgentWorld;
  before(async () => {
    const lines = pages.map(([id, title, text]) =>
      JSON.stringify({ id: `confluence:page:${id}`, source: "confluence", kind: "page", title, text, createdAt: at, updatedAt: at }),
    );
    writeFileSync(join(folder, "records.jsonl"), lines.join("\n"));
    world = await quickWorld(folder);
  });
  after(() => {
    world[Symbol.dispose]();
    rmSync(folder, { recursive: true });
  });

  for (const [question, answer] of [
    ["who is on call for toll-api?", /^Cy Noor is on call for toll-api \[1\]\.$/],
    ["who is the secondary on call for toll-api?", /^Ada Lind is secondary on call for toll-api \[1\]\.$/],
    ["who is second on call for ferry-api?", /^Bo Marsh is secondary on call for ferry-api \[1\]\.$/],
  ] as const) {
    it(`answers "${question}"`, async () => {
      assert.match((await world.answer(question, new Date(at))).answer, answer);
    });
  }

  it("names nobody's second for a service that the rota leaves out", async () => {
    assert.equal((await world.answer("who is the secondary on call for gate-api?", new Date(at))).answer, refusals.insufficient);
  });
});
