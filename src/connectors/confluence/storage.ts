import { Parser } from "htmlparser2";
import type { Block } from "../shared/blocks.ts";

/** What a page's storage format holds, read for its text. */
export interface StorageText {
  readonly blocks: readonly Block[];
  /** Account ids that the page mentions, each once. */
  readonly mentions: readonly string[];
  /** Titles of pages that it links to. */
  readonly pageLinks: readonly string[];
}

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (Element | string)[];
}

/** Deeper than any editor nests; what lies below is read as text of this level. */
const MOST_DEPTH = 200;

/**
 * Confluence storage format (XHTML with ac: and ri: elements) to text: headings, lists, tables, code and panels keep
 * their shape; links read as their words, users as their names, statuses and issues as their titles and keys.
 * Broken markup does not throw: what can be read is kept.
 * @param nameOf display name of an account; null leaves the account id standing
 */
export function readStorage(storage: string, nameOf: (accountId: string) => string | null): StorageText {
  const mentions = new Set<string>();
  const pageLinks = new Set<string>();
  const writer = new Writer(nameOf, mentions, pageLinks);
  writer.container(parse(storage));
  return { blocks: writer.end(), mentions: [...mentions], pageLinks: [...pageLinks] };
}

/** HTML rules for entities and void elements, XML rules for CDATA and "/>": the mixture that storage format is. */
function parse(storage: string): Element {
  const root: Element = { name: "", attributes: {}, children: [] };
  const open: Element[] = [root];
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const element: Element = { name, attributes, children: [] };
        open.at(-1)?.children.push(element);
        open.push(open.length < MOST_DEPTH ? element : { ...element, children: open.at(-1)?.children ?? [] });
      },
      ontext(text) {
        open.at(-1)?.children.push(text);
      },
      onclosetag() {
        if (open.length > 1) open.pop();
      },
    },
    { decodeEntities: true, recognizeCDATA: true, recognizeSelfClosing: true, lowerCaseTags: true, lowerCaseAttributeNames: true },
  );
  parser.write(storage);
  parser.end();
  return root;
}

const headingName = /^h([1-6])$/;
/** Containers without a text of their own that end the paragraph before them. */
const blockNames: ReadonlySet<string> = new Set([
  "p",
  "div",
  "blockquote",
  "section",
  "article",
  "ac:layout",
  "ac:layout-section",
  "ac:layout-cell",
  "ac:rich-text-body",
  "ac:adf-node",
  "ac:adf-content",
  "hr",
]);
/** Macros that show other pages' content, or none: nothing of their own to read. */
const silentMacros: ReadonlySet<string> = new Set([
  "toc",
  "excerpt-include",
  "include",
  "children",
  "anchor",
  "pagetree",
  "recently-updated",
]);
const silentNames: ReadonlySet<string> = new Set(["ac:adf-attribute", "ac:adf-fallback", "ac:parameter", "ac:task-id", "script", "style"]);

class Writer {
  private readonly blocks: Block[] = [];
  private run = "";
  private readonly nameOf: (accountId: string) => string | null;
  private readonly mentions: Set<string>;
  private readonly pageLinks: Set<string>;

  constructor(nameOf: (accountId: string) => string | null, mentions: Set<string>, pageLinks: Set<string>) {
    this.nameOf = nameOf;
    this.mentions = mentions;
    this.pageLinks = pageLinks;
  }

  end(): readonly Block[] {
    this.flush();
    return this.blocks;
  }

  container(element: Element): void {
    for (const child of element.children) this.node(child);
  }

  private node(node: Element | string): void {
    if (typeof node === "string") {
      this.run += node.replace(/[\t\n\r ]+/g, " ");
      return;
    }
    const level = headingName.exec(node.name)?.[1];
    if (level !== undefined) this.block("heading", this.inside(node), Number(level));
    else if (node.name === "ul" || node.name === "ol") this.block("text", this.listLines(node, 0).join("\n"));
    else if (node.name === "table") this.block("text", this.tableLines(node).join("\n"));
    else if (node.name === "pre") this.block("code", rawText(node));
    else if (node.name === "ac:task-list") this.block("text", this.taskLines(node).join("\n"));
    else if (node.name === "ac:structured-macro" || node.name === "ac:macro") this.macro(node);
    else if (blockNames.has(node.name)) {
      this.flush();
      this.container(node);
      this.flush();
    } else this.inline(node);
  }

  private inline(node: Element): void {
    switch (node.name) {
      case "br":
        this.run = this.run.endsWith(" ") ? `${this.run.slice(0, -1)}\n` : `${this.run}\n`;
        return;
      case "time":
        this.run += node.attributes.datetime ?? "";
        return;
      case "ac:emoticon":
        this.run += node.attributes["ac:emoji-fallback"] ?? node.attributes["ac:emoji-shortname"] ?? "";
        return;
      case "ac:image":
        this.run += node.attributes["ac:alt"] ?? find(node, "ri:attachment")?.attributes["ri:filename"] ?? "";
        return;
      case "ac:link":
        this.link(node);
        return;
      case "ri:user":
        this.user(node);
        return;
      default:
        if (!silentNames.has(node.name)) this.container(node);
    }
  }

