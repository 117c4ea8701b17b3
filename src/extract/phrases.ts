import type { Fact, NodeId } from "../core/fact.ts";
import { type About, edgesBetween, kindsOf, phrasesFor } from "./compiled-phrases.ts";
import { withContext } from "./context-names.ts";
import type { Findings } from "./facts.ts";
import type { Range } from "./guards.ts";
import { ImpliedReader } from "./implied.ts";
import { type Mention, maskSentence } from "./mask.ts";
import type { NameBook } from "./names.ts";
import { opensWithPronoun, SentenceReader } from "./sentence-reader.ts";
import { UnreadNames } from "./unread-names.ts";

export interface PhraseReading {
  readonly facts: readonly Fact[];
  /** Sentences that may relate names, of which some stand in no fact of the record, and that no guard dismissed. */
  readonly unread: number;
  /** Distinct nodes named. */
  readonly named: number;
  /** Why nothing in the text is taken for a statement, by rules or by models. */
  readonly silent?: string;
}

const longestSentence = 1500;
const mostFacts = 400;

const governed = /\b(?:in|into|on|onto|to|from|through|via|by|against|over|with|at|of|off|for|than) (?:the |our )?$/i;

/** The service that a sentence is about for the one after it. On a page about one, what stands behind a preposition is no subject. */
function serviceOf(mentions: readonly Mention[], body: string, about: About): NodeId | null {
  const first = mentions.find(
    ({ kind, start }) => kind === "service" && (about.service === null || !governed.test(body.slice(Math.max(0, start - 14), start))),
  );
  const [node, more] = first?.nodes ?? [];
  return node !== undefined && more === undefined ? node : null;
}

/** Reads the sentences of a record's prose by the phrase rules. */
export function readPhrases(findings: Findings, names: NameBook, about: About, skip: readonly Range[]): PhraseReading {
  const { record, prose } = findings;
  const facts: Fact[] = [];
  const named = new Set<NodeId>();
  const unread = new UnreadNames(about);
  let previous: NodeId | null = null;
  let before = "";
  const repository = record.fields.repository?.split("/").at(-1);
  let skipAt = 0;
  const implied = new ImpliedReader(findings, about);
  const { sentences } = findings;
  for (const [index, sentence] of sentences.entries()) {
    while (skipAt < skip.length && (skip[skipAt]?.end ?? 0) <= sentence.start) skipAt += 1;
    const blocked = skip[skipAt];
    if (sentence.end - sentence.start > longestSentence || facts.length >= mostFacts) continue;
    if (blocked !== undefined && blocked.start < sentence.end) continue;
    const text = prose.slice(sentence.start, sentence.end);
    implied.enter(sentence, text);
    const possible = findings.possibleIn(sentence);
    const mentions = withContext(text, sentence, findings.mentions(sentence, repository), possible, about, names);
    for (const mention of mentions) for (const node of mention.nodes) named.add(node);
    const kinds = kindsOf(mentions, text, possible, previous ?? about.service);
    const edges = edgesBetween(kinds, mentions, text, possible, about);
    const rules = phrasesFor(possible, edges, kinds);
    const mayImply = implied.mayImply(mentions);
    let dismissed = false;
    if (rules.length > 0 || mayImply) {
      const masked = maskSentence(record.body, sentence.start, sentence.end, mentions);
      const reader = new SentenceReader(record, about, masked, { text, before, previous });
      const already = facts.length;
      reader.read(facts, rules);
      if (mayImply && !reader.dismissed) facts.push(...implied.read(masked, index, facts, already, previous));
      dismissed = reader.dismissed;
    }
    if (!dismissed && index > 0) unread.add(mentions, text, sentence.start);
    if (previous === null || !possible.test(opensWithPronoun, text)) previous = serviceOf(mentions, record.body, about);
    before = text;
  }
  return { facts, unread: unread.without([...findings.facts, ...facts]), named: named.size };
}
