import { child, descendants, elements, parseXml, type Xml } from "./xml.ts";

/** What a paragraph's style makes of it. */
export interface ParagraphStyle {
  /** 1 to 6; null for body text. */
  readonly heading: number | null;
  readonly code: boolean;
  readonly numbering: Numbered | null;
}

export interface Numbered {
  readonly id: string;
  readonly level: number;
}

const codeStyle = /^(?:source ?code|code(?: block)?|html preformatted|preformatted(?: text)?|macro text|plain text|verbatim)$/i;
const monoFont = /mono|consol|courier|menlo|source code|fixed|typewriter/i;

/** Styles by id, with what they inherit. */
export function readStyles(source: string | null): (id: string | null) => ParagraphStyle {
  const byId = new Map<string, Xml>();
  if (source !== null) for (const style of descendants(parseXml(source), "style")) byId.set(style.attributes.styleId ?? "", style);
  const known = new Map<string, ParagraphStyle>();
  const none: ParagraphStyle = { heading: null, code: false, numbering: null };
  const resolve = (id: string, depth: number): ParagraphStyle => {
    const found = known.get(id);
    if (found) return found;
    const style = byId.get(id);
    // a document may use the built-in ids without defining them
    const name = child(style, "name")?.attributes.val ?? id;
    const based = child(style, "basedOn")?.attributes.val;
    const inherited = based && depth < 20 ? resolve(based, depth + 1) : none;
    const properties = child(style, "pPr");
    const level = headingLevel(name, child(properties, "outlineLvl")?.attributes.val);
    const made = {
      heading: level ?? inherited.heading,
      code: codeStyle.test(name) || inherited.code,
      numbering: numberingOf(properties) ?? inherited.numbering,
    };
    known.set(id, made);
    return made;
  };
  return (id) => (id === null ? none : resolve(id, 0));
}

function headingLevel(name: string, outline: string | undefined): number | null {
  if (/^title$/i.test(name)) return 1;
  const named = /^heading ?([1-9])$/i.exec(name)?.[1];
  if (named) return Math.min(6, Number(named));
  const level = outline === undefined ? 9 : Number(outline);
  return level < 9 ? Math.min(6, level + 1) : null;
}

/** The list that a paragraph belongs to, and its level from 0; null for none (0 takes it out of its style's list). */
export function numberingOf(properties: Xml | null): Numbered | null {
  const numbering = child(properties, "numPr");
  const id = child(numbering, "numId")?.attributes.val;
  if (!id || id === "0") return null;
  return { id, level: Number(child(numbering, "ilvl")?.attributes.val ?? 0) };
}

/** Whether all of a paragraph's text is set in a font of equal widths. */
export function isMonospaced(paragraph: Xml): boolean {
  let mono = false;
  for (const run of descendants(paragraph, "r")) {
    if (![...descendants(run, "t")].some((text) => text.children.length > 0)) continue;
    const font = child(child(run, "rPr"), "rFonts")?.attributes.ascii ?? "";
    if (!monoFont.test(font)) return false;
    mono = true;
  }
  return mono;
}

/** Marks of list paragraphs: "-" for bullets, running numbers for the rest. */
export class ListMarks {
  readonly #ordered = new Map<string, boolean>();
  readonly #counters = new Map<string, number[]>();

  constructor(source: string | null) {
    if (source === null) return;
    const root = parseXml(source);
    const formats = new Map<string, Map<string, string>>();
    for (const abstract of descendants(root, "abstractNum")) {
      const levels = new Map(
        elements(abstract)
          .filter((one) => one.name === "lvl")
          .map((one) => [one.attributes.ilvl ?? "0", child(one, "numFmt")?.attributes.val ?? "bullet"]),
      );
      formats.set(abstract.attributes.abstractNumId ?? "", levels);
    }
    for (const num of descendants(root, "num")) {
      const levels = formats.get(child(num, "abstractNumId")?.attributes.val ?? "");
      for (const [level, format] of levels ?? [])
        this.#ordered.set(`${num.attributes.numId} ${level}`, format !== "bullet" && format !== "none");
    }
  }

  next({ id, level }: Numbered): string {
    const indent = "  ".repeat(Math.min(level, 8));
    if (!this.#ordered.get(`${id} ${level}`)) return `${indent}- `;
    const counters = this.#counters.get(id) ?? [];
    counters.length = level + 1;
    counters[level] = (counters[level] ?? 0) + 1;
    this.#counters.set(id, counters);
    return `${indent}${counters[level]}. `;
  }
}
