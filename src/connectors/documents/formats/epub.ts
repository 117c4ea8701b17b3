import { assemble, type Block } from "../../shared/blocks.ts";
import type { Parsed } from "../parsed.ts";
import { htmlBlocks } from "./html.ts";
import { descendants, dublinTitle, parseXml } from "./xml.ts";
import { openZip } from "./zip.ts";

/** An e-book: its chapters in the order of its spine. */
export function parseEpub(bytes: Uint8Array): Parsed {
  const zip = openZip(bytes);
  const container = zip.text("META-INF/container.xml");
  const path = container === null ? "" : ([...descendants(parseXml(container), "rootfile")][0]?.attributes["full-path"] ?? "");
  const source = zip.text(path);
  if (source === null) throw new Error("its table of parts is missing");
  const book = parseXml(source);
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const items = new Map([...descendants(book, "item")].map((item) => [item.attributes.id, item.attributes.href ?? ""]));
  const blocks: Block[] = [];
  for (const reference of descendants(book, "itemref")) {
    const chapter = zip.text(folder + decodeURI(items.get(reference.attributes.idref) ?? ""));
    if (chapter !== null) blocks.push(...htmlBlocks(chapter.replace(/^[\s\S]*?<body/i, "<body")));
  }
  return { ...assemble(blocks), mediaType: "application/epub+zip", title: dublinTitle(source), warnings: [] };
}
