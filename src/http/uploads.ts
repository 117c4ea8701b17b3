import { createWriteStream } from "node:fs";
import { readdir, rename, rm, stat, unlink } from "node:fs/promises";
import { basename, join } from "node:path";
import { finished, pipeline } from "node:stream/promises";
import busboy from "busboy";
import type { Request } from "express";
import type { App, Failure, IndexReport, Outcome } from "../core/app.ts";
import { ContextError, codes, type ErrorCode, toContextError } from "../core/errors.ts";
import { makeFolder } from "../core/folder.ts";
import type { RecordId } from "../core/record.ts";
import type { Served } from "./originals.ts";

export interface UploadLimits {
  readonly maxFileBytes: number;
  readonly maxFiles: number;
}

export interface Received {
  readonly name: string;
  readonly bytes: number;
  /** Why it was not put into its place; null: it was. */
  readonly failure: Failure | null;
}

export interface UploadOutcome extends Received {
  readonly id: RecordId;
  readonly outcome: Outcome;
}

export interface UploadedFile {
  readonly id: RecordId;
  readonly name: string;
  readonly bytes: number;
  readonly uploadedAt: string;
}

/** Files lie in `<root>/uploads/`, so that their record ids, paths below the root, cannot be those of another source. */
const FOLDER = "uploads";
const PREFIX = `doc:${FOLDER}/`;

/** Bytes of a file's name: file systems take 255. */
const LONGEST_NAME = 240;
/** Characters of a name that is too long which are kept at its end: its extension is among them. */
const KEPT_END = 40;

