import { z } from "zod";
import { sentencesOf } from "../../core/sentences.ts";
import { marksOf, withMarksOnEach, withoutMarks } from "../marks.ts";
import { correctMessages, type FailingSentence } from "../prompts.ts";
import { quiet, type Run, type Stage, withoutModel } from "../run.ts";
import { passes } from "./verify.ts";

const Revisions = z.object({ revisions: z.array(z.object({ sentence: z.int(), text: z.string().nullable() })) });

interface Failing extends FailingSentence {
  readonly start: number;
  readonly end: number;
}

/**
 * Revises or drops only the sentences that hold a failed claim; every other byte of the draft stays. A model may propose new
 * wording, without one the sentence goes. Yes when a cited sentence remains.
 */
export function correct(fence: () => string): Stage {
  return quiet(async (run: Run) => {
    const failing = failingSentences(run);
    let revised: ReadonlyMap<number, string> = new Map();
    let set: Partial<Run> = {};
    if (run.complete !== null && run.writer === "model" && failing.length > 0) {
      try {
        const messages = correctMessages(run.question, run.draft, failing, run.sources, fence());
        const schema = { name: "revisions", shape: Revisions };
        const reply = await run.complete({ tier: "frontier", purpose: "correct", messages, maxTokens: 600, schema }, run.signal);
        revised = readRevisions(reply.text, failing, run.sources.length);
      } catch (thrown) {
        set = withoutModel(run, thrown);
      }
    }
    const draft = replaceSentences(run.draft, failing, revised);
    const dropped = failing.filter(({ n }) => !revised.has(n)).length;
    return {
      ok: marksOf(draft).length > 0,
      set: { ...set, draft, dropped: run.dropped + dropped },
      detail: { failing: failing.length, revised: revised.size, dropped },
    };
  });
}

/** Whole sentences of the draft that hold a failed claim, numbered from 1 over the draft. */
function failingSentences(run: Run): Failing[] {
  const failed = run.claims.filter((claim) => !passes(claim));
  return sentencesOf(run.draft).flatMap(({ start, end }, index) => {
    const inside = failed.filter((claim) => claim.start < end && start < claim.end);
    if (inside.length === 0) return [];
    const reason = inside.map((claim) => claim.reason).join("; ");
    return [{ n: index + 1, start, end, text: run.draft.slice(start, end), reason }];
  });
}

/** Proposals for failing sentences only; one without a valid citation, or with nothing changed, is none. */
function readRevisions(text: string, failing: readonly Failing[], sources: number): Map<number, string> {
  const bare = text.trim().replace(/^```(?:json)?\s*|\s*```$/g, "");
  let proposed: z.infer<typeof Revisions>["revisions"];
  try {
    proposed = Revisions.parse(JSON.parse(bare)).revisions;
  } catch {
    return new Map();
  }
  const revised = new Map<number, string>();
  for (const { sentence, text: wording } of proposed) {
    const before = failing.find(({ n }) => n === sentence);
    if (before === undefined || wording === null) continue;
    const numbers = [...new Set(marksOf(wording).flatMap((mark) => mark.numbers))].filter((n) => n >= 1 && n <= sources);
    const plain = withoutMarks(wording).replace(/\s+/g, " ").trim();
    if (numbers.length === 0 || plain === "" || plain === withoutMarks(before.text).trim()) continue;
    revised.set(sentence, withMarksOnEach(plain, numbers));
  }
  return revised;
}

/** The draft with these sentences replaced or cut out, and not a byte else changed but the space beside a cut. */
function replaceSentences(
  draft: string,
  failing: readonly { readonly n: number; readonly start: number; readonly end: number }[],
  revised: ReadonlyMap<number, string>,
): string {
  let text = "";
  let at = 0;
  for (const { n, start, end } of failing) {
    const wording = revised.get(n);
    if (wording !== undefined) {
      text += draft.slice(at, start) + wording;
      at = end;
      continue;
    }
    const before = draft.slice(at, start);
    text += before;
    at = end;
    // one of the two gaps beside the cut goes with it
    const gap = /^\s+/.exec(draft.slice(at))?.[0].length ?? 0;
    if (gap > 0) at += gap;
    else text = text.trimEnd();
  }
  return (text + draft.slice(at)).trim();
}
