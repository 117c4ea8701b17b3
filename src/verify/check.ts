import type { Claim } from "../core/answer.ts";
import type { Embedder } from "../core/chunk.ts";
import { type Mismatch, mismatches, type ReadClaim, readClaim } from "./agree.ts";
import { type Alignment, align } from "./align.ts";
import { merged } from "./borne.ts";
import { otherKind } from "./category.ts";
import { inventedCause } from "./cause.ts";
import { clausesIn } from "./clauses.ts";
import { contentOf, type Evidence, plainText } from "./evidence.ts";
import { exchanged } from "./exchange.ts";
import { type Features, featuresOf, type WordSimilarity, wordsOf } from "./features.ts";
import type { Tagger } from "./grammar.ts";
import { loadLexicon, type WordRelation } from "./lexicon.ts";
import { redlined } from "./redline.ts";
import { labelOf, MISMATCH_CAP, PART_CAP, scoreOf } from "./score.ts";
import { misquoted, missingPart, missingPredicate, substituted } from "./substitution.ts";
import { type Token, tokensOf } from "./tokens.ts";

export interface CheckDeps {
  readonly tag: Tagger;
  /** Vectors of sentences. */
  readonly embedder: Embedder;
  /** Vectors of single words, quick ones; null: a word that is missing is like no other. */
  readonly words: Embedder | null;
}

/** How a claim stands against its evidence. */
export interface Verdict {
  readonly label: Claim["label"];
  readonly confidence: number;
  readonly reason: string;
  readonly mismatches: readonly Mismatch[];
  /** Words of the claim that the evidence has nothing like, where they are several; "" otherwise. */
  readonly part: string;
  /** Null for a quote, which needs no score. */
  readonly features: Features | null;
  /** The sentences of the evidence that say most of it. */
  readonly window: string;
}

/** Longest window that is embedded, in characters: the encoder reads no more. */
const LONGEST_WINDOW = 1_000;

interface Prepared {
  readonly claim: ReadClaim;
  /** Of the whole sentence that the claim is a piece of. */
  readonly sentence: readonly Token[];
  /** The claim itself stands in the source; its sentence does not. */
  readonly quoted: boolean;
  readonly evidence: Evidence;
  readonly alignment: Alignment;
  readonly found: readonly Mismatch[];
  readonly window: string;
}

/** Checks claims, each against its evidence; all vectors are asked for in one go. */
export async function checkClaims(
  claims: readonly { readonly text: string; readonly evidence: Evidence; readonly sentence?: string }[],
  { tag, embedder, words }: CheckDeps,
  signal: AbortSignal,
): Promise<Verdict[]> {
  const prepared = claims.map(({ text, evidence, sentence = text }) =>
    isQuote(text, evidence) && (sentence === text || isQuote(sentence, evidence)) ? null : prepare(text, sentence, evidence, tag),
  );
  const texts = [...new Set(prepared.flatMap((one) => (one === null ? [] : [one.claim.text, one.window])).filter((text) => text !== ""))];
  const vectors = new Map<string, Float32Array>();
  const embedded = texts.length === 0 ? [] : await embedder.embed(texts, "passage", signal);
  for (const [at, vector] of embedded.entries()) vectors.set(texts[at] ?? "", vector);
  const similar = words === null ? null : await wordSimilarity(prepared, words, signal);
  return prepared.map((one) =>
    one === null ? quoted : judge(one, dot(vectors.get(one.claim.text), vectors.get(one.window)), similar, tag),
  );
}

const quoted: Verdict = {
  label: "SUPPORTED",
  confidence: 1,
  reason: "stands in the source word for word",
  mismatches: [],
  part: "",
  features: null,
  window: "",
};

/**
 * The verdict as drafts are held to it. A draft is written from its sources, so what they have nothing like is not another wording but
 * an addition: a half that is made up, a summary. It is UNCERTAIN at most.
 */
export function asInDraft(verdict: Verdict): Verdict {
  if (verdict.part === "" || verdict.confidence <= PART_CAP) return verdict;
  return { ...verdict, label: labelOf(PART_CAP), confidence: PART_CAP, reason: `a part is not in the source: ${verdict.part}` };
}