  private link(node: Element): void {
    const user = find(node, "ri:user");
    const page = find(node, "ri:page")?.attributes["ri:content-title"];
    if (page) this.pageLinks.add(page);
    const body = find(node, "ac:plain-text-link-body") ?? find(node, "ac:link-body");
    if (user) this.user(user);
    else if (body) this.container(body);
    else this.run += page ?? find(node, "ri:attachment")?.attributes["ri:filename"] ?? node.attributes["ac:anchor"] ?? "";
  }

  private user(node: Element): void {
    const id = node.attributes["ri:account-id"] ?? node.attributes["ri:userkey"] ?? node.attributes["ri:username"];
    if (id === undefined) return;
    this.mentions.add(id);
    this.run += `@${this.nameOf(id) ?? id}`;
  }

  private macro(node: Element): void {
    const name = node.attributes["ac:name"] ?? "";
    if (silentMacros.has(name)) return;
    if (name === "status") {
      this.run += parameter(node, "title") ?? "";
      return;
    }
    if (name === "jira") {
      // beside a word, as two lozenges stand beside each other without a space between
      const shown = parameter(node, "key") ?? parameter(node, "jqlquery") ?? "";
      this.run += /[\p{L}\p{N}]$/u.test(this.run.slice(-2)) ? ` ${shown}` : shown;
      return;
    }
    const plain = child(node, "ac:plain-text-body");
    if (plain) {
      const title = parameter(node, "title");
      if (title) this.block("text", title);
      this.block("code", rawText(plain));
      return;
    }
    this.flush();
    const title = parameter(node, "title");
    if (title) this.block("text", title);
    const body = child(node, "ac:rich-text-body");
    if (body) this.container(body);
    this.flush();
  }

  private listLines(list: Element, depth: number): string[] {
    const lines: string[] = [];
    let number = Number(list.attributes.start ?? 1) || 1;
    for (const item of list.children) {
      if (typeof item === "string") continue;
      if (item.name === "ul" || item.name === "ol") {
        lines.push(...this.listLines(item, depth + 1));
        continue;
      }
      const own: Element = { ...item, children: item.children.filter((part) => !isList(part)) };
      const mark = list.name === "ol" ? `${number++}. ` : "- ";
      lines.push(`${"  ".repeat(depth)}${mark}${this.inside(own)}`);
      for (const part of item.children) if (isList(part)) lines.push(...this.listLines(part, depth + 1));
    }
    return lines;
  }

  private taskLines(list: Element): string[] {
    const lines: string[] = [];
    for (const task of list.children) {
      if (typeof task === "string") continue;
      if (task.name === "ac:task-list") {
        lines.push(...this.taskLines(task));
        continue;
      }
      const status = child(task, "ac:task-status");
      const body = child(task, "ac:task-body");
      if (body) lines.push(`${status && rawText(status).trim() === "complete" ? "[x]" : "[ ]"} ${this.inside(body)}`);
    }
    return lines;
  }

  /** One line a row, cells parted by " | ", what a cell holds in lines parted by "; ". */
  private tableLines(table: Element): string[] {
    const lines: string[] = [];
    for (const part of table.children) {
      if (typeof part === "string") continue;
      if (part.name === "tr") {
        const cells = part.children.filter(
          (cell): cell is Element => typeof cell !== "string" && (cell.name === "td" || cell.name === "th"),
        );
        lines.push(cells.map((cell) => this.cell(cell)).join(" | "));
      } else if (part.name !== "colgroup") {
        lines.push(...this.tableLines(part));
      }
    }
    return lines;
  }

  private cell(cell: Element): string {
    return this.inside(cell)
      .split("\n")
      .map((line) => line.replace(/^ *- /, "").trim())
      .filter((line) => line !== "")
      .join("; ");
  }

  /** The element's text alone, its blocks parted by line ends. */
  private inside(element: Element): string {
    const inner = new Writer(this.nameOf, this.mentions, this.pageLinks);
    inner.container(element);
    return inner
      .end()
      .map((block) => block.text.trim())
      .filter((text) => text !== "")
      .join("\n");
  }

  private block(kind: Block["kind"], text: string, level?: number): void {
    this.flush();
    this.blocks.push(level === undefined ? { kind, text } : { kind, text, level });
  }

  private flush(): void {
    const text = this.run.replace(/\n +/g, "\n").trim();
    this.run = "";
    if (text !== "") this.blocks.push({ kind: "text", text });
  }
}

function isList(node: Element | string): node is Element {
  return typeof node !== "string" && (node.name === "ul" || node.name === "ol");
}

function child(element: Element, name: string): Element | undefined {
  return element.children.find((node): node is Element => typeof node !== "string" && node.name === name);
}

/** The first descendant of that name. */
function find(element: Element, name: string): Element | undefined {
  for (const node of element.children) {
    if (typeof node === "string") continue;
    const found = node.name === name ? node : find(node, name);
    if (found) return found;
  }
  return undefined;
}

function parameter(macro: Element, name: string): string | undefined {
  const found = macro.children.find(
    (node): node is Element =>
      typeof node !== "string" && node.name === "ac:parameter" && node.attributes["ac:name"]?.toLowerCase() === name,
  );
  const text = found && rawText(found).trim();
  return text === "" ? undefined : text;
}

/** All text below, letter for letter; <br/> is a line end. */
function rawText(element: Element): string {
  return element.children.map((node) => (typeof node === "string" ? node : node.name === "br" ? "\n" : rawText(node))).join("");
}
