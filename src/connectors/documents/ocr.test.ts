import assert from "node:assert/strict";
import { copyFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { silent } from "../../core/connector.ts";
import { linesWithin } from "../../core/lines.ts";
import type { SourceRecord } from "../../core/record.ts";
import { documents } from "./index.ts";
import { parseDocument } from "./parse.ts";

/** Three pages: text, a scan of text, a picture without any. */
const scanned = new URL("./fixtures/scanned.pdf", import.meta.url);
const signal = new AbortController().signal;

describe("a page that is a picture", () => {
  it("is named and stays unread unless reading pictures is asked for", async () => {
    const { text, ocr, warnings } = await parseDocument(await readFile(scanned), "scanned.pdf", { signal });

    assert.equal(text, "This page holds text of its own.");
    assert.equal(ocr, undefined);
    assert.deepEqual(warnings, ["pages 2 to 3 without text (a picture or blank)"]);
  });

  it("is read with a confidence, each line where it is seen; one without text stays named as a picture", async () => {
    const asked: number[] = [];
    const onPage = async () => void asked.push(asked.length + 2);

    const parsed = await parseDocument(await readFile(scanned), "scanned.pdf", { signal, ocr: { onPage } });

    const pages = parsed.pageStarts?.map((start, i) => parsed.text.slice(start, parsed.pageStarts?.[i + 1]).trim());
    assert.deepEqual(pages, [
      "This page holds text of its own.",
      "Failover of the ledger\n\nWhen ledger-2 stops answering, promote the standby with ledgerctl and wait 45 seconds. Ticket OPS-7713 holds the last drill.",
      "",
    ]);
    assert.deepEqual(asked, [2, 3]);
    assert.deepEqual(parsed.warnings, ["page 3 without text (a picture or blank)"]);
    const [span, ...others] = parsed.ocr ?? [];
    assert.ok(span && others.length === 0 && span.confidence > 0.8 && span.confidence <= 1);
    assert.equal(parsed.text.slice(span.start, span.end).trim(), pages?.[1]);

    const at = parsed.text.indexOf("standby");
    const [line] = linesWithin(parsed.lines ?? [], at, at + 7);
    // the second of three lines below the heading: a third down the page, from a tenth of its width
    assert.ok(line && line.x > 0.08 && line.x < 0.12 && line.y > 0.3 && line.y + line.h < 0.42, JSON.stringify(line));
  });

  it("makes a record that says so, read again when the setting changes", async (t) => {
    const root = await mkdtemp(join(tmpdir(), "contextd-ocr-"));
    t.after(() => rm(root, { recursive: true }));
    await copyFile(scanned, join(root, "scanned.pdf"));
    const known = new Map<string, string>();
    const pull = async (ocr: boolean) => {
      const io = {
        fetch,
        signal,
        log: silent,
        now: () => new Date(0),
        root,
        known: (id: string) => (known.has(id) ? { fingerprint: known.get(id) ?? "" } : null),
      };
      const records: SourceRecord[] = [];
      for await (const one of documents.pull(documents.config.parse({ kind: "documents", path: ".", ocr }), io, null)) {
        if (one.type !== "record") continue;
        records.push(one.record);
        known.set(one.record.id, String((one.raw as { fingerprint: unknown }).fingerprint));
      }
      return records;
    };

    const [without] = await pull(false);
    const [withOcr] = await pull(true);
    const again = await pull(true);

    assert.equal(without?.fields.ocr, undefined);
    assert.match(withOcr?.body ?? "", /OPS-7713/);
    assert.equal(withOcr?.fields.ocr?.length, 1);
    assert.deepEqual(again, []);
  });
});
