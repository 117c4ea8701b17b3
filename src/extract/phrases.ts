import type { Fact, NodeId } from "../core/fact.ts";
import type { SourceRecord } from "../core/record.ts";
import { type Sentence, sentencesOf } from "../core/sentences.ts";
import { type About, edgesToLookFor, kindsOf } from "./compiled-phrases.ts";
import { dateIn } from "./dates.ts";
import { distinct } from "./facts.ts";
import type { Range } from "./guards.ts";
import { type Mention, maskSentence, mentionsIn } from "./mask.ts";
import type { NameBook } from "./names.ts";
import { opensWithPronoun, SentenceReader } from "./sentence-reader.ts";

export interface PhraseReading {
  readonly facts: readonly Fact[];
  /** Sentences with a relation word and a name that no rule read and no guard dismissed. */
  readonly unread: number;
  /** Distinct nodes named. */
  readonly named: number;
  /** Why nothing in the text is taken for a statement, by rules or by models. */
  readonly silent?: string;
}

const longestSentence = 1500;
const mostFacts = 400;

/** The service that a sentence is about for the one after it. */
function serviceOf(mentions: readonly Mention[]): NodeId | null {
  const first = mentions.find((mention) => mention.kind === "service");
  const [node, more] = first?.nodes ?? [];
  return node !== undefined && more === undefined ? node : null;
}

const fromThatDay = /\b(?:from that day|from then on|since then|that day|as of then|seitdem|depuis ce jour)\b/i;
const thisService = /\b(?:this|the) (?:service|microservice|component|system|app)\b/gi;

/** Reads the sentences of a record's prose by the phrase rules. */
export function readPhrases(record: SourceRecord, names: NameBook, about: About, skip: readonly Range[]): PhraseReading {
  const prose = record.body.slice(0, record.proseEnd);
  const facts: Fact[] = [];
  const named = new Set<NodeId>();
  let unread = 0;
  let previous: NodeId | null = null;
  let previousDate: string | null = null;
  const repository = record.fields.repository?.split("/").at(-1);
  let skipAt = 0;
  for (const sentence of sentencesOf(prose)) {
    while (skipAt < skip.length && (skip[skipAt]?.end ?? 0) <= sentence.start) skipAt += 1;
    const blocked = skip[skipAt];
    if (sentence.end - sentence.start > longestSentence || facts.length >= mostFacts) continue;
    if (blocked !== undefined && blocked.start < sentence.end) continue;
    const text = prose.slice(sentence.start, sentence.end);
    const mentions = withContext(text, sentence, mentionsIn(record.body, sentence.start, sentence.end, names, repository), about, names);
    for (const mention of mentions) for (const node of mention.nodes) named.add(node);
    const kinds = kindsOf(mentions, text, previous ?? about.service);
    const date = dateIn(text);
    const read = edgesToLookFor(text, mentions, kinds, about);
    if (read.size > 0) {
      const masked = maskSentence(record.body, sentence.start, sentence.end, mentions);
      const reader = new SentenceReader(record, about, masked, previous, date ?? (fromThatDay.test(text) ? previousDate : null));
      const before = facts.length;
      reader.read(facts, kinds, read);
      if (facts.length === before && !reader.dismissed && reader.relatesNames()) unread += 1;
    }
    if (previous === null || !opensWithPronoun.test(text)) previous = serviceOf(mentions);
    previousDate = date;
  }
  return { facts: distinct(facts), unread, named: named.size };
}

const teamLine =
  /^\W{0,3}(?:(?:owning|responsible) )?(?:team|squad|owners?|owned by|maintainers?)(?: is)? ?[:=|] ?([\p{L}\p{N}][\p{L}\p{N} &_-]{0,40}?)(?=$|[.,;\n]| \()/iu;

/** "This service" on a page about one service names it, and "Team: Data" a team without the word beside it. */
function withContext(text: string, sentence: Sentence, mentions: Mention[], about: About, names: NameBook): Mention[] {
  const service = about.service;
  if (service === null) return mentions;
  const added: Mention[] = [];
  const line = teamLine.exec(text);
  const teams = line?.[1] === undefined ? [] : names.find(line[1], "team");
  if (line?.[1] !== undefined && teams.length === 1) {
    const start = sentence.start + line.index + line[0].length - line[1].length;
    if (!mentions.some((other) => start < other.end && start + 1 > other.start))
      added.push({ kind: "team", nodes: teams, start, end: start + line[1].length, bare: false });
  }
  for (const match of text.matchAll(thisService)) {
    const start = sentence.start + match.index;
    const end = start + match[0].length;
    if (!mentions.some((other) => start < other.end && end > other.start))
      added.push({ kind: "service", nodes: [service], start, end, bare: false });
  }
  return added.length === 0 ? mentions : [...mentions, ...added].sort((a, b) => a.start - b.start);
}
