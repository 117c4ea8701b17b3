import { stat } from "node:fs/promises";
import { basename, isAbsolute, join, resolve } from "node:path";
import { z } from "zod";
import { defineConnector, type Io, type Pulled } from "../../core/connector.ts";
import { ContextError } from "../../core/errors.ts";
import { logRecords } from "../logs/records.ts";
import { statedOnly } from "../shared/draft.ts";
import { fileError, issuesOf, readJsonLines } from "../shared/jsonl.ts";
import { redactJson } from "../shared/redact.ts";
import { exportFiles, isExport, readExport } from "./export.ts";
import { kindOf, type LogFields, lineToRecord, RecordLine } from "./line.ts";

export const RecordsConfig = z.strictObject({
  kind: z.literal("records"),
  path: z.string().min(1).describe("A JSON Lines file of records, or a folder with an export: jira/, github/, confluence/, logs/."),
});
export type RecordsConfig = z.infer<typeof RecordsConfig>;

/** Records between two checkpoints. */
const CHECKPOINT_EVERY = 500;

/**
 * Records that lie in files: one flat JSON Lines file, or a folder of API payloads.
 * The cursor is the fingerprint of the files. Unchanged files are not opened; changed ones are read whole, and the
 * index finds out by content hash which records really changed. A record that is no longer in them is gone.
 */
export const records = defineConnector<RecordsConfig>({
  kind: "records",
  config: RecordsConfig,
  label: (config) => `records ${config.path}`,

  async check(config, io) {
    try {
      const { files } = await place(config, io);
      return [
        { name: `records ${config.path}`, ok: true, detail: files.length === 1 ? "readable" : `${files.length} files`, remedy: null },
      ];
    } catch (error) {
      if (!(error instanceof ContextError)) throw error;
      return [{ name: `records ${config.path}`, ok: false, detail: error.message, remedy: error.remedy }];
    }
  },

  async *pull(config, io, since) {
    const { path, files, folder } = await place(config, io);
    const cursor = await fingerprint(path, files);
    if (cursor === since) {
      yield { type: "end", scan: "delta", cursor };
      return;
    }
    let count = 0;
    for await (const pulled of folder ? readExport(path, config.path, io.signal) : readFlat(path, config.path, io)) {
      yield pulled;
      // what was read is kept when the run is stopped, but the files count as read only at their end
      if (++count % CHECKPOINT_EVERY === 0) yield { type: "checkpoint", cursor: "" };
    }
    yield { type: "end", scan: "full", cursor };
  },
});

/** Where the records lie; a folder with nothing but records.jsonl means that file. */
async function place(
  config: RecordsConfig,
  io: Io,
): Promise<{ readonly path: string; readonly files: readonly string[]; readonly folder: boolean }> {
  const path = isAbsolute(config.path) ? config.path : resolve(io.root, config.path);
  let found: Awaited<ReturnType<typeof stat>>;
  try {
    found = await stat(path);
  } catch (cause) {
    throw fileError(cause, config.path);
  }
  if (!found.isDirectory()) return { path, files: [""], folder: false };
  if (await isExport(path)) return { path, files: await exportFiles(path), folder: true };
  const flat = join(path, "records.jsonl");
  if (await stat(flat).catch(() => null)) return { path: flat, files: [""], folder: false };
  throw new ContextError(
    "FILE_NOT_FOUND",
    `${config.path} holds neither records.jsonl nor an export (jira/, github/, confluence/, logs/).`,
  );
}

async function* readFlat(path: string, shownPath: string, io: Io): AsyncGenerator<Pulled> {
  const last = await lastLines(path, shownPath, io.signal);
  for await (const line of readJsonLines(path, shownPath, io.signal)) {
    const id = `${shownPath}:${line.number}`;
    if (line.error) {
      yield { type: "failed", id, error: line.error };
      continue;
    }
    const parsed = RecordLine.safeParse(line.value);
    if (!parsed.success) {
      yield { type: "failed", id, error: new ContextError("RECORD_INVALID", `${id} is no record: ${issuesOf(parsed.error)}`) };
      continue;
    }
    // of two lines with one id the later one holds, as in a journal
    if (last.get(parsed.data.id) !== line.number) continue;
    yield { type: "record", record: lineToRecord(parsed.data, await logFields(parsed.data)), raw: redactJson(line.value) };
  }
}

/** Level, service and the like, read from a log line's text as the logs connector reads a file of one entry. */
async function logFields(line: RecordLine): Promise<LogFields> {
  if (kindOf(line) !== "log") return {};
  const fallback = line.updatedAt ?? line.createdAt ?? "1970-01-01T00:00:00Z";
  for await (const { record } of logRecords("line", line.text.split("\n"), { fallback })) {
    const { level, service, pod, traceId, exception, revision } = record.fields;
    return statedOnly({ level, service, pod, traceId, exception, revision });
  }
  return {};
}

/** The last valid line of each id. */
async function lastLines(path: string, shownPath: string, signal: AbortSignal): Promise<ReadonlyMap<string, number>> {
  const last = new Map<string, number>();
  for await (const line of readJsonLines(path, shownPath, signal)) {
    const parsed = line.error ? null : RecordLine.safeParse(line.value);
    if (parsed?.success) last.set(parsed.data.id, line.number);
  }
  return last;
}

/** Size and times of every file; a content hash would mean to read them. */
async function fingerprint(path: string, files: readonly string[]): Promise<string> {
  const parts: string[] = [];
  for (const file of files) {
    const { size, mtimeMs, ctimeMs } = await stat(join(path, file));
    parts.push(`${file === "" ? basename(path) : file} ${size} ${mtimeMs} ${ctimeMs}`);
  }
  return parts.join("\n");
}
