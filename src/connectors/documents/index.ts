import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { type Check, defineConnector, type Io, type Pulled } from "../../core/connector.ts";
import { ContextError, toContextError } from "../../core/errors.ts";
import { labels } from "../../core/labels.ts";
import { packLines, unpackLines } from "../../core/lines.ts";
import type { Json, RecordId, SourceRecord } from "../../core/record.ts";
import { statedOnly, toRecord } from "../shared/draft.ts";
import type { Parsed } from "./parsed.ts";
import { ParserProcess } from "./parser-process.ts";
import { extensionOf } from "./sniff.ts";
import { type FoundFile, walk } from "./walk.ts";
import { watchFolder } from "./watch.ts";

/** Part of every fingerprint: raise it when parsers read more or better, so that known files are read again. */
const PARSER_VERSION = 3;
/**
 * What a full pull leaves behind: there is nothing to go on from, but what was indexed then can be found elsewhere. The disk that the
 * folder lay on, where anything was in it, tells a share that is not mounted, whose place is an empty folder, from a folder that was emptied.
 */
const LookedThrough = z.object({ disk: z.number().optional() });

const DocumentsConfig = z.strictObject({
  kind: z.literal("documents"),
  path: z.string().min(1).describe("A folder, or one file; relative to the manifest's folder."),
  name: z.string().optional().describe("What the ids of its documents begin with, in place of the path; empty for the names alone."),
  include: z.array(z.string().min(1)).default([]).describe('Globs below the folder, such as "**/*.pdf"; all documents when empty.'),
  exclude: z.array(z.string().min(1)).default([]).describe("Patterns as in a .gitignore."),
  ignoreFiles: z.boolean().default(true).describe("Honour .gitignore and .contextdignore files in the folder."),
  maxFileMb: z.number().positive().default(100).describe("Bigger files are left out with an error."),
  watch: z.boolean().default(true).describe("While the daemon runs, read the folder again soon after something in it changed."),
  timeoutSeconds: z.number().positive().default(60).describe("Time limit for reading one file, and for each page that is read by OCR."),
  memoryMb: z.number().int().min(64).default(768).describe("Memory limit for reading one file."),
  ocr: z.boolean().default(false).describe("Read pages of PDFs that are pictures, by OCR: some seconds of processor a page."),
});
type DocumentsConfig = z.infer<typeof DocumentsConfig>;

/**
 * A folder of documents in any format. Each pull looks at every file's size and time; only what is new or changed is read,
 * one file at a time, in a process of its own. A file that has come to another place is known by its content and not
 * parsed again. A file that is gone is swept by the full end.
 */
