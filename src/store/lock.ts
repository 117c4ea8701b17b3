import { readFileSync, writeFileSync } from "node:fs";
import Database from "better-sqlite3";
import { ContextError } from "../core/errors.ts";

/**
 * Makes this process the one writer of a store until disposed.
 *
 * The lock is an SQLite file beside the store, held in an exclusive transaction: the operating system lets go of it
 * when the process ends, however it ends, so that neither a kill -9 nor a reused pid can leave a false lock behind.
 * The pid stands in a file of its own and only serves the message. It must not be read from the lock file: closing
 * any handle of that file within the holding process would give up the lock (POSIX advisory locks).
 * @throws ContextError STORE_LOCKED with the holder's pid
 */
export function lockStore(path: string): Disposable {
  const lock = new Database(`${path}-lock`, { timeout: 0 });
  try {
    lock.exec("BEGIN EXCLUSIVE");
  } catch (cause) {
    lock.close();
    if (!isBusy(cause)) throw cause;
    const pid = holder(path);
    throw new ContextError("STORE_LOCKED", `${path} is being written by ${pid === null ? "another process" : `process ${pid}`}.`, {
      cause,
      detail: { path, pid },
    });
  }
  try {
    writeFileSync(`${path}-pid`, `${process.pid}\n`);
  } catch {
    // it is only for the message; on a full disk what is there can still be read
  }
  return {
    [Symbol.dispose]() {
      lock.close();
    },
  };
}

function holder(path: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(`${path}-pid`, "utf8"), 10);
    return Number.isSafeInteger(pid) && pid > 0 ? pid : null;
  } catch {
    return null; // it is only for the message
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY");
}
