import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { joinLines, measure, pageBlocks } from "./pdf-blocks.ts";
import { pageRegions, type TextItem } from "./pdf-lines.ts";
import { dropRunningLines } from "./pdf-running.ts";

const SIZE = 10;
const CHARACTER = 5;

/** A piece of text as pdf.js gives it, 5 points a character. */
function item(str: string, x: number, y: number, { size = SIZE, dir = "ltr", font = "f", quarter = 0 } = {}): TextItem {
  const width = (str.length * CHARACTER * size) / SIZE;
  const [cos, sin] = [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
  ][quarter] as [number, number];
  return {
    str,
    dir,
    width,
    fontName: font,
    transform: [size * cos, size * sin, -size * sin, size * cos, x * cos - y * sin, x * sin + y * cos],
  };
}

const regionsOf = (items: readonly TextItem[]) => pageRegions(items, (font) => font === "mono");
const linesOf = (items: readonly TextItem[]) => regionsOf(items).flatMap((region) => region.lines.map((line) => line.text));

const left = [
  "the first line of the left column",
  "goes on with the second one here",
  "and the third one is like these",
  "which the fourth brings to an end",
];
const right = [
  "the right column has its own text",
  "that must not be mixed with the",
  "lines that stand beside it on the",
  "same page at the very same height",
];