export const documents = defineConnector<DocumentsConfig>({
  kind: "documents",
  config: DocumentsConfig,

  label(config) {
    return `documents ${config.path}`;
  },

  async check(config, io): Promise<readonly Check[]> {
    const name = `documents ${config.path}`;
    try {
      for await (const found of walk(rootOf(config, io), config)) {
        if ("error" in found) return [{ name, ok: false, detail: found.error.message, remedy: found.error.remedy }];
        return [{ name, ok: true, detail: `readable, for example ${found.name}`, remedy: null }];
      }
      return [{ name, ok: false, detail: "holds no documents", remedy: "Check the path, and `include` and `exclude`." }];
    } catch (error) {
      const { message, remedy } = toContextError(error);
      return [{ name, ok: false, detail: message, remedy }];
    }
  },

  async *pull(config, io, since) {
    await using parser = new ParserProcess(config);
    const prefix = await prefixOf(config, io);
    const root = rootOf(config, io);
    let isEmpty = true;
    for await (const file of walk(root, config)) {
      io.signal.throwIfAborted();
      isEmpty = false;
      const id = idOf(config, prefix, file.name);
      if ("error" in file) {
        yield { type: "failed", id, error: file.error, below: file.isFolder };
        continue;
      }
      const stamp = stampOf(file, config);
      const known = io.known?.(id)?.fingerprint ?? null;
      if (known !== null && isOf(known, file, config)) {
        yield { type: "unchanged", id };
        continue;
      }
      const failed = io.unread?.(id) ?? null;
      try {
        if (failed?.fingerprint === stamp) throw failed.error;
        if (file.size > config.maxFileMb * 1e6) {
          throw new ContextError("FILE_TOO_LARGE", `It has ${(file.size / 1e6).toFixed(1)} MB; the limit is ${config.maxFileMb} MB`);
        }
        yield (await readKnown(file, id, known, since !== null, config, io)) ?? (await parse(file, id, parser, config, io));
      } catch (error) {
        if (io.signal.aborted) throw io.signal.reason;
        const { code, message, remedy, cause } = toContextError(error);
        const named = message.startsWith(file.name) ? message : `${file.name}: ${message}`;
        yield { type: "failed", id, error: new ContextError(code, named, { cause, remedy }), fingerprint: stamp };
      }
    }
    const { dev: disk } = await stat(root);
    const before = since === null ? null : LookedThrough.parse(JSON.parse(since)).disk;
    if (isEmpty && typeof before === "number" && before !== disk) {
      throw new ContextError("FILE_NOT_FOUND", `The folder ${root} is empty, and on another disk than before`, {
        remedy: "Mount it again. Where it is meant to be empty, `contextd index --full` lets go of what was read from it.",
      });
    }
    yield { type: "end", scan: "full", cursor: JSON.stringify((isEmpty ? {} : { disk }) satisfies z.infer<typeof LookedThrough>) };
  },

  async *watch(config, io) {
    // uploads are indexed by whoever receives them
    if (config.watch && config.name !== "") yield* watchFolder(rootOf(config, io), config, io);
  },

  async read(config, io, id) {
    const prefix = await prefixOf(config, io);
    const whole = config.name === undefined ? id.replace(/^doc:\.\//, "doc:") : id;
    if (!whole.startsWith(prefix)) return null;
    const name = whole.slice(prefix.length);
    for await (const file of walk(rootOf(config, io), { ...config, only: name })) {
      if ("error" in file) throw file.error;
      await using parser = new ParserProcess(config);
      return await parse(file, id, parser, config, io);
    }
    return null;
  },
});

function rootOf(config: DocumentsConfig, io: Io): string {
  return isAbsolute(config.path) ? config.path : resolve(io.root, config.path);
}

/** Ids of uploaded files; a folder of the manifest that is called so is written with "./" before it. */
const UPLOADED = "doc:uploads/";

function idOf(config: DocumentsConfig, prefix: string, name: string): RecordId {
  const id: RecordId = `doc:${prefix.slice("doc:".length)}${name}`;
  return config.name === undefined && id.startsWith(UPLOADED) ? `doc:./${id.slice("doc:".length)}` : id;
}

/**
 * What the ids of a source's files begin with: "doc:", then where its folder is, so that two folders may hold files of
 * one name. Below the manifest's folder that is the path from there, so that a checkout elsewhere has the same ids.
 */
async function prefixOf(config: DocumentsConfig, io: Io): Promise<`doc:${string}`> {
  if (config.name !== undefined) return config.name === "" ? "doc:" : `doc:${config.name}/`;
  const root = rootOf(config, io);
  // a file is named below the folder that it is in
  const isFile = await stat(root).then(
    (info) => info.isFile(),
    () => false,
  );
  const folder = isFile ? dirname(root) : root;
  const below = relative(io.root, folder);
  const isInside = below !== ".." && !below.startsWith(`..${sep}`) && !isAbsolute(below);
  const place = (isInside ? below : folder).split(sep).join("/").replace(/\/$/, "");
  return place === "" && isInside ? "doc:" : `doc:${place}/`;
}

/** What parsers make of a file depends on this. */
function versionOf({ ocr }: DocumentsConfig): string {
  return `${PARSER_VERSION}${ocr ? "+ocr" : ""}:`;
}

function stampOf({ size, mtimeMs }: FoundFile, config: DocumentsConfig): string {
  return `${versionOf(config)}${size}:${mtimeMs}`;
}

/** The fingerprint of a file's content; the size and time that it was seen with follow it. */
function contentMark(sha256: string, config: DocumentsConfig): string {
  return `${versionOf(config)}${sha256}:`;
}

function fingerprintOf({ size, mtimeMs }: FoundFile, mark: string): string {
  return `${mark}${size}:${mtimeMs}`;
}

/** Whether the file was seen with this size and time by this parser. */
function isOf(fingerprint: string, { size, mtimeMs }: FoundFile, config: DocumentsConfig): boolean {
  return fingerprint.startsWith(versionOf(config)) && fingerprint.endsWith(`:${size}:${mtimeMs}`);
}

/**
 * What is known of the file's content: that it did not change, or what it was at another place, where a file was moved
 * or copied. Null when it is to be parsed.
 */
async function readKnown(
  file: FoundFile,
  id: RecordId,
  known: string | null,
  lookElsewhere: boolean,
  config: DocumentsConfig,
  io: Io,
): Promise<Pulled | null> {
  if (known === null && !lookElsewhere) return null;
  const mark = contentMark(await hashOf(file.path, io.signal), config);
  if (known !== null) return known.startsWith(mark) ? { type: "unchanged", id, fingerprint: fingerprintOf(file, mark) } : null;
  const twin = io.alike?.(mark) ?? null;
  // what a text is, is told by its extension
  if (twin === null || extensionOf(twin.record.title) !== extensionOf(file.name)) return null;
  const parsed = parsedBefore(twin);
  return { type: "record", record: documentRecord(id, file, parsed), raw: rawOf(file, parsed, mark), from: twin.record.id };
}

async function hashOf(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  for await (const part of createReadStream(path, { signal })) hash.update(part as Buffer);
  return hash.digest("hex");
}

async function parse(
  file: FoundFile,
  id: RecordId,
  parser: ParserProcess,
  config: DocumentsConfig,
  io: Io,
): Promise<Extract<Pulled, { type: "record" }>> {
  const { parsed, sha256 } = await parser.parse({ path: file.path, name: file.name }, io.signal);
  if (parsed.warnings.length > 0) io.log.warn({ record: id, warnings: parsed.warnings }, "document read in part");
  return { type: "record", record: documentRecord(id, file, parsed), raw: rawOf(file, parsed, contentMark(sha256, config)) };
}

/** The record of a parsed document; what was left out of it is stated in its footer. */
export function documentRecord(id: RecordId, file: FoundFile, parsed: Parsed): SourceRecord {
  return toRecord({
    id,
    source: "documents",
    kind: "file",
    title: basename(file.name),
    url: pathToFileURL(file.path).href,
    author: null,
    bot: false,
    createdAt: null,
    updatedAt: new Date(file.mtimeMs).toISOString(),
    prose: parsed,
    footer: [
      { label: labels.path, value: file.name },
      { label: labels.missing, value: parsed.warnings },
    ],
    fields: statedOnly({
      path: file.name,
      mediaType: parsed.mediaType,
      pageStarts: parsed.pageStarts,
      lines: packLines(parsed.lines ?? []),
      ocr: parsed.ocr,
    }),
  });
}

/** The file itself is the original and stays where it is; `fingerprint` tells whether it changed (`Io.known`). */
function rawOf(file: FoundFile, parsed: Parsed, mark: string): Json {
  return {
    fingerprint: fingerprintOf(file, mark),
    path: file.name,
    size: file.size,
    mediaType: parsed.mediaType,
    title: parsed.title,
    pages: parsed.pageStarts?.length ?? null,
    warnings: parsed.warnings,
  };
}

const Marked = z.object({ fingerprint: z.string(), mediaType: z.string() });
const Raw = z.object({ mediaType: z.string(), title: z.string().nullable(), warnings: z.array(z.string()) });

/** What the fingerprints of all documents of the same content begin with; null for what is no document. */
export function contentOf(raw: Json): string | null {
  const { fingerprint } = Marked.safeParse(raw).data ?? {};
  const end = fingerprint === undefined ? -1 : fingerprint.lastIndexOf(":", fingerprint.lastIndexOf(":") - 1);
  return fingerprint === undefined || end <= 0 ? null : fingerprint.slice(0, end + 1);
}

/** What was parsed, from the record that was made of it. */
function parsedBefore({ record, raw }: { readonly record: SourceRecord; readonly raw: Json }): Parsed {
  const { headings = [], code = [], pageStarts, lines, ocr } = record.fields;
  const text = record.body.slice(0, record.proseEnd);
  const places = statedOnly({ pageStarts, lines: lines && unpackLines(lines), ocr });
  return { text, headings, code, ...places, ...Raw.parse(raw) };
}
