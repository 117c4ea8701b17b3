/**
 * The life of a question as a table: all control flow of answering is in it. Drawn in docs/answering.md.
 */
export const stageNames = [
  "guard",
  "cache",
  "screen",
  "rewrite",
  "retrieve",
  "fallback",
  "generate",
  "cite",
  "verify",
  "judge",
  "correct",
  "planner",
] as const;
export type StageName = (typeof stageNames)[number];

/** `answered` is reached only from the judge's yes, `replayed` only from a cache hit. */
export type End = "answered" | "replayed" | "refused";

/** Why a question ends refused; named by the stage where it happened. */
export type Refusal = "guardrail" | "insufficient" | "unverified";

/**
 * What has been tried again. Another search is not a failed round: nothing was written yet.
 * A round fails when a draft is not let through; after the second one the planner's sentences are left, once, else the question is refused.
 */
export interface Retries {
  readonly searches: number;
  readonly rounds: number;
  /** The graph's own sentences, after both rounds of a model failed. */
  readonly plans: number;
}

/** At the beginning. */
export const noRetries: Retries = { searches: 0, rounds: 0, plans: 0 };
/** How often an arrow back may be taken. */
export const most: Retries = { searches: 2, rounds: 1, plans: 1 };

interface Row {
  readonly yes: StageName | End;
  readonly no: StageName | End;
  /** What going back costs; absent where the arrow points forward. */
  readonly yesCosts?: keyof Retries;
  readonly noCosts?: keyof Retries;
  /** Where an arrow back leads that can no longer be paid; absent: the question is refused. */
  readonly spent?: StageName;
  /** The refusal when the question ends here. */
  readonly refusal: Refusal;
}

export const diagram: Readonly<Record<StageName, Row>> = {
  guard: { yes: "cache", no: "refused", refusal: "guardrail" },
  cache: { yes: "replayed", no: "screen", refusal: "insufficient" },
  screen: { yes: "rewrite", no: "refused", refusal: "guardrail" },
  rewrite: { yes: "retrieve", no: "retrieve", refusal: "insufficient" },
  retrieve: { yes: "generate", no: "rewrite", noCosts: "searches", spent: "fallback", refusal: "insufficient" },
  fallback: { yes: "generate", no: "refused", refusal: "insufficient" },
  generate: { yes: "cite", no: "refused", refusal: "insufficient" },
  cite: { yes: "verify", no: "generate", noCosts: "rounds", refusal: "insufficient" },
  verify: { yes: "judge", no: "correct", refusal: "unverified" },
  judge: { yes: "answered", no: "rewrite", noCosts: "rounds", spent: "planner", refusal: "unverified" },
  correct: { yes: "verify", yesCosts: "rounds", no: "rewrite", noCosts: "rounds", spent: "planner", refusal: "unverified" },
  planner: { yes: "cite", yesCosts: "plans", no: "refused", refusal: "unverified" },
};

export interface Hop {
  readonly to: StageName | End;
  readonly retries: Retries;
}

/** Where a question goes after a stage said yes or no. An arrow back that can no longer be paid leads to `spent`, or to `refused`. */
export function next(at: StageName, ok: boolean, retries: Retries): Hop {
  const row = diagram[at];
  const costs = ok ? row.yesCosts : row.noCosts;
  const to = ok ? row.yes : row.no;
  if (costs === undefined) return { to, retries };
  if (retries[costs] >= most[costs]) return { to: row.spent ?? "refused", retries };
  return { to, retries: { ...retries, [costs]: retries[costs] + 1 } };
}

export function isEnd(to: StageName | End): to is End {
  return to === "answered" || to === "replayed" || to === "refused";
}