describe("the reading order of a page", () => {
  it("takes columns of prose one after the other, below a title that spans both", () => {
    const items = [item("A title that stands over both of the columns of this page here", 50, 700)];
    for (const [i, text] of left.entries()) items.push(item(text, 50, 680 - i * 12), item(right[i] ?? "", 240, 680 - i * 12));

    assert.deepEqual(linesOf(items), ["A title that stands over both of the columns of this page here", ...left, ...right]);
  });

  it("takes them in the same order when the baselines of the columns differ, however they were drawn", () => {
    const items = right.map((text, i) => item(text, 240, 676 - i * 12));
    items.push(...left.map((text, i) => item(text, 50, 680 - i * 12)));

    assert.deepEqual(linesOf(items), [...left, ...right]);
  });

  it("keeps the rows of a table, though its cells stand in columns", () => {
    const rows = [
      ["Service", "Owner", "p99"],
      ["checkout-api", "Rahul", "42 ms"],
      ["payments", "Dana", "24 ms"],
      ["ledger", "Kim", "58 ms"],
      ["quote", "Ada", "12 ms"],
    ];
    const items = rows.flatMap((row, i) => row.map((cell, j) => item(cell, 50 + j * 150, 600 - i * 14)));

    assert.deepEqual(
      linesOf(items),
      rows.map((row) => row.join(" | ")),
    );
  });

  it("keeps labels beside their explanations, though these are prose", () => {
    const items = left.flatMap((text, i) => [item(`Key ${i}`, 50, 600 - i * 14), item(text, 180, 600 - i * 14)]);

    assert.deepEqual(
      linesOf(items),
      left.map((text, i) => `Key ${i} | ${text}`),
    );
  });

  it("reads a page that is turned by a quarter", () => {
    const items = left.map((text, i) => item(text, 50, 600 - i * 12, { quarter: 1 }));

    assert.deepEqual(linesOf(items), left);
  });

  it("puts the further lines of a table's cells into their cells, where rows stand apart or not", () => {
    const items = [
      ...[item("Service", 50, 600), item("Owner", 120, 600), item("Does", 200, 600)],
      ...[item("ledger", 50, 588), item("Kim", 120, 588), item("Books each charge once", 200, 588), item("and answers audits", 200, 576)],
      ...[item("quote", 50, 564), item("Ada", 120, 564), item("Turns a basket into a price", 200, 564)],
    ];

    assert.deepEqual(linesOf(items), [
      "Service | Owner | Does",
      "ledger | Kim | Books each charge once and answers audits",
      "quote | Ada | Turns a basket into a price",
    ]);
  });

  it("takes cells that were centred against a higher one for cells of its row", () => {
    const items = [
      ...[item("Upper bound of the flow through the valve,", 120, 600), item("flow.max", 50, 593), item("l/s", 350, 593)],
      ...[item("checked once a second", 120, 586), item("flow.min", 50, 570), item("Lower bound", 120, 570), item("l/s", 350, 570)],
    ];

    assert.deepEqual(linesOf(items), [
      "flow.max | Upper bound of the flow through the valve, checked once a second | l/s",
      "flow.min | Lower bound | l/s",
    ]);
  });

  it("puts letters that were set apart together", () => {
    assert.deepEqual(linesOf([item("S P A C E D", 50, 600), item("A B", 150, 600)]), ["SPACED | A B"]);
  });

  it("takes narrow gaps for cells where they stand above each other, and not those of stretched lines", () => {
    const table = [item("Gate", 50, 600), item("Keeper", 80, 600), item("north", 50, 588), item("Ilse Brand", 84, 588)];
    const rows = [item("Gate", 50, 600), item("Keeper", 84, 600), item("north", 50, 588), item("Ilse Brand", 84, 588)];
    const stretched = [item("some", 50, 600), item("words", 90, 600), item("stand", 135, 600), item("the whole line of this", 50, 588)];

    assert.deepEqual(linesOf(table), ["Gate Keeper", "north Ilse Brand"]);
    assert.deepEqual(linesOf(rows), ["Gate | Keeper", "north | Ilse Brand"]);
    assert.deepEqual(linesOf([...stretched, item("ends here as the first did", 50, 576)]).at(0), "some words stand");
  });

  it("reads a table below two columns as a whole, its head and the further lines of its cells too", () => {
    const columns = [...left, ...left].flatMap((text, i) => [item(text, 50, 700 - i * 12), item(right[i % 4] ?? "", 240, 700 - i * 12)]);
    const table = [
      ...[item("Code", 50, 560), item("Meaning", 160, 560), item("Reaction", 400, 560)],
      ...[item("E-17", 50, 540), item("The oil is hotter than ninety degrees as", 110, 540), item("Reduce load", 400, 540)],
      ...[item("measured above", 110, 528)],
    ];

    assert.deepEqual(linesOf([...columns, ...table]).slice(-2), [
      "Code | Meaning | Reaction",
      "E-17 | The oil is hotter than ninety degrees as measured above | Reduce load",
    ]);
  });

  it("puts superscripts into the line that they belong to", () => {
    const items = [item("area", 50, 600), item("2", 70, 604, { size: 6 }), item("is given", 76, 600), item("below the line", 50, 588)];

    assert.deepEqual(linesOf(items), ["area2 is given", "below the line"]);
  });

  it("takes ligatures and forms of letters for plain letters", () => {
    const items = [item("the e\ufb03cient \ufb02ow", 50, 600), item("\u0627\u0623\u0644\u062f\u0627\u0629", 50, 580, { dir: "rtl" })];

    assert.deepEqual(linesOf(items), ["the efficient flow", "\u0627\u0644\u0623\u062f\u0627\u0629"]);
  });
});

