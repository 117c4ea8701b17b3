import type { Log } from "../core/connector.ts";
import type { Complete } from "../core/llm.ts";

export interface SuiteOptions {
  /** Folder (or, for `suite`, file) with the data; the shapes are in the README, Evaluation. */
  readonly path: string;
  /** A model to measure with; null measures the way without a model. */
  readonly complete: Complete | null;
  /** Folder for cached vectors and other things that cost time to make again. */
  readonly cacheDir: string;
  readonly log: Log;
  readonly signal: AbortSignal;
  progress(stage: string, done: number, total: number): void;
  /** Folder that `--out` names; null: none. A suite may read there what its last run left. */
  readonly out?: string | null;
  /** The daemon as it is set up where the command runs, for suites that ask it. */
  readonly configured?: Configured;
}

export interface Configured {
  readonly manifest: string;
  /** The manifest was named on the command line. */
  readonly manifestGiven: boolean;
  readonly dataDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => Date;
  /** An earlier report to compare with, instead of the one in `out`. */
  readonly compare: string | null;
  /** Whether each stage is left out in turn: not at all, where it costs nothing (rules, a double), or with the configured model, too. */
  readonly stages: "none" | "free" | "all";
}

export interface SuiteResult {
  /** The named figures, as `--json` prints them. */
  readonly figures: Readonly<Record<string, unknown>>;
  /** Rows of the printed table, header first. */
  readonly table: readonly (readonly string[])[];
  /** What the figures were computed from, by file name ("answers.jsonl", "bm25.run"); written with --out. */
  readonly files: Readonly<Record<string, string>>;
  /** Bounds on figures that the data itself asks for, as `--require` takes them. */
  readonly required?: readonly string[];
}

/** One evaluation suite: measures anyone's data of its shape. One file each, registered in suites.ts. */
export interface Suite {
  readonly name: string;
  readonly about: string;
  run(options: SuiteOptions): Promise<SuiteResult>;
}
