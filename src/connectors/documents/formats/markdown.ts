import { lexer, type Token, type Tokens } from "marked";
import { assemble, type Block } from "../../shared/blocks.ts";
import { decodeText } from "../decode.ts";
import type { Parsed } from "../parsed.ts";
import { htmlBlocks } from "./html.ts";

/**
 * Markdown (CommonMark with GitHub's tables) as plain text: headings, lists and tables keep their form, links keep their
 * target, HTML comments are dropped, since no reader sees them.
 */
export function parseMarkdown(bytes: Uint8Array): Parsed {
  const { front, body } = splitFrontMatter(decodeText(bytes).replace(/\r\n?/g, "\n"));
  const blocks = [...front.blocks, ...markdownBlocks(body)];
  const title = front.title ?? blocks.find((block) => block.kind === "heading" && block.level === 1)?.text ?? null;
  return { ...assemble(blocks), mediaType: "text/markdown", title, warnings: [] };
}

/** Blocks of a Markdown text without front matter. */
export function markdownBlocks(markdown: string): Block[] {
  const blocks: Block[] = [];
  try {
    for (const token of lexer(markdown, { gfm: true })) blockOf(token, blocks);
  } catch (error) {
    // quotes in quotes in quotes, thousands deep, exhaust the stack; what they say can still be read
    if (!(error instanceof RangeError)) throw error;
    return markdown.split(/\n[ \t]*\n/).map((text): Block => ({ kind: "text", text }));
  }
  return blocks;
}

function blockOf(token: Token, into: Block[]): void {
  switch (token.type) {
    case "heading":
      into.push({ kind: "heading", level: token.depth as number, text: inline(innerOf(token) ?? []) });
      break;
    case "code":
      into.push({ kind: "code", text: token.text as string });
      break;
    case "html":
      into.push(...htmlBlocks(token.raw));
      break;
    case "table":
      into.push({ kind: "text", text: table(token as Tokens.Table) });
      break;
    case "list":
      list(token as Tokens.List, "", into);
      break;
    case "blockquote":
      for (const inner of innerOf(token) ?? []) blockOf(inner, into);
      break;
    case "space":
    case "hr":
    case "def":
      break;
    default:
      into.push({ kind: "text", text: inline(innerOf(token) ?? [token]) });
  }
}

/** A list is one block, so that it is not cut apart; code inside it stands as a block of its own. */
function list(token: Tokens.List, indent: string, into: Block[]): void {
  let lines: string[] = [];
  const flush = () => {
    if (lines.length > 0) into.push({ kind: "text", text: lines.join("\n") });
    lines = [];
  };
  token.items.forEach((item, i) => {
    const mark = token.ordered ? `${(token.start === "" ? 1 : token.start) + i}.` : "-";
    const check = item.task ? (item.checked ? "[x] " : "[ ] ") : "";
    let first = true;
    for (const inner of item.tokens) {
      const lead = first ? `${indent}${mark} ${check}` : `${indent}  `;
      if (inner.type === "checkbox" || inner.type === "space") continue;
      if (inner.type === "list") {
        const nested: Block[] = [];
        list(inner as Tokens.List, `${indent}  `, nested);
        for (const block of nested) {
          if (block.kind === "text") lines.push(block.text);
          else {
            flush();
            into.push(block);
          }
        }
      } else if (inner.type === "code") {
        flush();
        into.push({ kind: "code", text: inner.text as string });
      } else {
        const blocks: Block[] = [];
        blockOf(inner, blocks);
        for (const block of blocks) lines.push(lead + block.text);
      }
      first = false;
    }
  });
  flush();
}

function table({ header, rows }: Tokens.Table): string {
  const row = (cells: readonly Tokens.TableCell[]) => cells.map((cell) => inline(cell.tokens).replace(/\s+/g, " ")).join(" | ");
  return [row(header), ...rows.map(row)].join("\n");
}

function inline(tokens: readonly Token[]): string {
  return tokens.map(inlineText).join("");
}

function inlineText(token: Token): string {
  switch (token.type) {
    case "br":
      return "\n";
    case "codespan":
      return unescapeHtml(token.text as string);
    case "image":
      return token.text as string;
    case "link": {
      const text = inline(innerOf(token) ?? []);
      const href = token.href as string;
      return text === "" || href.startsWith("#") || href === text || href === `mailto:${text}` ? text || href : `${text} (${href})`;
    }
    case "html":
      return token.raw.startsWith("<!--") ? "" : /^<br\s*\/?>$/i.test(token.raw) ? "\n" : "";
    case "escape":
      return unescapeHtml(token.text as string);
    default: {
      const inner = innerOf(token);
      return inner ? inline(inner) : unescapeHtml("text" in token ? String(token.text) : token.raw);
    }
  }
}

function innerOf(token: Token): readonly Token[] | undefined {
  return "tokens" in token ? (token.tokens as readonly Token[] | undefined) : undefined;
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: "\u00a0", "#39": "'" };

/** marked leaves the few entities that it writes, and those that people write, in its texts. */
function unescapeHtml(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|nbsp|#39|#x[0-9a-f]{1,6}|#\d{1,7});/gi, (whole, name: string) => {
    const known = entities[name.toLowerCase()];
    if (known) return known;
    const code = name[1] === "x" || name[1] === "X" ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : whole;
  });
}

/** YAML front matter: its title names the document, its other plain lines stay as "key: value" text. */
function splitFrontMatter(text: string): { front: { title: string | null; blocks: Block[] }; body: string } {
  const none = { front: { title: null, blocks: [] }, body: text };
  const start = text.startsWith("\uFEFF") ? 1 : 0;
  if (!text.startsWith("---\n", start)) return none;
  const end = text.indexOf("\n---", start + 3);
  if (end < 0) return none;
  const yaml = text.slice(start + 4, end);
  const lines = yaml.split("\n").filter((line) => line.trim() !== "" && !line.trimStart().startsWith("#"));
  if (!lines.every((line) => /^(?:[\w.-]+:(?: |$)|\s|- )/.test(line))) return none;
  const title = /^title:\s*(.+)$/m.exec(yaml)?.[1]?.replace(/^(["'])(.*)\1$/, "$2") ?? null;
  const rest = text.slice(end + 4);
  return { front: { title, blocks: [{ kind: "text", text: lines.join("\n") }] }, body: rest.slice(rest.indexOf("\n") + 1) };
}
