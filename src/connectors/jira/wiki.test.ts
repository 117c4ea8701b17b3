import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assemble } from "../shared/blocks.ts";
import { readWiki } from "./wiki.ts";

const read = (text: string) => assemble(readWiki(text).blocks).text;

describe("readWiki", () => {
  it("keeps headings, lists in lists, numbering and tables", () => {
    assert.equal(
      read(
        "h2. What we see\r\n* pods restart\r\n** every minute\r\n* errors\r\n\r\n# roll back\n# tell support\n\n||service||owner||\n|checkout-api|[~rsharma]|\n|redis| |",
      ),
      "What we see\n\n- pods restart\n  - every minute\n- errors\n\n1. roll back\n2. tell support\n\nservice | owner\ncheckout-api | @rsharma\nredis |",
    );
  });

  it("leaves code as it is and notes its place", () => {
    const { text, code } = assemble(
      readWiki("Run:\n{code:title=a.sh|language=bash}\n*not bold* [x|y]\n{code}\nthen {noformat}a_b_c{noformat} done").blocks,
    );

    assert.deepEqual(
      code.map(({ start, end }) => text.slice(start, end)),
      ["*not bold* [x|y]", "a_b_c"],
    );
  });

  it("reads links, mentions, pictures and attachments as their words", () => {
    const { blocks, mentions } = readWiki(
      "See [the runbook|https://wiki.example/x], [https://a.example/b], [^log.txt] and !graph.png|width=300! [~accountid:7:1]",
    );

    assert.equal(assemble(blocks).text, "See the runbook, https://a.example/b, log.txt and graph.png @7:1");
    assert.deepEqual(mentions, [{ accountId: "7:1" }]);
  });

  it("drops marks of style around words and none inside them", () => {
    assert.equal(
      read("*bold* and _slanted_, {{mono_x}}, {color:red}red{color}; snake_case_name, 2*3*4, a-b-c, x-y"),
      "bold and slanted, mono_x, red; snake_case_name, 2*3*4, a-b-c, x-y",
    );
  });

  it("keeps panels with their titles, quotes and plain brackets", () => {
    assert.equal(
      read("{panel:title=Steps|bgColor=#fff}\nwait\n{panel}\nbq. quoted\n[WARN] not a link"),
      "Steps\nwait\n\nquoted\n[WARN] not a link",
    );
  });

  it("reads text to its end where code is never closed, and takes long odd lines in linear time", () => {
    assert.equal(read("a {code}b"), "a\n\nb");
    for (const piece of ["[a|", "{code", "*a", "!a", "||", "{{", "_a_b"]) assert.ok(read(piece.repeat(20_000)).length > 0);
  });
});
