import Papa from "papaparse";
import { assemble, type Block } from "../../shared/blocks.ts";
import { decodeText } from "../decode.ts";
import type { Parsed } from "../parsed.ts";
import { rowBlocks } from "./rows.ts";

const underline = /^([=\-`:'"~^_*+#<>.!$%&(),/;?@[\\\]{|}])\1{2,}[ \t]*$/;
const codeDirectives = /^(?:code|code-block|sourcecode|literalinclude|parsed-literal|highlight|math|doctest|testcode|prompt|console)$/;
/** Directives without text for a reader. */
const silent =
  /^(?:image|figure|include|toctree|contents|index|raw|only|meta|currentmodule|module|automodule|autoclass|autofunction|highlight|default-role|role)$/;

/**
 * reStructuredText as plain text, line by line: section titles by their underlines, literal blocks and code directives as code,
 * tables as rows, roles and links reduced to what a reader sees, comments dropped.
 */
export function parseRst(bytes: Uint8Array): Parsed {
  const reader = new RstReader();
  reader.read(substituted(decodeText(bytes).replace(/\r\n?/g, "\n").replaceAll("\t", "        ").split("\n")));
  const title = reader.blocks.find((block) => block.kind === "heading")?.text ?? null;
  return { ...assemble(reader.blocks), mediaType: "text/x-rst", title, warnings: [] };
}

const definition = /^\.\. \|([^|\n]{1,80})\| replace:: *(.*)$/;

/** What stands between bars is replaced as the document says ("|release|"); the definitions themselves say nothing. */
function substituted(lines: readonly string[]): readonly string[] {
  const values = new Map<string, string>();
  for (const line of lines) {
    const [, name, value] = definition.exec(line) ?? [];
    if (name !== undefined && value !== undefined) values.set(name, value.trim());
  }
  if (values.size === 0) return lines;
  return lines
    .filter((line) => !definition.test(line))
    .map((line) =>
      /^\s*[|+]/.test(line) ? line : line.replace(/\|([^|\s][^|\n]{0,79})\|/g, (bars, name: string) => values.get(name) ?? bars),
    );
}

class RstReader {
  readonly blocks: Block[] = [];
  /** Title styles in the order in which the document uses them: that order is their rank. */
  readonly #styles: string[] = [];

  read(lines: readonly string[]): void {
    for (let i = 0; i < lines.length; ) i = this.#block(lines, i);
  }

  /** Reads one block at `i` and says where the next begins. */
  #block(lines: readonly string[], i: number): number {
    const line = lines[i] ?? "";
    if (line.trim() === "") return i + 1;
    const over = underline.test(line) && underline.test(lines[i + 2] ?? "") && (lines[i + 1] ?? "").trim() !== "";
    if (over) return this.#title(lines[i + 1] ?? "", `${line[0]}${line[0]}`, i + 3);
    if (
      underline.test(lines[i + 1] ?? "") &&
      !/^\s/.test(line) &&
      !underline.test(line) &&
      (lines[i + 1] ?? "").trim().length >= Math.min(line.trim().length, 3)
    ) {
      return this.#title(line, (lines[i + 1] ?? "")[0] ?? "", i + 2);
    }
    if (line.startsWith(".. ") || line === "..") return this.#explicit(lines, i);
    if (/^\+[-=+]{3,}\+?$/.test(line.trim()) || /^=+(?: +=+)+ *$/.test(line)) return this.#table(lines, i);
    if (underline.test(line)) return i + 1;
    return this.#paragraph(lines, i);
  }

  #title(text: string, style: string, next: number): number {
    if (!this.#styles.includes(style)) this.#styles.push(style);
    this.blocks.push({ kind: "heading", level: Math.min(6, this.#styles.indexOf(style) + 1), text: inline(text.trim()) });
    return next;
  }

  /** ".. name:: arguments" with an indented body; anything else that begins with ".." is a comment or a target. */
  #explicit(lines: readonly string[], i: number): number {
    const end = indentedEnd(lines, i + 1);
    const directive = /^\.\. (?:\|[^|]{1,80}\| )?([\w:-]{1,60})::[ ]*(.*)$/.exec(lines[i] ?? "");
    if (!directive) {
      const footnote = /^\.\. \[[^\]]{1,60}\] (.*)$/.exec(lines[i] ?? "");
      if (footnote)
        this.blocks.push({
          kind: "text",
          text: inline([footnote[1] ?? "", ...lines.slice(i + 1, end).map((line) => line.trim())].join(" ")),
        });
      return end;
    }
    const name = directive[1] ?? "";
    const body = dedent(lines.slice(i + 1, end).filter((line, at) => at > 8 || !/^\s+:[\w-]+:/.test(line)));
    if (codeDirectives.test(name)) this.blocks.push({ kind: "code", text: body.join("\n") });
    else if (!silent.test(name)) {
      if (directive[2]) this.blocks.push({ kind: "text", text: inline(directive[2]) });
      if (name === "list-table") this.blocks.push({ kind: "text", text: listRows(body).join("\n") });
      else if (name === "csv-table") this.blocks.push(...rowBlocks(Papa.parse<string[]>(body.join("\n"), { skipEmptyLines: true }).data));
      else this.read(body);
    }
    return end;
  }

  #table(lines: readonly string[], i: number): number {
    let end = i;
    while (end < lines.length && (lines[end] ?? "").trim() !== "") end += 1;
    const body = lines.slice(i, end);
    const grid = (lines[i] ?? "").trim().startsWith("+");
    const rows: string[] = [];
    let open = false;
    for (const line of body) {
      if (/^\s*[+=][-=+ ]*$/.test(line)) {
        open = false;
        continue;
      }
      const cells = grid
        ? line
            .trim()
            .replace(/^\||\|$/g, "")
            .split("|")
        : line.split(/ {2,}/);
      const text = cells.map((cell) => inline(cell.trim()));
      if (grid && open) rows[rows.length - 1] = mergeCells(rows.at(-1) ?? "", text);
      else rows.push(text.join(" | "));
      open = true;
    }
    this.blocks.push({ kind: "text", text: rows.join("\n") });
    return end;
  }

  #paragraph(lines: readonly string[], i: number): number {
    let end = i;
    while (
      end < lines.length &&
      (lines[end] ?? "").trim() !== "" &&
      !(end > i && underline.test(lines[end + 1] ?? "") && !/^\s/.test(lines[end] ?? ""))
    )
      end += 1;
    const items: string[] = [];
    for (const line of lines.slice(i, end)) {
      if (items.length === 0 || /^\s*(?:[-*+•]|\d{1,3}[.)]|#\.|[a-z][.)]) |^\s*\||^:[\w -]+:/.test(line))
        items.push(line.replace(/^(\s*)[*+•] /, "$1- ").replace(/^\s*\| ?/, ""));
      else items[items.length - 1] += ` ${line.trim()}`;
    }
    const literal = /::$/.test(items.at(-1)?.trimEnd() ?? "");
    const text = items.map(inline).join("\n").trimEnd();
    const shown = literal ? text.replace(/\s*::$|::$/, (mark) => (mark.trim() === "::" && text.endsWith(" ::") ? "" : ":")) : text;
    if (shown !== ":") this.blocks.push({ kind: "text", text: shown });
    if (!literal) return end;
    const after = indentedEnd(lines, end);
    const code = dedent(lines.slice(end, after));
    if (code.some((line) => line.trim() !== "")) this.blocks.push({ kind: "code", text: code.join("\n") });
    return after;
  }
}

/** Rows of a table written as a list of lists: "* -" begins a row, "-" below it a cell. */
function listRows(lines: readonly string[]): string[] {
  const rows: string[][] = [];
  for (const line of lines) {
    const [, star, dash, rest = ""] = /^(\* +)?(-(?: +|$))?(.*)$/.exec(line.trim()) ?? [];
    const text = inline(rest.trim());
    const row = rows.at(-1);
    if (star !== undefined && dash !== undefined) rows.push([text]);
    else if (dash !== undefined) row?.push(text);
    else if (row !== undefined && text !== "") row[row.length - 1] = `${row.at(-1) ?? ""} ${text}`.trim();
  }
  return rows.map((cells) => cells.join(" | "));
}

function mergeCells(row: string, more: readonly string[]): string {
  return row
    .split(" | ")
    .map((cell, i) => `${cell} ${more[i] ?? ""}`.trim())
    .join(" | ");
}

/** The line after an indented block that begins at `i`. */
function indentedEnd(lines: readonly string[], i: number): number {
  let end = i;
  while (end < lines.length && ((lines[end] ?? "").trim() === "" || /^\s/.test(lines[end] ?? ""))) end += 1;
  return end;
}

function dedent(lines: readonly string[]): string[] {
  const indents = lines.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length);
  const least = indents.length === 0 ? 0 : Math.min(...indents);
  return lines.map((line) => line.slice(least));
}

function inline(text: string): string {
  return text
    .replace(/``([^`\n]{1,500})``/g, "$1")
    .replace(/(?::[\w:+.-]{1,60}:)?`([^`<\n]{1,500}?)\s*<([^>\n]{1,1000})>`_{0,2}/g, (_, label: string, target: string) =>
      /^https?:/.test(target) ? `${label} (${target})` : label,
    )
    .replace(/:[\w:+.-]{1,60}:`~?([^`\n]{1,500})`/g, "$1")
    .replace(/`([^`\n]{1,500})`_{0,2}/g, "$1")
    .replace(/\*\*([^*\n]{1,500})\*\*/g, "$1")
    .replace(/(?<![\w*])\*([^*\s](?:[^*\n]{0,500}[^*\s])?)\*(?![\w*])/g, "$1")
    .replace(/\b([A-Za-z][\w.-]{0,80})_(?=[\s.,;:)]|$)/g, "$1");
}
