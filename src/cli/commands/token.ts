import { ContextError } from "../../core/errors.ts";
import type { Command } from "../command.ts";
import { tableText } from "../render.ts";

type Scope = "read" | "write" | "admin";

/** Named tokens of the HTTP side, as the command line needs them. */
export interface Tokens {
  list(): readonly { readonly name: string; readonly scope: string; readonly groups: readonly string[]; readonly createdAt: string }[];
  add(name: string, scope: Scope, groups: readonly string[], now: Date): string;
  /** Throws NOT_FOUND. */
  revoke(name: string): void;
}

export function tokenCommand(tokensOf: (dataDir: string) => Tokens, now: () => Date): Command {
  return {
    name: "token",
    usage: "token add NAME [--scope read|write|admin] [--group A,B] | list | revoke NAME",
    about: "Makes and revokes bearer tokens for the HTTP side; only their hashes are kept.",
    options: { scope: { type: "string" }, group: { type: "string" } },
    async run({ args, values, json, io, dataDir }) {
      const [action, name] = args;
      const tokens = tokensOf(dataDir);
      if (action === "list") {
        const rows = tokens.list();
        if (json) io.out(JSON.stringify(rows));
        else
          io.out(
            rows.length === 0 ? "No token yet." : tableText(rows.map((row) => [row.name, row.scope, row.groups.join(", "), row.createdAt])),
          );
        return 0;
      }
      if (name === undefined) throw new ContextError("USAGE", "token needs add NAME, list, or revoke NAME.");
      if (action === "add") {
        const token = tokens.add(name, scopeOf(values.scope), listOf(values.group), now());
        io.out(json ? JSON.stringify({ name, token }) : token);
        io.note("Keep it now: it is not shown again.");
        return 0;
      }
      if (action === "revoke") {
        tokens.revoke(name);
        io.out(json ? JSON.stringify({ revoked: name }) : `Revoked: ${name}`);
        return 0;
      }
      throw new ContextError("USAGE", `token needs add, list or revoke, not "${action}".`);
    },
  };
}

function listOf(value: string | boolean | undefined): readonly string[] {
  if (typeof value !== "string") return [];
  return value
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
}

function scopeOf(value: string | boolean | undefined): Scope {
  if (value === undefined) return "read";
  if (value === "read" || value === "write" || value === "admin") return value;
  throw new ContextError("USAGE", `--scope is read, write or admin, not "${value}".`);
}
