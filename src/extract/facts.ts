import type { Fact, NodeAttributes, NodeFact, NodeId } from "../core/fact.ts";
import type { SourceRecord } from "../core/record.ts";
import { type Sentence, sentencesOf } from "../core/sentences.ts";
import { type Mention, mentionsIn, withKeys } from "./mask.ts";
import type { NameBook } from "./names.ts";
import { type Possible, proseSieve, sentenceSieve } from "./sieve.ts";
import { TextWords } from "./text-words.ts";

/** How far a kind of source is believed where two contradict each other (`Fact.authority`). */
export const authorities = { codeowners: 4, configuration: 3, field: 3, page: 2, remark: 1, outdated: 0 } as const;

export interface Place {
  readonly start: number;
  readonly end: number;
}

/** What was found last in a stretch that begins at some place. */
interface Named {
  readonly end: number;
  readonly mentions: readonly Mention[];
}

/** Collects what one record states. What several rules look at is split and searched for names once. */
export class Findings {
  readonly facts: Fact[] = [];
  readonly nodes: NodeFact[] = [];
  readonly record: SourceRecord;
  /** What people wrote. */
  readonly prose: string;
  private readonly names: NameBook;
  private split: readonly Sentence[] | null = null;
  private found: TextWords | null = null;
  private readable: Possible | null = null;
  private readonly named = new Map<number, Named>();
  private readonly namedAtHome: Map<number, Named>;

  constructor(record: SourceRecord, names: NameBook) {
    this.record = record;
    this.names = names;
    this.prose = record.body.slice(0, record.proseEnd);
    this.namedAtHome = record.body.includes("#") ? new Map() : this.named;
  }

  get sentences(): readonly Sentence[] {
    this.split ??= sentencesOf(this.prose);
    return this.split;
  }

  /** The words of the prose. */
  get words(): TextWords {
    this.found ??= new TextWords(this.prose);
    return this.found;
  }

  /** The expressions for sentences that one of the prose may match. */
  possibleIn({ start, end }: Place): Possible {
    return sentenceSieve.possible(this.words, start, end, true);
  }

  /** The expressions for records that the prose may match. */
  get possible(): Possible {
    this.readable ??= proseSieve.possible(this.words, 0, this.prose.length, false);
    return this.readable;
  }

  /** @param repository whose issues a bare "#12" means; undefined: it means none */
  mentions({ start, end }: Place, repository?: string): readonly Mention[] {
    const named = repository === undefined ? this.named : this.namedAtHome;
    const known = named.get(start);
    if (known?.end === end) return known.mentions;
    const mentions = this.search(start, end, repository);
    named.set(start, { end, mentions });
    return mentions;
  }

  private search(start: number, end: number, repository: string | undefined): readonly Mention[] {
    const { words, names } = this;
    if (!words.standsFree(start, end)) return mentionsIn(this.record.body, start, end, names, repository);
    return withKeys(this.prose.slice(start, end), start, names.scanStretch(words, start, end), names, repository);
  }

  fact(
    kind: Fact["kind"],
    source: NodeId,
    target: NodeId,
    place: Place,
    rule: string,
    options: { readonly confidence: number; readonly authority: number; readonly at?: string; readonly ends?: boolean },
  ): void {
    if (source === target) return;
    this.facts.push({
      source,
      kind,
      target,
      span: { record: this.record.id, start: place.start, end: place.end },
      rule,
      tier: 1,
      confidence: options.confidence,
      at: options.at ?? this.record.updatedAt,
      authority: options.authority,
      ...(options.ends === true ? { ends: true } : {}),
    });
  }

  node(node: NodeId, place: Place, attributes: NodeAttributes, at = this.record.updatedAt): void {
    this.nodes.push({ node, span: { record: this.record.id, start: place.start, end: place.end }, at, attributes });
  }
}

/** The only node of a list; null when there is none or the name is ambiguous. */
export function only(nodes: readonly NodeId[]): NodeId | null {
  const [node, more] = nodes;
  return node !== undefined && more === undefined ? node : null;
}

/** One statement a place: of equal edges that begin at one place, or of which one lies within the other, the surest stays. */
export function distinct(facts: readonly Fact[]): readonly Fact[] {
  if (facts.length < 2) return facts;
  const byTarget = Map.groupBy(facts, (fact) => fact.target);
  if (byTarget.size === facts.length) return facts;
  const alike = facts.filter((fact) => byTarget.get(fact.target)?.length !== 1);
  const equal = Map.groupBy(alike, (fact) => `${fact.source}|${fact.kind}|${fact.target}|${fact.ends === true}`);
  if (equal.size === alike.length) return facts;
  const dropped = new Set([...equal.values()].flatMap(outdone));
  return facts.filter((fact) => !dropped.has(fact));
}

function outdone(facts: readonly Fact[]): readonly Fact[] {
  return facts.filter((fact, at) =>
    facts.some(
      (other, place) =>
        (other.confidence > fact.confidence || (other.confidence === fact.confidence && place < at)) &&
        (other.span.start === fact.span.start || (other.span.start < fact.span.start && other.span.end >= fact.span.end)),
    ),
  );
}
