import type { NodeId } from "../../core/fact.ts";
import type { GraphEdge, GraphNode } from "../../core/graph.ts";
import type { Span } from "../../core/record.ts";
import { capital, type Desk, evidenceOf, leavesIn, listed, serviceFirst, subjects } from "../desk.ts";
import type { Dependency, Direction } from "../lookups.ts";
import { spoken } from "../time.ts";
import { getDependencies } from "../tools.ts";
import { inQuotes, type View } from "../view.ts";
import { directionsOf } from "./direction.ts";
import { instantAsked } from "./owner.ts";
import { aliasNote, endedInWords, noneInWords } from "./texts.ts";

/** What a service needs, or who needs it; former ones at an earlier time. */
export async function dependencies(desk: Desk): Promise<void> {
  const { question, view, calls, sheet } = desk;
  const hops = hopsAsked(question.masked);
  const at = instantAsked(desk);
  for (const service of subjects(question)) {
    for (const direction of directionsOf(question.masked)) {
      const found = await calls.run(getDependencies, {
        service: service.id,
        direction,
        hops: Math.min(2, hops),
        at: at === view.now ? null : at,
      });
      if (found?.value == null) continue;
      let reached = found.value.dependencies;
      if (hops > 2) reached = await further(desk, service, direction, hops, reached);
      const leftOut = reached.filter(({ node }) => !leavesIn(question, node.id));
      reached = reached.filter(({ node }) => leavesIn(question, node.id));
      if (leftOut.length > 0 && reached.length === 0) {
        const names = listed(leftOut.map(({ node }) => node.label));
        const text =
          direction === "downstream"
            ? `${service.label} is recorded to depend on nothing`
            : `Nothing is recorded to depend on ${service.label}`;
        sheet.say(`${capital(text)} besides ${names}.`, evidenceOf(leftOut.map(({ edge }) => edge)), 0, 0.85);
        continue;
      }
      if (/\bhow many\b/.test(question.masked) && reached.length > 1) sayCount(desk, service, direction, reached);
      const past = at === view.now ? "" : ` on ${at.slice(0, 10)}`;
      for (const { text, spans } of sentences(view, service, direction, reached, at !== view.now))
        sheet.say(`${text}${past}.`, spans, 0, 0.9);
      if (/\bno longer\b|\bformer|\bremoved\b|\bused to\b|\banymore\b|\bstopped\b/.test(question.masked) || reached.length === 0) {
        for (const edge of found.value.ended)
          sheet.say(endedSentence(view, edge), evidenceOf([edge]), reached.length === 0 ? 0 : 1, edge.confidence);
      }
      if (reached.length > 0) continue;
      if (at === view.now && saysNone(desk, service, direction)) continue;
      sheet.nothing(
        direction === "downstream" ? `dependencies of ${service.label}` : `services that depend on ${service.label}`,
        at === view.now ? null : `on ${at.slice(0, 10)}`,
      );
      sheet.conclusive = true;
    }
  }
}

/** "How many services …": the number, before which ones they are. */
function sayCount({ sheet }: Desk, service: GraphNode, direction: Direction, reached: readonly Dependency[]): void {
  const text =
    direction === "downstream"
      ? `${serviceFirst([service.label])} depends on ${reached.length} services`
      : `${reached.length} services depend on ${service.label}`;
  sheet.say(`${text}.`, evidenceOf(reached.map(({ edge }) => edge)), 0, 0.85);
}

/** Beyond two hops is another call, which counts. */
async function further(
  desk: Desk,
  service: GraphNode,
  direction: Direction,
  hops: number,
  reached: readonly Dependency[],
): Promise<readonly Dependency[]> {
  const all = [...reached];
  const known = new Set<NodeId>([service.id, ...reached.map(({ node }) => node.id)]);
  for (const { node } of reached.filter(({ hop }) => hop === 2)) {
    const found = await desk.calls.run(getDependencies, { service: node.id, direction, hops: Math.min(2, hops - 2), at: null });
    if (found === null) {
      desk.sheet.notes.push("the limit of tool calls was reached: services further away are left out");
      break;
    }
    for (const one of found.value?.dependencies ?? []) {
      if (known.has(one.node.id)) continue;
      known.add(one.node.id);
      all.push({ ...one, hop: one.hop + 2 });
    }
  }
  return all;
}

