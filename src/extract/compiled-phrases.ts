import type { EdgeKind, NodeId } from "../core/fact.ts";
import { classes, type Mention } from "./mask.ts";
import { edgePhrases } from "./patterns/all.ts";
import type { PhraseRule } from "./patterns/phrase-rule.ts";
import { type Possible, type Sieve, sentenceSieve } from "./sieve.ts";

/** What a record's sentences are about where they do not say so themselves. */
export interface About {
  /** The ticket that "this" and "fixed by …" mean. */
  readonly ticket: NodeId | null;
  /** The service that "it" and "Owner: …" mean. */
  readonly service: NodeId | null;
  /** The record is a page that tells what this service is, not what to do with it. */
  readonly describes: boolean;
  readonly kinds: ReadonlySet<EdgeKind>;
  readonly authority: number;
  /** A record that says of itself that it no longer holds. */
  readonly outdated: boolean;
  /** Future tense and imperatives count as done: a closed ticket, a merged commit. */
  readonly done: boolean;
}

/** A phrase ready to run on masked text. All have the same properties, which thousands of look-ups a second rely on. */
export interface CompiledRule {
  readonly name: string;
  readonly kind: EdgeKind;
  readonly regex: RegExp;
  /** Kinds of names without which it can not match, as bits. */
  readonly needed: number;
  readonly confidence: number;
  readonly list: PhraseRule["list"] | null;
  readonly effect: PhraseRule["effect"] | null;
  readonly about: PhraseRule["about"] | null;
  readonly before: PhraseRule["before"] | null;
  readonly start: boolean;
  readonly unless: RegExp | null;
  readonly denies: boolean;
  readonly sieve: Sieve;
  /** Its place in the sieve. */
  readonly index: number;
}

const bits = { S: 1, P: 2, K: 4, C: 8 } as const;
const bitOf: Readonly<Record<Mention["kind"], number>> = {
  service: bits.S,
  engineer: bits.P,
  team: bits.P,
  ticket: bits.K,
  commit: bits.C,
};

/**
 * The kinds of names that a sentence holds, as bits.
 * @param it the service that "it" means in this sentence, if it says so
 */
export function kindsOf(mentions: readonly Mention[], text: string, possible: Possible, it: NodeId | null): number {
  let kinds = it !== null && possible.test(pronoun, text) ? bits.S : 0;
  for (const mention of mentions) kinds |= bitOf[mention.kind];
  return kinds;
}

/** Kinds of edges whose ends a sentence names or means, as bits in the order in which it is read for them. */
export function edgesBetween(kinds: number, mentions: readonly Mention[], text: string, possible: Possible, about: About): number {
  let edges = 0;
  if (kinds === 0) return edges;
  for (let index = 0; index < edgeKindsRead.length; index += 1) {
    const kind = edgeKindsRead[index];
    if (kind !== undefined && about.kinds.has(kind) && mayState(kind, kinds, mentions, text, possible, about)) edges |= 1 << index;
  }
  return edges;
}

function mayState(kind: EdgeKind, kinds: number, mentions: readonly Mention[], text: string, possible: Possible, about: About): boolean {
  const service = (kinds & bits.S) > 0;
  const ticket = (kinds & bits.K) > 0;
  const commit = (kinds & bits.C) > 0;
  switch (kind) {
    case "depends_on":
      return service && (about.service !== null || mentions.filter(isService).length > 1 || possible.test(pronoun, text));
    case "owns":
      return (kinds & bits.P) > 0;
    case "fixes":
      return commit;
    case "caused_by":
      return ticket || (about.ticket !== null && (service || commit));
    case "affects":
      return service && (about.ticket !== null || ticket);
    case "modified":
      return commit && service;
  }
}

function isService(mention: Mention): boolean {
  return mention.kind === "service";
}

const pronoun = sentenceSieve.add(/\b(?:it|they)\b/i);
const symbols = { S: classes.S, E: classes.E, T: classes.T, K: classes.K, C: classes.C, P: classes.E + classes.T } as const;
const edgeKindsRead: readonly EdgeKind[] = edgePhrases.map(({ kind }) => kind);
const all = edgePhrases.flatMap(({ kind, rules }) => rules.map((rule) => compile(rule, kind)));
/** Those that sentences with some kinds of names are read by for some kinds of edges, by both. */
const readBy = new Map<number, readonly CompiledRule[]>();

function compile(rule: PhraseRule, kind: EdgeKind): CompiledRule {
  const pattern = rule.pattern.replace(/«([SETKCP])»/g, (_, symbol: keyof typeof symbols) => `[${symbols[symbol]}]`);
  const needed = [...rule.needs].reduce((sum, symbol) => sum | bits[symbol as keyof typeof bits], 0);
  const { name, confidence, list = null, effect = null, about = null, before = null, start = false, unless = null, denies = false } = rule;
  const regex = new RegExp(pattern, start ? "iy" : "ig");
  const index = sentenceSieve.addPattern(rule.pattern, start);
  return { name, kind, regex, needed, confidence, list, effect, about, before, start, unless, denies, sieve: sentenceSieve, index };
}

/** The phrases of some kinds of edges that a masked sentence with these kinds of names may match, kind by kind. */
export function phrasesFor(possible: Possible, edges: number, names: number): readonly CompiledRule[] {
  if (edges === 0) return [];
  const key = edges * 16 + names;
  const rules =
    readBy.get(key) ?? all.filter(({ kind, needed }) => ((edges >> edgeKindsRead.indexOf(kind)) & 1) === 1 && (needed & names) === needed);
  readBy.set(key, rules);
  return rules.filter((rule) => possible.has(rule));
}