describe("the blocks of a page", () => {
  const blocksOf = (items: readonly TextItem[]) => {
    const regions = regionsOf(items);
    const place = ({ x, y }: { readonly x: number; readonly y: number }) => ({ x, y, w: 1, h: 1 });
    return pageBlocks(regions, measure([regions]), place);
  };
  const plain = (items: readonly TextItem[]) => blocksOf(items).map(({ lines: _, ...block }) => block);

  it("tells headings by their size, code by its font and paragraphs by their distance", () => {
    const items = [
      item("Failover", 50, 700, { size: 18 }),
      ...left.map((text, i) => item(text, 50, 670 - i * 12)),
      ...right.map((text, i) => item(text, 50, 600 - i * 12)),
      item("redis-cli", 50, 530, { font: "mono" }),
      item("info", 62, 518, { font: "mono" }),
    ];

    assert.deepEqual(plain(items), [
      { kind: "heading", level: 1, text: "Failover" },
      { kind: "text", text: left.join(" ") },
      { kind: "text", text: right.join(" ") },
      { kind: "code", text: "redis-cli\n  info" },
    ]);
  });

  it("tells where each line begins in the text and stands on the page, over a word that was cut, too", () => {
    const items = [item("throttle the con-", 50, 700), item("nection pool", 50, 688), item("Key  a", 50, 600), item("b", 250, 600)];

    const [prose, rows] = blocksOf(items);

    assert.deepEqual(
      [prose, rows].map((block) => block?.lines?.map(({ at, x, y }) => [block.text.slice(at, at + 9), x, y])),
      [
        [
          ["throttle ", 50, 700],
          ["nection p", 50, 688],
        ],
        [["Key  a | ", 50, 600]],
      ],
    );
  });

  it("puts words together that were cut at a line's end, and leaves real hyphens", () => {
    const join = (lines: string[], words: string[] = []) =>
      joinLines(
        lines.map((text) => ({ text })),
        new Set(words),
      ).text;

    assert.equal(join(["throttle the con-", "nection pool"]), "throttle the connection pool");
    assert.equal(join(["a well-", "known fact"], ["well-known"]), "a well-known fact");
    assert.equal(join(["the op\u00ad", "tional hy\u00adphen"]), "the optional hyphen");
    assert.equal(join(["in CONF-", "1023 it says"]), "in CONF- 1023 it says");
    assert.equal(join(["接続数が", "上限に"]), "接続数が上限に");
  });
});

describe("running lines", () => {
  const page = (number: number, header: string, body: string) =>
    regionsOf([
      item(header, 50, 780),
      ...[0, 1, 2, 3].map((i) => item(`${body} ${number} line ${"abcd"[i]}`, 50, 700 - i * 12)),
      item(`Page ${number} of 4`, 250, 30),
    ]);
  const texts = (pages: readonly ReturnType<typeof regionsOf>[]) =>
    dropRunningLines(pages, ({ y }) => y < 50 || y > 800).map((regions) =>
      regions.flatMap((region) => region.lines.map((line) => line.text)),
    );

  it("are dropped where they come again, whatever number they bear", () => {
    const kept = texts([1, 2, 3, 4].map((number) => page(number, "Operations manual", "text")));

    assert.equal(kept[1]?.length, 4);
    assert.ok(kept.every((lines) => lines.every((line) => line.startsWith("text"))));
  });

  it("are dropped by a page number that runs along, though the section's name changes", () => {
    const kept = texts([7, 8, 9, 10].map((number) => page(number, `${number}   Section of ${"abcdefghijklm"[number]}`, "text")));

    assert.ok(kept.every((lines) => lines.every((line) => line.startsWith("text"))));
  });

  it("stay on pages that say nothing else", () => {
    const pages = [1, 2, 3].map((number) => regionsOf([item(`Document 1: Page ${number}`, 50, 700)]));

    assert.deepEqual(texts(pages), [["Document 1: Page 1"], ["Document 1: Page 2"], ["Document 1: Page 3"]]);
  });

  it("of two pages are told where they stand in the margin", () => {
    const [kept] = texts([1, 2].map((number) => page(number, "Operations manual", "text")));

    // the header stands lower than that, the page number does not
    assert.deepEqual([kept?.length, kept?.[0]], [5, "Operations manual"]);
  });

  it("are dropped on a page where a header's parts are read as one line", () => {
    const pages = [1, 2, 3].map((number) => page(number, "Operations manual", "text"));
    const apart = pages.map((regions, i) => [...regions, ...(i < 2 ? regionsOf([item("Internal", 450, 780)]) : [])]);
    const joined = regionsOf([
      item("Operations manual", 50, 780),
      item("Internal", 450, 780),
      item("text c", 50, 700),
      item("text d", 50, 688),
    ]);

    assert.deepEqual(texts([...apart.slice(0, 2), apart[1] ?? [], joined]).at(-1), ["text c", "text d"]);
  });
});
