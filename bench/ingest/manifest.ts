/**
 * The scan of a folder and the manifest alone, in a process of its own: `manifest.ts FOLDER DATA_DIR`. An index run with
 * everything but the reading of files: each becomes a record without text.
 */
import { join } from "node:path";
import { documentRecord } from "../../src/connectors/documents/index.ts";
import { walk } from "../../src/connectors/documents/walk.ts";
import type { Io, Pulled } from "../../src/core/connector.ts";
import type { RecordId } from "../../src/core/record.ts";
import { indexRun } from "../../src/indexing/run.ts";
import { openStore } from "../../src/store/open.ts";
import { indexDeps } from "../../test/support/indexing.ts";
import { measured } from "./measured.ts";

const [folder = "", dataDir = ""] = process.argv.slice(2);
const nothing = { text: "", headings: [], code: [], mediaType: "text/plain", title: null, warnings: [] };

async function* scan(io: Io): AsyncGenerator<Pulled, void> {
  for await (const file of walk(folder, { include: [], exclude: [], ignoreFiles: true })) {
    if ("error" in file) throw file.error;
    const id: RecordId = `doc:${file.name}`;
    const fingerprint = `${file.size}:${file.mtimeMs}`;
    if (io.known?.(id)?.fingerprint === fingerprint) yield { type: "unchanged", id };
    else yield { type: "record", record: documentRecord(id, file, nothing), raw: { fingerprint } };
  }
  yield { type: "end", scan: "full" };
}

using store = openStore(join(dataDir, "contextd.db"));
const deps = indexDeps(store, [{ label: "files", kind: "documents", pull: scan }], { chunk: () => [], clock: () => performance.now() });
const extractor: typeof deps.extractor = {
  ...deps.extractor,
  declare: () => [],
  extract: ({ id }) => ({ record: id, facts: [], nodes: [], tier: 1, tierReason: "not read" }),
};
deps.graph.readFrom(store.extractions);
console.log(JSON.stringify(await measured(indexRun({ ...deps, extractor }, { signal: new AbortController().signal }), "")));
