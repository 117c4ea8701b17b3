import { ContextError } from "../../core/errors.ts";
import { figureAt, isMet, parseRequirement } from "../../core/requirement.ts";
import type { Command, CommandContext } from "../command.ts";
import { tableText } from "../render.ts";

export interface EvalOutcome {
  readonly figures: Readonly<Record<string, unknown>>;
  readonly table: readonly (readonly string[])[];
  /** Bounds that the data itself asks for. */
  readonly required?: readonly string[];
}

/** Leaving out each stage in turn: never, where it costs nothing, or with the configured model as well. */
const stageChoices = ["none", "free", "all"] as const;

/** Runs a suite by name; throws USAGE for an unknown one. */
export type Evaluate = (
  suite: string,
  options: {
    readonly path: string | null;
    readonly out: string | null;
    readonly llm: boolean;
    readonly manifest: string;
    readonly manifestGiven: boolean;
    readonly dataDir: string;
    readonly compare: string | null;
    readonly stages: (typeof stageChoices)[number];
    readonly signal: AbortSignal;
    progress(stage: string, done: number, total: number): void;
  },
) => Promise<EvalOutcome>;

export function evalCommand(suites: readonly { readonly name: string; readonly about: string }[], evaluate: Evaluate): Command {
  const names = suites.map((suite) => suite.name).join("|");
  return {
    name: "eval",
    usage: `eval ${names} --data PATH [--no-llm] [--out DIR] [--require "FIGURE>=N"] [--compare REPORT] [--stages none|free|all]`,
    about: "Measures retrieval, extraction, answers and verification on data of your own.",
    options: {
      data: { type: "string" },
      out: { type: "string" },
      "no-llm": { type: "boolean" },
      require: { type: "string", multiple: true },
      compare: { type: "string" },
      stages: { type: "string" },
    },
    async run(context: CommandContext) {
      const { args, values, json, io, signal, path, dataDir } = context;
      const suite = args[0];
      if (suite === undefined || args.length > 1) throw new ContextError("USAGE", `eval needs one suite: ${names}.`);
      const file = (name: string): string | null => (typeof values[name] === "string" ? path(values[name]) : null);
      const stages = stageChoices.find((one) => one === (values.stages ?? "free"));
      if (stages === undefined) throw new ContextError("USAGE", `--stages is ${stageChoices.join(", ")}.`);
      const requirements = ((values.require as unknown as readonly string[] | undefined) ?? []).map(parseRequirement);
      const outcome = await evaluate(suite, {
        path: file("data"),
        out: file("out"),
        llm: values["no-llm"] !== true,
        manifest: file("manifest") ?? path("manifest.json"),
        manifestGiven: file("manifest") !== null,
        dataDir,
        compare: file("compare"),
        stages,
        signal,
        progress: (stage, done, total) => io.status?.(`${stage} ${done}/${total}`),
      });
      io.status?.("");
      io.out(json ? JSON.stringify(outcome.figures) : tableText(outcome.table));
      const all = [...requirements, ...(outcome.required ?? []).map(parseRequirement)];
      const unmet = all.filter((one) => !isMet(one, outcome.figures));
      for (const one of unmet) io.note(`not met: ${one.text} (it is ${String(figureAt(outcome.figures, one.figure))})`);
      return unmet.length === 0 ? 0 : 1;
    },
  };
}
