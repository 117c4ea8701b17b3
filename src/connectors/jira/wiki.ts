import type { Person } from "../../core/record.ts";
import type { Block } from "../shared/blocks.ts";
import { person } from "../shared/people.ts";

/**
 * Jira's wiki markup, which the REST API v2 of Data Center gives, read for its text: headings, lists, tables, code,
 * quotes and panels keep their shape, links read as their words, marks of style go.
 * @see https://jira.atlassian.com/secure/WikiRendererHelpAction.jspa?section=all
 */
export function readWiki(text: string): { readonly blocks: readonly Block[]; readonly mentions: readonly Person[] } {
  const mentions: Person[] = [];
  const blocks: Block[] = [];
  for (const part of partsOf(text.replace(/\r\n?/g, "\n"))) {
    if (part.isCode) blocks.push({ kind: "code", text: part.text.replace(/^\n/, "") });
    else blocks.push(...paragraphs(part.text, mentions));
  }
  return { blocks, mentions };
}

/** Cuts out {code} and {noformat}, in which no other markup counts. One without an end runs to the end of the text. */
function* partsOf(text: string): Generator<{ readonly isCode: boolean; readonly text: string }> {
  const opening = /\{(code|noformat)(?::[^{}\n]{0,200})?\}/g;
  let from = 0;
  for (let open = opening.exec(text); open !== null; open = opening.exec(text)) {
    yield { isCode: false, text: text.slice(from, open.index) };
    const closing = `{${open[1]}}`;
    const end = text.indexOf(closing, opening.lastIndex);
    yield { isCode: true, text: text.slice(opening.lastIndex, end < 0 ? undefined : end) };
    from = end < 0 ? text.length : end + closing.length;
    opening.lastIndex = from;
  }
  yield { isCode: false, text: text.slice(from) };
}

const heading = /^h([1-6])\.[ \t]+(.*)$/;
const listItem = /^([*#-]{1,8})[ \t]+(.*)$/;
/** {panel:title=Steps}, {quote}, {color:red} and the like: the title stays, the braces go. */
const macro = /\{(?:panel|quote|color|info|note|tip|warning|expand|section|column|anchor)(?::([^{}\n]{0,200}))?\}/g;

function* paragraphs(text: string, mentions: Person[]): Generator<Block> {
  let lines: string[] = [];
  const numbers: number[] = [];
  const flush = function* (): Generator<Block> {
    if (lines.length > 0) yield { kind: "text", text: lines.join("\n") };
    lines = [];
  };
  for (const raw of text.split("\n")) {
    const line = raw
      .replace(macro, (_, parameters: string | undefined) => /(?:^|\|)title=([^|]*)/.exec(parameters ?? "")?.[1] ?? "")
      .trim();
    const [, level, words] = heading.exec(line) ?? [];
    const [, marks, item] = listItem.exec(line) ?? [];
    if (level !== undefined) {
      yield* flush();
      yield { kind: "heading", level: Number(level), text: inline(words ?? "", mentions) };
    } else if (marks !== undefined && line !== "----") {
      const depth = marks.length;
      numbers.length = depth;
      const number = (numbers[depth - 1] ?? 0) + 1;
      numbers[depth - 1] = number;
      lines.push(`${"  ".repeat(depth - 1)}${marks.endsWith("#") ? `${number}.` : "-"} ${inline(item ?? "", mentions)}`);
      continue;
    } else if (line.startsWith("|")) lines.push(tableRow(line, mentions));
    else if (line === "" || /^-{4,5}$/.test(line)) yield* flush();
    else lines.push(inline(line.replace(/^bq\.[ \t]+/, ""), mentions));
    numbers.length = 0;
  }
  yield* flush();
}

/** "||head||head||" and "|cell|cell|" as "cell | cell"; the bar inside a link is no border. */
function tableRow(line: string, mentions: Person[]): string {
  return inline(line, mentions)
    .split(/\|{1,2}/)
    .slice(1)
    .map((cell) => cell.trim())
    .filter((cell, index, all) => cell !== "" || index < all.length - 1)
    .join(" | ");
}

function inline(text: string, mentions: Person[]): string {
  return (
    text
      .replace(/\[~(?:accountid:)?([^\]\n]{1,100})\]/g, (_, name: string) => {
        const mentioned = person(_.includes("accountid:") ? { accountId: name } : { login: name });
        if (mentioned) mentions.push(mentioned);
        return `@${name}`;
      })
      // [words|address], [address], [^attachment]
      .replace(/\[([^[\]|\n]{1,300})\|[^[\]\n]{1,1000}\]/g, "$1")
      .replace(/\[\^?((?:https?:\/\/|mailto:|#)?[^[\]\n|]{1,1000})\]/g, (whole, target: string) =>
        /^(?:https?:|mailto:|#)/.test(target) || whole.startsWith("[^") ? target.replace(/^mailto:|^#/, "") : whole,
      )
      .replace(/!([^!|\s]{1,200}\.\w{2,5})(?:\|[^!\n]{0,200})?!/g, "$1")
      .replace(/\{\{([^{}\n]{1,500})\}\}/g, "$1")
      .replace(/\\\\/g, "\n")
      // marks of style stand outside words: *bold*, _slanted_, -struck-, +added+, ??cited??
      .replace(/(^|[\s([>])([*_+])(?=\S)([^*_+\n]{1,500}?)\2(?=[\s.,;:!?)\]<]|$)/g, "$1$3")
      .replace(/(^|[\s([>])-(?=[^\s-])([^\n-]{1,500})-(?=[\s.,;:!?)\]<]|$)/g, "$1$2")
      .replace(/\?\?([^?\n]{1,300})\?\?/g, "$1")
      .replace(/\\([{}[\]*_\-!|+#])/g, "$1")
  );
}
