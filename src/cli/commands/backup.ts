import { existsSync } from "node:fs";
import { ContextError } from "../../core/errors.ts";
import type { Command } from "../command.ts";

export const backupCommand: Command = {
  name: "backup",
  usage: "backup FILE [--force]",
  about: "Writes a checked copy of the store while it is in use.",
  options: { force: { type: "boolean" } },
  async run({ args, values, json, io, signal, open, path }) {
    const file = args[0];
    if (file === undefined || args.length > 1) throw new ContextError("USAGE", "backup needs the one file to write.");
    if (values.force !== true && existsSync(path(file)))
      throw new ContextError("USAGE", `${path(file)} exists already.`, { remedy: "Name another file, or replace it with --force." });
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
