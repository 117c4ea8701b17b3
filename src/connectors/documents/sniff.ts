import { extname } from "node:path";
import { ContextError } from "../../core/errors.ts";
import { utf16ByText } from "./decode.ts";

export type DocumentType =
  | "pdf"
  | "docx"
  | "pptx"
  | "xlsx"
  | "odt"
  | "ods"
  | "odp"
  | "epub"
  | "rtf"
  | "email"
  | "html"
  | "markdown"
  | "asciidoc"
  | "rst"
  | "notebook"
  | "csv"
  | "source"
  | "text";

const byExtension: Readonly<Record<string, DocumentType>> = {
  ...extensions("markdown", "md markdown mdown mkd mdx"),
  ...extensions("html", "html htm xhtml shtml"),
  ...extensions("asciidoc", "adoc asciidoc asc"),
  ...extensions("rst", "rst rest"),
  ...extensions("email", "eml"),
  ...extensions("notebook", "ipynb"),
  ...extensions("csv", "csv tsv"),
  ...extensions("text", "txt text log"),
  ...extensions(
    "source",
    "ts tsx mts cts js jsx mjs cjs py pyi rb go rs java kt kts scala groovy gradle c h cc cpp cxx hpp hh cs fs swift m mm php pl pm r jl lua ex exs erl hs ml clj dart sh bash zsh fish ps1 bat cmd sql proto thrift graphql gql tf hcl css scss sass less vue svelte json jsonc json5 jsonl ndjson yaml yml toml ini cfg conf properties env xml xsd xsl svg dockerfile makefile cmake bzl nix rego",
  ),
};

/** Extensions that promise a format that is not text. */
const promised: Readonly<Record<string, string>> = {
  pdf: "a PDF",
  docx: "a Word document",
  pptx: "a presentation",
  xlsx: "a spreadsheet",
  odt: "an OpenDocument text",
  ods: "an OpenDocument spreadsheet",
  odp: "an OpenDocument presentation",
  epub: "an e-book",
  doc: "a Word document",
  xls: "a spreadsheet",
  ppt: "a presentation",
};

function extensions(type: DocumentType, list: string): Record<string, DocumentType> {
  return Object.fromEntries(list.split(" ").map((extension) => [extension, type]));
}

/** A file name's extension in lower case, without the dot; "dockerfile" for Dockerfile. */
export function extensionOf(name: string): string {
  return (extname(name).slice(1) || (name.split("/").at(-1) ?? "")).toLowerCase();
}

/**
 * What a file is, by its content first and its name second.
 * @throws ContextError FILE_EMPTY, FILE_ENCRYPTED (an encrypted Office file), FILE_UNSUPPORTED
 */
export function sniff(bytes: Uint8Array, name: string): DocumentType {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length === 0) throw new ContextError("FILE_EMPTY", "It is empty (0 bytes)");
  const extension = extensionOf(name);
  const isPdf =
    buffer.subarray(0, 1024).includes("%PDF-") || (extension === "pdf" && /\d \d+ obj\b/.test(buffer.toString("latin1", 0, 1024)));
  if (isPdf) return "pdf";
  if (buffer.subarray(0, 4).toString("latin1") === "PK\u0003\u0004") return sniffZip(buffer);
  if (starts(buffer, "d0cf11e0a1b11ae1")) throw oleError(buffer);
  if (buffer.subarray(0, 5).toString("latin1") === "{\\rtf") return "rtf";
  const kind = binaryKind(buffer);
  const expected = promised[extension];
  if (expected)
    throw new ContextError("FILE_UNSUPPORTED", `It is named .${extension} but is not ${expected}: its content is ${kind ?? "plain text"}`, {
      remedy: kind === null ? "Give it the extension of what it is, such as .txt." : "Check whether it opens elsewhere; it may be damaged.",
    });
  if (kind !== null) throw new ContextError("FILE_UNSUPPORTED", `It is ${kind}, which holds no text that can be read here`);
  const known = byExtension[extension];
  if (known) return known;
  const head = buffer.subarray(0, 1024).toString("latin1").trimStart().toLowerCase();
  if (head.startsWith("<!doctype html") || head.startsWith("<html")) return "html";
  return "text";
}

function starts(buffer: Buffer, hex: string): boolean {
  return buffer.subarray(0, hex.length / 2).toString("hex") === hex;
}