/** The claim stands in the evidence letter for letter, white space, case and closing marks aside, and not in the middle of a word. */
export function isQuote(text: string, evidence: Evidence): boolean {
  const plain = plainText(text).replace(/[.!?…:;,"')\]]+$/, "");
  if (plain.length < 3) return false;
  for (let at = evidence.plain.indexOf(plain); at >= 0; at = evidence.plain.indexOf(plain, at + 1)) {
    const before = evidence.plain[at - 1];
    const after = evidence.plain.slice(at + plain.length, at + plain.length + LONGEST_TAKING_BACK);
    // "1.2" in "1.25", "api" in "api-gateway", "is down" in "it is not true that … is down": the last is not seen
    if ((before === undefined || !/[\p{L}\p{N}_-]/u.test(before)) && !/^(?:[\p{L}\p{N}_-]|[.,:/]\p{N})/u.test(after))
      return !deniedBefore(evidence.plain, at) && !takenBack.test(after);
  }
  return false;
}

/** What stands right behind the quote takes it back or restricts it: "the sessions do" of "the sessions do not". */
const takenBack = /^,? (?:not|no longer|never|only|if|unless|except|provided|nicht|nur|wenn|falls)\b/;
/** In characters; a comma, a blank and the longest of these, and the character that ends it. */
const LONGEST_TAKING_BACK = 12;

/** What stands right before the quote takes it back: "not", "it is not true that", "we no longer think that", "almost", "if". */
function deniedBefore(plain: string, at: number): boolean {
  const clause =
    plain
      .slice(Math.max(0, at - 60), at)
      .split(/[.;:!?]\s/)
      .at(-1) ?? "";
  return /\b(?:not|no longer|never|untrue|false|deny|denies|denied|wrong|unlikely|myth|if|unless|whether)\b[^,]*$|\b(?:possible|suspect\w*|believ\w*|think\w*|thought|hop(?:e|es|ed|ing)|expect\w*|propos\w*|fear\w*|guess\w*|assum\w*|claim\w*) (?:that )?(?:the |a |an )?$|\b(?:almost|nearly|virtually|hardly) $/.test(
    clause,
  );
}

function prepare(text: string, sentence: string, evidence: Evidence, tag: Tagger): Prepared {
  const tokens = tokensOf(text);
  const alignment = align(tokens, evidence);
  const claim = readClaim(text, tokens, tag(text));
  const window = alignment.window.map((at) => evidence.sentences[at]?.text ?? "").join(" ");
  return {
    claim,
    sentence: sentence === text ? tokens : tokensOf(sentence),
    quoted: isQuote(text, evidence),
    evidence,
    alignment,
    found: mismatches(claim, evidence, alignment),
    window: window.slice(0, LONGEST_WINDOW),
  };
}

function judge(prepared: Prepared, cosine: number, similar: WordSimilarity | null, tag: Tagger): Verdict {
  const { claim, sentence, evidence, alignment, found: agreed, window } = prepared;
  const whole = redlined(sentence, evidence, { lexicon: loadLexicon(), similar }) ?? inventedCause(sentence, evidence);
  if (prepared.quoted && whole === null) return quoted;
  const { text, tokens } = claim;
  const features = featuresOf(tokens, evidence, alignment, cosine, similar);
  const score = scoreOf(features);
  const clauses = clausesIn(tokens, claim.tagged);
  const found = [
    ...agreed,
    misquoted(text, evidence),
    substituted(tokens, evidence, alignment, similar),
    exchanged(claim, evidence, alignment, similar),
    otherKind(claim, evidence, alignment, similar),
    merged(clauses, claim.values, evidence, alignment.each, tag),
    whole,
  ].filter((mismatch) => mismatch !== null);
  const near = wordsOf(evidence, alignment);
  const nearest = (token: Token): number => Math.max(0, ...near.map((word) => similar?.(token.folded, word) ?? 0));
  const part = missingPart(tokens, alignment, nearest) || missingPredicate(clauses, alignment, nearest);
  const said = { mismatches: found, features, window, part };
  if (found.length > 0) {
    const reason = [...new Set(found.map((mismatch) => mismatch.reason))].slice(0, 3).join("; ");
    return { label: "UNSUPPORTED", confidence: Math.min(score, MISMATCH_CAP), reason, ...said };
  }
  const missing = alignment.missing
    .slice(0, 4)
    .map((token) => token.text)
    .join(", ");
  const reason =
    missing === ""
      ? `all its words are in the source, similarity ${score.toFixed(2)}`
      : `similarity ${score.toFixed(2)}; not in the source: ${missing}`;
  return { label: labelOf(score), confidence: score, reason, ...said };
}

/** Similarities of missing words and words of their windows, looked up at once. */
async function wordSimilarity(prepared: readonly (Prepared | null)[], words: Embedder, signal: AbortSignal): Promise<WordSimilarity> {
  const wanted = new Set<string>();
  for (const one of prepared) {
    if (one === null || one.alignment.missing.length === 0) continue;
    for (const token of contentOf(one.alignment.missing)) wanted.add(token.token.folded);
    for (const word of wordsOf(one.evidence, one.alignment)) wanted.add(word);
  }
  const list = [...wanted];
  const vectors = new Map<string, Float32Array>();
  const embedded = list.length === 0 ? [] : await words.embed(list, "passage", signal);
  for (const [at, vector] of embedded.entries()) vectors.set(list[at] ?? "", vector);
  const lexicon = loadLexicon();
  return (a, b) => Math.max(dot(vectors.get(a), vectors.get(b)), KINSHIP[lexicon.relation(a, b)] ?? 0);
}

/** How alike two words are by the dictionary, whatever their vectors say. */
const KINSHIP: Partial<Record<WordRelation, number>> = { same: 0.85, broader: 0.6 };

function dot(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (a === undefined || b === undefined) return 0;
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}
