import type { Corpus, Gather, Gathered } from "../core/answer.ts";
import type { Chunk, Embedder, Passage, Search } from "../core/chunk.ts";
import { findIdentifiers } from "../core/identifiers.ts";
import type { RecordId } from "../core/record.ts";
import { dayAsked, spellingsOf } from "./dated.ts";
import { quote, type Thresholds } from "./quote.ts";
import { nothing } from "./run.ts";
import { SUPPORT_AGAIN } from "./support.ts";

export interface DocumentsDeps {
  readonly search: Search;
  /** For comparing sentences with the question; null: by words alone. */
  readonly embedder: Embedder | null;
  readonly thresholds?: Partial<Thresholds>;
  /** When a record began to be, where its source says so; absent: nothing is held back that is younger than the time asked about. */
  readonly createdAt?: (record: RecordId) => string | null;
}

const SHORT_CODE = 6;
/** How many times as many passages are searched for where some are younger than the time asked about. */
const WIDER = 4;
/** Passages searched for, by attempt. */
const WINDOWS = [5, 10, 20] as const;

/**
 * The gatherer over chunks: searches, then quotes; a question taken apart part by part. An identifier of the question that no chunk
 * holds means that nothing here speaks of it, however near the neighbours are: CONF-1032 is no answer about CONF-1023.
 */
export function documentGatherer(deps: DocumentsDeps): Gather {
  // biome-ignore lint/correctness/useYield: the shape of a gatherer without its events
  return async function* ({ question, query, parts = [], attempt, corpus, now, nowGiven, signal }) {
    const until = nowGiven === true ? now : null;
    const thresholds = attempt === 0 ? deps.thresholds : { support: SUPPORT_AGAIN, ...deps.thresholds };
    const k = WINDOWS[Math.min(attempt, WINDOWS.length - 1)] ?? WINDOWS[0];
    if (parts.length === 0) return await gathered(question, query, { k, corpus, until, signal, thresholds }, deps);
    const found: Gathered[] = [];
    for (const part of parts) found.push(await gathered(part, part, { k, corpus, until, signal, thresholds }, deps));
    return joined(parts, found);
  };
}

interface Window {
  readonly k: number;
  readonly corpus: Corpus;
  /** No record that began later is quoted; null: any is. */
  readonly until: Date | null;
  readonly signal: AbortSignal;
  readonly thresholds: Partial<Thresholds> | undefined;
}

async function gathered(question: string, asQuery: string, window: Window, deps: DocumentsDeps): Promise<Gathered> {
  const { k, corpus, until, signal, thresholds = {} } = window;
  const day = dayAsked(question);
  const query = day === null ? asQuery : `${asQuery} (${spellingsOf(day).join(", ")})`;
  const result = await deps.search(query, { k, filter: { corpus } }, signal);
  const unknown = result.missing.filter((identifier) => naming(question, identifier));
  if (unknown.length > 0) {
    const lookedFor = unknown.map((identifier) => ({ what: identifier, window: null, found: 0 }));
    return { ...nothing, lookedFor, notes: [`no source holds ${unknown.join(", ")}`] };
  }
  const { embedder } = deps;
  const begun = ({ chunk }: Passage): boolean => until === null || !beganAfter(chunk, until, deps);
  let passages = result.passages.filter(begun);
  if (passages.length < result.passages.length) {
    const wider = await deps.search(query, { k: k * WIDER, filter: { corpus } }, signal);
    passages = wider.passages.filter(begun).slice(0, k);
  }
  return { ...nothing, passages, statements: await quote(question, passages, { embedder, signal, thresholds }) };
}

/** A file has no beginning that is known; a record of a tracker, a forge, a wiki or a log has one. */
function beganAfter({ span }: Chunk, until: Date, { createdAt }: DocumentsDeps): boolean {
  const began = createdAt?.(span.record) ?? null;
  return began !== null && Date.parse(began) > until.getTime();
}

/** Statements in the order of the parts, passages in turn, each once. */
function joined(parts: readonly string[], found: readonly Gathered[]): Gathered {
  const passages = new Map<string, Passage>();
  const longest = Math.max(...found.map((one) => one.passages.length));
  for (let at = 0; at < longest; at += 1) {
    for (const one of found) {
      const passage = one.passages[at];
      if (passage !== undefined && !passages.has(passage.chunk.id)) passages.set(passage.chunk.id, passage);
    }
  }
  const unanswered = parts.filter((_, at) => found[at]?.statements.length === 0);
  const statements = new Map(found.flatMap((one) => one.statements.map((statement) => [statement.text, statement] as const)));
  return {
    ...nothing,
    passages: [...passages.values()],
    statements: [...statements.values()],
    lookedFor: [...found.flatMap((one) => one.lookedFor), ...unanswered.map((what) => ({ what, window: null, found: 0 }))],
    notes: found.flatMap((one) => one.notes),
    unanswered,
  };
}

/** A ticket key, sha, version or file means one thing; a short code ("p95", "utf16") may be written otherwise in the sources. */
function naming(question: string, identifier: string): boolean {
  const found = findIdentifiers(question).find(({ token }) => token === identifier);
  return found === undefined || found.kind !== "code" || identifier.length >= SHORT_CODE;
}
