import { z } from "zod";
import type { Passage } from "./chunk.ts";
import { LineBox } from "./lines.ts";
import type { Complete } from "./llm.ts";
import type { Span } from "./record.ts";

/** How an answer begins that web pages bear, and not the indexed sources. */
export const FROM_THE_WEB = "From the web, not from the indexed sources: ";

/** The texts that users see; nothing else words a refusal. */
export const refusals = {
  insufficient: "The provided documents do not contain enough information to answer this question.",
  unverified: "I do not have enough verified information to answer this.",
  guardrail: (reason: string): string => `This question cannot be answered: ${reason}.`,
} as const;

/** A passage behind [n]; `charStart` and `charEnd` count in the record's text, `chunk` from 1. */
export const Citation = z.object({
  n: z.int().positive(),
  source: z.enum(["jira", "github", "confluence", "logs", "documents", "web"]),
  recordId: z.string(),
  chunkId: z.string(),
  title: z.string(),
  chunk: z.int().positive(),
  of: z.int().positive(),
  page: z.int().positive().nullable(),
  charStart: z.int().nonnegative(),
  charEnd: z.int().nonnegative(),
  text: z.string(),
  url: z.string().nullable(),
  /** The lines of the page that it stands on, as fractions of the page; absent for all but PDFs. */
  lines: z.array(LineBox).optional(),
  /** Read from a picture, with this confidence; absent where the source holds text. */
  ocr: z.number().min(0).max(1).optional(),
});
export type Citation = z.infer<typeof Citation>;

/** One statement of an answer and how it was checked against what it cites. */
export const Claim = z.object({
  text: z.string(),
  label: z.enum(["SUPPORTED", "UNCERTAIN", "UNSUPPORTED"]),
  confidence: z.number().min(0).max(1),
  citations: z.array(z.int().positive()),
  reason: z.string(),
  /** Places of its citations' records that show it, in characters of the record's text; absent where none is known. */
  evidence: z.array(z.object({ n: z.int().positive(), start: z.int().nonnegative(), end: z.int().nonnegative() })).optional(),
});
export type Claim = z.infer<typeof Claim>;

/** Until when a source was read; `syncedUntil` null: never. */
export const Coverage = z.object({ source: z.string(), syncedUntil: z.string().nullable(), stale: z.boolean() });
export type Coverage = z.infer<typeof Coverage>;

/** A search and how much it found, so that nobody repeats those in vain. */
export const LookedFor = z.object({ what: z.string(), window: z.string().nullable(), found: z.int().nonnegative() });
export type LookedFor = z.infer<typeof LookedFor>;

/** A possible cause; its confidence, 0 to 1, is computed from evidence, never taken from a model. */
export const Hypothesis = z.object({
  statement: z.string(),
  cause: z.string(),
  confidence: z.number().min(0).max(1),
  basis: z.enum(["stated", "derived"]),
  for: z.array(z.string()),
  against: z.array(z.string()),
});
export type Hypothesis = z.infer<typeof Hypothesis>;

/** One call of a tool, its time in ms, and how many things it found. */
export const ToolCall = z.object({
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  ms: z.number(),
  found: z.int().nonnegative(),
});
export type ToolCall = z.infer<typeof ToolCall>;

/** One stage of an answer, its time in ms, and what it noted. */
export const StageTrace = z.object({ name: z.string(), ms: z.number(), detail: z.record(z.string(), z.unknown()) });
export type StageTrace = z.infer<typeof StageTrace>;

/** How an answer came about. */
export const Trace = z.object({
  stages: z.array(StageTrace),
  retries: z.int().nonnegative(),
  llm: z.object({ calls: z.int(), inputTokens: z.int(), outputTokens: z.int(), costUsd: z.number() }),
  /** Why the route was chosen. */
  routeReason: z.string().optional(),
  /** What broke on the way and what was done instead; absent when nothing did. */
  degraded: z.array(z.object({ code: z.string(), message: z.string() })).optional(),
});
export type Trace = z.infer<typeof Trace>;

/** An answer with everything that it stands on; also the shape of a refusal. */
export const Answer = z.object({
  id: z.string(),
  question: z.string(),
  standalone: z.string().optional().describe("A follow-up as it reads on its own"),
  status: z.enum(["answered", "partial", "refused", "unavailable"]),
  refusal: z.enum(["insufficient", "unverified", "guardrail"]).nullable(),
  answer: z.string(),
  citations: z.array(Citation),
  claims: z.array(Claim),
  coverage: z.array(Coverage),
  lookedFor: z.array(LookedFor),
  hypotheses: z.array(Hypothesis),
  permalink: z.string(),
  route: z.enum(["vector", "agent", "documents", "web", "cache"]),
  toolCalls: z.array(ToolCall),
  trace: Trace,
  /** The instant the answer speaks of: the clock, or `now`. */
  asOf: z.string(),
});
export type Answer = z.infer<typeof Answer>;

