import type { Fact, NodeId } from "../core/fact.ts";
import type { SourceRecord } from "../core/record.ts";
import type { Sentence } from "../core/sentences.ts";
import { type Role, rolesOf, type Setting, sectionOf } from "./commit-roles.ts";
import { type About, edgesToLookFor, kindsOf } from "./compiled-phrases.ts";
import { withContext } from "./context-names.ts";
import { dateIn } from "./dates.ts";
import type { Findings } from "./facts.ts";
import type { Range } from "./guards.ts";
import { type Mention, maskSentence } from "./mask.ts";
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

function standsAlone(prose: string, { start, end }: Sentence): boolean {
  return (start === 0 || prose[start - 1] === "\n") && (end === prose.length || prose[end] === "\n");
}

/** Whether a record tells of trouble rather than of what is to be done. */
function isReport({ fields, kind }: SourceRecord): boolean {
  return kind === "page" || !/task|story|epic|improvement|feature|request|change/i.test(fields.ticketType ?? "");
}

function factOf(role: Role, record: SourceRecord, about: About, ticket: NodeId): Fact {
  const ends = role.kind === "fixes" ? { source: role.commit, target: ticket } : { source: ticket, target: role.commit };
  return {
    ...ends,
    kind: role.kind,
    span: { record: record.id, start: role.start, end: role.end },
    rule: role.kind === "fixes" ? "commit told of as a repair" : "commit told of as a cause",
    tier: 1,
    confidence: 0.6,
    at: role.kind === "fixes" ? (record.fields.resolvedAt ?? record.updatedAt) : (record.createdAt ?? record.updatedAt),
    authority: about.outdated ? 0 : about.authority,
  };
}

/** Reads the sentences of a record's prose by the phrase rules. */
export function readPhrases(findings: Findings, names: NameBook, about: About, skip: readonly Range[]): PhraseReading {
  const { record, prose } = findings;
  const facts: Fact[] = [];
  const named = new Set<NodeId>();
  let unread = 0;
  let previous: NodeId | null = null;
  let before = "";
  const repository = record.fields.repository?.split("/").at(-1);
  let skipAt = 0;
  let section: Setting["section"] = null;
  const { sentences } = findings;
  for (const [index, sentence] of sentences.entries()) {
    while (skipAt < skip.length && (skip[skipAt]?.end ?? 0) <= sentence.start) skipAt += 1;
    const blocked = skip[skipAt];
    if (sentence.end - sentence.start > longestSentence || facts.length >= mostFacts) continue;
    if (blocked !== undefined && blocked.start < sentence.end) continue;
    const text = prose.slice(sentence.start, sentence.end);
    if (about.ticket !== null && text.length < 60 && standsAlone(prose, sentence)) {
      const opened = sectionOf(text);
      if (opened !== undefined) section = opened === "none" ? null : opened;
    }
    const mentions = withContext(text, sentence, findings.mentions(sentence, repository), about, names);
    for (const mention of mentions) for (const node of mention.nodes) named.add(node);
    const kinds = kindsOf(mentions, text, previous ?? about.service);
    const read = edgesToLookFor(text, mentions, kinds, about);
    const commits = about.ticket !== null && mentions.some((mention) => mention.kind === "commit");
    if (read.length > 0 || commits) {
      const masked = maskSentence(record.body, sentence.start, sentence.end, mentions);
      const date = dateIn(text) ?? (fromThatDay.test(text) ? dateIn(before) : null);
      const reader = new SentenceReader(record, about, masked, previous, date);
      const already = facts.length;
      reader.read(facts, kinds, read);
      if (about.ticket !== null && commits && !reader.dismissed) {
        const following = sentences[index + 1];
        const next = following === undefined ? "" : prose.slice(following.start, Math.min(following.end, following.start + 80));
        const setting = { ticket: about.ticket, report: isReport(record), done: about.done, section, next };
        for (const role of rolesOf(masked, setting, facts.slice(already))) facts.push(factOf(role, record, about, about.ticket));
      }
      if (facts.length === already && !reader.dismissed && reader.relatesNames()) unread += 1;
    }
    if (previous === null || !opensWithPronoun.test(text)) previous = serviceOf(mentions);
    before = text;
  }
  return { facts, unread, named: named.size };
}
