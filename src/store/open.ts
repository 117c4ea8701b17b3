import { existsSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { ContextError, storeFault } from "../core/errors.ts";
import { makeFolder } from "../core/folder.ts";
import { answerTable } from "./answers.ts";
import { chunkTable } from "./chunks.ts";
import { checkStore } from "./consistency.ts";
import { cursorTable } from "./cursors.ts";
import { extractionTable } from "./extractions.ts";
import { llmTable } from "./llm.ts";
import { lockStore } from "./lock.ts";
import { metaTable } from "./meta.ts";
import { migrate, readMigrations, refuseNewer, schemaVersion } from "./migrate.ts";
import { outboxTable } from "./outbox.ts";
import { recordTable } from "./records.ts";
import { runTable } from "./runs.ts";
import { scopeTable } from "./scopes.ts";
import { scratchTable } from "./scratch.ts";
import type { Store } from "./store.ts";
import { unreadTable } from "./unread.ts";
import { settle, upkeepTable } from "./upkeep.ts";
import { vectorTable } from "./vectors.ts";
import { visibleChunks } from "./visible-chunks.ts";

/**
 * Pages that SQLite keeps for itself, and what a sort may take. The system keeps the file's pages too: with 64 MB, which a daemon fills
 * within the hour, neither searches over 300,000 chunks nor indexing took less of the processor.
 */
const CACHE_KB = 16 * 1024;

/** How long a statement waits for another process's write. */
const BUSY_MS = 5000;

export interface OpenOptions {
  /** Look only; any number of processes may, also while one writes. */
  readonly readonly?: boolean;
}

/**
 * Opens the store, creating folder and file, and brings it to the newest version.
 * `:memory:` and `""` (a temporary file) need no lock.
 * @throws ContextError STORE_NEWER, STORE_LOCKED (with the holder's pid), STORE_DAMAGED, DATA_DIR_UNWRITABLE
 */
export function openStore(path: string, options: OpenOptions = {}): Store {
  const onDisk = path !== ":memory:" && path !== "";
  try {
    if (!options.readonly) {
      if (onDisk) makeFolder(dirname(path));
      return openWriter(path, onDisk);
    }
    if (!existsSync(path)) openWriter(path, onDisk)[Symbol.dispose]();
    return openReader(path);
  } catch (error) {
    throw folderError(error, path);
  }
}

function openWriter(path: string, onDisk: boolean): Store {
  const lock = onDisk ? lockStore(path) : null;
  let db: Database.Database | null = null;
  try {
    db = new Database(path, { timeout: BUSY_MS });
    if (onDisk) schemaVersion(db); // another program's file is refused before anything is written to it
    db.pragma("auto_vacuum = INCREMENTAL"); // of a new file only
    db.pragma("journal_mode = WAL");
    db.pragma("synchronous = NORMAL");
    db.pragma("foreign_keys = ON");
    db.pragma(`cache_size = -${CACHE_KB}`);
    migrate(db);
    return compose(db, path, lock);
  } catch (error) {
    db?.close();
    lock?.[Symbol.dispose]();
    throw error;
  }
}

function openReader(path: string): Store {
  const newest = readMigrations().at(-1)?.version ?? 0;
  let db = new Database(path, { readonly: true, timeout: BUSY_MS });
  try {
    refuseNewer(db, newest);
    if (schemaVersion(db) < newest) {
      db.close();
      openWriter(path, true)[Symbol.dispose]();
      db = new Database(path, { readonly: true, timeout: BUSY_MS });
    }
    return compose(db, path, null);
  } catch (error) {
    db.close();
    throw error;
  }
}

function compose(db: Database.Database, path: string, lock: Disposable | null): Store {
  const scopes = scopeTable(db);
  const visible = visibleChunks(db);
  return {
    path,
    begin() {
      db.exec("BEGIN IMMEDIATE");
      let open = true;
      return {
        commit() {
          db.exec("COMMIT");
          open = false;
        },
        [Symbol.dispose]() {
          // SQLite may have rolled back by itself (disk full): then there is nothing left to undo
          if (open && db.inTransaction) db.exec("ROLLBACK");
          open = false;
        },
      };
    },
    scopes,
    records: recordTable(db, scopes),
    extractions: extractionTable(db),
    chunks: chunkTable(db, { visible }),
    vectors: vectorTable(db, visible),
    cursors: cursorTable(db),
    runs: runTable(db),
    outbox: outboxTable(db),
    unread: unreadTable(db),
    scratch: () => scratchTable(db),
    answers: answerTable(db),
    llm: llmTable(db),
    upkeep: upkeepTable(db),
    meta: metaTable(db),
    check: (deep) => checkStore(db, deep),
    [Symbol.dispose]() {
      if (!db.open) return;
      try {
        if (lock !== null) settle(db);
      } catch {
        // on a full or failing disk the log stays beside the file and is read with it; nothing is lost
      } finally {
        db.close();
        lock?.[Symbol.dispose]();
      }
    },
  };
}

/** What SQLite says about the store's file, in our words; other errors as they are. */
export function storeError(error: unknown, path: string): unknown {
  if (!(error instanceof Database.SqliteError)) return error;
  const fault = storeFault(error.code);
  if (fault === null) return error;
  return new ContextError(fault.code, `${path} ${fault.what}.`, { ...fault, cause: error, detail: { path, sqlite: error.code } });
}

/** While opening or restoring, what the file system says is about our folder as well. */
export function folderError(error: unknown, path: string): unknown {
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
  const fault = storeFault(code);
  if (fault?.code === "STORE_FULL") return new ContextError(fault.code, `${path} ${fault.what}.`, { cause: error });
  if (!/^E(ACCES|PERM|ROFS|NOENT|NOTDIR|EXIST|ISDIR)$/.test(code)) return storeError(error, path);
  return new ContextError("DATA_DIR_UNWRITABLE", `${dirname(path)} cannot be written (${code}).`, { cause: error, detail: { path } });
}
