import { z } from "zod";
import type { Person } from "../../core/record.ts";
import type { Block } from "../shared/blocks.ts";
import { person } from "../shared/people.ts";
import { readWiki } from "./wiki.ts";

/**
 * Atlassian Document Format, read for its text. No maintained library turns ADF into text that keeps the place of
 * headings and code (the vendor's own packages bring the whole editor), and the format is a plain tree, so this is ours.
 * Nodes that it does not know keep their text.
 * @see https://developer.atlassian.com/cloud/jira/platform/apis/document/structure/
 */
export interface AdfNode {
  readonly type?: string | undefined;
  readonly text?: string | undefined;
  readonly attrs?: Readonly<Record<string, unknown>> | null | undefined;
  readonly content?: readonly AdfNode[] | null | undefined;
}

const MOST_DEPTH = 64;

export const AdfNode: z.ZodType<AdfNode> = z.lazy(() =>
  z.looseObject({
    type: z.string().optional().catch(undefined),
    text: z.string().optional().catch(undefined),
    attrs: z.record(z.string(), z.unknown()).nullish().catch(undefined),
    content: z.array(AdfNode).nullish().catch(undefined),
  }),
);

/** A document as blocks, and whom it mentions. A string is wiki markup, as Data Center gives it. */
export function readAdf(value: unknown): { readonly blocks: readonly Block[]; readonly mentions: readonly Person[] } {
  if (typeof value === "string") return readWiki(value);
  if (value === null || typeof value !== "object" || tooDeep(value)) return { blocks: [], mentions: [] };
  const node = AdfNode.safeParse(value);
  if (!node.success) return { blocks: [], mentions: [] };
  const mentions: Person[] = [];
  return { blocks: [...blocksOf(node.data, mentions)], mentions };
}

/** Guards the recursion below: a document nested deeper than any editor makes them is not read. */
function tooDeep(value: object, depth = 0): boolean {
  if (depth > MOST_DEPTH) return true;
  const content: unknown = (value as { content?: unknown }).content;
  return Array.isArray(content) && content.some((child) => child !== null && typeof child === "object" && tooDeep(child, depth + 1));
}

function* blocksOf(node: AdfNode, mentions: Person[]): Generator<Block> {
  switch (node.type) {
    case "heading":
      yield { kind: "heading", level: headingLevel(node.attrs?.level), text: inline(node, mentions) };
      return;
    case "codeBlock":
      yield { kind: "code", text: inline(node, mentions) };
      return;
    case "bulletList":
    case "orderedList":
    case "taskList":
    case "decisionList":
      yield { kind: "text", text: listLines(node, mentions, 0).join("\n") };
      return;
    case "table":
      yield { kind: "text", text: tableLines(node, mentions).join("\n") };
      return;
    case "expand":
    case "nestedExpand":
      if (typeof node.attrs?.title === "string") yield { kind: "text", text: node.attrs.title };
      yield* childBlocks(node, mentions);
      return;
    case "mediaSingle":
    case "mediaGroup":
    case "rule":
    case "paragraph":
      yield { kind: "text", text: inline(node, mentions) };
      return;
    default:
      yield* childBlocks(node, mentions);
  }
}

/** Children of a container; runs of inline nodes (also of unknown containers) become one text block. */
function* childBlocks(node: AdfNode, mentions: Person[]): Generator<Block> {
  let run = "";
  for (const child of node.content ?? []) {
    if (isInline(child)) {
      run += inlineOne(child, mentions);
      continue;
    }
    if (run !== "") yield { kind: "text", text: run };
    run = "";
    yield* blocksOf(child, mentions);
  }
  if (run !== "") yield { kind: "text", text: run };
  else if (!node.content?.length && (node.text ?? attrText(node)) !== undefined) yield { kind: "text", text: inlineOne(node, mentions) };
}

const inlineTypes: ReadonlySet<string> = new Set([
  "text",
  "hardBreak",
  "mention",
  "emoji",
  "status",
  "date",
  "inlineCard",
  "mediaInline",
  "media",
  "placeholder",
  "inlineExtension",
]);

function isInline(node: AdfNode): boolean {
  return node.type === undefined ? node.text !== undefined : inlineTypes.has(node.type);
}

