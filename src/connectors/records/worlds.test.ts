import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { sharedPath } from "../../../test/support/shared.ts";
import { type Io, type Pulled, silent } from "../../core/connector.ts";
import type { SourceRecord } from "../../core/record.ts";
import { redactText } from "../shared/redact.ts";
import { records } from "./index.ts";

interface Flat {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly text: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly url: string | null;
  readonly bot?: boolean;
}

function world(t: TestContext, name: string): { readonly root: string; readonly flat: ReadonlyMap<string, Flat> } | null {
  const path = sharedPath("data", name, "records.jsonl");
  if (path === null) {
    if (process.env.CI === "true") assert.fail("shared data is absent");
    t.skip("shared data is absent");
    return null;
  }
  const lines = readFileSync(path, "utf8").split("\n").filter(Boolean);
  return { root: dirname(path), flat: new Map(lines.map((line) => JSON.parse(line) as Flat).map((one) => [one.id, one])) };
}

const pulls = new Map<string, Promise<readonly Pulled[]>>();

/** Each world is pulled once. */
function pulled(root: string): Promise<readonly Pulled[]> {
  const known = pulls.get(root) ?? pullOnce(root);
  pulls.set(root, known);
  return known;
}

async function pullOnce(root: string): Promise<readonly Pulled[]> {
  const io: Io = { fetch, signal: new AbortController().signal, log: silent, now: () => new Date(0), root };
  return Array.fromAsync(records.pull({ kind: "records", path: "." }, io, null));
}

function recordsOf(pulls: readonly Pulled[]): readonly SourceRecord[] {
  return pulls.flatMap((one) => (one.type === "record" ? [one.record] : []));
}

function fold(text: string): string {
  return text.normalize("NFC").replace(/\s+/g, " ").trim();
}

for (const name of ["tiny-18", "world-otel-demo"]) {
  describe(`the export of ${name}`, () => {
    it("gives the text that a good converter gives, for every ticket, commit, pull request, issue, file and page", async (t) => {
      const found = world(t, name);
      if (!found) return;
      const made = new Map(recordsOf(await pulled(found.root)).map((record) => [record.id as string, record]));
      let compared = 0;
      for (const flat of found.flat.values()) {
        if (flat.kind === "log") continue;
        const record = made.get(flat.id);
        assert.ok(record, `${flat.id} is missing`);
        assert.equal(fold(record.body.slice(0, record.proseEnd)), fold(redactText(flat.text).text), flat.id);
        compared += 1;
      }
      assert.ok(compared >= 14);
    });

    it("states title, link, times and bots as the flat records do", async (t) => {
      const found = world(t, name);
      if (!found) return;
      for (const record of recordsOf(await pulled(found.root))) {
        const flat = found.flat.get(record.id);
        if (!flat || record.kind === "log") continue;
        assert.equal(record.title, fold(flat.title), record.id);
        assert.equal(record.url, flat.url, record.id);
        if (flat.bot !== undefined) assert.equal(record.bot, flat.bot, record.id);
        if (record.kind === "file") continue;
        assert.equal(record.createdAt, flat.createdAt, record.id);
        assert.equal(record.updatedAt, flat.updatedAt, record.id);
      }
    });

    it("places every heading and code block inside the prose", async (t) => {
      const found = world(t, name);
      if (!found) return;
      for (const { id, body, proseEnd, fields } of recordsOf(await pulled(found.root))) {
        for (const heading of fields.headings ?? []) assert.ok(body.startsWith(heading.text, body.indexOf(heading.text, heading.at)), id);
        for (const heading of fields.headings ?? [])
          assert.ok(body.slice(heading.at, heading.at + heading.text.length + 8).includes(heading.text), id);
        for (const span of fields.code ?? []) assert.ok(span.start < span.end && span.end <= proseEnd, id);
      }
    });

    it("makes a record of every payload and fails none", async (t) => {
      const found = world(t, name);
      if (!found) return;
      const all = await pulled(found.root);
      assert.deepEqual(
        all.filter((one) => one.type === "failed"),
        [],
      );
      assert.equal(all.at(-1)?.type, "end");
    });
  });
}
