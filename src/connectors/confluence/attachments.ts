import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Io, Pulled } from "../../core/connector.ts";
import { ContextError, toContextError } from "../../core/errors.ts";
import { labels } from "../../core/labels.ts";
import { packLines } from "../../core/lines.ts";
import type { Person, RecordId, SourceRecord } from "../../core/record.ts";
import type { Parsed } from "../documents/parsed.ts";
import { ParserProcess } from "../documents/parser-process.ts";
import { mayBeDocument } from "../documents/walk.ts";
import { statedOnly, toRecord } from "../shared/draft.ts";
import { distinctPeople, personText } from "../shared/people.ts";
import { redactJson } from "../shared/redact.ts";
import { toInstant } from "../shared/time.ts";
import { type ConfluenceApi, markOf } from "./client.ts";
import type { ConfluenceConfig } from "./config.ts";
import type { ConfluenceAttachment } from "./payload.ts";

/** Limits of one file, as the documents connector has them. */
const LIMITS = { timeoutSeconds: 60, memoryMb: 768 } as const;

/** The page or post that a file hangs on. */
export interface Container {
  readonly id: string;
  readonly title: string;
  readonly space: string | null;
  /** Address of the page, for files without one of their own. */
  readonly url: string | null;
  /** "https://acme.atlassian.net/wiki"; null where it is not known. */
  readonly webUrl: string | null;
}

/** The record of an attachment, by its id at Confluence ("att4102"). */
export function attachmentId(id: string): RecordId {
  return `confluence:attachment:${id}`;
}

/** Attached documents as records of their own: downloaded one at a time, parsed in a process of its own, and deleted. */
export class AttachmentReader implements AsyncDisposable {
  private readonly config: ConfluenceConfig;
  private readonly io: Io;
  private readonly api: ConfluenceApi;
  private readonly parser = new ParserProcess(LIMITS);
  private folder: string | null = null;

  constructor(config: ConfluenceConfig, io: Io, api: ConfluenceApi) {
    this.config = config;
    this.io = io;
    this.api = api;
  }

  /** What of a page's attachments may be a document: pictures are never opened. */
  async list(kind: "page" | "blogpost", pageId: string): Promise<readonly ConfluenceAttachment[]> {
    if (!this.config.include.includes("attachments")) return [];
    return (await this.api.attachments(kind, pageId)).filter((file) => mayBeDocument(file.title));
  }

  /** One attachment as a record; unchanged when this version was read, failed when it cannot be. */
  async read(file: ConfluenceAttachment, container: Container, author: Person | null): Promise<Pulled> {
    const id = attachmentId(file.id);
    if (this.io.known?.(id)?.fingerprint === markOf(file)) return { type: "unchanged", id };
    const most = this.config.maxFileMb;
    try {
      if ((file.fileSize ?? 0) > most * 1e6) throw tooLarge(file.fileSize ?? 0, most);
      const bytes = await this.api.download(container.id, file);
      if (bytes.byteLength > most * 1e6) throw tooLarge(bytes.byteLength, most);
      const parsed = await this.parse(file, bytes);
      const raw = redactJson({ ...file, warnings: parsed.warnings, fingerprint: markOf(file) });
      return { type: "record", record: attachmentToRecord(file, container, author, parsed), raw };
    } catch (error) {
      this.io.signal.throwIfAborted();
      const { code, message, remedy, cause } = toContextError(error);
      // a source that does not answer ends the pull; a file that cannot be read is one file
      if (!code.startsWith("FILE_") && !["SOURCE_NOT_FOUND", "SOURCE_FORBIDDEN"].includes(code)) throw error;
      return { type: "failed", id, error: new ContextError(code, `${file.title}: ${message}`, { cause, remedy }) };
    }
  }

  private async parse(file: ConfluenceAttachment, bytes: Uint8Array): Promise<Parsed> {
    this.folder ??= await mkdtemp(join(tmpdir(), "contextd-attachments-"));
    const path = join(this.folder, "file");
    try {
      await writeFile(path, bytes);
      return (await this.parser.parse({ path, name: file.title }, this.io.signal)).parsed;
    } finally {
      await rm(path, { force: true });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.parser[Symbol.asyncDispose]();
    if (this.folder !== null) await rm(this.folder, { recursive: true, force: true });
  }
}

function attachmentToRecord(file: ConfluenceAttachment, container: Container, author: Person | null, parsed: Parsed): SourceRecord {
  const updatedAt = toInstant(file.version.createdAt) ?? "1970-01-01T00:00:00Z";
  return toRecord({
    id: attachmentId(file.id),
    source: "confluence",
    kind: "file",
    title: file.title,
    url: file.webuiLink && container.webUrl ? container.webUrl.replace(/\/+$/, "") + file.webuiLink : container.url,
    author,
    bot: false,
    createdAt: null,
    updatedAt,
    prose: parsed,
    footer: [
      { label: labels.path, value: file.title },
      { label: labels.ancestors, value: container.title },
      { label: labels.author, value: personText(author) },
      { label: labels.updated, value: updatedAt },
      { label: labels.missing, value: parsed.warnings },
    ],
    fields: statedOnly({
      path: file.title,
      space: container.space,
      version: file.version.number,
      ancestors: [container.title],
      mediaType: parsed.mediaType,
      pageStarts: parsed.pageStarts,
      lines: packLines(parsed.lines ?? []),
      people: distinctPeople([author]),
    }),
  });
}

function tooLarge(bytes: number, most: number): ContextError {
  return new ContextError("FILE_TOO_LARGE", `It has ${(bytes / 1e6).toFixed(1)} MB; the limit is ${most} MB`);
}
