import type { Names } from "../core/extract.ts";
import type { EdgeKind, Extraction, Fact, NodeId, NodeKind, Tier } from "../core/fact.ts";
import type { SourceRecord } from "../core/record.ts";
import { type Sentence, sentencesOf } from "../core/sentences.ts";
import { type Bearing, bearing, type Claim } from "./bearing.ts";
import { dateIn } from "./dates.ts";
import { titleSpan } from "./declare.ts";
import { isDraft, judge, unspoken } from "./guards.ts";
import { type Dictionary, type Masked, type Mention, maskSentence, mentionsIn } from "./mask.ts";
import type { Relation } from "./model-reply.ts";
import { findQuote } from "./quotes.ts";
import { foldName, serviceNode } from "./tokens.ts";
import { toldOf } from "./told.ts";
import { commonWords } from "./words.ts";

const kindsOfEnds: Readonly<Record<EdgeKind, readonly [readonly NodeKind[], readonly NodeKind[]]>> = {
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
/** Of what a cue would give, where only the sentence's shape bears a relation out. */
const toldCertainty = 0.7;
const longestSentence = 1500;

/** Why a relation of a reply was not taken over. */
export type Dropped =
  | "quote not found"
  | "name not known"
  | "ends not in the sentence"
  | "sentence is about another relation"
  | "not stated"
  | "contradicted by the reply"
  | "same thing twice";

export interface Linked {
  readonly facts: readonly Fact[];
  readonly dropped: readonly { readonly relation: Relation; readonly why: Dropped }[];
}

/**
 * Takes from a reply what the record bears out. The quote must stand in the record, both ends must be known (or a service
 * introduced with a reason), and the sentence that holds the quote must speak of that relation between these ends and state it:
 * a model may read what no rule reads, but it is not believed for what the text does not show.
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
  const linker = new Linker(record, own, names, tier, model);
  const seen = new Set<string>();
  const told: { readonly relation: Relation; readonly fact: Fact }[] = [];
  for (const relation of relations) {
    const outcome = linker.link(relation);
    if (typeof outcome === "string") dropped.push({ relation, why: outcome });
    else if (seen.has(edgeOf(outcome.fact))) dropped.push({ relation, why: "same thing twice" });
    else {
      if (outcome.byCue) facts.push(outcome.fact);
      else told.push({ relation, fact: outcome.fact });
      seen.add(edgeOf(outcome.fact));
    }
  }
  const trusted = isConsistent(relations, dropped);
  const kinds = Map.groupBy([...facts, ...told.map(({ fact }) => fact)], pairOf);
  for (const { relation, fact } of told) {
    const pair = kinds.get(pairOf(fact)) ?? [];
    if (trusted && pair.every(({ kind, source }) => kind === fact.kind && source === fact.source)) facts.push(fact);
    else dropped.push({ relation, why: "contradicted by the reply" });
  }
  return { facts, dropped };
}

/** Shares of a reply from which on its word is not taken. */
const mostInvented = 1 / 3;
const mostContradictory = 1 / 10;

/**
 * Whether a reply about a record may be believed where only a sentence's shape speaks for it: it does not say of two things
 * that each needs the other, or that one caused and repaired the other, and does not quote or name what is not there.
 */
function isConsistent(relations: readonly Relation[], dropped: readonly { readonly why: Dropped }[]): boolean {
  const invented = dropped.filter(({ why }) => why === "quote not found" || why === "name not known").length;
  const pairs = Map.groupBy(relations, ({ source, target }) => [source, target].map(foldName).toSorted().join("|"));
  const contradictory = [...pairs.values()].filter(
    (same) => new Set(same.map(({ kind, source }) => `${kind} ${foldName(source)}`)).size > 1,
  );
  return (
    invented <= Math.max(1, relations.length * mostInvented) &&
    contradictory.reduce((sum, same) => sum + same.length, 0) <= relations.length * mostContradictory
  );
}

/** Two nodes, whichever way round they are related. */
function pairOf({ source, target }: Fact): string {
  return [source, target].toSorted().join("|");
}

function edgeOf(fact: Fact): string {
  return `${fact.source}|${fact.kind}|${fact.target}|${fact.ends === true}`;
}

function kindOf(node: NodeId): NodeKind {
  return node.slice(0, node.indexOf(":")) as NodeKind;
}

interface LinkedName {
  readonly node: NodeId;
  readonly spelling: string;
  readonly introduced: boolean;
}

class Linker {
  private readonly record: SourceRecord;
  private readonly own: NodeId | null;
  private readonly names: Names;
  private readonly tier: Tier;
  private readonly model: string;
  private readonly prose: string;
  private readonly sentences: readonly Sentence[];
  private readonly silent: readonly { readonly start: number; readonly end: number }[];
  private readonly dictionary: Dictionary;
  /** What a page's title says it is about: one service, one ticket. */
  private readonly subjects: readonly NodeId[];
  /** The service that a ticket's only component names. */
  private readonly components: readonly NodeId[];

  constructor(record: SourceRecord, own: NodeId | null, names: Names, tier: Tier, model: string) {
    this.record = record;
    this.own = own;
    this.names = names;
    this.tier = tier;
    this.model = model;
    this.prose = record.body.slice(0, record.proseEnd);
    this.sentences = sentencesOf(this.prose);
    this.silent =
      own === null && isDraft(record.title, this.prose)
        ? [{ start: 0, end: record.proseEnd }]
        : unspoken(record.body, record.proseEnd, record.fields.code ?? []);
    this.dictionary = { ticket: (key) => names.find(key, "ticket")[0] ?? null, scan: (text) => names.scan(text) };
    const components = record.fields.components ?? [];
    this.components = components.length === 1 ? names.find(components[0] ?? "", "service") : [];
    const titled = (kind: NodeKind): NodeId[] => (own === null ? this.namedIn(titleSpan(record), kind) : []);
    this.subjects = [titled("service"), titled("ticket")].flatMap((nodes) => (nodes.length === 1 ? nodes : []));
  }

  /** @returns a fact, and whether a cue bears it out or only the sentence's shape; or why there is none */
  link(relation: Relation): { readonly fact: Fact; readonly byCue: boolean } | Dropped {
    const place = findQuote(this.prose, relation.quote);
    if (place === null) return "quote not found";
    if (this.silent.some((range) => range.start < place.end && range.end > place.start)) return "not stated";
    const quote = this.prose.slice(place.start, place.end);
    const ends = this.endsOf(relation, quote);
    if (ends === null) return "name not known";
    const [source, target] = ends;
    const sentence = this.sentences.find((one) => one.start < place.end && one.end > place.start);
    if (sentence === undefined || place.end > sentence.end + 1 || sentence.end - sentence.start > longestSentence)
      return "sentence is about another relation";
    const mentions = this.mentionsOf(sentence, [source, target]);
    const masked = maskSentence(this.record.body, sentence.start, sentence.end, mentions);
    const at = (offset: number): number => {
      const found = masked.offsets.findIndex((one) => one >= offset);
      return found < 0 ? masked.text.length : found;
    };
    const implied = this.impliedIn(sentence, mentions);
    const claim = { kind: relation.kind, source: source.node, target: target.node, ends: relation.ends === true, implied };
    const wide = new Set([...implied, ...this.components]);
    const shown = (node: NodeId): boolean => wide.has(node) || mentions.some((mention) => mention.nodes.includes(node));
    if (!shown(source.node) || !shown(target.node)) return "ends not in the sentence";
    const verdict = this.isHeadline(claim, sentence, mentions) ? headline(masked) : bearing(masked, claim, at(place.start), at(place.end));
    if (verdict.type === "borne") return { fact: this.fact(relation, source, target, place, quote, verdict.certainty), byCue: true };
    if (verdict.type === "not stated") return "not stated";
    const introduced = source.introduced || target.introduced;
    const told = introduced ? null : toldOf(masked, { ...claim, implied: wide }, at(place.start), at(place.end), this.own === null);
    if (told === null) return "sentence is about another relation";
    return { fact: this.fact(relation, source, target, place, quote, told * toldCertainty), byCue: false };
  }

  /** A ticket whose title names one service is about it, in whatever words. */
  private isHeadline({ kind, source }: Claim, sentence: Sentence, mentions: readonly Mention[]): boolean {
    if (kind !== "affects" || source !== this.own || sentence.start > titleSpan(this.record).end) return false;
    const named = mentions.filter((mention) => mention.kind === "service");
    return new Set(named.flatMap((mention) => mention.nodes)).size === 1 && named.every((mention) => !mention.bare);
  }

  private fact(
    relation: Relation,
    source: LinkedName,
    target: LinkedName,
    place: { readonly start: number; readonly end: number },
    quote: string,
    certainty: number,
  ): Fact {
    const { record } = this;
    const introduced = source.introduced || target.introduced;
    const sinceOpened = relation.kind === "affects" || relation.kind === "caused_by" ? (record.createdAt ?? record.updatedAt) : null;
    return {
      source: source.node,
      kind: relation.kind,
      target: target.node,
      span: { record: record.id, start: place.start, end: place.end },
      rule: `model: ${this.model}`,
      tier: this.tier,
      confidence: Math.round((introduced ? introducedTrust : trust[this.tier]) * certainty * 100) / 100,
      at: (relation.kind === "owns" ? dateIn(quote) : null) ?? sinceOpened ?? record.updatedAt,
      authority: 1,
      ...(relation.ends === true ? { ends: true } : {}),
    };
  }

  /** Both ends as nodes. Ends of unlike kinds that a model gave the wrong way round can only be meant the other way. */
  private endsOf(relation: Relation, quote: string): readonly [LinkedName, LinkedName] | null {
    const [sources, targets] = kindsOfEnds[relation.kind];
    const pair = (first: string, second: string): readonly [LinkedName, LinkedName] | null => {
      const source = this.nameOf(first, sources, relation, quote);
      const target = this.nameOf(second, targets, relation, quote);
      return source === null || target === null || source.node === target.node ? null : [source, target];
    };
    const straight = pair(relation.source, relation.target);
    if (straight !== null || sources[0] === targets[0]) return straight;
    const turned = pair(relation.target, relation.source);
    return turned === null || kindOf(turned[0].node) === kindOf(turned[1].node) ? null : turned;
  }

  private nameOf(name: string, kinds: readonly NodeKind[], relation: Relation, quote: string): LinkedName | null {
    const { own, names } = this;
    const spelling = name
      .trim()
      .replace(/^["'`]+|["'`]+$/g, "")
      .replace(/ \((?:service|engineer|team|ticket|commit)\)$/i, "")
      .replace(/^(?:service|engineer|team|ticket|commit):/i, "");
    if (kinds.includes("ticket") && own !== null && /^(?:this(?: (?:ticket|issue|incident|record))?|self)$/i.test(spelling))
      return { node: own, spelling, introduced: false };
    for (const kind of kinds) {
      if (kind === "commit") {
        const sha = spelling.replace(/^commit /i, "");
        if (/^[0-9a-f]{6,40}$/i.test(sha) && /\d/.test(sha))
          return { node: `commit:${sha.toLowerCase()}`, spelling: sha, introduced: false };
        continue;
      }
      if (kind === "ticket" && own !== null && own.slice("ticket:".length).toLowerCase() === spelling.toLowerCase())
        return { node: own, spelling, introduced: false };
      const [node, more] = names.find(spelling, kind);
      if (node !== undefined && more === undefined) return { node, spelling, introduced: false };
    }
    return kinds.includes("service") && this.mayIntroduce(spelling, relation, quote)
      ? { node: serviceNode(spelling), spelling, introduced: true }
      : null;
  }

  /** A service that nobody listed: given with a reason, and written as one writes a service's name, not as any word. */
  private mayIntroduce(spelling: string, relation: Relation, quote: string): boolean {
    if ((relation.reason ?? "").trim().length <= 8 || this.names.find(spelling).length > 0) return false;
    const at = foldName(quote).indexOf(foldName(spelling));
    if (!/^[a-z][a-z0-9]{1,30}(?:[-_ ][a-z0-9]{1,30}){0,4}$/i.test(spelling) || at < 0) return false;
    const after = quote.slice(at + spelling.length, at + spelling.length + 14);
    if (/^[`'"]? (?:micro)?service\b/i.test(after) && !commonWords.has(spelling.toLowerCase())) return true;
    // "a round-trip" is one of many, "zero-code instrumentation" a kind of something; "tax-engine" is a name
    const free = /^[`'"]?(?:$|[.,;:)]| (?:and|or|for|over|via|through|to|in|on|at|when|while|because|before|after|with|from|is|was)\b)/i;
    const article = /\b(?:an?|any|some|no|every|each|this) $/i;
    return /[a-z0-9]-[a-z0-9]/i.test(spelling) && free.test(after) && !article.test(quote.slice(Math.max(0, at - 8), at));
  }

  /** The sentence's names as the rules see them, and those that the model introduced or wrote as no rule would. */
  private mentionsOf(sentence: Sentence, ends: readonly LinkedName[]): readonly Mention[] {
    const { body } = this.record;
    const mentions = mentionsIn(body, sentence.start, sentence.end, this.dictionary, this.record.fields.repository?.split("/").at(-1));
    const text = body.slice(sentence.start, sentence.end);
    const added: Mention[] = [];
    for (const end of ends) {
      if (mentions.some((mention) => mention.nodes.includes(end.node))) continue;
      if (end.node.startsWith("commit:")) continue;
      const at = text.toLowerCase().indexOf(end.spelling.toLowerCase());
      const start = sentence.start + at;
      const stop = start + end.spelling.length;
      if (at < 0 || /[\p{L}\p{N}_-]/u.test(`${body[start - 1] ?? " "}${body[stop] ?? " "}`)) continue;
      if (mentions.some((other) => other.start < stop && other.end > start)) continue;
      // the dictionary does not take it for a name here: "the session token" tells nothing of the service
      added.push({ kind: kindOf(end.node) as Mention["kind"], nodes: [end.node], start, end: stop, bare: true });
    }
    return added.length === 0 ? mentions : [...mentions, ...added].sort((a, b) => a.start - b.start);
  }

  /** What the sentence can mean without a name: its ticket, the page's service, and what "it" stands for. */
  private impliedIn(sentence: Sentence, mentions: readonly Mention[]): ReadonlySet<NodeId> {
    const implied = new Set<NodeId>();
    if (this.own !== null) implied.add(this.own);
    for (const subject of this.subjects) implied.add(subject);
    const text = this.prose.slice(sentence.start, sentence.end);
    if (/\b(?:it|its|they|this|that|the service)\b/i.test(text.slice(0, 40)) && mentions.length > 0) {
      const before = this.sentences[this.sentences.indexOf(sentence) - 1];
      const [first] = before === undefined ? [] : this.namedIn(before, "service");
      if (first !== undefined) implied.add(first);
    }
    return implied;
  }

  private namedIn(place: { readonly start: number; readonly end: number }, kind: NodeKind): NodeId[] {
    if (place.end - place.start > longestSentence) return [];
    const nodes = mentionsIn(this.record.body, place.start, place.end, this.dictionary, undefined)
      .filter((mention) => mention.kind === kind && mention.nodes.length === 1)
      .flatMap((mention) => mention.nodes);
    return [...new Set(nodes)];
  }
}

function headline(masked: Masked): Bearing {
  const verdict = judge(masked.text, 0, masked.text.length);
  return verdict.stated ? { type: "borne", certainty: verdict.certainty } : { type: "not stated" };
}

/** Tier 1's result with what a model added; what rules had found stays theirs. */
export function withModelFacts(extraction: Extraction, facts: readonly Fact[], reason: string): Extraction {
  const known = new Set(extraction.facts.map(edgeOf));
  const added = facts.filter((fact) => !known.has(edgeOf(fact)));
  return { ...extraction, facts: [...extraction.facts.filter((fact) => fact.tier === 1), ...added], tierReason: reason };
}
