import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { GraphDouble } from "../../test/support/graph-double.ts";
import type { GraphNode } from "../core/graph.ts";
import { misspelt } from "./near-names.ts";

const service = (label: string, ...aliases: string[]): GraphNode =>
  ({ id: `service:${label}`, kind: "service", label, aliases }) as unknown as GraphNode;
const graph = new GraphDouble(
  [service("shipping"), service("scheduler"), service("ledger", "bookings"), service("printer"), service("pointer")],
  [],
);

describe("a misspelt name", () => {
  it("is one with a letter left out, doubled, or two neighbours swapped inside", () => {
    for (const typo of ["shiping", "shippping", "shpiping", "bokings"])
      assert.equal(misspelt(typo, graph)?.id.includes("service:"), true, typo);
  });

  it("is no other word: another letter, another end, a short one, a compound", () => {
    for (const word of ["shopping", "schedule", "schedulers", "printers", "shipping", "shiping-worker"])
      assert.equal(misspelt(word, graph), null, word);
  });

  it("is nothing where two names are as near", () => {
    assert.equal(misspelt("pinter", graph), null);
    assert.equal(misspelt("pintter", new GraphDouble([service("pinter")], []))?.label, "pinter");
  });
});
