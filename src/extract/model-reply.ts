import { z } from "zod";
import type { Names } from "../core/extract.ts";
import { type EdgeKind, type Extraction, edgeKinds, type Fact, type NodeId, type NodeKind, type Tier } from "../core/fact.ts";
import type { SourceRecord } from "../core/record.ts";
import { dateIn } from "./dates.ts";
import { judge } from "./guards.ts";
import { foldName, serviceNode } from "./tokens.ts";

/** What a model is asked for. Lenient where models are sloppy; what it means is checked against the record afterwards. */
export const Reply = z.object({
  records: z.array(
    z.object({
      n: z.number().int(),
      relations: z.array(
        z.object({
          source: z.string(),
          kind: z.enum(edgeKinds),
          target: z.string(),
          quote: z.string(),
          ends: z.boolean().nullish(),
          reason: z.string().nullish(),
        }),
      ),
    }),
  ),
});
export type Reply = z.infer<typeof Reply>;
export type Relation = Reply["records"][number]["relations"][number];

/** JSON out of a reply: bare, in a code fence, or with words around it. @throws SyntaxError, ZodError */
export function parseReply(text: string): Reply {
  const fenced = /```(?:json)?\s*\n([\s\S]*?)\n?```/.exec(text)?.[1];
  const from = text.indexOf("{");
  const to = text.lastIndexOf("}");
  return Reply.parse(JSON.parse(fenced ?? (from >= 0 && to > from ? text.slice(from, to + 1) : text)));
}

const ends: Readonly<Record<EdgeKind, readonly [readonly NodeKind[], readonly NodeKind[]]>> = {
  owns: [["engineer", "team"], ["service"]],
  affects: [["ticket"], ["service"]],
  fixes: [["commit"], ["ticket"]],
  depends_on: [["service"], ["service"]],
  caused_by: [["ticket"], ["commit", "service", "ticket"]],
  modified: [["commit"], ["service"]],
};

/** How far a model is believed, by tier. */
const trust: Readonly<Record<Tier, number>> = { 1: 0.8, 2: 0.7, 3: 0.75 };
const introducedTrust = 0.5;

/** Why a relation of a reply was not taken over. */
export type Dropped = "quote not found" | "name not known" | "ends not in the text" | "not stated" | "same thing twice";

export interface Linked {
  readonly facts: readonly Fact[];
  readonly dropped: readonly { readonly relation: Relation; readonly why: Dropped }[];
}

/**
 * Takes from a reply what the record bears out: the quote stands in it, both ends are known (or a service is introduced
 * with a reason and stands in the quote), one of them is in the quote and the other at least in the record, and the quote
 * neither denies nor imagines what it is quoted for.
 */
export function linkRelations(
  record: SourceRecord,
  own: NodeId | null,
  relations: readonly Relation[],
  names: Names,
  tier: Tier,
  model: string,
): Linked {
  const facts: Fact[] = [];
  const dropped: { relation: Relation; why: Dropped }[] = [];
  const prose = record.body.slice(0, record.proseEnd);
  const seen = new Set<string>();
  for (const relation of relations) {
    const outcome = linkOne(record, prose, own, relation, names, tier, model);
    if (typeof outcome === "string") dropped.push({ relation, why: outcome });
    else {
      const key = `${outcome.source}|${outcome.kind}|${outcome.target}|${outcome.ends === true}`;
      if (seen.has(key)) dropped.push({ relation, why: "same thing twice" });
      else facts.push(outcome);
      seen.add(key);
    }
  }
  return { facts, dropped };
}

function linkOne(
  record: SourceRecord,
  prose: string,
  own: NodeId | null,
  relation: Relation,
  names: Names,
  tier: Tier,
  model: string,
): Fact | Dropped {
  const place = findQuote(prose, relation.quote);
  if (place === null) return "quote not found";
  const quote = prose.slice(place.start, place.end);
  const [sources, targets] = ends[relation.kind];
  const source = linkName(relation.source, sources, own, names, relation, quote);
  const target = linkName(relation.target, targets, own, names, relation, quote);
  if (source === null || target === null || source.node === target.node) return "name not known";
  const shown = [source, target].map((end) =>
    end.node === own ? "self" : stands(end, quote, names) ? "quote" : stands(end, prose, names) ? "record" : "nowhere",
  );
  if (shown.includes("nowhere") || !shown.includes("quote")) return "ends not in the text";
  const verdict = judge(quote, 0, quote.length, relation.ends === true);
  if (!verdict.stated) return "not stated";
  const introduced = source.introduced || target.introduced;
  return {
    source: source.node,
    kind: relation.kind,
    target: target.node,
    span: { record: record.id, start: place.start, end: place.end },
    rule: `model: ${model}`,
    tier,
    confidence: Math.round((introduced ? introducedTrust : trust[tier]) * verdict.certainty * 100) / 100,
    at:
      (relation.kind === "owns" ? dateIn(quote) : null) ??
      (relation.kind === "affects" || relation.kind === "caused_by" ? (record.createdAt ?? record.updatedAt) : record.updatedAt),
    authority: 1,
    ...(relation.ends === true ? { ends: true } : {}),
  };
}

