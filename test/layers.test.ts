import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const src = join(root, "src");

/** Which folder of src may import which; every folder may import itself and core. "app" is src/app*.ts, "main" is src/main.ts. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  core: [],
  config: ["connectors", "websearch"],
  connectors: [],
  // for the transport and the redaction that all calls to the outside share
  websearch: ["connectors"],
  extract: [],
  graph: [],
  docsearch: ["store"],
  verify: [],
  store: [],
  llm: ["store"],
  models: [],
  telemetry: [],
  agent: ["graph", "store"],
  indexing: ["extract", "graph", "docsearch", "store"],
  answer: ["verify", "store"],
  http: ["app", "mcp"],
  cli: ["app"],
  mcp: ["app"],
};
const unbounded = new Set(["app", "main", "eval"]);

const IMPORT = /\bfrom\s+"(\.[^"]+)"|\bimport\(\s*"(\.[^"]+)"\s*\)|\bimport\s+"(\.[^"]+)"/g;

function folderOf(file: string): string {
  const [first = "", ...rest] = relative(src, file).split(sep);
  if (rest.length > 0) return first;
  return first.startsWith("main") ? "main" : "app";
}

function sources(): string[] {
  return readdirSync(src, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && !entry.name.endsWith(".test.ts"))
    .map((entry) => join(entry.parentPath, entry.name));
}

describe("the layers of src", () => {
  it("know every folder", () => {
    const folders = new Set(sources().map(folderOf));

    assert.deepEqual(
      [...folders].filter((folder) => !(folder in allowed) && !unbounded.has(folder)),
      [],
    );
  });

  it("import only core, themselves and what stands above them", () => {
    const breaches: string[] = [];
    for (const file of sources()) {
      const from = folderOf(file);
      if (unbounded.has(from)) continue;
      for (const match of readFileSync(file, "utf8").matchAll(IMPORT)) {
        const target = resolve(dirname(file), match[1] ?? match[2] ?? match[3] ?? "");
        if (!target.startsWith(src)) continue;
        const to = folderOf(target);
        if (to !== from && to !== "core" && !allowed[from]?.includes(to))
          breaches.push(`${relative(root, file)} imports ${relative(root, target)}`);
      }
    }

    assert.deepEqual(breaches, []);
  });
});
