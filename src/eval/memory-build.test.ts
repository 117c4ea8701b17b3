import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { NameHints } from "../core/extract.ts";
import type { RecordId, SourceRecord } from "../core/record.ts";
import { recordFor } from "../extract/testing.ts";
import { createTier1 } from "../extract/tier1.ts";
import { MemoryBuild } from "./memory-build.ts";

const shas = ["a3f8c2d94be17f60a5c38e21b7d4096f3ac1e58b", "b71e09cc5a2f48d6917e3b0fa4d85c6211e97d40"];

/** Small records of every kind that teach names, use them, and contradict each other. */
const record: fc.Arbitrary<SourceRecord> = fc.oneof(
  fc
    .record({
      n: fc.integer({ min: 1, max: 3 }),
      component: fc.constantFrom("Cart Service", "Ledger", "basket"),
      cause: fc.constantFrom("a3f8c2", "b71e09cc", "0000aa1"),
      open: fc.boolean(),
    })
    .map(({ n, component, cause, open }) =>
      recordFor({
        id: `jira:OPS-${n}`,
        prose: `Slow\n\nCaused by ${cause}. This affects ledger. See OPS-${n + 1}.`,
        footer: [`Components: ${component}`],
        author: { name: "Ann Lee", login: "ann" },
        fields: { key: `OPS-${n}`, components: [component], open },
      }),
    ),
  fc
    .record({ sha: fc.constantFrom(...shas), file: fc.constantFrom("services/cart/a.go", "src/basket/b.go", "services/ledger/Dockerfile") })
    .map(({ sha, file }) =>
      recordFor({
        id: `github:commit:${sha}`,
        prose: "Change\n\nFixes OPS-1",
        footer: [`Changed files: ${file}`],
        author: { name: "Bob Ray", login: "bob" },
        fields: { sha, repository: "a/shop", files: [file] },
      }),
    ),
  fc
    .record({ owner: fc.constantFrom("@ann", "@bob", "@a/core"), service: fc.constantFrom("cart", "ledger", "basket") })
    .map(({ owner, service }) =>
      recordFor({
        id: "github:file:a/shop/CODEOWNERS",
        prose: `/services/${service}/ ${owner}`,
        fields: { repository: "a/shop", path: "CODEOWNERS" },
      }),
    ),
  fc
    .record({
      n: fc.integer({ min: 1, max: 2 }),
      text: fc.constantFrom(
        "cart depends on ledger and basket.",
        "Ann owns cart. Bob Ray owns ledger.",
        "cart no longer depends on ledger.",
        "Service | Also called | Owner\ncart | basket | Ann Lee",
      ),
    })
    .map(({ n, text }) => recordFor({ id: `confluence:page:${n}`, prose: `Notes\n\n${text}` })),
  fc.constantFrom("cart", "basket").map((name) =>
    recordFor({
      id: "github:file:a/shop/compose.yaml",
      prose: `services:\n  ${name}:\n    depends_on:\n    - ledger\n  ledger: {}\n`,
      fields: { repository: "a/shop", path: "compose.yaml" },
    }),
  ),
);
const hints: fc.Arbitrary<NameHints> = fc.constantFrom<NameHints[]>(
  { aliases: {}, sourcePaths: {} },
  { aliases: { cart: ["basket"] }, sourcePaths: {} },
  { aliases: { basket: ["cart"] }, sourcePaths: { basket: ["src/basket/"] } },
  { aliases: {}, sourcePaths: {}, undo: ["service:basket = service:cart"] },
);
const step = fc.oneof(
  { weight: 5, arbitrary: record.map((put) => ({ type: "put" as const, put })) },
  { weight: 2, arbitrary: fc.nat().map((pick) => ({ type: "drop" as const, pick })) },
  { weight: 1, arbitrary: hints.map((now) => ({ type: "hints" as const, now })) },
);

describe("an incremental build", () => {
  it("ends in the graph of a clean build after any additions, edits, deletions and changes of aliases", () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 14 }), (steps) => {
        const build = new MemoryBuild(createTier1(), { aliases: {}, sourcePaths: {} });
        let known: NameHints = { aliases: {}, sourcePaths: {} };
        for (const one of steps) {
          if (one.type === "put") build.update([one.put]);
          else if (one.type === "hints") {
            known = one.now;
            build.update([], [], known);
          } else {
            const ids: RecordId[] = [...build.records.keys()];
            const id = ids[one.pick % Math.max(1, ids.length)];
            if (id !== undefined) build.update([], [id]);
          }
        }
        const clean = new MemoryBuild(createTier1(), known);
        clean.update([...build.records.values()].reverse());

        assert.equal(build.names.hash, clean.names.hash);
        assert.deepEqual([...build.graph.edges()], [...clean.graph.edges()]);
        assert.deepEqual([...build.graph.nodes()], [...clean.graph.nodes()]);
      }),
      { numRuns: 150 },
    );
  });
});
