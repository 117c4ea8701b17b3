import type { CheckedClaim, Verify } from "../../core/answer.ts";
import type { Passage } from "../../core/chunk.ts";
import { neutralised } from "../instructions.ts";
import type { Run, Stage } from "../run.ts";

/** A claim below it is sent back even when its label is SUPPORTED. */
const LEAST_CONFIDENCE = 0.6;

export function passes(claim: Pick<CheckedClaim, "label" | "confidence">): boolean {
  return claim.label === "SUPPORTED" && claim.confidence >= LEAST_CONFIDENCE;
}

/** Labels every claim of the draft against its sources, instructions in them left out; yes when all are supported. */
export function verify(check: Verify): Stage {
  return async function* (run: Run) {
    const passages = run.sources.map(cleaned);
    const { question, draft, signal } = run;
    const claims = await check({ question, draft, passages, statements: run.gathered.statements, signal });
    yield { type: "verdict", claims: claims.map(({ start: _start, end: _end, ...claim }) => claim) };
    const failed = claims.filter((claim) => !passes(claim));
    return {
      ok: failed.length === 0,
      set: { claims },
      detail: { claims: claims.length, failed: failed.map(({ label, confidence, reason }) => ({ label, confidence, reason })) },
    };
  };
}

function cleaned(passage: Passage): Passage {
  const text = neutralised(passage.chunk.text);
  return text === passage.chunk.text ? passage : { ...passage, chunk: { ...passage.chunk, text } };
}