/** Whether one service depends on another, now and at the time that is asked about. */
export async function uses(desk: Desk): Promise<void> {
  const { question, view, calls, sheet } = desk;
  const passive = /⟨service⟩ (?:\w+ )?(?:used|called|needed|required|consumed|invoked) by (?:the )?⟨service⟩/.test(question.masked);
  const [first, ...others] = passive ? [...question.services].reverse() : question.services;
  if (first === undefined) return;
  const at = instantAsked(desk);
  const alsoNow = at !== view.now && /\bnow\b|\btoday\b|\bstill\b|\bcurrently\b|\banymore\b/.test(question.masked);
  const either = /\bor\b/.test(question.masked) && others.length > 1;
  const direct = await calls.run(getDependencies, { service: first.id, direction: "downstream", hops: 2, at: at === view.now ? null : at });
  const now = alsoNow ? await calls.run(getDependencies, { service: first.id, direction: "downstream", hops: 2, at: null }) : direct;
  if (direct?.value == null) return;
  const edges = view.edges(first.id, ["depends_on"], "out", null);
  let positive = 0;
  for (const other of others) {
    const then = direct.value.dependencies.find(({ node, hop }) => node.id === other.id && hop === 1);
    const ended = edges.find((edge) => edge.target === other.id && edge.validTo !== null);
    if (then !== undefined) {
      positive += 1;
      const until = then.edge.validTo === null ? "" : `, until ${spoken(then.edge.validTo)}`;
      const text =
        at === view.now
          ? `${serviceFirst([first.label])} depends on ${other.label}`
          : `${serviceFirst([first.label])} depended on ${other.label} on ${at.slice(0, 10)}${until}`;
      sheet.say(`${text}.`, inTheirWords(desk, then.edge, other), 0, then.edge.confidence);
      aliasNote(desk, other);
      if (!alsoNow) continue;
      const still = now?.value?.dependencies.find(({ node, hop }) => node.id === other.id && hop === 1);
      if (still !== undefined)
        sheet.say(`${serviceFirst([first.label])} still depends on ${other.label}.`, evidenceOf([still.edge]), 0, still.edge.confidence);
      else if (ended !== undefined) sheet.say(endedSentence(view, ended), evidenceOf([ended]), 0, ended.confidence);
      continue;
    }
    if (ended !== undefined && (at === view.now || ended.validTo === null || ended.validTo <= at)) {
      sheet.say(endedSentence(view, ended), evidenceOf([ended]), 0, ended.confidence);
      positive += 1;
    } else if (ended?.validTo != null) {
      // it ended after the time asked about; since when it held, no source says
      sheet.say(
        `${serviceFirst([first.label])} depended on ${other.label} until ${spoken(ended.validTo)}${alsoNow ? " and no longer does" : ""}.`,
        evidenceOf([ended]),
        0,
        ended.confidence,
      );
      positive += 1;
    }
  }
  if (positive > 0 && either) return;
  for (const other of others) {
    if (edges.some((edge) => edge.target === other.id)) continue;
    sheet.nothing(`dependency of ${first.label} on ${other.label}`);
    const path = direct.value.dependencies.find(({ node, hop }) => node.id === other.id && hop === 2);
    const through =
      path === undefined ? undefined : direct.value.dependencies.find(({ node, hop }) => hop === 1 && node.id === path.edge.source);
    if (path !== undefined && through !== undefined) {
      sheet.say(
        `${serviceFirst([first.label])} does not depend on ${other.label} directly: it depends on ${through.node.label}, which depends on ${other.label}.`,
        evidenceOf([through.edge, path.edge], 3),
        0,
        0.85,
      );
      continue;
    }
    const reverse = view.edges(other.id, ["depends_on"], "out").find((edge) => edge.target === first.id);
    if (reverse !== undefined) {
      sheet.say(`No: it is ${other.label} that depends on ${first.label}, not the other way round.`, evidenceOf([reverse]), 0, 0.85);
    } else if (saysEnded(desk, first, other)) {
      positive += 1;
    } else if (positive === 0 && !either) {
      const known = direct.value.dependencies.filter(({ hop }) => hop === 1);
      if (known.length === 0) continue;
      sheet.say(
        `No source says that ${first.label} depends on ${other.label}.`,
        evidenceOf(
          known.slice(0, 3).map(({ edge }) => edge),
          3,
        ),
        0,
        0.7,
      );
    }
  }
  if (sheet.empty) sheet.conclusive = true;
}

/** Where no dependency is known, a text may say that there is none. */
function saysNone({ view, sheet }: Desk, service: GraphNode, direction: Direction): boolean {
  const found = noneInWords(view, service, direction);
  if (found === null) return false;
  sheet.say(`${inQuotes(found.chunk.title, 100)} says: ${inQuotes(found.sentence, 300)}.`, [found.span], 0, 0.85);
  return true;
}

/** A dependency that was never indexed while it held may still be said to be over. */
function saysEnded(desk: Desk, first: GraphNode, other: GraphNode): boolean {
  const found = endedInWords(desk, first, other);
  if (found === null) return false;
  desk.sheet.say(`${inQuotes(found.chunk.title, 100)} says: ${inQuotes(found.sentence, 300)}.`, [found.span], 0, 0.85);
  return true;
}

