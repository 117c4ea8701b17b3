import { contentOf, type Evidence, type EvidenceSentence, stemsOfToken } from "./evidence.ts";
import type { Token } from "./tokens.ts";

/** How a claim's words are held by the evidence. */
export interface Alignment {
  /** Share of the claim's content that the best window (one or two sentences) and the title hold, 0 to 1. */
  readonly coverage: number;
  /** Share that the whole evidence holds. */
  readonly wholeCoverage: number;
  /** The best window: indices into the evidence's sentences. */
  readonly window: readonly number[];
  /** Sentences that say nearly as much about the claim as the best ones. */
  readonly focus: readonly EvidenceSentence[];
  /** Content words of the claim that the window does not hold. */
  readonly missing: readonly Token[];
  /** Coverage of each sentence alone. */
  readonly each: readonly number[];
}

/** A sentence belongs to the focus when it covers this share of what the best one covers. */
const FOCUS = 0.7;
/** Two sentences must hold this much more than one to be taken together. */
const PAIR_GAIN = 0.08;

/** Finds the sentence, or two sentences that follow each other, which hold most of what a claim says. */
export function align(claim: readonly Token[], evidence: Evidence): Alignment {
  const content = contentOf(claim);
  const total = content.reduce((sum, { weight }) => sum + weight, 0) || 1;
  const held = evidence.sentences.map((sentence) => content.map(({ token }) => holds(token, sentence.stems)));
  const inTitle = content.map(({ token }) => 0.9 * holds(token, evidence.titleStems));
  const cover = (rows: readonly (readonly number[])[]): number =>
    content.reduce((sum, { weight }, at) => sum + weight * Math.max(0, ...rows.map((row) => row[at] ?? 0)), 0) / total;

  const each = held.map((row) => cover([row]));
  let window: number[] = [];
  let best = -1;
  for (const [at, row] of held.entries()) {
    const alone = cover([row, inTitle]) + 0.001 * (each[at] ?? 0);
    if (alone > best) {
      best = alone;
      window = [at];
    }
  }
  for (const [at, row] of held.entries()) {
    const next = held[at + 1];
    if (next === undefined || evidence.sentences[at + 1]?.opens === true) continue;
    const both = cover([row, next, inTitle]) - PAIR_GAIN;
    if (both > best) {
      best = both;
      window = [at, at + 1];
    }
  }
  const rows = [...window.flatMap((at) => [held[at] ?? []]), inTitle];
  const missing = content.filter((_, at) => Math.max(...rows.map((row) => row[at] ?? 0)) < 0.6).map(({ token }) => token);
  const peak = Math.max(0, ...each);
  const focus = evidence.sentences.filter((_, at) => window.includes(at) || (each[at] ?? 0) >= FOCUS * peak);
  return { coverage: cover(rows), wholeCoverage: cover([...held, inTitle]), window, focus, missing, each };
}

/** 1 for the same stem, 0.9 for words that share a long beginning ("produce", "production"). */
export function holds(token: Token, stems: ReadonlySet<string>): number {
  let best = 0;
  for (const stem of stemsOfToken(token)) {
    if (stems.has(stem)) return 1;
    if (stem.length < 5 || /\d/.test(stem)) continue;
    for (const other of stems) if (related(stem, other)) best = 0.85;
  }
  return best;
}

/** Stems of one family: they share a beginning of five letters and all but three of the shorter one. */
export function related(a: string, b: string): boolean {
  if (a[0] !== b[0] || b.length < 4 || /[-\d]/.test(b)) return false;
  const least = Math.min(a.length, b.length);
  let shared = 0;
  while (shared < least && a[shared] === b[shared]) shared += 1;
  return shared >= 5 && shared >= least - 2 && Math.abs(a.length - b.length) <= 5;
}
