import { TextDecoder } from "node:util";
import { assemble, type Block } from "../../shared/blocks.ts";
import type { Parsed } from "../parsed.ts";

/** Groups that hold no text of the document. */
const silent = new Set(
  "fonttbl colortbl stylesheet listtable listoverridetable rsidtbl info generator pict object themedata colorschememapping latentstyles datastore xmlnstbl filetbl revtbl header footer headerl headerr headerf footerl footerr footerf fldinst bkmkstart bkmkend nonshppict mmathPr".split(
    " ",
  ),
);
const characters: Readonly<Record<string, string>> = {
  line: "\n",
  tab: "\t",
  emdash: "—",
  endash: "–",
  bullet: "•",
  lquote: "‘",
  rquote: "’",
  ldblquote: "“",
  rdblquote: "”",
  emspace: " ",
  enspace: " ",
};
const token = /\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|[\r\n]+|[^\\{}\r\n]+/g;

interface Group {
  readonly silent: boolean;
  /** Bytes to pass over after a Unicode character, for readers that know none. */
  readonly fallback: number;
}

/** Rich Text Format 1.9: paragraphs, table rows as lines, headings by outline level; fonts, pictures and styles are passed over. */
export function parseRtf(bytes: Uint8Array): Parsed {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  const decoder = decoderFor(/\\ansicpg(\d{3,5})/.exec(source.slice(0, 2000))?.[1]);
  const blocks: Block[] = [];
  const stack: Group[] = [];
  let group: Group = { silent: false, fallback: 1 };
  let text = "";
  let cells: string[] = [];
  let pending: number[] = [];
  let skip = 0;
  let level: number | null = null;
  let starred = false;
  const flushBytes = () => {
    if (pending.length > 0) text += decoder.decode(Uint8Array.from(pending));
    pending = [];
  };
  const paragraph = () => {
    flushBytes();
    if (level !== null && text.trim() !== "")
      blocks.push({ kind: "heading", level: Math.min(6, level + 1), text: text.replace(/\s+/g, " ") });
    else blocks.push({ kind: "text", text });
    text = "";
  };
  for (const [whole, word, parameter, hex, symbol, brace] of source.matchAll(token)) {
    if (hex === undefined) flushBytes();
    if (brace === "{") {
      stack.push(group);
      continue;
    }
    if (brace === "}") {
      group = stack.pop() ?? group;
      skip = 0;
      continue;
    }
    if (symbol === "*") {
      starred = true;
      continue;
    }
    if (word !== undefined && (starred || silent.has(word))) group = { ...group, silent: true };
    starred = false;
    if (group.silent) continue;
    if (hex !== undefined) {
      if (skip > 0) skip -= 1;
      else pending.push(Number.parseInt(hex, 16));
    } else if (word === "par" || word === "sect" || word === "page") paragraph();
    else if (word === "pard") level = null;
    else if (word === "outlinelevel") level = Number(parameter ?? 0);
    else if (word === "uc") group = { ...group, fallback: Number(parameter ?? 1) };
    else if (word === "u") {
      text += String.fromCharCode(Number(parameter ?? 0) & 0xffff);
      skip = group.fallback;
    } else if (word === "cell") {
      cells.push(text.replace(/\s+/g, " ").trim());
      text = "";
    } else if (word === "row") {
      blocks.push({ kind: "text", text: cells.join(" | ") });
      cells = [];
    } else if (word !== undefined) text += characters[word] ?? "";
    else if (symbol !== undefined) text += symbol === "~" ? "\u00a0" : symbol === "_" ? "-" : /[\\{}]/.test(symbol) ? symbol : "";
    else if (!/^[\r\n]/.test(whole)) {
      text += whole.slice(skip);
      skip = 0;
    }
  }
  paragraph();
  return { ...assemble(joinRows(blocks)), mediaType: "application/rtf", title: null, warnings: [] };
}

/** Rows that follow each other are one table. */
function joinRows(blocks: readonly Block[]): Block[] {
  const joined: Block[] = [];
  for (const block of blocks) {
    const last = joined.at(-1);
    if (last?.text.includes(" | ") && block.text.includes(" | "))
      joined[joined.length - 1] = { kind: "text", text: `${last.text}\n${block.text}` };
    else joined.push(block);
  }
  return joined;
}

function decoderFor(codePage: string | undefined): TextDecoder {
  const labels: Readonly<Record<string, string>> = { "932": "shift_jis", "936": "gbk", "949": "euc-kr", "950": "big5", "65001": "utf-8" };
  try {
    return new TextDecoder(labels[codePage ?? ""] ?? `windows-${codePage ?? "1252"}`);
  } catch {
    return new TextDecoder("windows-1252");
  }
}
