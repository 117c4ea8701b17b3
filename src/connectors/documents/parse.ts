import { ContextError, toContextError } from "../../core/errors.ts";
import { parseAsciidoc } from "./formats/asciidoc.ts";
import { parseHtml } from "./formats/html.ts";
import { parseMarkdown } from "./formats/markdown.ts";
import { parseNotebook } from "./formats/notebook.ts";
import { parseRst } from "./formats/rst.ts";
import { parseSource, parseText } from "./formats/text.ts";
import type { Parsed } from "./parsed.ts";
import { extensionOf, sniff } from "./sniff.ts";

/** Characters of text that one document may have: what a million pages of code would not reach. */
const MOST_TEXT = 40_000_000;

/** Mails in mails in mails. */
const MOST_NESTED = 3;

/** How a document is read. */
export interface ParseOptions {
  readonly signal: AbortSignal;
  /** Pages of PDFs that are pictures are read (OCR), and this is called before each; absent: they stay unread. */
  readonly ocr?: { readonly onPage: () => Promise<void> };
}

/**
 * The text of a document, whatever its format.
 * @param name file name, for its extension only
 * @param depth how many mails it stands in
 * @throws ContextError FILE_EMPTY, FILE_ENCRYPTED, FILE_NO_TEXT, FILE_UNREADABLE, FILE_UNSUPPORTED, FILE_TOO_LARGE
 */
export async function parseDocument(bytes: Uint8Array, name: string, options: ParseOptions, depth = 0): Promise<Parsed> {
  let parsed: Parsed;
  try {
    parsed = await parseAs(bytes, name, options, depth);
  } catch (error) {
    const known = toContextError(error);
    if (known.code !== "INTERNAL") throw known;
    throw new ContextError("FILE_UNREADABLE", `It is damaged: ${known.message}`, { cause: error });
  }
  if (parsed.text === "")
    throw new ContextError("FILE_NO_TEXT", "It holds no text", { remedy: "Nothing to index; remove the file or give it content." });
  if (parsed.text.length > MOST_TEXT)
    throw new ContextError("FILE_TOO_LARGE", `It holds ${parsed.text.length} characters; at most ${MOST_TEXT} are indexed`);
  return parsed;
}

async function parseAs(bytes: Uint8Array, name: string, options: ParseOptions, depth: number): Promise<Parsed> {
  const type = sniff(bytes, name);
  // parsers of big formats are loaded when the first such file comes
  switch (type) {
    case "pdf":
      return (await import("./formats/pdf.ts")).parsePdf(bytes, options.signal, options.ocr);
    case "docx":
      return (await import("./formats/docx.ts")).parseDocx(bytes);
    case "pptx":
      return (await import("./formats/pptx.ts")).parsePptx(bytes);
    case "xlsx":
      return (await import("./formats/xlsx.ts")).parseXlsx(bytes);
    case "odt":
    case "ods":
    case "odp":
      return (await import("./formats/odf.ts")).parseOdf(bytes, type);
    case "epub":
      return (await import("./formats/epub.ts")).parseEpub(bytes);
    case "rtf":
      return (await import("./formats/rtf.ts")).parseRtf(bytes);
    case "email": {
      const { parseEmail } = await import("./formats/email.ts");
      const inner = (content: Uint8Array, file: string) => parseDocument(content, file, options, depth + 1);
      return parseEmail(bytes, depth < MOST_NESTED ? inner : null);
    }
    case "html":
      return parseHtml(bytes);
    case "markdown":
      return parseMarkdown(bytes);
    case "asciidoc":
      return parseAsciidoc(bytes);
    case "rst":
      return parseRst(bytes);
    case "notebook":
      return parseNotebook(bytes);
    case "csv":
      return (await import("./formats/csv.ts")).parseCsv(bytes);
    case "source":
      return parseSource(bytes, `text/x-${extensionOf(name)}`);
    case "text":
      return parseText(bytes);
  }
}
