import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compared } from "./counted.ts";
import { understand } from "./question.ts";
import { spelled } from "./spelling.ts";
import { spokenDuration } from "./time.ts";

const now = new Date("2026-03-12T12:00:00Z");
const till = { id: "service:till", kind: "service", label: "till", aliases: [], attributes: {}, spans: [] };
const scale = { ...till, id: "service:scale", label: "scale" };
const stock = { ...till, id: "service:stock", label: "stock" };
const jo = { ...till, id: "engineer:jo-moss", kind: "engineer", label: "Jo Moss", aliases: ["moss"] };
const outage = {
  ...till,
  id: "ticket:SH-7",
  kind: "ticket",
  label: "SH-7",
  attributes: { at: "2026-03-10T08:00:00Z", resolvedAt: "2026-03-11T09:00:00Z" },
};
const nodes = [till, scale, stock, jo, outage];

const graph = {
  nodes: (kind: string) => nodes.filter((one) => one.kind === kind),
  resolve: (name: string) => {
    const node = nodes.find(({ label, aliases }) => [label, ...aliases].some((one) => one.toLowerCase() === name.toLowerCase()));
    return node === undefined ? { type: "none", nearest: [] } : { type: "one", node };
  },
  mentions: (text: string) =>
    nodes
      .flatMap((node) =>
        [node.label, ...node.aliases].flatMap((name) => {
          const start = new RegExp(`\\b${name}\\b`, "i").exec(text)?.index;
          return start === undefined
            ? []
            : [{ start, end: start + name.length, text: text.slice(start, start + name.length), resolution: { type: "one", node } }];
        }),
      )
      .sort((a, b) => a.start - b.start || b.end - a.end),
};

const read = (question: string) => understand(question, graph as never, now);

describe("how a question is read", () => {
  it("takes out what is left out, a list of names, too", () => {
    for (const [question, masked, excluded] of [
      ["besides till, what does stock need?", "what does ⟨service⟩ need?", ["till"]],
      ["what does stock need apart from till and scale?", "what does ⟨service⟩ need?", ["till", "scale"]],
      ["does anything other than the till use scale?", "does anything use ⟨service⟩?", ["till"]],
    ] as const) {
      const { masked: said, excluded: out } = read(question);
      assert.equal(said, masked);
      assert.deepEqual(
        out.map(({ label }) => label),
        excluded,
      );
    }
  });

  it("takes nobody for a namesake", () => {
    assert.deepEqual(read("Who is Ada Moss?").unknown, ["Ada Moss"]);
    assert.deepEqual(read("Who is Ada Moss?").people, []);
    assert.deepEqual(read("What did Moss change?").unknown, []);
  });

  it("reads a time that a ticket tells", () => {
    const { window, tickets, masked } = read("what was merged before SH-7 was opened?");
    assert.equal(window?.from, null);
    assert.equal(window?.to, "2026-03-10T08:00:00Z");
    assert.deepEqual(tickets, []);
    assert.equal(masked, "what was merged?");

    assert.equal(read("what changed in till after SH-7 was resolved?").window?.from, "2026-03-11T09:00:00Z");
    assert.deepEqual(read("what changed in the 6 hours before SH-7?").window?.from, "2026-03-10T02:00:00Z");
    const during = read("what changed between SH-7 being opened and resolved?").window;
    assert.deepEqual([during?.from, during?.to], ["2026-03-10T08:00:00Z", "2026-03-11T09:00:00Z"]);
    assert.equal(read("what caused SH-7 before noon?").tickets.length, 1);
  });

  it("puts slips in words of asking right, and no others", () => {
    assert.equal(spelled("what happend to ⟨service⟩?"), "what happened to ⟨service⟩?");
    assert.equal(spelled("which incidnets are open?"), "which incidents are open?");
    assert.equal(spelled("who owns the painter?"), "who owns the painter?");
  });

  it("knows what services and people are compared by", () => {
    for (const [masked, by] of [
      ["which service has the most open incidents?", "incidents"],
      ["who made the most commits in july?", "authored"],
      ["who owns most services?", "owned"],
      ["which service is depended on most?", "dependents"],
      ["which has more tickets, ⟨service⟩ or ⟨service⟩?", "tickets"],
      ["which service was deployed most recently?", null],
      ["which service has at least two owners?", null],
      ["who owns ⟨service⟩?", null],
    ] as const)
      assert.equal(compared(masked), by, masked);
  });

  it("says how long something took in the two greatest units", () => {
    assert.equal(spokenDuration(20 * 3_600_000 + 40 * 60_000), "20 hours 40 minutes");
    assert.equal(spokenDuration(25 * 3_600_000), "1 day 1 hour");
    assert.equal(spokenDuration(10_000), "less than a minute");
  });
});
