import type { CheckedClaim, Statement, Verify, VerifyRequest } from "../core/answer.ts";
import type { Embedder, Passage } from "../core/chunk.ts";
import { mismatches, readClaim } from "./agree.ts";
import { align } from "./align.ts";
import { asInDraft, type CheckDeps, checkClaims, isQuote } from "./check.ts";
import { type AtomicClaim, claimsOf, withoutLeadIn } from "./claims.ts";
import { type Evidence, type EvidenceText, plainText, readEvidence } from "./evidence.ts";
import { loadTagger, type Tagger } from "./grammar.ts";
import { cutShort } from "./redline.ts";
import { SUPPORTED } from "./score.ts";
import { secondOpinion } from "./second-opinion.ts";
import { misquoted } from "./substitution.ts";
import { tokensOf } from "./tokens.ts";

export interface VerifyDeps {
  /** Vectors of sentences. */
  readonly embedder: Embedder;
  /** Vectors of single words, quick ones ("static-256"); without them a word that is missing is like no other. */
  readonly words?: Embedder | null;
}

/** Claims of one draft that are looked for beyond what they cite: each is a search. */
const MOST_SEARCHED = 8;

/**
 * Labels every claim of a draft against the passages that its sentence cites, and gives a reason for each. What stands there word for
 * word is supported; a sentence that was worded from edges needs its names and values there; any other needs both agreement of all
 * that can be checked (values, names, negation, quantifiers, direction) and similarity. Deterministic unless the request brings a
 * model for a second opinion.
 */
export function createVerify({ embedder, words = null }: VerifyDeps): Verify {
  let tagger: Promise<Tagger> | null = null;
  return async (request) => {
    tagger ??= loadTagger();
    const deps: CheckDeps = { tag: await tagger, embedder, words };
    const sources = new Map<string, Evidence>();
    const claims = claimsOf(request.draft, deps.tag).map((claim) => ({ claim, evidence: evidenceFor(claim.citations, request, sources) }));

    const open: { claim: AtomicClaim; evidence: Evidence; at: number }[] = [];
    const checked: (CheckedClaim | null)[] = claims.map(({ claim, evidence }, at) => {
      const known = ofItself(claim, evidence, request, deps.tag);
      if (known === null) open.push({ claim, evidence, at });
      return known;
    });
    const verdicts = await checkClaims(
      open.map(({ claim, evidence }) => ({ text: claim.text, evidence, sentence: withoutLeadIn(claim.sentence) })),
      deps,
      request.signal,
    );
    for (const [index, { claim, at }] of open.entries()) {
      const bare = verdicts[index];
      const verdict = bare === undefined ? undefined : asInDraft(bare);
      if (verdict !== undefined)
        checked[at] = { ...placed(claim), label: verdict.label, confidence: verdict.confidence, reason: verdict.reason };
    }
    await withSecondOpinions(open, checked, request);
    let searched = 0;
    for (const { claim, at } of open) {
      const before = checked[at];
      if (before === null || before === undefined || before.label === "SUPPORTED") continue;
      searched += 1;
      const passage = await standsElsewhere(claim, request, searched <= MOST_SEARCHED, deps);
      if (passage === null) continue;
      const reason = `${before.reason}; it stands in ${passage.chunk.title}, which is not cited`;
      checked[at] = { ...before, reason, ...(saysOfWhat(claim, passage, request, deps.tag) ? { borneBy: passage } : {}) };
    }
    return checked.filter((claim) => claim !== null);
  };
}

/** Asks the model, if there is one, about each claim that is not refuted already; once it fails, no more is asked of it. */
async function withSecondOpinions(
  open: readonly { readonly claim: AtomicClaim; readonly evidence: Evidence; readonly at: number }[],
  checked: (CheckedClaim | null)[],
  { second, signal }: VerifyRequest,
): Promise<void> {
  if (second === undefined) return;
  for (const { claim, evidence, at } of open) {
    const before = checked[at];
    if (before === null || before === undefined || before.label === "UNSUPPORTED") continue;
    const after = await secondOpinion(before, claim.text, evidence, second, signal);
    if (after === null) return;
    checked[at] = after;
  }
}

