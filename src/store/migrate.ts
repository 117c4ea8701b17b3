import { readdirSync, readFileSync } from "node:fs";
import type { Database } from "better-sqlite3";
import { ContextError, toContextError } from "../core/errors.ts";

/** "ctxd", so that another program's SQLite file is told apart from ours. */
const APPLICATION_ID = 0x63747864;

const FOLDER = new URL("./migrations/", import.meta.url);

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

/** The numbered files of migrations/, in order. */
export function readMigrations(folder: URL = FOLDER): readonly Migration[] {
  return readdirSync(folder)
    .filter((name) => /^\d{4}-.*\.sql$/.test(name))
    .sort()
    .map((name) => ({ version: Number(name.slice(0, 4)), name, sql: readFileSync(new URL(name, folder), "utf8") }));
}

/** Version of the file's schema; 0 for a new file. Throws STORE_DAMAGED for another program's database. */
export function schemaVersion(db: Database): number {
  const version = Number(db.pragma("user_version", { simple: true }));
  const application = Number(db.pragma("application_id", { simple: true }));
  const tables = Number(db.prepare("SELECT count(*) FROM sqlite_master").pluck().get());
  if (application !== APPLICATION_ID && tables > 0) {
    throw new ContextError("STORE_DAMAGED", `${db.name} is a database of another program.`, {
      remedy: "Name another folder with --data-dir DIR.",
    });
  }
  return version;
}

/**
 * Brings the file to the newest version, one transaction a step, forward only.
 * Throws STORE_NEWER when a later contextd wrote it.
 */
export function migrate(db: Database, migrations: readonly Migration[] = readMigrations()): void {
  const newest = migrations.at(-1)?.version ?? 0;
  refuseNewer(db, newest);
  for (const { version, name, sql } of migrations) {
    db.transaction(() => {
      // read inside the transaction: another process may have migrated meanwhile
      if (schemaVersion(db) >= version) return;
      try {
        db.exec(sql);
      } catch (cause) {
        // a full disk, or another process: the file is as sound as before, and must not be called damaged
        if (toContextError(cause).code !== "INTERNAL") throw cause;
        throw new ContextError("STORE_DAMAGED", `The database could not be brought to version ${version} (${name}).`, { cause });
      }
      db.pragma(`application_id = ${APPLICATION_ID}`);
      db.pragma(`user_version = ${version}`);
    }).immediate();
  }
}

/** Throws STORE_NEWER when the file's version is above what this build knows. */
export function refuseNewer(db: Database, newest: number): void {
  const version = schemaVersion(db);
  if (version > newest) {
    throw new ContextError("STORE_NEWER", `${db.name} has version ${version}; this contextd knows versions up to ${newest}.`, {
      detail: { version, newest },
    });
  }
}
