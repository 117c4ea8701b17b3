// Writes the files that are made from code: manifest.schema.json and docs/errors.md. test/generated.test.ts compares them.
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { generatedFiles } from "../src/config/generated.ts";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
for (const [file, text] of Object.entries(generatedFiles())) writeFileSync(join(root, file), text);
