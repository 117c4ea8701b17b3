import { assemble, type Block } from "../../shared/blocks.ts";
import { decodeText } from "../decode.ts";
import type { Parsed } from "../parsed.ts";

/** Plain text: paragraphs as they are; indented or fenced parts are not guessed to be code. */
export function parseText(bytes: Uint8Array): Parsed {
  return { ...assemble(paragraphs(decodeText(bytes)).map(withoutUnderlines)), mediaType: "text/plain", title: null, warnings: [] };
}

/** Source code and configuration: the whole file is code, one block for each run of lines, so that nothing in it is read as a statement. */
export function parseSource(bytes: Uint8Array, mediaType: string): Parsed {
  const blocks = paragraphs(decodeText(bytes)).map((block): Block => ({ ...block, kind: "code" }));
  return { ...assemble(blocks), mediaType, title: null, warnings: [] };
}

const UNDERLINE = /^(?:={3,}|-{3,})$/;

/** Without lines of = or - right below a line of words: they underline a heading, and say nothing themselves. */
function withoutUnderlines(block: Block): Block {
  const lines = block.text.split("\n");
  const kept = lines.filter((line, at) => at === 0 || !UNDERLINE.test(line.trim()));
  return { ...block, text: kept.join("\n") };
}

function paragraphs(text: string): Block[] {
  return text
    .replace(/\r\n?/g, "\n")
    .split(/\n[ \t\f]*\n/)
    .map((part): Block => ({ kind: "text", text: part.replaceAll("\f", "\n") }));
}
