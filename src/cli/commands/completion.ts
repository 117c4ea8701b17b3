import { ContextError } from "../../core/errors.ts";
import type { Command } from "../command.ts";
import { completionScript, shells } from "../completion.ts";

/** @param all every command, this one included */
export function completionCommand(all: () => readonly Command[]): Command {
  return {
    name: "completion",
    usage: `completion ${shells.join("|")}`,
    about: "Prints a script that completes commands and options in a shell: source <(contextd completion bash).",
    options: {},
    async run({ args, json, io }) {
      const shell = shells.find((one) => one === args[0]);
      if (shell === undefined || args.length > 1) throw new ContextError("USAGE", `completion needs one of ${shells.join(", ")}.`);
      const script = completionScript(shell, all());
      io.out(json ? JSON.stringify({ shell, script }) : script);
      return 0;
    },
  };
}
