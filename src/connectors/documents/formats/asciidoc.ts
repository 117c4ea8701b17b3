import { assemble, type Block } from "../../shared/blocks.ts";
import { decodeText } from "../decode.ts";
import type { Parsed } from "../parsed.ts";

const delimiter = /^(?:-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|\/{4,}|--|`{3,}|\|={3,}|,={3,}|:={3,})/;

/**
 * AsciiDoc as plain text, line by line: sections, lists, listings and literal blocks as code, tables as rows, attributes filled
 * in, comments dropped. Includes and images are named only. (asciidoctor.js would render more, at 20 times the size.)
 */
export function parseAsciidoc(bytes: Uint8Array): Parsed {
  const reader = new AsciidocReader();
  reader.read(decodeText(bytes).replace(/\r\n?/g, "\n").split("\n"));
  const title = reader.blocks.find((block) => block.kind === "heading" && block.level === 1)?.text ?? null;
  return { ...assemble(reader.blocks), mediaType: "text/asciidoc", title, warnings: [] };
}

class AsciidocReader {
  readonly blocks: Block[] = [];
  readonly #attributes = new Map<string, string>();
  #paragraph: string[] = [];
  /** The next block is code whatever its delimiter: [source], [listing]. */
  #source = false;

  read(lines: readonly string[]): void {
    for (let i = 0; i < lines.length; i++) {
      const line = lines[i] ?? "";
      const mark = delimiter.exec(line)?.[0];
      if (mark !== undefined && line.trimEnd() === (line.startsWith("```") ? line.trimEnd() : mark)) {
        const closing = mark;
        let end = i + 1;
        while (end < lines.length && lines[end]?.trimEnd() !== closing) end += 1;
        this.#delimited(mark, lines.slice(i + 1, end));
        i = end;
      } else this.#line(line);
    }
    this.#flush();
  }

  #delimited(mark: string, lines: readonly string[]): void {
    this.#flush();
    const kind = mark[0];
    const source = this.#source;
    this.#source = false;
    if (kind === "/") return;
    if (kind === "|" || kind === "," || kind === ":")
      this.blocks.push({
        kind: "text",
        text: tableRows(lines, kind === "|" ? "|" : kind)
          .map((row) => this.#inline(row))
          .join("\n"),
      });
    else if (source || kind === "." || kind === "`" || kind === "+" || (kind === "-" && mark !== "--"))
      this.blocks.push({ kind: "code", text: lines.join("\n") });
    // examples, sidebars, quotes and open blocks hold ordinary text
    else this.read(lines);
  }

  #line(line: string): void {
    if (line.startsWith("//")) return;
    const attribute = /^:(!?[\w-]+!?):(?: +(.*))?$/.exec(line);
    if (attribute) {
      this.#attributes.set(attribute[1] ?? "", attribute[2] ?? "");
      return;
    }
    const heading = /^(={1,6}|#{1,6})[ \t]+(\S.*)$/.exec(line);
    if (heading) {
      this.#flush();
      this.blocks.push({ kind: "heading", level: heading[1]?.length ?? 1, text: this.#inline(heading[2] ?? "") });
      return;
    }
    if (/^\[[^\]]*\]$/.test(line)) {
      this.#flush();
      this.#source = /^\[(?:source|listing|literal|,)/.test(line);
      return;
    }
    if (line.trim() === "" || line === "+" || line === "'''" || line === "<<<") {
      this.#flush();
      return;
    }
    if (/^(?:include|ifdef|ifndef|endif|toc)::/.test(line)) return;
    if (line.startsWith(" ") && this.#paragraph.length === 0 && !listItem.test(line)) {
      this.blocks.push({ kind: "code", text: line.trim() });
      return;
    }
    // the title of a block, ".Example"
    this.#paragraph.push(/^\.[^\s.]/.test(line) ? line.slice(1) : line);
  }

  #flush(): void {
    const lines = this.#paragraph;
    this.#paragraph = [];
    if (lines.length === 0) return;
    if (this.#source) {
      this.#source = false;
      this.blocks.push({ kind: "code", text: lines.join("\n") });
      return;
    }
    const text: string[] = [];
    for (const line of lines) {
      const item = listItem.exec(line);
      if (item) text.push(`${"  ".repeat(Math.max(0, (item[1]?.length ?? 1) - 1))}- ${this.#inline(line.slice(item[0].length))}`);
      else if (text.length > 0 && !/ \+$/.test(text.at(-1) ?? "")) text[text.length - 1] += ` ${this.#inline(line.trim())}`;
      else text.push(this.#inline(line.trim()));
    }
    const last = this.blocks.at(-1);
    const joined = text.map((line) => line.replace(/ \+$/, "")).join("\n");
    if (last?.kind === "text" && /^ *- /.test(joined) && /^ *- /.test(last.text))
      this.blocks[this.blocks.length - 1] = { kind: "text", text: `${last.text}\n${joined}` };
    else this.blocks.push({ kind: "text", text: joined });
  }

  #inline(text: string): string {
    return text
      .replace(/\{([\w-]{1,60})\}/g, (whole, name: string) => this.#attributes.get(name) ?? whole)
      .replace(
        /(?:link:|xref:)?(https?:\/\/[^\s[\]<>]{1,2000})\[([^\]\n]{1,500})\]/g,
        (_, url: string, label: string) => `${label.replace(/,.*$|\^$/g, "")} (${url})`,
      )
      .replace(/(?:link|xref|mailto|image):{1,2}[^\s[\]]{1,500}\[([^\]\n]{0,500})\]/g, "$1")
      .replace(/<<[^,>\n]{1,200},([^>\n]{1,300})>>/g, "$1")
      .replace(/<<([^>\n]{1,200})>>/g, "$1")
      .replace(/(?<![\w`])`\+?([^`\n]{1,500}?)\+?`(?![\w`])/g, "$1")
      .replace(/(?<![\w*])\*([^*\s](?:[^*\n]{0,500}[^*\s])?)\*(?![\w*])/g, "$1")
      .replace(/(?<![\w_])_([^_\s](?:[^_\n]{0,500}[^_\s])?)_(?![\w_])/g, "$1");
  }
}

const listItem = /^[ \t]*(\*{1,6}|\.{1,6}|-|\d{1,3}\.)[ \t]+(?:\[[ x*]\][ \t]+)?/;

/** Cells may stand on lines of their own: the first line that holds several says how many make a row. */
function tableRows(lines: readonly string[], separator: string): readonly string[] {
  const cellsOf = (line: string) =>
    separator === "|"
      ? line
          .split(/(?:^|\s)(?:\d*\.?\d*[+*]?[<^>]?[adehlmsv]?)\|/)
          .slice(1)
          .map((cell) => cell.trim())
      : line.split(separator).map((cell) => cell.trim());
  const rows: string[][] = [];
  const columns = Math.max(1, ...lines.slice(0, 5).map((line) => cellsOf(line).length));
  let row: string[] = [];
  for (const line of lines) {
    const cells = cellsOf(line);
    if (cells.length === 0 && line.trim() !== "" && row.length > 0) row[row.length - 1] += ` ${line.trim()}`;
    else if (cells.length === 0 && line.trim() !== "" && rows.length > 0) {
      const last = rows.at(-1);
      if (last) last[last.length - 1] += ` ${line.trim()}`;
    }
    row.push(...cells);
    if (row.length >= columns) {
      rows.push(row);
      row = [];
    }
  }
  if (row.length > 0) rows.push(row);
  return rows.map((cells) => cells.join(" | "));
}
