import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { environment } from "../src/config/environment.ts";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
/** Names that code puts together from parts. */
const composed = ["GITHUB", "JIRA", "CONFLUENCE"].map((name) => `CONTEXTD_${name}_WEBHOOK_SECRET`);

describe("the list of environment variables", () => {
  it("holds what code reads, and nothing else", () => {
    const read = new Set<string>();
    for (const entry of readdirSync(join(root, "src"), { withFileTypes: true, recursive: true })) {
      if (!entry.isFile() || !entry.name.endsWith(".ts") || entry.name.endsWith(".test.ts")) continue;
      const text = readFileSync(join(entry.parentPath, entry.name), "utf8");
      for (const [, name] of text.matchAll(/\benv\.([A-Z][A-Z0-9_]+)\b/g)) read.add(name ?? "");
    }

    const listed = Object.values(environment).flatMap((variables) => variables.map(({ name }) => name));
    assert.deepEqual(listed.toSorted(), [...read, ...composed].toSorted());
  });
});