/** A sentence made from evidence by rule, with the places that show it: what answers are made of without a model. */
export interface Statement {
  /** One sentence, without [N]. */
  readonly text: string;
  /** Places that show it, best first; never empty. */
  readonly spans: readonly Span[];
  /** 0 to 1. */
  readonly confidence: number;
  /** Quoted letter for letter from a source, or worded from edges. */
  readonly from: "quote" | "edges";
}

/** What a gatherer (the agent's tools, document search) brings back. */
export interface Gathered {
  readonly passages: readonly Passage[];
  /** In the order in which they answer; empty when nothing answers. */
  readonly statements: readonly Statement[];
  readonly toolCalls: readonly ToolCall[];
  readonly lookedFor: readonly LookedFor[];
  readonly hypotheses: readonly Hypothesis[];
  /** Why nothing was found, or what to keep in mind; for the trace. */
  readonly notes: readonly string[];
  /** What is asked is for this gatherer to know, and nothing is recorded: no other one need be asked. */
  readonly conclusive?: boolean;
  /** Whether a sentence of another gatherer accounts for the whole question; absent: whatever it holds will do. */
  readonly accounts?: (statement: Statement) => boolean;
  /** Sub-questions that nothing answers, where the question was taken apart: the answer is partial. */
  readonly unanswered?: readonly string[];
  /** Where the question belongs, and why. */
  readonly route?: { readonly name: "vector" | "agent" | "documents"; readonly reason: string };
}

export type AnswerEvent =
  | { readonly type: "stage"; readonly name: string; readonly ms: number; readonly detail: Readonly<Record<string, unknown>> }
  | { readonly type: "tool"; readonly call: ToolCall }
  | { readonly type: "token"; readonly text: string }
  | { readonly type: "citation"; readonly citation: Citation }
  | { readonly type: "verdict"; readonly claims: readonly Claim[] };

/** What a gatherer is asked for; `attempt` counts the searches that brought too little. */
export interface GatherRequest {
  readonly question: string;
  /** The question with names spelled out, or its keywords. */
  readonly query: string;
  /** The question taken apart, each part to be searched for itself; absent or empty: it is not. */
  readonly parts?: readonly string[];
  readonly attempt: number;
  readonly now: Date;
  /** The asker gave `now`: what was recorded later is not for this answer. */
  readonly nowGiven?: boolean;
  readonly corpus: Corpus;
  /** False: no model may be called. */
  readonly llm: boolean;
  /** The model, metered for this question; null or absent: none. */
  readonly complete?: Complete | null;
  readonly signal: AbortSignal;
}

/** Document search in one shot, or the agent's tool loop: yields what it calls, returns what it found. */
export type Gather = (request: GatherRequest) => AsyncGenerator<AnswerEvent, Gathered>;

/** A claim with its place in the draft: the whole sentence it stands in, so that only what failed is rewritten. */
export interface CheckedClaim extends Claim {
  readonly start: number;
  readonly end: number;
  /** A passage that it does not cite and that bears it, where those it cites do not. */
  readonly borneBy?: Passage;
}

export interface VerifyRequest {
  readonly question: string;
  /** Text with [N]; [N] is `passages[N - 1]`. */
  readonly draft: string;
  readonly passages: readonly Passage[];
  /**
   * What was gathered as sentences. One worded from edges is evidence too, where a passage that holds one of its places is cited:
   * "CODEOWNERS: /checkout @ann" says that Ann owns checkout only to who can read it.
   */
  readonly statements: readonly Statement[];
  /**
   * Passages about a claim, best first, among those that may be shown to who asks. They never support it, since it does not cite them,
   * but tell where it stands. Absent: only the draft's own sources are looked through.
   */
  readonly evidence?: (claim: string) => Promise<readonly Passage[]>;
  /** A model that is asked about claims which the rules let through or are unsure of; absent: none. */
  readonly second?: Complete;
  readonly signal: AbortSignal;
}

/** A label, a confidence and a reason for each claim of a draft. A sentence without a claim is not in the list. */
export type Verify = (request: VerifyRequest) => Promise<readonly CheckedClaim[]>;

export type Corpus = "records" | "documents" | "all";

export interface AskOptions {
  readonly now?: Date;
  readonly corpus?: Corpus;
  readonly session?: string;
  /** False: answer by rules even where a model is configured. */
  readonly llm?: boolean;
  readonly cache?: boolean;
  /** W3C trace context of the caller, for the spans of this question. */
  readonly traceparent?: string;
  readonly signal: AbortSignal;
}
