import type { Passage } from "../core/chunk.ts";
import { foldIdentifier, identifierTokens } from "../core/identifiers.ts";
import { holdsWhole, terms } from "../core/words.ts";
import { type Unit, unitsOf } from "./units.ts";

/** Sentences of a document that is asked for as a whole. */
const MOST_OPENING = 8;
const name = "(?:the |our |this )?(\\S.{1,80}?)";
const asksWhole = [
  new RegExp(`^what (?:does|do|did) ${name} (?:say|state|cover|contain|describe|tell (?:us|me))[ ?.!]*$`, "i"),
  new RegExp(`^what(?:'s| is| are| was) ${name} about[ ?.!]*$`, "i"),
];
const documentWord =
  /\b(?:runbooks?|play ?books?|post-?mortems?|pages?|docs?|documents?|articles?|adrs?|guides?|manuals?|handbooks?|polic(?:y|ies)|reports?|reviews?|checklists?|glossary)\b/i;

/** What a question calls the one document that it asks the contents of: "What does the vault runbook say?"; null where it asks otherwise. */
export function documentNamed(question: string): string | null {
  for (const pattern of asksWhole) {
    const called = pattern.exec(question.trim())?.[1];
    if (called !== undefined) return called;
  }
  return null;
}

/**
 * The first sentences of the one document that is called so, by an identifier or by all words of its name; none where no document or
 * more than one is, and none where the name is that of a thing, which documents are only about.
 */
export function documentOpening(called: string, passages: readonly Passage[]): readonly Unit[] {
  const identifiers = identifierTokens(called);
  if (identifiers.length === 0 && !documentWord.test(called)) return [];
  const words = terms(called);
  const fitting = passages.filter(({ chunk }) => {
    const head = [chunk.span.record, chunk.title].join("\n");
    if (identifiers.length > 0) {
      // a file's name is one identifier, and may be made of another: runbook-ops-7.md
      return identifiers.every((identifier) => holdsWhole(foldIdentifier(head), identifier));
    }
    const held = new Set(terms(head));
    return words.every((word) => held.has(word));
  });
  const records = new Set(fitting.map(({ chunk }) => chunk.span.record));
  // of several the one that is called just so
  const exact = new Set(fitting.filter(({ chunk }) => sameTerms(terms(chunk.title), words)).map(({ chunk }) => chunk.span.record));
  const [record, second] = records.size > 1 ? exact : records;
  if (record === undefined || second !== undefined) return [];
  const seen = new Set<string>();
  return fitting
    .map(({ chunk }) => chunk)
    .filter(({ span }) => span.record === record)
    .sort((a, b) => a.span.start - b.span.start)
    .flatMap((chunk) => unitsOf(chunk).map((unit) => ({ unit, title: chunk.title })))
    .filter(({ unit: { kind, text }, title }) => {
      if (kind === "row" || text === title || text.endsWith("?") || /^[A-Z][\w -]{1,20}: /.test(text) || seen.has(text)) return false;
      return seen.add(text);
    })
    .slice(0, MOST_OPENING)
    .map(({ unit }) => unit);
}

function sameTerms(a: readonly string[], b: readonly string[]): boolean {
  return a.every((term) => b.includes(term)) && b.every((term) => a.includes(term));
}
