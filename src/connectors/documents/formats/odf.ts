import { assemble, type Block } from "../../shared/blocks.ts";
import { assemblePages, type Parsed } from "../parsed.ts";
import { rowBlocks } from "./rows.ts";
import { child, descendants, dublinTitle, elements, parseXml, type Xml } from "./xml.ts";
import { openZip } from "./zip.ts";

const MOST_REPEATED = 100;

/** OpenDocument (ISO 26300): a text, a spreadsheet with a page a sheet, or a presentation with a page a slide. */
export function parseOdf(bytes: Uint8Array, kind: "odt" | "ods" | "odp"): Parsed {
  const zip = openZip(bytes);
  if (/<manifest:encryption-data/.test(zip.text("META-INF/manifest.xml") ?? "")) throw new Error("it is encrypted with a password");
  const source = zip.text("content.xml");
  if (source === null) throw new Error("its content is missing");
  const body = child(child(parseXml(source), "document-content"), "body");
  const content = body ? elements(body)[0] : undefined;
  const title = dublinTitle(zip.text("meta.xml"));
  const mediaType = `application/vnd.oasis.opendocument.${{ odt: "text", ods: "spreadsheet", odp: "presentation" }[kind]}`;
  const base = { mediaType, title, warnings: [] };
  if (!content) return { ...assemble([]), ...base };
  if (kind === "odt") return { ...assemble(blocksOf(elements(content))), ...base };
  if (kind === "odp") return { ...assemblePages([...descendants(content, "page")].map((page) => slideBlocks(page))), ...base };
  const sheets = [...descendants(content, "table")].map((table): Block[] => [
    { kind: "heading", level: 1, text: table.attributes.name ?? "" },
    ...rowBlocks(rowsOf(table)),
  ]);
  return { ...assemblePages(sheets.some((sheet) => sheet.length > 1) ? sheets : []), ...base };
}

function blocksOf(nodes: readonly Xml[]): Block[] {
  const blocks: Block[] = [];
  for (const node of nodes) {
    switch (node.name) {
      case "h":
        blocks.push({ kind: "heading", level: Math.min(6, Number(node.attributes["outline-level"] ?? 1)), text: inline(node, blocks) });
        break;
      case "p": {
        const notes: Block[] = [];
        const text = inline(node, notes);
        const code = /preformatted|source|code/i.test(node.attributes["style-name"] ?? "");
        const last = blocks.at(-1);
        if (code && last?.kind === "code") blocks[blocks.length - 1] = { kind: "code", text: `${last.text}\n${text}` };
        else blocks.push({ kind: code ? "code" : "text", text }, ...notes);
        break;
      }
      case "list":
        blocks.push({ kind: "text", text: listLines(node, "").join("\n") });
        break;
      case "table":
        blocks.push(...rowBlocks(rowsOf(node)));
        break;
      case "tracked-changes":
      case "forms":
      case "sequence-decls":
        break;
      default:
        blocks.push(...blocksOf(elements(node)));
    }
  }
  return blocks;
}

function listLines(list: Xml, indent: string): string[] {
  const lines: string[] = [];
  for (const item of elements(list)) {
    for (const inner of elements(item)) {
      if (inner.name === "list") lines.push(...listLines(inner, `${indent}  `));
      else lines.push(`${indent}- ${inline(inner, [])}`);
    }
  }
  return lines;
}

/** A paragraph's text; its notes become blocks behind it. */
function inline(node: Xml, aside: Block[]): string {
  let text = "";
  for (const one of node.children) {
    if (typeof one === "string") text += one.replace(/\s+/g, " ");
    else if (one.name === "s") text += " ".repeat(Math.min(200, Number(one.attributes.c ?? 1)));
    else if (one.name === "tab") text += "\t";
    else if (one.name === "line-break") text += "\n";
    else if (one.name === "annotation") aside.push(...blocksOf(elements(one).filter((part) => part.name === "p" || part.name === "list")));
    else if (one.name === "note") {
      const body = child(one, "note-body");
      if (body) for (const block of blocksOf(elements(body))) aside.push({ kind: "text", text: `Note: ${block.text}` });
    } else if (one.name === "text-box") aside.push(...blocksOf(elements(one)));
    else text += inline(one, aside);
  }
  return text;
}

function rowsOf(table: Xml): string[][] {
  const rows: string[][] = [];
  for (const row of descendants(table, "table-row")) {
    const cells: string[] = [];
    for (const cell of elements(row)) {
      if (cell.name !== "table-cell" && cell.name !== "covered-table-cell") continue;
      const text = blocksOf(elements(cell))
        .map((block) => block.text)
        .join(" ");
      const times =
        text === ""
          ? Math.min(MOST_REPEATED, repeated(cell, "number-columns-repeated"))
          : Math.min(1000, repeated(cell, "number-columns-repeated"));
      for (let i = 0; i < times; i++) cells.push(text);
    }
    while (cells.at(-1) === "") cells.pop();
    if (cells.length === 0) continue;
    for (let i = 0; i < Math.min(MOST_REPEATED, repeated(row, "number-rows-repeated")); i++) rows.push(cells);
  }
  return rows;
}

function repeated(node: Xml, name: string): number {
  return Math.max(1, Number(node.attributes[name] ?? 1) || 1);
}

function slideBlocks(page: Xml): Block[] {
  const blocks: Block[] = [];
  for (const frame of elements(page)) {
    const inner = frame.name === "notes" ? [] : blocksOf([frame]);
    const title = frame.attributes.class === "title";
    for (const block of inner) blocks.push(title ? { kind: "heading", level: 2, text: block.text } : block);
  }
  const notes = child(page, "notes");
  for (const block of notes ? blocksOf(elements(notes)) : [])
    if (block.text.trim() !== "") blocks.push({ kind: "text", text: `Notes: ${block.text}` });
  return blocks;
}
