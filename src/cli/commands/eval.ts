import { ContextError } from "../../core/errors.ts";
import type { Command, CommandContext } from "../command.ts";
import { tableText } from "../render.ts";

export interface EvalOutcome {
  readonly figures: Readonly<Record<string, unknown>>;
  readonly table: readonly (readonly string[])[];
}

/** Runs a suite by name; throws USAGE for an unknown one. */
export type Evaluate = (
  suite: string,
  options: {
    readonly path: string | null;
    readonly out: string | null;
    readonly llm: boolean;
    readonly signal: AbortSignal;
    progress(stage: string, done: number, total: number): void;
  },
) => Promise<EvalOutcome>;

export function evalCommand(suites: readonly { readonly name: string; readonly about: string }[], evaluate: Evaluate): Command {
  const names = suites.map((suite) => suite.name).join("|");
  return {
    name: "eval",
    usage: `eval ${names} --data PATH [--no-llm] [--out DIR] [--require "FIGURE>=N"]`,
    about: "Measures retrieval, extraction, answers and verification on data of your own.",
    options: {
      data: { type: "string" },
      out: { type: "string" },
      "no-llm": { type: "boolean" },
      require: { type: "string", multiple: true },
    },
    async run(context: CommandContext) {
      const { args, values, json, io, signal, path } = context;
      const suite = args[0];
      if (suite === undefined || args.length > 1) throw new ContextError("USAGE", `eval needs one suite: ${names}.`);
      const data = values.data;
      const out = values.out;
      const requirements = requirementsOf(values.require as unknown as readonly string[] | undefined);
      const outcome = await evaluate(suite, {
        path: typeof data === "string" ? path(data) : null,
        out: typeof out === "string" ? path(out) : null,
        llm: values["no-llm"] !== true,
        signal,
        progress: (stage, done, total) => io.status?.(`${stage} ${done}/${total}`),
      });
      io.status?.("");
      io.out(json ? JSON.stringify(outcome.figures) : tableText(outcome.table));
      const unmet = requirements.filter((one) => !holds(one, outcome.figures));
      for (const one of unmet) io.note(`not met: ${one.text} (it is ${String(figureAt(outcome.figures, one.figure))})`);
      return unmet.length === 0 ? 0 : 1;
    },
  };
}

interface Requirement {
  readonly text: string;
  readonly figure: string;
  readonly least: boolean;
  readonly value: number;
}

function requirementsOf(given: readonly string[] | undefined): readonly Requirement[] {
  return (given ?? []).map((text) => {
    const parts = /^([\w.]+)(>=|<=)(-?[\d.]+)$/.exec(text.replace(/\s/g, ""));
    if (parts?.[1] === undefined || parts[3] === undefined)
      throw new ContextError("USAGE", `--require takes FIGURE>=N or FIGURE<=N, such as "systems.rerank.ndcg10>=0.6", not "${text}".`);
    return { text, figure: parts[1], least: parts[2] === ">=", value: Number(parts[3]) };
  });
}

function holds({ figure, least, value }: Requirement, figures: Readonly<Record<string, unknown>>): boolean {
  const found = figureAt(figures, figure);
  return typeof found === "number" && (least ? found >= value : found <= value);
}

function figureAt(figures: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((at, key) => (typeof at === "object" && at !== null ? (at as Record<string, unknown>)[key] : undefined), figures);
}
