import { assemble, type Block } from "../../shared/blocks.ts";
import type { Parsed } from "../parsed.ts";
import { isMonospaced, ListMarks, numberingOf, type ParagraphStyle, readStyles } from "./docx-styles.ts";
import { chartRows } from "./drawing.ts";
import { child, descendants, dublinTitle, elements, parseXml, relationships, type Xml } from "./xml.ts";
import { openZip, relationsOf } from "./zip.ts";

/**
 * A Word document (ECMA-376): paragraphs, headings by style, lists with their marks, tables as rows, text boxes, code by style
 * or font, foot- and endnotes behind the paragraph that refers to them, charts as rows and comments at the end. Deleted and hidden text is left out.
 */
export function parseDocx(bytes: Uint8Array): Parsed {
  const zip = openZip(bytes);
  const part = zip.names.find((name) => /^word\/document\d*\.xml$/.test(name)) ?? "word/document.xml";
  const source = zip.text(part);
  if (source === null) throw new Error("its main part, word/document.xml, is missing");
  const reader = new DocxReader(
    readStyles(zip.text("word/styles.xml")),
    new ListMarks(zip.text("word/numbering.xml")),
    new Map([...relationsOf(zip, part, relationships)].map(([id, { target }]) => [id, target])),
    new Map([...notes(zip.text("word/footnotes.xml"), "footnote"), ...notes(zip.text("word/endnotes.xml"), "endnote")]),
  );
  const body = child(child(parseXml(source), "document"), "body");
  const blocks = body ? reader.blocks(elements(body)) : [];
  for (const { target, type } of relationsOf(zip, part, relationships).values()) {
    const chart = type.endsWith("/chart") ? zip.text(target) : null;
    if (chart !== null) blocks.push(...chartRows(parseXml(chart)));
  }
  for (const [, comment] of notes(zip.text("word/comments.xml"), "comment")) blocks.push(...reader.note("Comment", comment));
  const mediaType = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
  return { ...assemble(blocks), mediaType, title: dublinTitle(zip.text("docProps/core.xml")), warnings: [] };
}

/** Notes by kind and id; separators are not among them. */
function notes(source: string | null, kind: string): [string, Xml][] {
  if (source === null) return [];
  return [...descendants(parseXml(source), kind)]
    .filter((note) => !note.attributes.type)
    .map((note) => [`${kind} ${note.attributes.id}`, note]);
}

/** Text that no reader is shown. */
function isHidden(run: Xml): boolean {
  const vanish = child(child(run, "rPr"), "vanish");
  return vanish !== null && !/^(?:0|false|off)$/.test(vanish.attributes.val ?? "");
}

class DocxReader {
  readonly #style: (id: string | null) => ParagraphStyle;
  readonly #marks: ListMarks;
  readonly #targets: ReadonlyMap<string, string>;
  readonly #notes: ReadonlyMap<string, Xml>;
  /** Notes and text boxes met in the paragraph that is being read. */
  #aside: Block[] = [];

  constructor(
    style: (id: string | null) => ParagraphStyle,
    marks: ListMarks,
    targets: ReadonlyMap<string, string>,
    notes: ReadonlyMap<string, Xml>,
  ) {
    this.#style = style;
    this.#marks = marks;
    this.#targets = targets;
    this.#notes = notes;
  }

  blocks(nodes: readonly Xml[]): Block[] {
    const blocks: Block[] = [];
    let listed = false;
    for (const node of nodes) {
      const before = this.#aside;
      this.#aside = [];
      if (node.name === "p") listed = this.#paragraph(node, blocks, listed);
      else {
        listed = false;
        if (node.name === "tbl") blocks.push({ kind: "text", text: this.#table(node) });
        else if (node.name === "sdt") blocks.push(...this.blocks(elements(child(node, "sdtContent") ?? node)));
        else if (node.name === "ins" || node.name === "smartTag" || node.name === "customXml") blocks.push(...this.blocks(elements(node)));
      }
      if (this.#aside.length > 0) listed = false;
      blocks.push(...this.#aside);
      this.#aside = before;
    }
    return blocks;
  }

  note(label: string, note: Xml): Block[] {
    return this.blocks(elements(note)).map(
      (block, i): Block => ({ kind: "text", text: i === 0 ? `${label}: ${block.text.trim()}` : block.text }),
    );
  }

  /** Returns whether it was a list item, so that the next one joins it. */
  #paragraph(node: Xml, blocks: Block[], listed: boolean): boolean {
    const properties = child(node, "pPr");
    const style = this.#style(child(properties, "pStyle")?.attributes.val ?? null);
    const text = this.#inline(node);
    if (text.trim() === "") return listed;
    const last = blocks.at(-1);
    if (style.heading !== null) {
      blocks.push({ kind: "heading", level: style.heading, text: text.replace(/\s+/g, " ") });
      return false;
    }
    if (style.code || isMonospaced(node)) {
      if (last?.kind === "code") blocks[blocks.length - 1] = { kind: "code", text: `${last.text}\n${text}` };
      else blocks.push({ kind: "code", text });
      return false;
    }
    const numbering = numberingOf(properties) ?? style.numbering;
    if (numbering === null) {
      blocks.push({ kind: "text", text });
      return false;
    }
    const item = this.#marks.next(numbering) + text.trim();
    if (listed && last) blocks[blocks.length - 1] = { kind: "text", text: `${last.text}\n${item}` };
    else blocks.push({ kind: "text", text: item });
    return true;
  }

  #inline(node: Xml): string {
    let text = "";
    for (const one of elements(node)) text += this.#run(one);
    return text;
  }

  #run(node: Xml): string {
    switch (node.name) {
      case "t":
        return node.children.join("");
      case "r":
        return isHidden(node) ? "" : this.#inline(node);
      case "tab":
        return "\t";
      case "br":
      case "cr":
        return "\n";
      case "noBreakHyphen":
        return "-";
      case "softHyphen":
      case "pPr":
      case "rPr":
      case "del":
      case "moveFrom":
      case "delText":
      case "instrText":
        return "";
      case "footnoteReference":
      case "endnoteReference": {
        const note = this.#notes.get(`${node.name.replace("Reference", "")} ${node.attributes.id}`);
        if (note) this.#aside.push(...this.note("Note", note));
        return "";
      }
      case "txbxContent":
        this.#aside.push(...this.blocks(elements(node)));
        return "";
      case "AlternateContent": {
        const chosen = child(node, "Choice") ?? child(node, "Fallback");
        return chosen ? this.#inline(chosen) : "";
      }
      case "hyperlink": {
        const text = this.#inline(node);
        const target = this.#targets.get(node.attributes["r:id"] ?? node.attributes.id ?? "");
        return target && /^https?:/.test(target) && !text.includes(target) ? `${text} (${target})` : text;
      }
      default:
        return this.#inline(node);
    }
  }

  #table(table: Xml): string {
    const rows: string[] = [];
    for (const row of elements(table).flatMap((one) =>
      one.name === "tr" ? [one] : one.name === "sdt" ? [...descendants(one, "tr")] : [],
    )) {
      const cells = elements(row).filter((one) => one.name === "tc" || one.name === "sdt");
      const line = cells
        .map((cell) =>
          this.blocks(elements(cell.name === "sdt" ? (child(child(cell, "sdtContent"), "tc") ?? cell) : cell))
            .map((block) => block.text.replace(/\s+/g, " ").trim())
            .join(" "),
        )
        .join(" | ");
      if (line.replace(/[|\s]/g, "") !== "") rows.push(line);
    }
    return rows.join("\n");
  }
}
