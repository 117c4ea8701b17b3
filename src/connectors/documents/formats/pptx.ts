import type { Block } from "../../shared/blocks.ts";
import { assemblePages, type Parsed } from "../parsed.ts";
import { chartRows, paragraphs, paragraphText } from "./drawing.ts";
import { child, descendants, dublinTitle, elements, parseXml, relationships, textOf, type Xml } from "./xml.ts";
import { openZip, relationsOf, type Zip } from "./zip.ts";

/** A presentation (ECMA-376), a page a slide in the order of the show: titles as headings, tables as rows, speaker notes behind. */
export function parsePptx(bytes: Uint8Array): Parsed {
  const zip = openZip(bytes);
  const slides = slideParts(zip);
  if (slides.length === 0) throw new Error("it has no slides");
  const pages = slides.map((part) => slideBlocks(zip, part));
  const mediaType = "application/vnd.openxmlformats-officedocument.presentationml.presentation";
  return { ...assemblePages(pages), mediaType, title: dublinTitle(zip.text("docProps/core.xml")), warnings: [] };
}

function slideParts(zip: Zip): readonly string[] {
  const source = zip.text("ppt/presentation.xml");
  const relations = relationsOf(zip, "ppt/presentation.xml", relationships);
  const listed =
    source === null ? [] : [...descendants(parseXml(source), "sldId")].map((one) => one.attributes["r:id"] ?? one.attributes.id ?? "");
  const parts = listed.map((id) => relations.get(id)?.target ?? "").filter((part) => zip.names.includes(part));
  if (parts.length > 0) return parts;
  const number = (name: string) => Number(/(\d+)\.xml$/.exec(name)?.[1] ?? 0);
  return zip.names.filter((name) => /^ppt\/slides\/slide\d+\.xml$/.test(name)).sort((a, b) => number(a) - number(b));
}

function slideBlocks(zip: Zip, part: string): Block[] {
  const source = zip.text(part);
  if (source === null) return [];
  const blocks: Block[] = [];
  const tree = child(child(child(parseXml(source), "sld"), "cSld"), "spTree");
  if (tree) shapes(tree, blocks);
  for (const { target, type } of relationsOf(zip, part, relationships).values()) {
    const related = zip.text(target);
    if (related === null) continue;
    if (type.endsWith("/diagramData")) blocks.push(...paragraphs(parseXml(related)));
    if (type.endsWith("/chart")) blocks.push(...chartRows(parseXml(related)));
    if (type.endsWith("/comments")) blocks.push(...comments(parseXml(related)));
    if (type.endsWith("/notesSlide")) blocks.push(...speakerNotes(parseXml(related)));
  }
  return blocks;
}

function shapes(node: Xml, blocks: Block[]): void {
  for (const shape of elements(node)) {
    if (shape.name === "grpSp") shapes(shape, blocks);
    else if (shape.name === "AlternateContent") shapes(child(shape, "Choice") ?? child(shape, "Fallback") ?? shape, blocks);
    else if (shape.name === "graphicFrame") for (const table of descendants(shape, "tbl")) blocks.push({ kind: "text", text: rows(table) });
    else if (shape.name === "sp") {
      const kind = placeholder(shape);
      if (kind === "sldNum" || kind === "dt" || kind === "ftr") continue;
      const body = child(shape, "txBody");
      if (!body) continue;
      if (kind === "title" || kind === "ctrTitle") {
        const text = paragraphTexts(body).join(" ").replace(/\s+/g, " ").trim();
        if (text !== "") blocks.push({ kind: "heading", level: 2, text });
      } else {
        const text = paragraphTexts(body).join("\n");
        if (text.trim() !== "") blocks.push({ kind: "text", text });
      }
    }
  }
}

function placeholder(shape: Xml): string | null {
  const holder = child(child(child(shape, "nvSpPr"), "nvPr"), "ph");
  return holder ? (holder.attributes.type ?? "body") : null;
}

/** A body's paragraphs; deeper levels of an outline are indented as lists. */
function paragraphTexts(body: Xml): readonly string[] {
  return elements(body)
    .filter((one) => one.name === "p")
    .map((paragraph) => {
      const level = Number(child(paragraph, "pPr")?.attributes.lvl ?? 0);
      const text = paragraphText(paragraph);
      return level > 0 && text.trim() !== "" ? `${"  ".repeat(Math.min(level, 8))}- ${text}` : text;
    });
}

function rows(table: Xml): string {
  return elements(table)
    .filter((one) => one.name === "tr")
    .map((row) =>
      elements(row)
        .filter((one) => one.name === "tc")
        .map((cell) =>
          [...descendants(cell, "p")]
            .map((paragraph) => paragraphText(paragraph).replace(/\s+/g, " ").trim())
            .join(" ")
            .trim(),
        )
        .join(" | "),
    )
    .join("\n");
}

/** The older form has `<p:text>`, the newer one text bodies. */
function comments(root: Xml): Block[] {
  const texts = [...descendants(root, "text"), ...descendants(root, "p")].map((one) =>
    one.name === "p" ? paragraphText(one) : textOf(one),
  );
  return texts.filter((text) => text.trim() !== "").map((text) => ({ kind: "text", text: `Comment: ${text.trim()}` }));
}

function speakerNotes(notes: Xml): Block[] {
  for (const shape of descendants(notes, "sp")) {
    if (placeholder(shape) !== "body") continue;
    const body = child(shape, "txBody");
    const text = body ? paragraphTexts(body).join("\n").trim() : "";
    if (text !== "") return [{ kind: "text", text: `Notes: ${text}` }];
  }
  return [];
}
