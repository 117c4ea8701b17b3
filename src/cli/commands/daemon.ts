import { ContextError } from "../../core/errors.ts";
import type { Command } from "../command.ts";
import { wholeNumber } from "./search.ts";

export const DEFAULT_PORT = 8787;

/** Runs the daemon until it is told to stop. What serving means is handed in: the command line knows no HTTP. */
export function startCommand(serve: Serve): Command {
  return {
    name: "start",
    usage: `start [--port ${DEFAULT_PORT}] [--host 127.0.0.1] [--no-index]`,
    about: "Runs the daemon: HTTP and page, nightly schedule, first incremental index.",
    options: { port: { type: "string" }, host: { type: "string" }, "no-index": { type: "boolean" } },
    async run({ args, values, io, signal, dataDir, open }) {
      if (args.length > 0) throw new ContextError("USAGE", `start takes no "${args[0]}".`);
      const host = typeof values.host === "string" ? values.host : "127.0.0.1";
      const port = wholeNumber("--port", values.port, DEFAULT_PORT, 0, 65_535);
      const app = await open({ write: true });
      await serve(app, { host, port, dataDir, index: values["no-index"] !== true, io, signal });
      return 0;
    },
  };
}

/** Serves until the signal aborts; resolves when everything is closed. */
export type Serve = (
  app: Awaited<ReturnType<Parameters<Command["run"]>[0]["open"]>>,
  options: {
    readonly host: string;
    readonly port: number;
    readonly dataDir: string;
    readonly index: boolean;
    readonly io: Parameters<Command["run"]>[0]["io"];
    readonly signal: AbortSignal;
  },
) => Promise<void>;
