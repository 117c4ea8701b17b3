import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { byId, indexDeps, memorySource, page, recordIds, runIndex, scripted } from "../../test/support/indexing.ts";
import { ContextError } from "../core/errors.ts";
import { openStore } from "../store/open.ts";
import type { IndexSource } from "./deps.ts";

describe("what could not be looked at", () => {
  it("is kept with all that lies below it, and counted as unchanged", async () => {
    using store = openStore(":memory:");
    const [inside, outside] = [page("ops/1", "One", "Text."), page("2", "Two", "Text.")];
    await runIndex(indexDeps(store, [memorySource("a", byId(inside, outside))]));
    const error = new ContextError("FILE_UNREADABLE", "ops/: It cannot be looked at: EACCES");
    const source = scripted("a", () => [
      { type: "failed", id: "confluence:ops/", error, below: true },
      { type: "end", scan: "full" },
    ]);

    const { report } = await runIndex(indexDeps(store, [source]));

    assert.deepEqual(recordIds(store), ["confluence:ops/1"]);
    assert.deepEqual(report.records, { seen: 2, added: 0, changed: 0, deleted: 1, unchanged: 1, failed: 1 });
  });

  it("is known to the next run with its reason, also where the run that met it died", async () => {
    using store = openStore(":memory:");
    const told: unknown[] = [];
    const id = "confluence:1";
    const failing: IndexSource = {
      label: "a",
      kind: "records",
      async *pull(io) {
        const { fingerprint, error } = io.unread?.(id) ?? {};
        told.push([fingerprint, error?.code, error?.message]);
        yield { type: "failed", id, error: new ContextError("FILE_NO_TEXT", "pictures only"), fingerprint: "12:34" };
        yield { type: "checkpoint", cursor: "" };
        if (told.length === 1) throw new ContextError("SOURCE_UNAVAILABLE", "503");
        yield { type: "end", scan: "full" };
      },
    };
    const deps = indexDeps(store, [failing]);

    await runIndex(deps);
    await runIndex(deps);
    await runIndex(deps, { full: true });
    await runIndex(indexDeps(store, [{ ...memorySource("a", byId(page("1", "One", "Text."))) }]));

    assert.deepEqual(told, [
      [undefined, undefined, undefined],
      ["12:34", "FILE_NO_TEXT", "pictures only"],
      [undefined, undefined, undefined],
    ]);
    assert.equal(store.unread.get(id, "a"), null);
  });

  it("is forgotten once a whole scan does not meet it any more", async () => {
    using store = openStore(":memory:");
    const error = new ContextError("FILE_NO_TEXT", "pictures only");
    const source = scripted("a", (cursor) =>
      cursor === null
        ? [
            { type: "failed", id: "confluence:1", error, fingerprint: "12:34" },
            { type: "end", scan: "full", cursor: "1" },
          ]
        : [{ type: "end", scan: "full", cursor: "2" }],
    );
    await runIndex(indexDeps(store, [source]));
    assert.equal(store.unread.get("confluence:1", "a")?.fingerprint, "12:34");

    await runIndex(indexDeps(store, [{ ...source, read: () => assert.fail("asked for again") }]));
    assert.equal(store.unread.get("confluence:1", "a"), null);
  });
});
