import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { z } from "zod";
import { type Check, defineConnector, type Io, type Pulled } from "../../core/connector.ts";
import { ContextError, type ErrorCode, toContextError } from "../../core/errors.ts";
import { type CollectOptions, Collector, type CollectState, type LogRecord } from "./collect.ts";
import type { Entry } from "./entry.ts";
import { findLogFiles, type LogFile } from "./files.ts";
import { Folder } from "./fold.ts";
import { levels } from "./level.ts";
import { packingOf, readLines } from "./lines.ts";

const HEAD_BYTES = 1024;

const LogsConfig = z.strictObject({
  kind: z.literal("logs"),
  paths: z.array(z.string().min(1)).min(1).describe("Files, folders and globs, relative to the manifest's folder."),
  format: z.literal("auto").default("auto").describe("Formats are found by looking at the lines."),
  level: z.enum(levels).optional().describe("Entries below it are left out; without it all are read."),
  windowHours: z.number().positive().optional().describe("Entries older than so many hours are left out."),
  timezone: z.string().default("UTC").describe("IANA zone of time stamps that name none."),
  rotated: z.boolean().default(true).describe("Read rotated siblings (x.log.1, x.log.2.gz), too."),
});
type LogsConfig = z.infer<typeof LogsConfig>;

/** How far a file was read: where its last entry begins, and what was folded before it. */
const FileState = z.object({
  name: z.string(),
  inode: z.string(),
  size: z.number(),
  mtimeMs: z.number(),
  head: z.string(),
  headLength: z.number(),
  offset: z.number(),
  line: z.number(),
  ids: z.array(z.string()),
  /** Why it could not be read to its end; said again in each run until the file changes. */
  failure: z.object({ code: z.string(), message: z.string(), remedy: z.string() }).nullable(),
  collected: z.custom<CollectState>((value) => typeof value === "object" && value !== null),
});
type FileState = z.infer<typeof FileState>;

const Cursor = z.object({ version: z.literal(1), options: z.string(), files: z.record(z.string(), FileState) });

/**
 * Log files. The cursor holds for each file its inode, the byte where its last entry begins and the templates found
 * so far, so that a grown file is read on from there. A file that was replaced is read anew, and what it no longer
 * holds is gone; a full read of the same files gives the same records.
 */
export const logs = defineConnector<LogsConfig>({
  kind: "logs",
  config: LogsConfig,

  label(config) {
    return `logs ${config.paths.join(" ")}`;
  },

  async check(config, io): Promise<readonly Check[]> {
    const checks: Check[] = [];
    for (const path of config.paths) {
      const name = `logs ${path}`;
      try {
        const files = await findLogFiles(io.root, [path], config.rotated);
        const detail = `${files.length} ${files.length === 1 ? "file" : "files"}`;
        checks.push({
          name,
          ok: files.length > 0,
          detail,
          remedy: files.length > 0 ? null : "Check the path; relative paths start at the manifest's folder.",
        });
      } catch (error) {
        const { message, remedy } = toContextError(error);
        checks.push({ name, ok: false, detail: message, remedy });
      }
    }
    return checks;
  },

  async *pull(config, io, since) {
    const options = JSON.stringify([config.level, config.windowHours, config.timezone]);
    const before = readCursor(since, options);
    const files: Record<string, FileState> = {};
    for (const file of await findLogFiles(io.root, config.paths, config.rotated)) {
      io.signal.throwIfAborted();
      const known = before?.[file.path];
      try {
        const state = yield* pullFile(file, known, config, io);
        files[file.path] = state;
      } catch (error) {
        if (io.signal.aborted) throw io.signal.reason;
        if (known) files[file.path] = known;
        yield { type: "failed", id: file.shown, error: toContextError(error) };
      }
    }
    for (const [path, state] of Object.entries(before ?? {})) {
      if (!(path in files)) for (const id of state.ids) yield { type: "gone", id: `log:${state.name}:${id}` };
    }
    const cursor = JSON.stringify({ version: 1, options, files } satisfies z.infer<typeof Cursor>);
    yield { type: "end", scan: before ? "delta" : "full", cursor };
  },
});

/** States by path, null when there are none or they were made with other settings: all is read anew then. */
function readCursor(since: string | null, options: string): Record<string, FileState> | null {
  if (since === null) return null;
  let value: unknown;
  try {
    value = JSON.parse(since);
  } catch {
    return null;
  }
  const cursor = Cursor.safeParse(value);
  return cursor.success && cursor.data.options === options ? cursor.data.files : null;
}