interface LinkedName {
  readonly node: NodeId;
  readonly spelling: string;
  readonly introduced: boolean;
}

function linkName(
  name: string,
  kinds: readonly NodeKind[],
  own: NodeId | null,
  names: Names,
  relation: Relation,
  quote: string,
): LinkedName | null {
  const spelling = name
    .trim()
    .replace(/ \((?:service|engineer|team|ticket|commit)\)$/i, "")
    .replace(/^(?:service|engineer|team|ticket|commit):/i, "");
  if (kinds.includes("ticket") && own !== null && /^(?:this(?: (?:ticket|issue|incident|record))?|self)$/i.test(spelling))
    return { node: own, spelling, introduced: false };
  for (const kind of kinds) {
    if (kind === "commit") {
      if (/^[0-9a-f]{6,40}$/i.test(spelling) && /\d/.test(spelling))
        return { node: `commit:${spelling.toLowerCase()}`, spelling, introduced: false };
      continue;
    }
    if (kind === "ticket" && own !== null && own.slice("ticket:".length).toLowerCase() === spelling.toLowerCase())
      return { node: own, spelling, introduced: false };
    const [node, more] = names.find(spelling, kind);
    if (node !== undefined && more === undefined) return { node, spelling, introduced: false };
  }
  const fresh =
    kinds.includes("service") &&
    /^[\p{L}\p{N}][\p{L}\p{N} ._-]{1,40}$/u.test(spelling) &&
    (relation.reason ?? "").trim().length > 8 &&
    foldName(quote).includes(foldName(spelling));
  return fresh && names.find(spelling).length === 0 ? { node: serviceNode(spelling), spelling, introduced: true } : null;
}

/** Whether a text names the node, under any of its spellings. */
function stands(end: LinkedName, text: string, names: Names): boolean {
  if (end.introduced || /^(?:commit|ticket):/.test(end.node)) return foldName(text).includes(foldName(end.spelling));
  return (
    names.scan(text, { question: true }).some((match) => match.nodes.includes(end.node)) || foldName(text).includes(foldName(end.spelling))
  );
}

/** Where a quote stands, compared without case, white space, marks of emphasis and kinds of quotation marks. */
export function findQuote(text: string, quote: string): { readonly start: number; readonly end: number } | null {
  const wanted = plain(quote).text;
  if (wanted.length < 4 || wanted.length > 600) return null;
  const whole = plain(text);
  const at = whole.text.indexOf(wanted);
  if (at < 0) return null;
  const start = whole.offsets[at];
  const end = whole.offsets[at + wanted.length - 1];
  return start === undefined || end === undefined ? null : { start, end: end + 1 };
}

function plain(text: string): { readonly text: string; readonly offsets: readonly number[] } {
  let folded = "";
  const offsets: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    let character = text[at] ?? "";
    if (/[`*_\s…]/.test(character)) continue;
    if (/[“”„«»]/.test(character)) character = '"';
    else if (/[’‘]/.test(character)) character = "'";
    else if (/[–—]/.test(character)) character = "-";
    folded += character.toLowerCase()[0] ?? character;
    offsets.push(at);
  }
  // dots and quotation marks that a model adds around a quote do not count
  return { text: folded, offsets };
}

/** Tier 1's result with what a model added; what rules had found stays theirs. */
export function withModelFacts(extraction: Extraction, facts: readonly Fact[], reason: string): Extraction {
  const known = new Set(extraction.facts.map((fact) => `${fact.source}|${fact.kind}|${fact.target}|${fact.ends === true}`));
  const added = facts.filter((fact) => !known.has(`${fact.source}|${fact.kind}|${fact.target}|${fact.ends === true}`));
  return { ...extraction, facts: [...extraction.facts.filter((fact) => fact.tier === 1), ...added], tierReason: reason };
}
