import { SaxesParser } from "saxes";

/** An element, names without their prefixes: within one office format these are distinct enough. */
export interface Xml {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (Xml | string)[];
}

export interface XmlHandler {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  text(text: string): void;
  close(name: string): void;
}

const DEEPEST = 500;

/** Reads XML without building it up. No external entities and no document types are followed, so nothing can expand. */
export function readXml(source: string, handler: XmlHandler): void {
  const parser = new SaxesParser({ xmlns: false, position: false });
  let depth = 0;
  parser.on("opentag", ({ name, attributes }) => {
    depth += 1;
    if (depth > DEEPEST) throw new Error(`its XML is nested deeper than ${DEEPEST} levels`);
    const plain: Record<string, string> = {};
    // under its full name, too: <p:sldId id="256" r:id="rId2"/>
    for (const [key, value] of Object.entries(attributes)) {
      plain[key] = value;
      plain[local(key)] ??= value;
    }
    handler.open(local(name), plain);
  });
  parser.on("text", (text) => handler.text(text));
  parser.on("cdata", (text) => handler.text(text));
  parser.on("closetag", ({ name }) => {
    depth -= 1;
    handler.close(local(name));
  });
  parser.write(source.replace(/^\uFEFF/, "")).close();
}

/** The whole as a tree; for parts of moderate size. */
export function parseXml(source: string): Xml {
  const root: Xml = { name: "", attributes: {}, children: [] };
  const stack: Xml[] = [root];
  readXml(source, {
    open(name, attributes) {
      const element: Xml = { name, attributes, children: [] };
      stack.at(-1)?.children.push(element);
      stack.push(element);
    },
    text: (text) => void stack.at(-1)?.children.push(text),
    close: () => void stack.pop(),
  });
  return root;
}

function local(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

/** Its children without the texts between them. */
export function elements(xml: Xml): readonly Xml[] {
  return xml.children.filter((child) => typeof child !== "string");
}

/** First child of a name. */
export function child(xml: Xml | null | undefined, name: string): Xml | null {
  return (xml && elements(xml).find((one) => one.name === name)) ?? null;
}

/** Descendants of a name, in order. */
export function* descendants(xml: Xml, name: string): Generator<Xml> {
  for (const one of elements(xml)) {
    if (one.name === name) yield one;
    yield* descendants(one, name);
  }
}

/** All text below an element. */
export function textOf(xml: Xml): string {
  return xml.children.map((one) => (typeof one === "string" ? one : textOf(one))).join("");
}

/** Attributes of a .rels part's relationships. */
export function* relationships(source: string): Generator<Readonly<Record<string, string>>> {
  for (const one of descendants(parseXml(source), "Relationship")) yield one.attributes;
}

/** The title in a document's properties (Dublin Core), null when there is none. */
export function dublinTitle(source: string | null): string | null {
  if (source === null) return null;
  for (const title of descendants(parseXml(source), "title")) {
    const text = textOf(title).trim();
    if (text !== "") return text;
  }
  return null;
}