/** The places of an edge, first those of records that use the question's own words for it, and prose before files. */
function inTheirWords({ question, view }: Desk, edge: GraphEdge, other: GraphNode): readonly Span[] {
  const asked = question.text.toLowerCase();
  const spellings = [other.label, ...other.aliases].map((name) => name.toLowerCase()).filter((name) => asked.includes(name));
  const rank = ({ span }: GraphEdge["evidence"][number]): number => {
    const record = view.records.get(span.record);
    if (record === null) return 0;
    const body = record.body.toLowerCase();
    return (spellings.some((name) => body.includes(name)) ? 2 : 0) + (record.kind === "page" || record.kind === "ticket" ? 1 : 0);
  };
  return evidenceOf([{ ...edge, evidence: [...edge.evidence].sort((a, b) => rank(b) - rank(a)) }]);
}

function endedSentence(view: View, edge: GraphEdge): string {
  return `${serviceFirst([view.nameOf(edge.source)])} no longer depends on ${view.nameOf(edge.target)}${edge.validTo === null ? "" : ` since ${spoken(edge.validTo)}`}.`;
}

/** As few sentences as records suffice to show: each names what one record states. */
function sentences(
  view: View,
  service: GraphNode,
  direction: Direction,
  reached: readonly Dependency[],
  past: boolean,
): { text: string; spans: Span[] }[] {
  const verb = past ? "depended on" : "depend on";
  const said: { text: string; spans: Span[] }[] = [];
  for (const group of byRecord(reached.filter(({ hop }) => hop === 1))) {
    const names = group.edges.map(({ node }) => node.label);
    const text =
      direction === "downstream"
        ? `${serviceFirst([service.label])} ${past ? verb : "depends on"} ${listed(names)}`
        : `${serviceFirst(names)} ${past ? verb : names.length === 1 ? "depends on" : verb} ${service.label}`;
    said.push({ text, spans: group.spans });
  }
  for (const group of byRecord(reached.filter(({ hop }) => hop > 1))) {
    const near = new Map<NodeId, string[]>();
    for (const { node, edge } of group.edges) {
      const through = direction === "downstream" ? edge.source : edge.target;
      near.set(through, [...(near.get(through) ?? []), node.label]);
    }
    const clauses = [...near].map(([through, names]) =>
      direction === "downstream"
        ? `${view.nameOf(through)} ${past ? verb : "depends on"} ${listed(names)}`
        : `${listed(names)} ${past ? verb : names.length === 1 ? "depends on" : verb} ${view.nameOf(through)}`,
    );
    said.push({ text: `One step further, ${clauses.join("; ")}`, spans: group.spans });
  }
  return said;
}

/** Greedy cover: the record that states most edges first. A group has at most three places, so that it can be cited whole. */
function byRecord(all: readonly Dependency[]): { readonly edges: readonly Dependency[]; readonly spans: Span[] }[] {
  const left = new Set(all);
  const groups: { edges: Dependency[]; spans: Span[] }[] = [];
  while (left.size > 0) {
    const counts = new Map<string, Dependency[]>();
    for (const one of left) {
      const records = new Set(one.edge.evidence.filter(({ ends }) => !ends).map(({ span }) => span.record));
      for (const record of records) counts.set(record, [...(counts.get(record) ?? []), one]);
    }
    const [record, group] = [...counts].sort((a, b) => b[1].length - a[1].length || a[0].localeCompare(b[0]))[0] ?? [];
    if (record === undefined || group === undefined) break;
    const edges = group.sort((a, b) => place(a, record) - place(b, record)).slice(0, 12);
    for (const one of edges) left.delete(one);
    groups.push({
      edges,
      spans: edges.flatMap(({ edge }) => edge.evidence.filter(({ span }) => span.record === record).slice(0, 1)).map(({ span }) => span),
    });
  }
  return groups;
}

function place({ edge }: Dependency, record: string): number {
  return edge.evidence.find(({ span }) => span.record === record)?.span.start ?? 0;
}

function hopsAsked(masked: string): number {
  const number = /\b(\d|two|three|four) (?:hops?|levels?|steps?|degrees?|layers?)\b/.exec(masked)?.[1];
  if (number !== undefined) return Math.min(4, { two: 2, three: 3, four: 4 }[number] ?? Math.max(1, Number(number)));
  return /\btransitiv|\bindirect|\bfurther\b|\ball (?:the )?(?:dependenc|upstream|downstream)|\bblast radius\b|\bneighbou?rhood\b/.test(
    masked,
  )
    ? 2
    : 1;
}
