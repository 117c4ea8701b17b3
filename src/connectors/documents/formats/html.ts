import { type DefaultTreeAdapterTypes, parse, parseFragment } from "parse5";
import { assemble, type Block } from "../../shared/blocks.ts";
import { decodeText } from "../decode.ts";
import type { Parsed } from "../parsed.ts";

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

/** Never shown to a reader as text. */
const unseen = new Set([
  "script",
  "style",
  "template",
  "noscript",
  "svg",
  "math",
  "iframe",
  "object",
  "canvas",
  "head",
  "select",
  "button",
  "dialog",
]);
/** Around the content, not part of it. */
const boilerplate = new Set(["nav", "footer", "aside", "form", "menu"]);
const boilerplateRoles = new Set([
  "navigation",
  "banner",
  "contentinfo",
  "search",
  "complementary",
  "menu",
  "menubar",
  "toolbar",
  "dialog",
]);
const boilerplateNames =
  /(?:^|[\s_-])(?:nav(?:bar|igation)?|menu|sidebar|side-bar|breadcrumbs?|footer|cookie(?:s|-?banner|-?consent)?|advert(?:isement)?|ads|share|social|skip-link|pagination|toc-toggle)(?:$|[\s_-])/i;
const blockTags = new Set(
  "address article blockquote body caption center dd details dir div dl dt fieldset figcaption figure h1 h2 h3 h4 h5 h6 header hgroup hr html li main ol p pre section summary table tbody td tfoot th thead tr ul".split(
    " ",
  ),
);

/** A page's content without navigation, footers, scripts and hidden parts; tables as rows, code as blocks. */
export function parseHtml(bytes: Uint8Array, declared: string | null = null): Parsed {
  const source = decodeText(bytes, declared ?? declaredCharset(bytes));
  const document = parse(source);
  const root = find(document.childNodes, (element) => element.tagName === "body");
  const title = find(document.childNodes, (element) => element.tagName === "title");
  const blocks = root ? contentBlocks(root) : [];
  const heading = blocks.find((block) => block.kind === "heading")?.text;
  return { ...assemble(blocks), mediaType: "text/html", title: (title && plain(title).trim()) || heading || null, warnings: [] };
}

/** Blocks of a piece of HTML, nothing of it taken for boilerplate. */
export function htmlBlocks(source: string): Block[] {
  const walker = new Walker(false);
  walker.children(parseFragment(source).childNodes);
  return walker.end();
}

/** `<meta charset>` or its older form, within the first 2 kB; null when there is none. */
function declaredCharset(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, 2048)).toString("latin1");
  return (
    /<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w-]{2,40})/i.exec(head)?.[1] ??
    /^<\?xml[^>]{0,100}encoding=["']([\w-]{2,40})/.exec(head)?.[1] ??
    null
  );
}

/** From `<main>` or the one `<article>` when it holds a good part of the page's text, else from the whole body. */
function contentBlocks(body: Element): Block[] {
  const whole = new Walker(true);
  whole.children(body.childNodes);
  const blocks = whole.end();
  const main =
    find(body.childNodes, (element) => element.tagName === "main" || attribute(element, "role") === "main") ??
    find(body.childNodes, (element) => element.tagName === "article");
  if (main) {
    const walker = new Walker(true);
    walker.children(main.childNodes);
    const inner = walker.end();
    if (size(inner) >= size(blocks) * 0.4 && size(inner) > 100) return inner;
  }
  if (blocks.length > 0) return blocks;
  // everything looked like boilerplate: better too much than nothing
  const all = new Walker(false);
  all.children(body.childNodes);
  return all.end();
}

function size(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + block.text.length, 0);
}

class Walker {
  readonly #skipBoilerplate: boolean;
  readonly #blocks: Block[] = [];
  #text = "";
  #depth = 0;

  constructor(skipBoilerplate: boolean) {
    this.#skipBoilerplate = skipBoilerplate;
  }

  end(): Block[] {
    this.#flush();
    return this.#blocks;
  }

  children(nodes: readonly Node[]): void {
    // parse5 builds as deep a tree as it is given; beyond this depth nothing is shown by browsers either
    if (this.#depth > 400) return;
    this.#depth += 1;
    for (const node of nodes) {
      if (node.nodeName === "#text") this.#text += (node as DefaultTreeAdapterTypes.TextNode).value.replace(/[ \t\n\r\f]+/g, " ");
      else if ("tagName" in node) this.#element(node);
    }
    this.#depth -= 1;
  }

  #element(element: Element): void {
    const tag = element.tagName;
    if (unseen.has(tag) || isHidden(element) || (this.#skipBoilerplate && isBoilerplate(element))) return;
    if (tag === "br") this.#text += "\n";
    else if (tag === "img") this.#text += attribute(element, "alt") ?? "";
    else if (tag === "pre") this.#push({ kind: "code", text: plain(element).replace(/^\n/, "") });
    else if (/^h[1-6]$/.test(tag)) this.#push({ kind: "heading", level: Number(tag[1]), text: inlineText(element) });
    else if (tag === "table") this.#table(element);
    else if (tag === "ul" || tag === "ol") this.#list(element);
    else if (tag === "a") this.#link(element);
    else if (blockTags.has(tag)) {
      this.#flush();
      this.children(element.childNodes);
      this.#flush();
    } else this.children(element.childNodes);
  }

  #link(element: Element): void {
    const before = this.#text.length;
    this.children(element.childNodes);
    const href = attribute(element, "href") ?? "";
    const text = this.#text.slice(before).trim();
    if (/^https?:\/\//.test(href) && text !== "" && !text.includes(href)) this.#text += ` (${href})`;
  }

  #push(block: Block): void {
    this.#flush();
    if (block.text.trim() !== "") this.#blocks.push(block);
  }

  #flush(): void {
    const text = this.#text.replace(/ *\n */g, "\n").trim();
    this.#text = "";
    if (text !== "") this.#blocks.push({ kind: "text", text });
  }

