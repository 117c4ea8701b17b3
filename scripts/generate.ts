// Writes what is made from code: manifest.schema.json, docs/configuration.md, docs/errors.md and the drawing in docs/answering.md. Tests compare them.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { withDrawing } from "../src/answer/drawing.ts";
import { generatedFiles } from "../src/config/generated.ts";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
for (const [file, text] of Object.entries(generatedFiles())) writeFileSync(join(root, file), text);
const answering = join(root, "docs", "answering.md");
writeFileSync(answering, withDrawing(readFileSync(answering, "utf8")));
