import type { ParseArgsOptionsConfig } from "node:util";
import type { App, Changing } from "../core/app.ts";

export interface CliIo {
  /** One line, or one JSON value, to standard output. */
  out(text: string): void;
  /** Notes, progress and problems to standard error. */
  note(text: string): void;
  /** Rewrites the last line of standard error; null where that is no terminal. */
  readonly status: ((text: string) => void) | null;
}

export interface CommandContext {
  readonly args: readonly string[];
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  readonly json: boolean;
  readonly io: CliIo;
  readonly signal: AbortSignal;
  /** Opens the daemon's parts on the configured manifest and data folder; closed by the caller. */
  open(options?: { readonly write?: boolean }): Promise<App>;
  /** The same to change the index; where a daemon holds the store, it does the work. */
  change(): Promise<Changing>;
  /** Absolute path of a path given on the command line. */
  path(given: string): string;
  readonly dataDir: string;
}

export interface Command {
  readonly name: string;
  readonly usage: string;
  readonly about: string;
  readonly options: ParseArgsOptionsConfig;
  /** @returns exit code: 0 done, 1 failed, 2 wrong usage, 3 partly done */
  run(context: CommandContext): Promise<number>;
}
