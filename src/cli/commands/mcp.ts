import type { App } from "../../core/app.ts";
import { ContextError } from "../../core/errors.ts";
import type { Command } from "../command.ts";

/** Serves the tools over MCP on standard input and output; what speaks the protocol is handed in. */
export function mcpCommand(serve: (app: App, signal: AbortSignal) => Promise<void>): Command {
  return {
    name: "mcp",
    usage: "mcp",
    about: "Serves the graph's tools, ask and search to other assistants over MCP (standard input and output).",
    options: {},
    async run({ args, signal, open }) {
      if (args.length > 0) throw new ContextError("USAGE", `mcp takes no "${args[0]}".`);
      await serve(await open(), signal);
      return 0;
    },
  };
}
