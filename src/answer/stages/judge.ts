import { z } from "zod";
import { judgeMessages } from "../prompts.ts";
import { quiet, type Run, type Stage, withoutModel } from "../run.ts";
import { passes } from "./verify.ts";

/** What the judge is asked for; what it sends is read leniently, and believed strictly. */
const Asked = z.object({ verdict: z.enum(["FAITHFUL", "HALLUCINATION"]), claims: z.array(z.string()) });
const Verdict = z.object({ verdict: z.string(), claims: z.array(z.string()).default([]) });

/**
 * The answer as a whole. With a model: anything that cannot be read as FAITHFUL is a rejection, and so is a judge that fails;
 * the question then goes on without the model. Without one: yes when every claim is supported.
 */
export function judge(fence: () => string): Stage {
  return quiet(async (run: Run) => {
    if (run.complete === null || run.writer === "rules") {
      const ok = run.sources.length > 0 && run.claims.every(passes);
      return { ok, detail: { by: "rules" } };
    }
    const messages = judgeMessages(run.question, run.draft, run.sources, run.gathered.statements, fence());
    try {
      const schema = { name: "verdict", shape: Asked };
      const reply = await run.complete({ tier: "judge", purpose: "judge", messages, maxTokens: 400, schema }, run.signal);
      const { ok, claims } = readVerdict(reply.text);
      return { ok, detail: { by: reply.usage.model, verdict: ok ? "FAITHFUL" : "HALLUCINATION", claims: claims.length } };
    } catch (thrown) {
      const set = withoutModel(run, thrown);
      return { ok: false, set, detail: { by: "model", verdict: "none" } };
    }
  });
}

/** FAITHFUL only as the whole verdict: as the JSON asked for, or as the one word. "FAITHFUL, but …" is a rejection. */
function readVerdict(text: string): { readonly ok: boolean; readonly claims: readonly string[] } {
  const bare = text.trim().replace(/^```(?:json)?\s*|\s*```$/g, "");
  try {
    const { verdict, claims } = Verdict.parse(JSON.parse(bare));
    return { ok: verdict === "FAITHFUL" && claims.length === 0, claims };
  } catch {
    return { ok: /^["'*]{0,3}FAITHFUL["'*]{0,3}\.?$/.test(bare), claims: [] };
  }
}
