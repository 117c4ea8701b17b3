/** One ingest in a process of its own, so that it can die and its memory be told apart: `run.ts MANIFEST DATA_DIR [STAGE:BATCH]`. */
import { openApp } from "../../src/app.ts";
import { silent } from "../../src/core/connector.ts";
import { measured } from "./measured.ts";

const [manifest = "", dataDir = "", killAt = ""] = process.argv.slice(2);
await using app = await openApp({ manifest, dataDir, write: true, env: {}, version: "bench", log: silent });
console.log(JSON.stringify(await measured(app.index({ signal: new AbortController().signal }), killAt)));
