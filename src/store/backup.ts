import { existsSync, renameSync, rmSync } from "node:fs";
import { dirname, resolve } from "node:path";
import Database from "better-sqlite3";
import { ContextError, toContextError } from "../core/errors.ts";
import { makeFolder } from "../core/folder.ts";
import { checkStore } from "./consistency.ts";
import { lockStore } from "./lock.ts";
import { readMigrations, refuseNewer, schemaVersion } from "./migrate.ts";
import { folderError, storeError } from "./open.ts";

/** Pages copied between two turns of the event loop: 4 MB, so that questions are answered meanwhile. */
const PAGES = 1024;

/**
 * Copies the store while it is in use into one file, checks the copy and only then gives it its name.
 * @throws ContextError STORE_DAMAGED when the copy does not pass the check, DATA_DIR_UNWRITABLE, FILE_NOT_FOUND, CANCELLED
 */
export async function backupStore(path: string, file: string, signal: AbortSignal): Promise<{ readonly bytes: number }> {
  const part = `${file}-part`;
  if (!existsSync(dirname(resolve(file)))) throw new ContextError("FILE_NOT_FOUND", `There is no folder ${dirname(resolve(file))}.`);
  try {
    const source = new Database(path, { readonly: true, fileMustExist: true });
    try {
      rmSync(part, { force: true });
      await source.backup(part, {
        progress() {
          if (signal.aborted) throw new ContextError("CANCELLED", "The backup was stopped.");
          return PAGES;
        },
      });
    } finally {
      source.close();
    }
    const bytes = checkCopy(part);
    renameSync(part, file);
    return { bytes };
  } catch (error) {
    rmSync(part, { force: true });
    throw storeError(error, file);
  }
}

/**
 * Puts a backup in the store's place, which may be a new folder. The store must not be in use; what was there is kept beside it
 * as `-before-restore`.
 * @throws ContextError FILE_NOT_FOUND, STORE_LOCKED, STORE_NEWER, STORE_DAMAGED, DATA_DIR_UNWRITABLE
 */
export async function restoreStore(path: string, file: string): Promise<{ readonly kept: string | null }> {
  if (!existsSync(file)) throw new ContextError("FILE_NOT_FOUND", `There is no backup at ${file}.`);
  const part = `${path}-part`;
  try {
    makeFolder(dirname(path));
    using _lock = lockStore(path);
    await copyOf(file, part);
    checkCopy(part);
    const kept = existsSync(path) ? `${path}-before-restore` : null;
    if (kept !== null) {
      settle(path);
      renameSync(path, kept);
    }
    // the log of the store that was there must not be read into the one that comes
    for (const rest of [`${path}-wal`, `${path}-shm`]) rmSync(rest, { force: true });
    renameSync(part, path);
    return { kept };
  } catch (error) {
    rmSync(part, { force: true });
    throw folderError(error, path);
  }
}

/** What is wrong with a backup is said of the backup, not of the store that it was to replace. */
async function copyOf(file: string, part: string): Promise<void> {
  const backup = new Database(file, { readonly: true, fileMustExist: true });
  try {
    refuseNewer(backup, readMigrations().at(-1)?.version ?? 0);
    if (schemaVersion(backup) === 0) throw new ContextError("STORE_DAMAGED", `${file} is no backup of contextd.`);
    rmSync(part, { force: true });
    await backup.backup(part);
  } catch (error) {
    const known = storeError(error, file);
    throw known instanceof ContextError && known.code === "STORE_DAMAGED" ? known : error;
  } finally {
    backup.close();
  }
}

/** Brings what stands in the write-ahead log into the file, so that the file alone is the store; a damaged one stays as it is. */
function settle(path: string): void {
  try {
    const db = new Database(path);
    db.pragma("wal_checkpoint(TRUNCATE)");
    db.close();
  } catch (error) {
    if (toContextError(storeError(error, path)).code !== "STORE_DAMAGED") throw error;
  }
}

function checkCopy(file: string): number {
  const db = new Database(file);
  try {
    db.pragma("journal_mode = DELETE"); // one file, without a log beside it
    const [problem] = checkStore(db, false);
    if (problem !== undefined) {
      throw new ContextError("STORE_DAMAGED", `The copy is not sound: ${problem.kind} ${problem.id}: ${problem.message}.`);
    }
    return Number(db.pragma("page_count", { simple: true })) * Number(db.pragma("page_size", { simple: true }));
  } finally {
    db.close();
  }
}
