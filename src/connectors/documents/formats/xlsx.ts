import type { Block } from "../../shared/blocks.ts";
import { assemblePages, type Parsed } from "../parsed.ts";
import { paragraphs } from "./drawing.ts";
import { rowBlocks } from "./rows.ts";
import { child, descendants, dublinTitle, elements, parseXml, readXml, relationships, textOf } from "./xml.ts";
import { openZip, relationsOf, type Zip } from "./zip.ts";

const MOST_COLUMNS = 1000;

interface Workbook {
  readonly strings: readonly string[];
  /** By cell style: whether numbers are dates. */
  readonly dates: readonly boolean[];
  /** Days count from 1904 instead of 1900. */
  readonly since1904: boolean;
}

/** A spreadsheet (ECMA-376), a page a sheet, each row a line of its cells, "a | b | c", dates as ISO, formulas by their last value. */
export function parseXlsx(bytes: Uint8Array): Parsed {
  const zip = openZip(bytes);
  const source = zip.text("xl/workbook.xml");
  if (source === null) throw new Error("its workbook is missing");
  const workbook = parseXml(source);
  const relations = relationsOf(zip, "xl/workbook.xml", relationships);
  const book: Workbook = {
    strings: sharedStrings(zip),
    dates: dateStyles(zip),
    since1904: [...descendants(workbook, "workbookPr")].some((one) => one.attributes.date1904 === "1"),
  };
  const pages: Block[][] = [];
  for (const sheet of descendants(workbook, "sheet")) {
    const part = relations.get(sheet.attributes["r:id"] ?? sheet.attributes.id ?? "")?.target ?? "";
    const xml = zip.text(part);
    const rows = xml === null ? [] : sheetRows(xml, book);
    pages.push([
      { kind: "heading", level: 1, text: sheet.attributes.name ?? "" },
      ...rowBlocks(rows),
      ...textBoxes(zip, part),
      ...comments(zip, part),
    ]);
  }
  const mediaType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
  const filled = pages.some((page) => page.length > 1);
  return { ...assemblePages(filled ? pages : []), mediaType, title: dublinTitle(zip.text("docProps/core.xml")), warnings: [] };
}

/** Text that is drawn over a sheet. */
function textBoxes(zip: Zip, sheet: string): Block[] {
  return [...relationsOf(zip, sheet, relationships).values()].flatMap(({ target, type }) => {
    const source = type.endsWith("/drawing") ? zip.text(target) : null;
    return source === null ? [] : [...descendants(parseXml(source), "txBody")].flatMap((body) => paragraphs(body));
  });
}

function comments(zip: Zip, sheet: string): Block[] {
  const blocks: Block[] = [];
  for (const { target, type } of relationsOf(zip, sheet, relationships).values()) {
    const source = type.endsWith("/comments") ? zip.text(target) : null;
    for (const comment of source === null ? [] : descendants(parseXml(source), "comment")) {
      blocks.push({ kind: "text", text: `Comment on ${comment.attributes.ref}: ${textOf(comment).trim()}` });
    }
  }
  return blocks;
}

function sharedStrings(zip: Zip): readonly string[] {
  const source = zip.text("xl/sharedStrings.xml");
  const strings: string[] = [];
  if (source === null) return strings;
  let text = "";
  let inText = false;
  let phonetic = false;
  readXml(source, {
    open(name) {
      if (name === "si") text = "";
      if (name === "rPh") phonetic = true;
      inText = name === "t";
    },
    text(part) {
      if (inText && !phonetic) text += part;
    },
    close(name) {
      inText = false;
      if (name === "rPh") phonetic = false;
      if (name === "si") strings.push(text);
    },
  });
  return strings;
}

/** Built-in formats 14 to 22 and 45 to 47 are dates and times (18.8.30); of others their code tells. */
function dateStyles(zip: Zip): readonly boolean[] {
  const source = zip.text("xl/styles.xml");
  if (source === null) return [];
  const root = parseXml(source);
  const codes = new Map([...descendants(root, "numFmt")].map((one) => [one.attributes.numFmtId ?? "", one.attributes.formatCode ?? ""]));
  const formats = child(child(root, "styleSheet"), "cellXfs");
  return (formats ? elements(formats) : []).map((format) => {
    const id = format.attributes.numFmtId ?? "0";
    const number = Number(id);
    if ((number >= 14 && number <= 22) || (number >= 45 && number <= 47)) return true;
    return /[ymdhs]/i.test((codes.get(id) ?? "").replace(/"[^"]*"|\\.|\[[^\]]*\]|General/gi, ""));
  });
}

function sheetRows(source: string, book: Workbook): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell: { column: number; type: string; style: number } | null = null;
  let value = "";
  let taking = false;
  readXml(source, {
    open(name, attributes) {
      if (name === "row") row = [];
      else if (name === "c") {
        cell = { column: columnOf(attributes.r) ?? row.length, type: attributes.t ?? "n", style: Number(attributes.s ?? -1) };
        value = "";
      }
      taking = name === "v" || name === "t";
    },
    text(part) {
      if (taking && cell) value += part;
    },
    close(name) {
      taking = false;
      if (name === "c" && cell) {
        if (cell.column < MOST_COLUMNS) {
          while (row.length < cell.column) row.push("");
          row[cell.column] = shown(value, cell.type, cell.style, book);
        }
        cell = null;
      } else if (name === "row" && row.some((one) => one !== "")) rows.push(row);
    },
  });
  return rows;
}

/** 0 for "A7", 27 for "AB1". */
function columnOf(reference: string | undefined): number | null {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? "")?.[0];
  if (!letters) return null;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

function shown(value: string, type: string, style: number, book: Workbook): string {
  if (type === "s") return book.strings[Number(value)] ?? "";
  if (type === "b") return value === "1" ? "TRUE" : "FALSE";
  if (type !== "n" || value === "") return value;
  if (book.dates[style]) return dateOf(Number(value), book.since1904) ?? value;
  // 0.1 + 0.2 is stored as 0.30000000000000004; fifteen digits are what a spreadsheet shows
  const number = Number(value);
  return Number.isFinite(number) ? String(Number(number.toPrecision(15))) : value;
}

function dateOf(days: number, since1904: boolean): string | null {
  if (!Number.isFinite(days) || days < 0 || days > 2_958_466) return null;
  const epoch = since1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30);
  const iso = new Date(epoch + Math.round(days * 86_400) * 1000).toISOString();
  if (days < 1) return iso.slice(11, 19);
  return Number.isInteger(days) ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${iso.slice(11, 19)}`;
}