/** A file name without folders, control signs or a leading dot, that a file system takes. */
export function safeName(given: string): string {
  const name = basename(given.replaceAll("\\", "/").normalize("NFC"))
    .replace(/[\p{Cc}<>:"|?*]/gu, "_")
    .replace(/^\.+/, "")
    .trim();
  if (Buffer.byteLength(name) <= LONGEST_NAME) return name;
  const end = [...name].slice(-KEPT_END).join("");
  const start = Buffer.from(name).subarray(0, LONGEST_NAME - Buffer.byteLength(end));
  return `${start.toString("utf8").replace(/\uFFFD+$/, "")}${end}`;
}

/** Uploaded documents: kept in a folder of the data directory, which the document connector reads like any other. */
export class Uploads {
  readonly #root: string;
  readonly #limits: UploadLimits;
  readonly #newId: () => string;

  constructor(root: string, limits: UploadLimits, newId: () => string) {
    this.#root = root;
    this.#limits = limits;
    this.#newId = newId;
  }

  get #folder(): string {
    return join(this.#root, FOLDER);
  }

  /** Where files are until they are complete: beside the folder that is indexed, since half a file must not be. */
  get #incoming(): string {
    return `${this.#root}.incoming`;
  }

  /** Lets go of what a daemon that was killed had received in part. */
  async clear(): Promise<void> {
    await rm(this.#incoming, { recursive: true, force: true });
  }

  idOf(name: string): RecordId {
    return `${PREFIX}${name}`;
  }

  async list(): Promise<readonly UploadedFile[]> {
    const names = await readdir(this.#folder).catch(() => []);
    const files: UploadedFile[] = [];
    for (const name of names) {
      const info = await stat(join(this.#folder, name)).catch(() => null);
      if (info?.isFile()) files.push({ id: this.idOf(name), name, bytes: info.size, uploadedAt: info.mtime.toISOString() });
    }
    return files.toSorted((a, b) => b.uploadedAt.localeCompare(a.uploadedAt) || a.name.localeCompare(b.name));
  }

  /**
   * Receives the files of a multipart request; they are in their place only once all of them are complete. One that is empty
   * or too large fails alone.
   * @throws ContextError BAD_REQUEST, PAYLOAD_TOO_LARGE, MEDIA_UNSUPPORTED, and FILE_TOO_LARGE or FILE_EMPTY where no file is left;
   *   nothing is kept then
   */
  async receive(req: Request, onBytes: (received: number, total: number | null) => void): Promise<readonly Received[]> {
    const staging = join(this.#incoming, this.#newId());
    try {
      makeFolder(staging);
      makeFolder(this.#folder);
    } catch (cause) {
      req.resume();
      throw new ContextError("DATA_DIR_UNWRITABLE", `No folder for uploads can be made in ${this.#root}.`, { cause });
    }
    try {
      const received = await this.#stage(req, staging, onBytes);
      if (received.length === 0)
        throw new ContextError("BAD_REQUEST", "The request holds no file.", { remedy: "Send one or more files as multipart/form-data." });
      const [first] = received;
      if (first?.failure && received.every((one) => one.failure !== null)) throw failureOf(first.failure);
      for (const { name, failure } of received) if (failure === null) await rename(join(staging, name), join(this.#folder, name));
      return received;
    } finally {
      await rm(staging, { recursive: true, force: true });
    }
  }

  async #stage(req: Request, staging: string, onBytes: (received: number, total: number | null) => void): Promise<Received[]> {
    const { maxFileBytes, maxFiles } = this.#limits;
    let parser: busboy.Busboy;
    try {
      parser = busboy({
        headers: req.headers,
        defParamCharset: "utf8",
        limits: { files: maxFiles, fileSize: maxFileBytes, fields: 20, fieldSize: 10_000, parts: maxFiles + 20 },
      });
    } catch (cause) {
      throw new ContextError("MEDIA_UNSUPPORTED", "The body must be multipart/form-data.", {
        cause,
        remedy: "curl -F file=@runbook.pdf sends it so.",
      });
    }
    const received = new Map<string, Received>();
    const writes: Promise<void>[] = [];
    let trouble: ContextError | null = null;
    const total = Number(req.headers["content-length"]) || null;
    let bytesSeen = 0;
    req.on("data", (part: Buffer) => {
      bytesSeen += part.length;
      onBytes(bytesSeen, total);
    });
    parser.on("filesLimit", () => {
      trouble ??= new ContextError("PAYLOAD_TOO_LARGE", `More than ${maxFiles} files in one request.`);
    });
    parser.on("file", (_field, stream, { filename }) => {
      const name = safeName(filename ?? "");
      if (name === "") {
        trouble ??= new ContextError("BAD_REQUEST", "A file has no usable name.");
        stream.resume();
        return;
      }
      // in the order in which they were sent, not in that in which they are written
      received.set(name, { name, bytes: 0, failure: null });
      const write = pipeline(stream, createWriteStream(join(staging, name))).then(async () => {
        const { size } = await stat(join(staging, name));
        const failed = (code: ErrorCode, message: string): Failure => ({ source: "documents", id: this.idOf(name), code, message });
        let failure: Failure | null = null;
        if (stream.truncated) failure = failed("FILE_TOO_LARGE", `${name} is larger than ${Math.round(maxFileBytes / 1e6)} MB.`);
        else if (size === 0) failure = failed("FILE_EMPTY", `${name} is empty.`);
        received.set(name, { name, bytes: size, failure });
      });
      // the request may be far from its end, and nobody waits for a single file before that
      write.catch((cause) => parser.destroy(cause));
      writes.push(write);
    });
    try {
      req.once("error", (cause) => parser.destroy(cause));
      await finished(req.pipe(parser));
      await Promise.all(writes);
    } catch (cause) {
      // read to its end, so that the reply is heard; a pipeline would cut the connection
      req.unpipe(parser).resume();
      parser.destroy();
      const failed = (await Promise.allSettled(writes)).flatMap((write) =>
        write.status === "rejected" ? [toContextError(write.reason)] : [],
      );
      const full = failed.find(({ code }) => code === "STORE_FULL");
      if (full !== undefined) throw full;
      if (isOfFiles(cause))
        throw new ContextError("DATA_DIR_UNWRITABLE", `${this.#incoming} cannot be written (${cause.code}).`, { cause });
      throw new ContextError("BAD_REQUEST", "The multipart body is incomplete or damaged.", { cause, remedy: "Send it again." });
    }
    if (trouble !== null) throw trouble;
    return [...received.values()];
  }

  /**
   * Indexes what was received and says what became of each file; one that cannot be read is not kept.
   * @throws ContextError INDEX_RUNNING
   */
  async index(
    app: App,
    received: readonly Received[],
    signal: AbortSignal,
    onStage: (stage: string, done: number, total: number | null) => void,
  ): Promise<{ readonly documents: readonly UploadOutcome[]; readonly report: IndexReport }> {
    const outcomes = new Map<string, { outcome: Outcome; failure: Failure | null }>();
    const events = app.ingest([this.#root], signal, "");
    let step = await events.next();
    for (; !step.done; step = await events.next()) {
      const event = step.value;
      if (event.type === "progress") onStage(event.stage, event.done, event.total);
      else if (event.type === "record")
        outcomes.set(event.id, { outcome: event.outcome, failure: outcomes.get(event.id)?.failure ?? null });
      else outcomes.set(event.failure.id, { outcome: "failed", failure: event.failure });
    }
    const documents: UploadOutcome[] = [];
    for (const { name, bytes, failure } of received) {
      const id = this.idOf(name);
      if (failure !== null) {
        // an earlier document of this name stays
        documents.push({ id, name, bytes, outcome: "failed", failure });
        continue;
      }
      const known =
        outcomes.get(id) ??
        (app.record(id) === null
          ? { outcome: "failed" as const, failure: unread(id, name) }
          : { outcome: "unchanged" as const, failure: null });
      if (known.outcome === "failed") await this.#drop(name);
      documents.push({ id, name, bytes, ...known });
    }
    return { documents, report: step.value };
  }

  /**
   * Takes an uploaded document out of every index.
   * @throws ContextError NOT_FOUND; FORBIDDEN for a document of another source
   */
  async remove(app: App, reading: Served, id: string, signal: AbortSignal): Promise<IndexReport> {
    const name = id.startsWith(PREFIX) ? id.slice(PREFIX.length) : "";
    if (name === "" || safeName(name) !== name) {
      if (reading.record(id as RecordId) === null) throw new ContextError("NOT_FOUND", `There is no document "${id}".`);
      throw new ContextError("FORBIDDEN", "This document was not uploaded here.", {
        remedy: "Delete it at its source; the next run takes it out.",
      });
    }
    if (app.running !== null) throw new ContextError("INDEX_RUNNING", `Index run ${app.running.runId} is still going.`);
    if (!(await this.#drop(name)) && app.record(id as RecordId) === null)
      throw new ContextError("NOT_FOUND", `There is no document "${id}".`);
    const events = app.ingest([this.#root], signal, "");
    let step = await events.next();
    while (!step.done) step = await events.next();
    return step.value;
  }

  async #drop(name: string): Promise<boolean> {
    return unlink(join(this.#folder, name)).then(
      () => true,
      () => false,
    );
  }
}

function isOfFiles(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error && "path" in error;
}

/** The connector passes by what it has no reader for, without a word. */
function unread(id: string, name: string): Failure {
  return { source: "documents", id, code: "FILE_UNSUPPORTED", message: `${name} is of a kind that is not read.` };
}

/** The failure of an upload as an error of its own, where no file of it could be kept. */
export function failureOf({ code, message }: Failure): ContextError {
  return new ContextError(code in codes ? (code as ErrorCode) : "FILE_UNREADABLE", message);
}
