import { cpSync, existsSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { ContextError } from "../../core/errors.ts";
import type { Command } from "../command.ts";

const FILE = "manifest.json";
const SCHEMA = "manifest.schema.json";

/**
 * Makes a manifest in the current folder; never over one that is there.
 * @param packageRoot where the sample world and the schema lie
 */
export function initCommand(packageRoot: string): Command {
  return {
    name: "init",
    usage: "init [--sample]",
    about: "Makes a manifest.json in this folder: an empty one, or with --sample that of the sample world, which is copied too.",
    options: { sample: { type: "boolean" } },
    async run({ args, values, json, io, path }) {
      if (args.length > 0) throw new ContextError("USAGE", `init takes no "${args[0]}"; it works in the current folder.`);
      const file = path(FILE);
      if (existsSync(file))
        throw new ContextError("USAGE", `There is a manifest already: ${file}`, { remedy: "Edit it, or work in another folder." });
      cpSync(join(packageRoot, SCHEMA), path(SCHEMA));
      if (values.sample === true) {
        const world = join("data", "sample");
        cpSync(join(packageRoot, world), path(world), { recursive: true });
        cpSync(join(packageRoot, FILE), file);
      } else writeFileSync(file, `${JSON.stringify(emptyManifest(path(".")), null, 2)}\n`);
      io.out(json ? JSON.stringify({ manifest: file }) : `Written: ${file}`);
      io.note(values.sample === true ? "Next: contextd start" : NEXT);
      return 0;
    },
  };
}

function emptyManifest(folder: string): object {
  const hasDocs = existsSync(join(folder, "docs"));
  return {
    $schema: `./${SCHEMA}`,
    name: basename(folder),
    sources: hasDocs ? [{ kind: "documents", path: "docs" }] : [],
    schedule: { cron: "0 2 * * *", timezone: "UTC" },
  };
}

const NEXT = `Add what it should read to "sources", for instance
  { "kind": "documents", "path": "runbooks" }
  { "kind": "jira", "baseUrl": "https://acme.atlassian.net", "email": "\${JIRA_EMAIL}", "token": "\${JIRA_TOKEN}", "projects": ["OPS"] }
  { "kind": "github", "token": "\${GITHUB_TOKEN}", "repositories": ["acme/checkout-api"] }
then: contextd doctor, contextd start`;
