import type { CheckedClaim, Claim, Verify } from "../../core/answer.ts";
import type { Passage } from "../../core/chunk.ts";
import { neutralised } from "../instructions.ts";
import type { Run, Stage } from "../run.ts";

/** A claim below it is sent back even when its label is SUPPORTED. */
const LEAST_CONFIDENCE = 0.6;

export function passes(claim: Pick<CheckedClaim, "label" | "confidence">): boolean {
  return claim.label === "SUPPORTED" && claim.confidence >= LEAST_CONFIDENCE;
}

/** Passages of the knowledge base about a claim, among those that the question may be answered from; best first. */
export type FindEvidence = (claim: string, run: Run) => Promise<readonly Passage[]>;

/** Passages looked through for a claim: of the knowledge base, and of what was gathered and is not cited. */
const MOST_FOUND = 5;
const MOST_GATHERED = 3;

/**
 * Labels every claim of the draft against the sources it cites, instructions in them left out; yes when all are supported. A claim that
 * they do not bear is looked for elsewhere, so that correction can cite the right source.
 * @param secondOpinion whether the model is asked about claims of its drafts, where the verifier can use its word
 */
export function verify(check: Verify, find: FindEvidence, secondOpinion: boolean): Stage {
  return async function* (run: Run) {
    const passages = run.sources.map(cleaned);
    const { question, draft, signal } = run;
    const evidence = async (claim: string): Promise<readonly Passage[]> => (await elsewhere(claim, run, find)).map(cleaned);
    const { statements } = run.gathered;
    // what rules have quoted or worded needs no model's word
    const second = secondOpinion && run.writer === "model" && run.complete !== null ? { second: run.complete } : {};
    const claims = await check({ question, draft, passages, statements, evidence, ...second, signal });
    yield { type: "verdict", claims: claims.map(asClaim) };
    const failed = claims.filter((claim) => !passes(claim));
    return {
      ok: failed.length === 0,
      set: { claims },
      detail: { claims: claims.length, failed: failed.map(({ label, confidence, reason }) => ({ label, confidence, reason })) },
    };
  };
}

/** A claim as the reader gets it. */
export function asClaim({ start: _start, end: _end, borneBy: _borneBy, ...claim }: CheckedClaim): Claim {
  return claim;
}

/**
 * Where else a claim may stand. What was gathered comes first: it is at hand. An answer from the web is held against the web's pages
 * only, since the two are never mixed; and no claim is ever sent to the web, since it may hold what records say.
 */
async function elsewhere(claim: string, run: Run, find: FindEvidence): Promise<readonly Passage[]> {
  const cited = new Set(run.sources.map(({ chunk }) => chunk.id));
  const gathered = run.gathered.passages.filter(({ chunk }) => !cited.has(chunk.id)).slice(0, MOST_GATHERED);
  if (run.route === "web") return gathered;
  return [...(await find(claim, run)).slice(0, MOST_FOUND), ...gathered];
}

function cleaned(passage: Passage): Passage {
  const text = neutralised(passage.chunk.text);
  return text === passage.chunk.text ? passage : { ...passage, chunk: { ...passage.chunk, text } };
}
