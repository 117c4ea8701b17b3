import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { generatedFiles } from "../src/config/generated.ts";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

describe("files made from code", () => {
  for (const [file, text] of Object.entries(generatedFiles())) {
    it(`${file} says what the code says (npm run generate)`, () => {
      assert.equal(readFileSync(join(root, file), "utf8"), text);
    });
  }
});