function placed({ text, start, end, citations }: AtomicClaim): Pick<CheckedClaim, "text" | "start" | "end" | "citations"> {
  return { text, start, end, citations: [...citations] };
}

/** What needs no similarity: no source, a quote, or a sentence worded from edges. Null when it must be compared. */
function ofItself(claim: AtomicClaim, evidence: Evidence, request: VerifyRequest, tag: Tagger): CheckedClaim | null {
  const verdict = (label: CheckedClaim["label"], confidence: number, reason: string): CheckedClaim => ({
    ...placed(claim),
    label,
    confidence,
    reason,
  });
  const quotedVerdict = (text: string): CheckedClaim => {
    const cut = cutShort(tokensOf(text), evidence);
    return cut === null ? verdict("SUPPORTED", 1, "stands in the source word for word") : verdict("UNSUPPORTED", 0, cut.reason);
  };
  if (evidence.sentences.length === 0) return verdict("UNSUPPORTED", 0, "it cites no source");
  if (isQuote(claim.sentence, evidence)) return quotedVerdict(claim.sentence);
  if (claim.attributedTo !== null && !isTitle(claim.attributedTo, claim, request))
    return verdict("UNSUPPORTED", 0, `"${claim.attributedTo}" is not the title of what it cites`);
  if (claim.attributedTo !== null && isQuote(withoutLeadIn(claim.sentence), evidence)) return quotedVerdict(withoutLeadIn(claim.sentence));
  if (isTableRow(claim, evidence, request)) return verdict("SUPPORTED", 1, "each cell and column stands in the source word for word");
  const plain = withoutStop(plainText(claim.sentence));
  const stated = request.statements.find(({ from, text }) => from === "edges" && withoutStop(plainText(text)) === plain);
  if (stated === undefined || !citesPlaceOf(stated, claim, request)) {
    const wrongQuote = misquoted(withoutLeadIn(claim.sentence), evidence);
    return wrongQuote === null ? null : verdict("UNSUPPORTED", 0, wrongQuote.reason);
  }
  const failing = edgeMismatch(claim, evidence, tag);
  if (failing !== null) return verdict("UNSUPPORTED", 0, failing);
  return verdict("SUPPORTED", Math.max(stated.confidence, SUPPORTED), "read from the places it cites");
}

/** A row of a table, worded with its columns from a place that the claim cites: "Plan: Team; Price: 79 EUR". */
function isTableRow(claim: AtomicClaim, evidence: Evidence, request: VerifyRequest): boolean {
  const plain = withoutStop(plainText(claim.sentence));
  const row = request.statements.find(({ from, text }) => from === "quote" && withoutStop(plainText(text)) === plain);
  if (row === undefined || !citesPlaceOf(row, claim, request)) return false;
  const parts = plain.split("; ").flatMap((cell) => cell.split(": "));
  return parts.length > 1 && parts.every((part) => evidence.plain.includes(part.trim()));
}

/** The title, a heading or the id of a cited passage, or a part of one. */
function isTitle(said: string, { citations }: AtomicClaim, { passages }: VerifyRequest): boolean {
  const name = plainText(said);
  // what was taken out of a title stands in brackets
  const kept = name.split(/\[[^\]]{1,80}\]/).map((part) => part.trim());
  const parts = kept.length > 1 ? kept.filter((part) => part.length > 2) : [];
  return citations.some((n) => {
    const chunk = passages[n - 1]?.chunk;
    if (chunk === undefined) return false;
    return [chunk.title, ...chunk.heading, chunk.span.record].some((title) => {
      const plain = plainText(title);
      return (
        plain !== "" && (plain.includes(name) || name.includes(plain) || (parts.length > 0 && parts.every((part) => plain.includes(part))))
      );
    });
  });
}

/** A passage that the claim cites holds one of the places that the statement was read from. */
function citesPlaceOf({ spans }: Statement, { citations }: AtomicClaim, { passages }: VerifyRequest): boolean {
  return citations.some((n) => {
    const at = passages[n - 1]?.chunk.span;
    return at !== undefined && spans.some((span) => span.record === at.record && span.start < at.end && at.start < span.end);
  });
}

/**
 * Identifiers of a sentence worded from edges must stand in what it cites. What is in brackets describes a node by its own title;
 * names are the graph's (the source may use an alias), counts and ages are worked out by it.
 */
