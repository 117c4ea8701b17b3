import type { EdgeKind, NodeId } from "../core/fact.ts";
import { classes, type Mention } from "./mask.ts";
import { edgePhrases } from "./patterns/all.ts";
import type { PhraseRule } from "./patterns/phrase-rule.ts";

/** What a record's sentences are about where they do not say so themselves. */
export interface About {
  /** The ticket that "this" and "fixed by …" mean. */
  readonly ticket: NodeId | null;
  /** The service that "it" and "Owner: …" mean. */
  readonly service: NodeId | null;
  readonly kinds: ReadonlySet<EdgeKind>;
  readonly authority: number;
  /** A record that says of itself that it no longer holds. */
  readonly outdated: boolean;
  /** Future tense and imperatives count as done: a closed ticket, a merged commit. */
  readonly done: boolean;
}

/** A phrase ready to run on masked text. */
export interface CompiledRule extends PhraseRule {
  readonly kind: EdgeKind;
  readonly regex: RegExp;
  /** Kinds of names without which it can not match, as bits. */
  readonly needed: number;
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
export function edgesToLookFor(text: string, mentions: readonly Mention[], kinds: number, about: About): ReadonlySet<EdgeKind> {
  const found = new Set<EdgeKind>();
  if (kinds === 0) return found;
  const [service, person, ticket, commit] = [(kinds & bits.S) > 0, (kinds & bits.P) > 0, (kinds & bits.K) > 0, (kinds & bits.C) > 0];
  const two =
    service && (about.service !== null || pronoun.test(text) || mentions.filter((mention) => mention.kind === "service").length > 1);
  const possible: readonly (readonly [EdgeKind, boolean])[] = [
    ["depends_on", two],
    ["owns", person],
    ["fixes", commit],
    ["caused_by", (about.ticket !== null && (service || commit)) || ticket],
    ["affects", service && (about.ticket !== null || ticket)],
    ["modified", commit && service],
  ];
  for (const [kind, may] of possible) if (may && about.kinds.has(kind) && stems.get(kind)?.test(text) === true) found.add(kind);
  return found;
}

const pronoun = /\b(?:it|they)\b/i;
const symbols = { S: classes.S, E: classes.E, T: classes.T, K: classes.K, C: classes.C, P: classes.E + classes.T } as const;
const stems = new Map(edgePhrases.map(({ kind, stems: words }) => [kind, words]));
const compiled = new Map(edgePhrases.map(({ kind, rules }) => [kind, rules.map((rule) => compile(rule, kind))]));

function compile(rule: PhraseRule, kind: EdgeKind): CompiledRule {
  const pattern = rule.pattern.replace(/«([SETKCP])»/g, (_, symbol: keyof typeof symbols) => `[${symbols[symbol]}]`);
  const needed = [...rule.needs].reduce((sum, symbol) => sum | bits[symbol as keyof typeof bits], 0);
  return { ...rule, kind, needed, regex: new RegExp(pattern, rule.start === true ? "iy" : "ig") };
}

/** The phrases of a kind of edge that a sentence with these kinds of names can match. */
export function phrasesOf(kind: EdgeKind, names: number): readonly CompiledRule[] {
  return (compiled.get(kind) ?? []).filter((rule) => (rule.needed & names) === rule.needed);
}
