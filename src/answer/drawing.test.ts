import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { drawing, withDrawing } from "./drawing.ts";

describe("the drawing of the stages", () => {
  it("stands in docs/answering.md as the table has it (npm run generate)", () => {
    const page = readFileSync(new URL("../../docs/answering.md", import.meta.url), "utf8");

    assert.equal(withDrawing(page), page);
  });

  it("shows where an arrow back leads once it is spent", () => {
    assert.match(drawing(), /^ {2}retrieve -\. "no, at most 2 searches" \.-> rewrite$/m);
    assert.match(drawing(), /^ {2}retrieve -- "searches spent" --> fallback$/m);
    assert.match(drawing(), /^ {2}correct -- "rounds spent" --> planner$/m);
  });

  it("is not put into a page that has no place for it", () => {
    assert.throws(() => withDrawing("# A page"), /no place/);
  });
});