function edgeMismatch(claim: AtomicClaim, evidence: Evidence, tag: Tagger): string | null {
  const text = withoutBrackets(claim.text);
  const tokens = tokensOf(text);
  const found = mismatches(readClaim(text, tokens, tag(text)), evidence, align(tokens, evidence));
  return found.find(({ kind }) => kind === "identifier")?.reason ?? null;
}

/** The text without what stands in round brackets, nested ones too. */
function withoutBrackets(text: string): string {
  let depth = 0;
  let plain = "";
  for (const character of text) {
    if (character === "(") depth += 1;
    if (depth === 0) plain += character;
    if (character === ")" && depth > 0) depth -= 1;
  }
  return plain;
}

function withoutStop(text: string): string {
  return text.replace(/[.!?…]+$/, "");
}

/** The cited passages, read once for all sentences that cite the same. */
function evidenceFor(citations: readonly number[], { passages }: VerifyRequest, known: Map<string, Evidence>): Evidence {
  const key = citations.join(",");
  const found = known.get(key) ?? readEvidence(citations.flatMap((n) => passages[n - 1] ?? []).map(evidenceText));
  known.set(key, found);
  return found;
}

/** A passage as evidence: its text, its title and headings, and the ends of the edges that brought it. */
export function evidenceText({ chunk, edges }: Passage): EvidenceText {
  const about = [...chunk.heading, chunk.span.record, ...edges.flatMap(({ source, target }) => [nameOf(source), nameOf(target)])];
  return { title: chunk.title, text: chunk.text, about };
}

function nameOf(node: string): string {
  return node.slice(node.indexOf(":") + 1);
}

/** A passage that the claim does not cite and that bears it: among the draft's sources, then beyond them. */
async function standsElsewhere(
  claim: AtomicClaim,
  { passages, evidence: find }: VerifyRequest,
  beyond: boolean,
  deps: CheckDeps,
): Promise<Passage | null> {
  const cited = new Set(claim.citations.map((n) => passages[n - 1]?.chunk.id));
  const others = passages.filter(({ chunk }) => !cited.has(chunk.id));
  const known = others.find((passage) => bears(passage, claim, deps));
  if (known !== undefined || !beyond || find === undefined) return known ?? null;
  return (await find(claim.text)).find((passage) => !cited.has(passage.chunk.id) && bears(passage, claim, deps)) ?? null;
}

/** The passage says it word for word, or most of it and nothing against it. */
function bears(passage: Passage, claim: AtomicClaim, deps: CheckDeps): boolean {
  const evidence = readEvidence([evidenceText(passage)]);
  if (isQuote(claim.text, evidence)) return true;
  const tokens = tokensOf(claim.text);
  const alignment = align(tokens, evidence);
  return (
    alignment.missing.length === 0 && mismatches(readClaim(claim.text, tokens, deps.tag(claim.text)), evidence, alignment).length === 0
  );
}

/**
 * Whether the passage speaks of the same thing and not only in the same words: it is of a record that the claim cites, or the claim
 * names what it is about. "It takes 90 seconds" stands in many a runbook.
 */
function saysOfWhat(claim: AtomicClaim, { chunk }: Passage, { question, passages }: VerifyRequest, tag: Tagger): boolean {
  if (claim.citations.some((n) => passages[n - 1]?.chunk.span.record === chunk.span.record)) return true;
  const { names, values } = readClaim(claim.text, tokensOf(claim.text), tag(claim.text));
  return names.length > 0 || values.some(({ kind }) => kind === "literal") || beginsWithName(claim.text, [question, chunk.text]);
}

/** Every sentence begins with a capital; it is a name's where others write the word so in the middle of theirs. */
function beginsWithName(text: string, others: readonly string[]): boolean {
  const [first = ""] = text.split(/[\s,]/, 1);
  if (!/^\p{Lu}/u.test(first)) return false;
  return others.some((other) => {
    const words = other.split(/\s+/);
    return words.some((word, at) => at > 0 && word.replace(/\P{L}+$/u, "") === first && !/[.!?:]$/.test(words[at - 1] ?? ""));
  });
}
