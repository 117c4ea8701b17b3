import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { sharedPath } from "../../../test/support/shared.ts";
import { assemble } from "../shared/blocks.ts";
import { readAdf } from "./adf.ts";

const text = (value: string, ...marks: string[]) => ({ type: "text", text: value, marks: marks.map((type) => ({ type })) });
const paragraph = (...content: object[]) => ({ type: "paragraph", content });
const item = (...content: object[]) => ({ type: "listItem", content });
const doc = (...content: object[]) => ({ type: "doc", version: 1, content });
const fold = (value: string) => value.replace(/\s+/g, " ").trim();

describe("readAdf", () => {
  it("gives the expected text for a document with every node", (t) => {
    const sample = sharedPath("data", "api-samples", "jira-adf-every-node.json");
    const expected = sharedPath("data", "api-samples", "jira-adf-every-node.expected.txt");
    if (sample === null || expected === null) {
      assert.notEqual(process.env.CI, "true", "shared data is absent");
      return t.skip("shared data is absent");
    }
    const { blocks, mentions } = readAdf(JSON.parse(readFileSync(sample, "utf8")));

    assert.equal(fold(assemble(blocks).text), fold(readFileSync(expected, "utf8")));
    assert.deepEqual(mentions, [{ name: "Riya Sharma", accountId: "712020:0" }]);
  });

  it("notes where headings and code stand", () => {
    const {
      text: body,
      headings,
      code,
    } = assemble(
      readAdf(
        doc({ type: "heading", attrs: { level: 3 }, content: [text("What we see")] }, paragraph(text("It fails.")), {
          type: "codeBlock",
          content: [text("  at main()\n    at run()")],
        }),
      ).blocks,
    );

    assert.deepEqual(headings, [{ at: 0, level: 3, text: "What we see" }]);
    assert.equal(body.slice(code[0]?.start, code[0]?.end), "  at main()\n    at run()");
  });

  it("indents lists inside lists and numbers ordered ones from where they start", () => {
    const list = {
      type: "orderedList",
      attrs: { order: 3 },
      content: [
        item(paragraph(text("roll back")), { type: "bulletList", content: [item(paragraph(text("tell support")))] }),
        item(paragraph(text("review"))),
      ],
    };

    assert.equal(assemble(readAdf(doc(list)).blocks).text, "3. roll back\n  - tell support\n4. review");
  });

  it("keeps a cell with lines on one line of the table", () => {
    const cell = (...content: object[]) => ({ type: "tableCell", content });
    const table = {
      type: "table",
      content: [{ type: "tableRow", content: [cell(paragraph(text("api"))), cell(paragraph(text("Rahul")), paragraph(text("Meera")))] }],
    };

    assert.equal(assemble(readAdf(doc(table)).blocks).text, "api | Rahul; Meera");
  });

  it("reads strings, absent and broken documents without a throw", () => {
    assert.equal(assemble(readAdf("plain *wiki* text").blocks).text, "plain wiki text");
    for (const odd of [null, undefined, 7, [], {}, { type: "doc" }, { type: "doc", content: "x" }, { type: "doc", content: [null, 3] }]) {
      assert.equal(assemble(readAdf(odd).blocks).text, "");
    }
  });

  it("does not read a document that is nested past all reason", () => {
    let node: object = paragraph(text("deep"));
    for (let depth = 0; depth < 5_000; depth += 1) node = { type: "blockquote", content: [node] };

    assert.deepEqual(readAdf(doc(node)).blocks, []);
  });
});
