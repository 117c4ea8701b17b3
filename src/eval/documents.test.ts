import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { sharedPath } from "../../test/support/shared.ts";
import { silent } from "../core/connector.ts";
import { documents } from "./documents.ts";
import type { SuiteResult } from "./suite.ts";

function run(path: string): Promise<SuiteResult> {
  return documents.run({ path, complete: null, cacheDir: "", log: silent, signal: new AbortController().signal, progress() {} });
}

describe("the documents suite", () => {
  it("finds every phrase in its file and on its page, and refuses what must be refused", async (t) => {
    const path = sharedPath("data", "documents");
    if (path === null && process.env.CI !== "true") return t.skip("shared data is absent");

    const { figures } = await run(path ?? "");

    assert.deepEqual(figures, { n: 40, textFound: 30, texts: 30, pageRight: 13, paged: 13, rejectedRightly: 10, rejects: 10, wrong: [] });
  });

  it("counts a missing phrase, a wrong page and a file that was not refused as wrong", async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "contextd-suite-"));
    t.after(() => rm(folder, { recursive: true, force: true }));
    await writeFile(join(folder, "a.txt"), "Redis handles   session\ncaching.");
    const rows = [
      { file: "a.txt", outcome: "text", phrase: "session caching" },
      { file: "a.txt", outcome: "text", phrase: "something else" },
      { file: "a.txt", outcome: "text", phrase: "Redis", page: 2 },
      { file: "a.txt", outcome: "reject" },
    ];
    await writeFile(join(folder, "manifest.json"), JSON.stringify(rows));

    const { figures } = await run(folder);

    assert.deepEqual(
      { ...figures, wrong: (figures.wrong as { file: string }[]).length },
      { n: 4, textFound: 2, texts: 3, pageRight: 0, paged: 1, rejectedRightly: 0, rejects: 1, wrong: 3 },
    );
  });
});
