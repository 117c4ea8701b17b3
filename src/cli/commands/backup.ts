import { ContextError } from "../../core/errors.ts";
import type { Command } from "../command.ts";

export const backupCommand: Command = {
  name: "backup",
  usage: "backup FILE",
  about: "Writes a checked copy of the store while it is in use.",
  options: {},
  async run({ args, json, io, signal, open, path }) {
    const file = args[0];
    if (file === undefined || args.length > 1) throw new ContextError("USAGE", "backup needs the one file to write.");
    await (await open()).backup(path(file), signal);
    io.out(json ? JSON.stringify({ file: path(file) }) : `Written and checked: ${path(file)}`);
    return 0;
  },
};

/** Puts a backup in the place of the store; the daemon must not run. */
export function restoreCommand(restore: (file: string, dataDir: string) => Promise<void>): Command {
  return {
    name: "restore",
    usage: "restore FILE",
    about: "Puts a backup in the place of the store; the old one is kept beside it.",
    options: {},
    async run({ args, json, io, path, dataDir }) {
      const file = args[0];
      if (file === undefined || args.length > 1) throw new ContextError("USAGE", "restore needs the one backup file to read.");
      await restore(path(file), dataDir);
      io.out(json ? JSON.stringify({ restored: path(file) }) : `Restored from ${path(file)}`);
      return 0;
    },
  };
}