async function* pullFile(file: LogFile, known: FileState | undefined, config: LogsConfig, io: Io): AsyncGenerator<Pulled, FileState> {
  const same = known?.inode === file.inode && known.size === file.size && known.mtimeMs === file.mtimeMs && known.name === file.name;
  if (known && same) {
    if (known.failure) yield failedWith(file, known.failure);
    return known;
  }
  const head = await readHead(file.path);
  const grown =
    known && known.name === file.name && file.size >= known.size && hashHead(head, known.headLength) === known.head && !packingOf(head);
  const from = grown ? known : undefined;
  const fallback = new Date(file.mtimeMs).toISOString();
  const options: CollectOptions = {
    name: file.name,
    path: file.shown,
    fallback,
    level: config.level,
    since: config.windowHours === undefined ? undefined : io.now().getTime() - config.windowHours * 3_600_000,
  };
  const clock = { zone: config.timezone, reference: new Date(file.mtimeMs) };
  const folder = new Folder(clock);
  const collector = new Collector(options, from?.collected);
  const ids = new Set(from?.ids ?? []);
  const prefix = `log:${file.name}:`;
  const pulled = ({ record, raw }: LogRecord): Pulled => {
    ids.add(record.id.slice(prefix.length));
    return { type: "record", record, raw };
  };

  let [openOffset, openLine] = [from?.offset ?? 0, from?.line ?? 0];
  let failure: ContextError | null = null;
  const add = function* (entries: readonly Entry[]): Generator<Pulled> {
    for (const entry of entries) {
      const made = collector.add(entry);
      if (made) yield pulled(made);
    }
  };
  let end = openOffset;
  try {
    for await (const batch of readLines(file.path, { offset: openOffset, line: openLine }, io.signal)) {
      for (const line of batch) {
        const entries = folder.push(line.text, line.number);
        if (entries.length > 0) yield* add(entries);
        if (folder.openLine === line.number) [openOffset, openLine] = [end, line.number - 1];
        end = line.end;
      }
    }
  } catch (error) {
    if (!(error instanceof ContextError)) throw error;
    failure = error;
  }
  if (folder.openLine === null) openOffset = end;
  // the state goes without the last entry: it may still grow, and is then read again
  const collected = collector.state;
  yield* add(folder.end());
  for (const made of collector.end()) yield pulled(made);
  const lost = known ? known.ids.filter((id) => !ids.has(id)) : [];
  // a file that outgrew "small" is no longer kept whole
  const small = from && from.collected.small.length > 0 && collector.state.small.length === 0 ? from.collected.small : [];
  for (const { line, part } of small) lost.push(part === 1 ? String(line) : `${line}.${part}`);
  for (const id of lost) {
    ids.delete(id);
    yield { type: "gone", id: `log:${known?.name ?? file.name}:${id}` };
  }
  if (known && known.name !== file.name) for (const id of known.ids) yield { type: "gone", id: `log:${known.name}:${id}` };
  const { code, message, remedy } = failure ?? {};
  const told = code && message && remedy ? { code, message, remedy } : null;
  if (told) yield failedWith(file, told);
  return {
    name: file.name,
    inode: file.inode,
    size: file.size,
    mtimeMs: file.mtimeMs,
    head: hashHead(head, head.length),
    headLength: head.length,
    offset: openOffset,
    line: openLine,
    ids: [...ids],
    failure: told,
    collected,
  };
}

function failedWith(file: LogFile, { code, message, remedy }: NonNullable<FileState["failure"]>): Pulled {
  return { type: "failed", id: file.shown, error: new ContextError(code as ErrorCode, message, { remedy }) };
}

async function readHead(path: string): Promise<Buffer> {
  await using file = await open(path, "r").catch((cause: NodeJS.ErrnoException) => {
    throw new ContextError("FILE_UNREADABLE", `Cannot open ${path}: ${cause.code}`, { cause });
  });
  const bytes = Buffer.alloc(HEAD_BYTES);
  const { bytesRead } = await file.read(bytes, 0, HEAD_BYTES, 0);
  return bytes.subarray(0, bytesRead);
}

function hashHead(head: Buffer, length: number): string {
  return createHash("sha256").update(head.subarray(0, length)).digest("hex").slice(0, 32);
}
