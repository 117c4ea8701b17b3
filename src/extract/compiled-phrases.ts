import type { EdgeKind, NodeId } from "../core/fact.ts";
import { classes, type Mention } from "./mask.ts";
import { edgePhrases } from "./patterns/all.ts";
import type { PhraseRule } from "./patterns/phrase-rule.ts";
import { RuleSieve } from "./rule-sieve.ts";

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
export function kindsOf(mentions: readonly Mention[], text: string, it: NodeId | null): number {
  let kinds = it !== null && pronoun.test(text) ? bits.S : 0;
  for (const mention of mentions) kinds |= bitOf[mention.kind];
  return kinds;
}

/** Kinds of edges that a sentence can state at all: by the names it holds, then by its words. */
export function edgesToLookFor(text: string, mentions: readonly Mention[], kinds: number, about: About): readonly EdgeKind[] {
  return kinds === 0
    ? []
    : edgeKindsRead.filter(
        (kind) => about.kinds.has(kind) && mayState(kind, text, mentions, kinds, about) && stems.get(kind)?.test(text) === true,
      );
}

/** Whether a sentence holds names of the kinds that an edge joins, or means them. */
function mayState(kind: EdgeKind, text: string, mentions: readonly Mention[], kinds: number, about: About): boolean {
  const [service, ticket, commit] = [(kinds & bits.S) > 0, (kinds & bits.K) > 0, (kinds & bits.C) > 0];
  switch (kind) {
    case "depends_on":
      return (
        service && (about.service !== null || pronoun.test(text) || mentions.filter((mention) => mention.kind === "service").length > 1)
      );
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

const pronoun = /\b(?:it|they)\b/i;
const symbols = { S: classes.S, E: classes.E, T: classes.T, K: classes.K, C: classes.C, P: classes.E + classes.T } as const;
const edgeKindsRead: readonly EdgeKind[] = edgePhrases.map(({ kind }) => kind);
const stems = new Map(edgePhrases.map(({ kind, stems: words }) => [kind, words]));
const everyRule = edgePhrases.flatMap(({ kind, rules }) => rules.map((rule) => ({ kind, rule })));
const all = everyRule.map(({ kind, rule }, index) => compile(rule, kind, index));
const sieve = new RuleSieve(everyRule.map(({ rule: { pattern, start } }) => ({ pattern, startsWord: start === true })));
/** The rules of each kind of edge that a sentence with these kinds of names, as bits, can match. */
const compiled = new Map(
  edgeKindsRead.map((kind) => [
    kind,
    Array.from({ length: 16 }, (_, names) => all.filter((rule) => rule.kind === kind && (rule.needed & names) === rule.needed)),
  ]),
);

function compile(rule: PhraseRule, kind: EdgeKind, index: number): CompiledRule {
  const pattern = rule.pattern.replace(/«([SETKCP])»/g, (_, symbol: keyof typeof symbols) => `[${symbols[symbol]}]`);
  const needed = [...rule.needs].reduce((sum, symbol) => sum | bits[symbol as keyof typeof bits], 0);
  const { name, confidence, list = null, effect = null, about = null, before = null, start = false, unless = null, denies = false } = rule;
  const regex = new RegExp(pattern, start ? "iy" : "ig");
  return { name, kind, regex, needed, confidence, list, effect, about, before, start, unless, denies, index };
}

/** The phrases of some kinds of edges that a masked sentence with these kinds of names may match, kind by kind. */
export function phrasesFor(text: string, edges: readonly EdgeKind[], names: number): readonly CompiledRule[] {
  const possible = sieve.possible(text);
  return edges.flatMap((kind) => (compiled.get(kind)?.[names] ?? []).filter(({ index }) => possible[index] === 1));
}
