import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { sharedPath } from "../../../test/support/shared.ts";
import { assemble } from "../shared/blocks.ts";
import { readStorage } from "./storage.ts";

const nobody = () => null;
const fold = (value: string) => value.replace(/\s+/g, " ").trim();
const read = (storage: string) => assemble(readStorage(storage, nobody).blocks).text;

describe("readStorage", () => {
  it("gives the expected text for a page with every macro", (t) => {
    const sample = sharedPath("data", "api-samples", "confluence-storage-every-macro.xhtml");
    const expected = sharedPath("data", "api-samples", "confluence-storage-every-macro.expected.txt");
    if (sample === null || expected === null) {
      assert.notEqual(process.env.CI, "true", "shared data is absent");
      return t.skip("shared data is absent");
    }
    const { blocks, mentions, pageLinks } = readStorage(readFileSync(sample, "utf8"), nobody);

    assert.equal(fold(assemble(blocks).text), fold(readFileSync(expected, "utf8")));
    assert.deepEqual(mentions, ["712020:0"]);
    assert.deepEqual(pageLinks, ["Runbook: payment"]);
  });

  it("writes users by their names", () => {
    const { blocks } = readStorage('<p>ask <ac:link><ri:user ri:account-id="7:a" /></ac:link></p>', (id) =>
      id === "7:a" ? "Meera Iyer" : null,
    );

    assert.equal(assemble(blocks).text, "ask @Meera Iyer");
  });

  it("keeps code letter for letter, CDATA that holds its own end included, and notes its place", () => {
    const macro =
      '<ac:structured-macro ac:name="code"><ac:plain-text-body><![CDATA[if (a < b && c[d[0]]]]><![CDATA[> 0)\n  run("&amp;");]]></ac:plain-text-body></ac:structured-macro>';
    const { text, code } = assemble(readStorage(`<p>Run:</p>${macro}<p>Done</p>`, nobody).blocks);

    assert.equal(text.slice(code[0]?.start, code[0]?.end), 'if (a < b && c[d[0]]> 0)\n  run("&amp;");');
  });

  it("puts no space between a parenthesis and an issue, and one between two lozenges", () => {
    const jira = (key: string) =>
      `<ac:structured-macro ac:name="jira"><ac:parameter ac:name="key">${key}</ac:parameter></ac:structured-macro>`;

    assert.equal(read(`<p>done (${jira("OPS-1")} later)</p>`), "done (OPS-1 later)");
    assert.equal(read(`<p>${jira("OPS-1")}${jira("OPS-2")}</p>`), "OPS-1 OPS-2");
  });

  it("indents lists in lists, numbers ordered ones, and marks tasks", () => {
    assert.equal(read("<ol><li>one<ul><li>a</li></ul></li><li><p>two</p></li></ol>"), "1. one\n  - a\n2. two");
    assert.equal(
      read(
        "<ac:task-list><ac:task><ac:task-status>incomplete</ac:task-status><ac:task-body>call <strong>her</strong></ac:task-body></ac:task></ac:task-list>",
      ),
      "[ ] call her",
    );
  });

  it("reads layouts, nested tables' rows, entities and line breaks", () => {
    assert.equal(
      read("<ac:layout><ac:layout-section><ac:layout-cell><p>a&mdash;b&nbsp;c<br/>d</p></ac:layout-cell></ac:layout-section></ac:layout>"),
      "a\u2014b\u00a0c\nd",
    );
    assert.equal(
      read("<table><tbody><tr><th>k</th><th>v</th></tr><tr><td>a</td><td><p>1</p><p>2</p></td></tr></tbody></table>"),
      "k | v\na | 1; 2",
    );
  });

  it("does not throw on broken or absurdly deep markup and keeps the words", () => {
    assert.equal(fold(read("<p>open <b>never closed <table><tr><td>cell")), "open never closed cell");
    assert.ok(read(`${"<div>".repeat(20_000)}deep${"</div>".repeat(20_000)}`).includes("deep"));
    assert.equal(read(""), "");
  });
});
