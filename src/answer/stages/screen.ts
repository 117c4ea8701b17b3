import { z } from "zod";
import { refusals } from "../../core/answer.ts";
import { toContextError } from "../../core/errors.ts";
import type { Completion } from "../../core/llm.ts";
import { screenMessages } from "../prompts.ts";
import { quiet, type Run, type Stage } from "../run.ts";
import { attackKinds, reasons } from "./guard.ts";

export interface ScreenDeps {
  /** The manifest's `llm.guard`. */
  readonly enabled: boolean;
  /** Longest wait for the model, ms: everybody waits for it. */
  readonly timeoutMs: number;
  /** A random word that fences the question off from the prompt. */
  readonly fence: () => string;
}

const Verdict = z.object({ verdict: z.enum(["pass", "block"]), kind: z.enum(attackKinds).nullable(), why: z.string() });

/**
 * The guard's second look, by a model, at questions that its rules let through and the cache does not hold. It can only block, with a
 * kind that the guard knows; the words for the user are the guard's. A reply that is not exactly that, late or none at all blocks
 * nothing, and the trace says so: the rules, the fences and the verification stand without it.
 */
export function screen({ enabled, timeoutMs, fence }: ScreenDeps): Stage {
  return quiet(async (run: Run) => {
    const { complete } = run;
    if (!enabled || complete === null) return { ok: true, skipped: true };
    const kinds = Object.fromEntries(attackKinds.map((kind) => [kind, reasons[kind]]));
    const late = AbortSignal.timeout(timeoutMs);
    let reply: Completion;
    try {
      const messages = screenMessages(run.question, kinds, fence());
      const schema = { name: "screening", shape: Verdict };
      const signal = AbortSignal.any([run.signal, late]);
      reply = await complete({ tier: "cheap", purpose: "guard", messages, maxTokens: 100, schema }, signal);
    } catch (thrown) {
      run.signal.throwIfAborted();
      return { ok: true, detail: { verdict: "none", why: late.aborted ? `no reply within ${timeoutMs} ms` : toContextError(thrown).code } };
    }
    const verdict = readVerdict(reply.text);
    const by = reply.usage.model;
    if (verdict === null) return { ok: true, detail: { by, verdict: "none", why: "the reply is no verdict" } };
    const { kind, why } = verdict;
    if (kind === null) return { ok: true, detail: { by, verdict: "pass" } };
    return {
      ok: false,
      set: { reason: refusals.guardrail(reasons[kind]) },
      detail: { by, verdict: "block", kind, why: why.slice(0, 200) },
    };
  });
}

/** A block must name its kind; a kind beside "pass" means nothing. Null: it cannot be read. */
function readVerdict(text: string): { readonly kind: (typeof attackKinds)[number] | null; readonly why: string } | null {
  try {
    const { verdict, kind, why } = Verdict.parse(JSON.parse(text.trim().replace(/^```(?:json)?\s*|\s*```$/g, "")));
    if (verdict === "pass") return { kind: null, why };
    return kind === null ? null : { kind, why };
  } catch {
    return null;
  }
}
