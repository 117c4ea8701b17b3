import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { GraphNode } from "../../core/graph.ts";
import type { SourceRecord } from "../../core/record.ts";
import { type Desk, Sheet } from "../desk.ts";
import type { Incident } from "../lookups.ts";
import { View } from "../view.ts";
import { incidentSentence, none } from "./incidents.ts";

const till = node("service:till", "till");
const span = { record: "page:p", start: 0, end: 4 };

function node(id: string, label: string, attributes: object = {}): GraphNode {
  return {
    id,
    kind: id.split(":")[0],
    label,
    aliases: [],
    attributes,
    spans: [{ record: id.replace("ticket:", "t:"), start: 0, end: 4 }],
  } as never;
}

/** A ticket of a service, its edge shown by its own first words. */
function ticketOf(key: string, type: string, open: boolean, prose: string, more: object = {}): Incident {
  const one = node(`ticket:${key}`, `Title of ${key}`, { ticketType: type, ...more });
  const record = {
    id: `t:${key}`,
    kind: "ticket",
    body: prose,
    proseEnd: prose.length,
    fields: { key, open, status: open ? "In Progress" : "Done" },
    createdAt: "2026-03-01T10:00:00Z",
    updatedAt: "2026-03-01T10:00:00Z",
  } as unknown as SourceRecord;
  const state = { open, status: open ? "In Progress" : "Done", opened: "2026-03-01T10:00:00Z", resolved: null, reopened: null };
  const affects = [{ target: till.id, evidence: [{ span: { record: record.id, start: 0, end: 5 } }] }] as never;
  return { node: one, record, state, incident: type === "Incident", affects, duplicateOf: null };
}

function asked(
  tickets: readonly Incident[],
  edges: readonly object[] = [],
  intents: readonly string[] = [],
): { view: View; sheet: Sheet; desk: Desk } {
  const nodes = [till, node("team:desk", "Desk"), ...tickets.map((one) => one.node)];
  const graph = {
    node: (id: string) => nodes.find((one) => one.id === id) ?? null,
    nodes: () => tickets.map((one) => one.node),
    edgesOf: (id: string, { kinds }: { kinds: readonly string[] }) =>
      edges.filter((edge) => id === till.id && kinds.includes((edge as { kind: string }).kind)),
    resolve: () => ({ type: "none" }),
    mentions: (text: string) =>
      text.includes("till") || text.includes("Till") ? [{ start: 0, end: 4, text: "till", resolution: { type: "one", node: till } }] : [],
  };
  const records = { get: (id: string) => tickets.find(({ record }) => record?.id === id)?.record ?? null, ids: () => [] };
  const view = new View(graph as never, records as never, {} as never, "2026-03-12T00:00:00Z", () => []);
  const sheet = new Sheet();
  return { view, sheet, desk: { question: { window: null, intents }, view, sheet } as never };
}

const owned = [
  { kind: "owns", source: "team:desk", target: till.id, validFrom: "2026-01-01T00:00:00Z", validTo: null, evidence: [{ span }] },
];

describe("no open incident", () => {
  it("is said with the ticket that says that the service is well", () => {
    const other = ticketOf("OPS-1", "Incident", true, "The desk is slow. Till is healthy.");
    const { sheet, desk } = asked([other], owned);
    none(desk, till, { open: [], closed: [] } as never, true, false);
    const [said, ...rest] = sheet.statements(9);
    assert.equal(said?.text, 'No open incident is recorded for till; OPS-1 (Title of OPS-1) says: "Till is healthy".');
    assert.deepEqual(said?.spans[0], { record: "t:OPS-1", start: 18, end: 34 });
    assert.deepEqual(rest, []);
    assert.equal(sheet.lookedFor[0]?.what, "open incidents of till");
  });

  it("is said with an old ticket that clears the service only where the service is suspected", () => {
    const old = ticketOf("OPS-7", "Incident", false, "Not caused by till.");
    const before = {
      ...old,
      state: { ...old.state, opened: "2026-01-01T10:00:00Z" },
      record: { ...old.record, createdAt: "2026-01-01T10:00:00Z" },
    };
    const healthy = asked([before as never], owned);
    none(healthy.desk, till, { open: [], closed: [] } as never, true, false);
    assert.match(healthy.sheet.statements(9)[0]?.text ?? "", /its recorded owner is team Desk/);
    const suspected = asked([before as never], owned, ["cause"]);
    none(suspected.desk, till, { open: [], closed: [] } as never, true, false);
    assert.equal(
      suspected.sheet.statements(9)[0]?.text,
      'No open incident is recorded for till; OPS-7 (Title of OPS-7), opened on 2026-01-01 10:00 UTC and closed since, says: "Not caused by till".',
    );
  });

  it("names an open bug as a bug", () => {
    const bug = ticketOf("OPS-2", "Bug", true, "The till prints twice.");
    const { sheet, desk } = asked([], owned);
    none(desk, till, { open: [bug], closed: [] } as never, true, false);
    assert.deepEqual(
      sheet.statements(9).map(({ text }) => text),
      [
        "No open incident is recorded for till; OPS-2 (Title of OPS-2) is an open bug (status In Progress) that affects till, opened on 2026-03-01 10:00 UTC.",
      ],
    );
  });

  it("says what the cited place says where no ticket is known", () => {
    const { sheet, desk } = asked([], owned);
    none(desk, till, { open: [], closed: [] } as never, true, false);
    assert.deepEqual(
      sheet.statements(9).map(({ text, spans }) => ({ text, spans })),
      [{ text: "No open incident is recorded for till; its recorded owner is team Desk.", spans: [span] }],
    );
  });
});

describe("a ticket's sentence", () => {
  it("says since when only where a source states when it began", () => {
    const { view } = asked([]);
    const told = ticketOf("OPS-3", "Incident", true, "x", { startedAt: "2026-03-01T09:30:00Z" });
    assert.match(incidentSentence(view, told), / that affects till since 2026-03-01 09:30 UTC\.$/);
    assert.match(incidentSentence(view, ticketOf("OPS-4", "Incident", true, "x")), / that affects till, opened on 2026-03-01 10:00 UTC\.$/);
  });
});