  /** A table that only holds other blocks (layout) is walked; a table of cells becomes rows, "a | b | c". */
  #table(element: Element): void {
    const layout = find(element.childNodes, (one) => one.tagName === "table" || /^h[1-6]$/.test(one.tagName) || one.tagName === "pre");
    if (layout) {
      this.#flush();
      this.children(element.childNodes);
      this.#flush();
      return;
    }
    const rows: string[] = [];
    const caption = find(element.childNodes, (one) => one.tagName === "caption");
    if (caption) rows.push(inlineText(caption));
    each(element.childNodes, (one) => {
      if (one.tagName !== "tr") return;
      const cells = one.childNodes.filter((cell): cell is Element => "tagName" in cell && (cell.tagName === "td" || cell.tagName === "th"));
      const row = cells.map((cell) => inlineText(cell).replace(/\s+/g, " ")).join(" | ");
      if (row.replace(/[|\s]/g, "") !== "") rows.push(row);
    });
    this.#push({ kind: "text", text: rows.join("\n") });
  }

  #list(element: Element): void {
    const lines: string[] = [];
    this.#flush();
    const before = this.#blocks.length;
    listLines(element, "", lines, this);
    const nested = this.#blocks.splice(before);
    if (lines.length > 0) this.#blocks.push({ kind: "text", text: lines.join("\n") });
    this.#blocks.push(...nested);
  }

  /** Code inside a list item. */
  code(text: string): void {
    this.#blocks.push({ kind: "code", text });
  }
}

function listLines(list: Element, indent: string, into: string[], walker: Walker): void {
  let number = Number(attribute(list, "start") ?? 1);
  for (const item of list.childNodes) {
    if (!("tagName" in item) || item.tagName !== "li") continue;
    const mark = list.tagName === "ol" ? `${number}.` : "-";
    number += 1;
    const parts: Node[] = [];
    const lists: Element[] = [];
    for (const child of item.childNodes) {
      if ("tagName" in child && (child.tagName === "ul" || child.tagName === "ol")) lists.push(child);
      else if ("tagName" in child && child.tagName === "pre") walker.code(plain(child));
      else parts.push(child);
    }
    const text = inlineOf(parts);
    if (text !== "") into.push(`${indent}${mark} ${text}`);
    if (indent.length < 40) for (const inner of lists) listLines(inner, `${indent}  `, into, walker);
  }
}

/** An element's text on one line, with `<br>` as a line end. */
function inlineText(element: Element): string {
  return inlineOf(element.childNodes);
}

function inlineOf(nodes: readonly Node[]): string {
  const walker = new Walker(false);
  walker.children(nodes);
  return walker
    .end()
    .map((block) => block.text)
    .join(" ")
    .trim();
}

function plain(element: Element): string {
  let text = "";
  const stack: Node[] = element.childNodes.toReversed();
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.nodeName === "#text") text += (node as DefaultTreeAdapterTypes.TextNode).value;
    else if (node.nodeName === "br") text += "\n";
    else if ("childNodes" in node) pushReversed(stack, node.childNodes);
  }
  return text;
}

/** One by one: an element may have more children than a call takes arguments. */
function pushReversed(stack: Node[], nodes: readonly Node[]): void {
  for (let i = nodes.length - 1; i >= 0; i--) stack.push(nodes[i] as Node);
}

function isHidden(element: Element): boolean {
  return (
    attribute(element, "hidden") !== null ||
    attribute(element, "aria-hidden") === "true" ||
    /display:\s*none|visibility:\s*hidden|font-size:\s*0(?:px)?\s*(?:;|$)/i.test(attribute(element, "style") ?? "")
  );
}

function isBoilerplate(element: Element): boolean {
  const tag = element.tagName;
  if (boilerplate.has(tag)) return true;
  if (tag === "main" || tag === "article" || tag === "body" || /^h[1-6]$/.test(tag)) return false;
  if (boilerplateRoles.has(attribute(element, "role") ?? "")) return true;
  return boilerplateNames.test(`${attribute(element, "class") ?? ""} ${attribute(element, "id") ?? ""}`) && mostlyLinks(element);
}

/** A class named "menu" may still hold prose; what is boilerplate consists of links, or is short. */
function mostlyLinks(element: Element): boolean {
  const all = plain(element).replace(/\s+/g, "").length;
  if (all < 200) return true;
  let linked = 0;
  each(element.childNodes, (one) => {
    if (one.tagName === "a") linked += plain(one).replace(/\s+/g, "").length;
  });
  return linked > all * 0.5;
}

function attribute(element: Element, name: string): string | null {
  return element.attrs.find((attr) => attr.name === name)?.value ?? null;
}

function each(nodes: readonly Node[], visit: (element: Element) => void): void {
  const stack: Node[] = nodes.toReversed();
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (!("tagName" in node)) continue;
    visit(node);
    pushReversed(stack, node.childNodes);
  }
}

function find(nodes: readonly Node[], fits: (element: Element) => boolean): Element | null {
  const stack: Node[] = nodes.toReversed();
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (!("tagName" in node)) continue;
    if (fits(node)) return node;
    pushReversed(stack, node.childNodes);
  }
  return null;
}