/** By the names in the archive, which stand in its central directory uncompressed. */
function sniffZip(buffer: Buffer): DocumentType {
  const has = (name: string) => buffer.includes(name);
  if (buffer.subarray(0, 200).includes("mimetypeapplication/vnd.oasis.opendocument.text")) return "odt";
  if (buffer.subarray(0, 200).includes("mimetypeapplication/vnd.oasis.opendocument.spreadsheet")) return "ods";
  if (buffer.subarray(0, 200).includes("mimetypeapplication/vnd.oasis.opendocument.presentation")) return "odp";
  if (buffer.subarray(0, 200).includes("mimetypeapplication/epub+zip")) return "epub";
  if (has("word/document")) return "docx";
  if (has("ppt/presentation") || has("ppt/slides/")) return "pptx";
  if (has("xl/workbook") || has("xl/worksheets/")) return "xlsx";
  throw new ContextError("FILE_UNSUPPORTED", "It is a zip archive, not a document", { remedy: "Unpack it and index the folder." });
}

/** OLE containers: Office files with a password, and the formats from before 2007. */
function oleError(buffer: Buffer): ContextError {
  const encrypted = buffer.includes(Buffer.from("EncryptedPackage", "utf16le"));
  if (encrypted) return new ContextError("FILE_ENCRYPTED", "It is an Office file with a password");
  if (buffer.includes(Buffer.from("__substg1.0_", "utf16le"))) {
    return new ContextError("FILE_UNSUPPORTED", "It is an Outlook message", { remedy: "Save it as .eml." });
  }
  return new ContextError("FILE_UNSUPPORTED", "It is in an Office format from before 2007", {
    remedy: "Save it as .docx, .xlsx or .pptx.",
  });
}

const magics: readonly (readonly [string, string])[] = [
  ["89504e47", "a picture"],
  ["ffd8ff", "a picture"],
  ["47494638", "a picture"],
  ["49492a00", "a picture"],
  ["4d4d002a", "a picture"],
  ["424d", "a picture"],
  ["00000100", "a picture"],
  ["1f8b", "a gzip archive"],
  ["fd377a585a", "an xz archive"],
  ["28b52ffd", "a zstd archive"],
  ["377abcaf271c", "a 7-Zip archive"],
  ["526172211a07", "a RAR archive"],
  ["7f454c46", "a program"],
  ["4d5a", "a program"],
  ["cafebabe", "a program"],
  ["0061736d", "a program"],
  ["53514c69746520666f726d6174203300", "a database"],
  ["494433", "a sound file"],
  ["4f676753", "a sound file"],
  ["664c6143", "a sound file"],
];

/** What a binary file is; null for text in any encoding. */
function binaryKind(buffer: Buffer): string | null {
  const head = buffer.subarray(0, 8192);
  const wide = starts(head, "fffe") || starts(head, "feff") || starts(head, "0000feff");
  if (wide) return null;
  let controls = 0;
  let nuls = 0;
  for (const byte of head) {
    if (byte === 0) nuls += 1;
    else if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13 && byte !== 12 && byte !== 27) controls += 1;
  }
  const isPlain = beginsAsUtf8(head);
  const known = magics.find(([hex]) => starts(head, hex))?.[1];
  if (known && (nuls > 0 || controls > 0 || !isPlain)) return known;
  if (head.subarray(4, 8).toString("latin1") === "ftyp") return "a film or picture";
  if (utf16ByText(head)) return null;
  // of bytes drawn at random a tenth are controls; a text in a legacy encoding has none, or a few that got into it
  if (controls > head.length * (isPlain ? 0.1 : 0.02)) return "binary data";
  // UTF-16 without a mark has NULs at every other byte; anything else with many is binary
  if (nuls > head.length * 0.02 && !alternating(head)) return "binary data";
  return null;
}

/** Whether bytes are UTF-8 but for a character that is cut at their end. */
function beginsAsUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

function alternating(head: Buffer): boolean {
  const counts = [0, 0];
  for (let i = 0; i < head.length; i++) if (head[i] === 0) counts[i % 2] = (counts[i % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = counts;
  return Math.max(even, odd) > 8 * Math.min(even, odd) && Math.max(even, odd) > head.length * 0.2;
}
