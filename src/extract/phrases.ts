import type { Fact, NodeId } from "../core/fact.ts";
import type { SourceRecord } from "../core/record.ts";
import { sentencesOf } from "../core/sentences.ts";
import { type About, edgesToLookFor, kindsOf } from "./compiled-phrases.ts";
import { withContext } from "./context-names.ts";
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
