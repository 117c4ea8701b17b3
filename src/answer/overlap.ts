import type { CheckedClaim, Verify, VerifyRequest } from "../core/answer.ts";
import { identifierTokens } from "../core/identifiers.ts";
import { sentencesOf } from "../core/sentences.ts";
import { terms } from "../core/words.ts";
import { marksOf, withoutMarks } from "./marks.ts";
import { numbersOfPlaces } from "./places.ts";

const SUPPORTED = 0.65;
const UNCERTAIN = 0.45;
/** A quote is what the source says; a sentence worded from edges is as sure as the rule that read them, which is not judged here. */
const SURE = 1;

/**
 * A plain verifier: each sentence against the passages it cites. A sentence that stands in one of them letter for letter, or that
 * was worded from edges whose places it cites, is supported; such wordings are evidence for others too. Any other needs its numbers and identifiers in the passages and a
 * share of its words: 0.65 supported, 0.45 uncertain.
 */
export const overlapVerify: Verify = async (request) => {
  return sentencesOf(request.draft).map(({ start, end }) => check(request, start, end));
};

function check({ draft, passages, statements }: VerifyRequest, start: number, end: number): CheckedClaim {
  const sentence = draft.slice(start, end);
  const citations = [...new Set(marksOf(sentence).flatMap((mark) => mark.numbers))];
  const text = withoutMarks(sentence).trim();
  const cited = citations.map((n) => passages[n - 1]).filter((passage) => passage !== undefined);
  const worded = statements.filter(({ from, spans }) => from === "edges" && numbersOfPlaces(cited, spans).length > 0);
  const evidence = [...cited.map(({ chunk }) => chunk.text), ...worded.map((statement) => statement.text)].join("\n");
  const claim = (label: CheckedClaim["label"], confidence: number, reason: string): CheckedClaim => {
    return { start, end, text, label, confidence, citations, reason };
  };

  const plain = folded(text);
  const stated = worded.find((statement) => plain !== "" && folded(statement.text).includes(plain));
  if (stated !== undefined) return claim("SUPPORTED", Math.max(stated.confidence, SUPPORTED), "read from the places it cites");
  if (plain !== "" && folded(evidence).includes(plain)) return claim("SUPPORTED", SURE, "stands in the source word for word");
  const known = new Set([...identifierTokens(evidence), ...numbersIn(evidence)]);
  const missing = [...identifierTokens(text), ...numbersIn(text)].filter((token) => !known.has(token));
  if (missing.length > 0) return claim("UNSUPPORTED", 0, `${missing.join(", ")} is not in the source`);
  const words = new Set(terms(text));
  const held = new Set(terms(evidence));
  const share = words.size === 0 ? 0 : [...words].filter((word) => held.has(word)).length / words.size;
  const label = share >= SUPPORTED ? "SUPPORTED" : share >= UNCERTAIN ? "UNCERTAIN" : "UNSUPPORTED";
  return claim(label, share, `${Math.round(share * 100)} % of its words are in the source`);
}

function numbersIn(text: string): string[] {
  return text.match(/\d+(?:[.,]\d+)*/g) ?? [];
}

/** White space, case, brackets and final stops do not tell sentences apart. */
function folded(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(/\[(\d[\d,;\s–-]*)\]/g, "($1)")
    .trim()
    .replace(/[.!?…"'”’)]+$/, "")
    .toLowerCase();
}
