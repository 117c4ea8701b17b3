import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

describe("the package", () => {
  it("holds what an installation runs on, and neither sources nor tests", () => {
    // as `npm pack` does it; what it builds first (dist) is left out here
    const { stdout, status, stderr } = spawnSync("npm", ["pack", "--dry-run", "--ignore-scripts", "--json"], {
      cwd: root,
      encoding: "utf8",
      timeout: 120_000,
    });
    assert.equal(status, 0, stderr);
    const [packed] = JSON.parse(stdout) as { files: { path: string }[] }[];
    const files = packed?.files.map(({ path }) => path) ?? [];

    for (const needed of [
      "bin/contextd.mjs",
      "web/index.html",
      "manifest.json",
      "manifest.schema.json",
      "data/sample/world/records.jsonl",
      "deploy/contextd.service",
      "grafana/contextd-services.json",
      "docs/operations.md",
      "LICENSE",
      "README.md",
    ])
      assert.ok(files.includes(needed), needed);
    assert.ok(
      files.some((file) => /^models\/.*\.onnx$/.test(file)),
      "no model",
    );
    assert.deepEqual(
      files.filter((file) => /^(?:src|test|bench)\/|\.test\.|contextd\.db|tsconfig/.test(file)),
      [],
    );
  });
});