function inline(node: AdfNode, mentions: Person[]): string {
  return (node.content ?? []).map((child) => inlineOne(child, mentions)).join("");
}

function inlineOne(node: AdfNode, mentions: Person[]): string {
  const attrs = node.attrs ?? {};
  switch (node.type) {
    case "text":
      return node.text ?? "";
    case "hardBreak":
      return "\n";
    case "mention": {
      const name = stringAttr(attrs, "text")?.replace(/^@/, "");
      const mentioned = person({ name, accountId: stringAttr(attrs, "id") });
      if (mentioned) mentions.push(mentioned);
      return `@${name ?? stringAttr(attrs, "id") ?? ""}`;
    }
    case "emoji":
      return stringAttr(attrs, "text") ?? stringAttr(attrs, "shortName") ?? "";
    case "status":
      return stringAttr(attrs, "text") ?? "";
    case "date":
      return dateText(attrs.timestamp);
    case "inlineCard":
    case "blockCard":
    case "embedCard":
      return linkText(stringAttr(attrs, "url") ?? "");
    case "media":
    case "mediaInline":
      return stringAttr(attrs, "alt") ?? "";
    default:
      return node.content?.length ? inline(node, mentions) : (node.text ?? attrText(node) ?? "");
  }
}

function listLines(list: AdfNode, mentions: Person[], depth: number): string[] {
  const lines: string[] = [];
  const indent = "  ".repeat(depth);
  let number = typeof list.attrs?.order === "number" ? list.attrs.order : 1;
  for (const item of list.content ?? []) {
    // nested task lists stand beside their items, not in them
    if (isList(item)) {
      lines.push(...listLines(item, mentions, depth + 1));
      continue;
    }
    const mark = itemMark(list, item, number++);
    const nested = (item.content ?? []).filter(isList);
    const own = { ...item, content: (item.content ?? []).filter((child) => !isList(child)) };
    const text = [...childBlocks(own, mentions)].map((block) => block.text).join("\n");
    lines.push(`${indent}${mark}${text}`);
    for (const inner of nested) lines.push(...listLines(inner, mentions, depth + 1));
  }
  return lines;
}

function itemMark(list: AdfNode, item: AdfNode, number: number): string {
  if (list.type === "orderedList") return `${number}. `;
  if (list.type === "taskList") return item.attrs?.state === "DONE" ? "[x] " : "[ ] ";
  return list.type === "bulletList" ? "- " : "";
}

function isList(node: AdfNode): boolean {
  return node.type === "bulletList" || node.type === "orderedList" || node.type === "taskList" || node.type === "decisionList";
}

/** One line a row, cells parted by " | ", what a cell holds in lines parted by "; ". */
function tableLines(table: AdfNode, mentions: Person[]): string[] {
  return (table.content ?? []).map((row) =>
    (row.content ?? [])
      .map((cell) => {
        const lines = [...childBlocks(cell, mentions)].flatMap((block) => block.text.split("\n"));
        return lines
          .map((line) => line.replace(/^(?: *)(?:- )?/, "").trim())
          .filter((line) => line !== "")
          .join("; ");
      })
      .join(" | "),
  );
}

/** An issue's or page's own link reads as its key, any other as its address. */
function linkText(url: string): string {
  return /\/browse\/([A-Z][A-Z0-9_]+-\d+)\/?(?:[?#]|$)/.exec(url)?.[1] ?? url;
}

/** Dates are days: milliseconds of midnight UTC, as a string. */
function dateText(timestamp: unknown): string {
  const date = new Date(Number(timestamp));
  return Number.isNaN(date.getTime()) ? String(timestamp ?? "") : date.toISOString().slice(0, 10);
}

function headingLevel(level: unknown): number {
  return typeof level === "number" && level >= 1 && level <= 6 ? Math.trunc(level) : 1;
}

function stringAttr(attrs: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = attrs[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

function attrText(node: AdfNode): string | undefined {
  const attrs = node.attrs ?? {};
  const url = stringAttr(attrs, "url");
  return (
    stringAttr(attrs, "text") ?? stringAttr(attrs, "title") ?? stringAttr(attrs, "alt") ?? (url === undefined ? undefined : linkText(url))
  );
}
