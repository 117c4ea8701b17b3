import { z } from "zod";
import type { CheckedClaim } from "../../core/answer.ts";
import type { Passage } from "../../core/chunk.ts";
import { sentencesOf } from "../../core/sentences.ts";
import { marksOf, withMarksOnEach, withoutMarks } from "../marks.ts";
import { correctMessages, type FailingSentence } from "../prompts.ts";
import { quiet, type Run, type Stage, withoutModel } from "../run.ts";
import { passes } from "./verify.ts";

const Revisions = z.object({ revisions: z.array(z.object({ sentence: z.int(), text: z.string().nullable() })) });

interface Failing extends FailingSentence {
  readonly start: number;
  readonly end: number;
  /** All claims of the sentence, those that stand included. */
  readonly claims: readonly CheckedClaim[];
}

/**
 * Revises or drops only the sentences that hold a failed claim; every other byte of the draft stays. A sentence that other passages
 * bear keeps its words and gets their numbers. For the rest a model may propose new wording, without one the sentence goes. Whatever
 * is changed is verified again. Yes when a cited sentence remains.
 */
export function correct(fence: () => string): Stage {
  return quiet(async (run: Run) => {
    const failing = failingSentences(run);
    const { recited, sources } = recite(failing, run.sources);
    const open = failing.filter(({ n }) => !recited.has(n));
    const revised = new Map(recited);
    let set: Partial<Run> = {};
    if (run.complete !== null && run.writer === "model" && open.length > 0) {
      try {
        const messages = correctMessages(run.question, run.draft, open, sources, fence());
        const schema = { name: "revisions", shape: Revisions };
        const reply = await run.complete({ tier: "frontier", purpose: "correct", messages, maxTokens: 600, schema }, run.signal);
        for (const [n, wording] of readRevisions(reply.text, open, sources.length)) revised.set(n, wording);
      } catch (thrown) {
        set = withoutModel(run, thrown);
      }
    }
    const draft = replaceSentences(run.draft, failing, revised);
    const dropped = failing.filter(({ n }) => !revised.has(n)).length;
    return {
      ok: marksOf(draft).length > 0,
      set: { ...set, draft, sources, dropped: run.dropped + dropped },
      detail: { failing: failing.length, recited: recited.size, revised: revised.size - recited.size, dropped },
    };
  });
}

/** Whole sentences of the draft that hold a failed claim, numbered from 1 over the draft. */
function failingSentences(run: Run): Failing[] {
  return sentencesOf(run.draft).flatMap(({ start, end }, index) => {
    const claims = run.claims.filter((claim) => claim.start < end && start < claim.end);
    const failed = claims.filter((claim) => !passes(claim));
    if (failed.length === 0) return [];
    const reason = failed.map((claim) => claim.reason).join("; ");
    return [{ n: index + 1, start, end, text: run.draft.slice(start, end), reason, claims }];
  });
}

/**
 * New numbers for sentences that are true and cite the wrong source: each failed claim is borne by another passage. The numbers of
 * claims that stand are kept. Passages that were no source yet are added behind the others, so that no number changes its meaning.
 */
function recite(
  failing: readonly Failing[],
  known: readonly Passage[],
): { readonly recited: ReadonlyMap<number, string>; readonly sources: readonly Passage[] } {
  const sources = [...known];
  const numberOf = (passage: Passage): number => {
    const at = sources.findIndex(({ chunk }) => chunk.id === passage.chunk.id);
    return at >= 0 ? at + 1 : sources.push(passage);
  };
  const recited = new Map<number, string>();
  for (const { n, text, claims } of failing) {
    if (claims.some((claim) => !passes(claim) && claim.borneBy === undefined)) continue;
    const numbers = claims.flatMap((claim) => (claim.borneBy === undefined ? claim.citations : [numberOf(claim.borneBy)]));
    recited.set(n, withMarksOnEach(withoutMarks(text).trim(), [...new Set(numbers)]));
  }
  return { recited, sources };
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
