import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import Database from "better-sqlite3";
import { ContextError, type ErrorCode } from "../core/errors.ts";
import { readMigrations } from "./migrate.ts";
import { openStore } from "./open.ts";

const folders: string[] = [];
function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "contextd-store-"));
  folders.push(made);
  return made;
}
after(() => {
  for (const made of folders) rmSync(made, { recursive: true, force: true });
});

function refused(code: ErrorCode, message: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof ContextError, String(error));
    assert.equal(error.code, code);
    assert.match(error.message, message);
    assert.notEqual(error.remedy, "");
    return true;
  };
}

describe("opening the store", () => {
  it("makes the folder and the file, at the newest version", () => {
    const path = join(folder(), "deep", "contextd.db");

    openStore(path)[Symbol.dispose]();

    const db = new Database(path, { readonly: true });
    assert.equal(db.pragma("user_version", { simple: true }), readMigrations().at(-1)?.version);
    assert.equal(db.pragma("journal_mode", { simple: true }), "wal");
    db.close();
  });

  it("keeps what was written when opened again", () => {
    const path = join(folder(), "contextd.db");
    const first = openStore(path);
    first.meta.set("a", "1");
    first[Symbol.dispose]();

    using second = openStore(path);

    assert.equal(second.meta.get("a"), "1");
  });

  it("refuses a file of a newer contextd and leaves it as it is", () => {
    const path = join(folder(), "contextd.db");
    openStore(path)[Symbol.dispose]();
    const db = new Database(path);
    db.pragma("user_version = 9000");
    db.close();

    assert.throws(() => openStore(path), refused("STORE_NEWER", /version 9000/));
    assert.throws(() => openStore(path, { readonly: true }), refused("STORE_NEWER", /version 9000/));
  });

  it("refuses a file that is no database", () => {
    const path = join(folder(), "contextd.db");
    writeFileSync(path, "this is a text file, long enough to hold a header. ".repeat(100));

    assert.throws(() => openStore(path), refused("STORE_DAMAGED", /damaged/));
  });

  it("refuses another program's database and writes nothing into it", () => {
    const path = join(folder(), "contextd.db");
    const other = new Database(path);
    other.exec("CREATE TABLE theirs (a)");
    other.close();

    assert.throws(() => openStore(path), refused("STORE_DAMAGED", /another program/));

    const again = new Database(path, { readonly: true });
    assert.deepEqual(again.prepare("SELECT name FROM sqlite_master").pluck().all(), ["theirs"]);
    again.close();
  });

  it("says so when a file stands where the folder should be", () => {
    const file = join(folder(), "file");
    writeFileSync(file, "");

    assert.throws(() => openStore(join(file, "contextd.db")), refused("DATA_DIR_UNWRITABLE", /cannot be written/));
  });

  it("lets one writer in, names its pid to the next, and lets readers look", () => {
    const path = join(folder(), "contextd.db");
    using writer = openStore(path);
    writer.meta.set("a", "1");

    assert.throws(() => openStore(path), refused("STORE_LOCKED", new RegExp(`process ${process.pid}`)));

    using reader = openStore(path, { readonly: true });
    assert.equal(reader.meta.get("a"), "1");
    assert.throws(() => reader.meta.set("a", "2"), /readonly/);
  });

  it("is free again once the writer let go", () => {
    const path = join(folder(), "contextd.db");
    openStore(path)[Symbol.dispose]();

    openStore(path)[Symbol.dispose]();
  });

  it("is free again after the writer was killed, with what it had committed", async () => {
    const path = join(folder(), "contextd.db");
    const script = `
      import { openStore } from ${JSON.stringify(pathToFileURL(join(import.meta.dirname, "open.ts")).href)};
      const store = openStore(${JSON.stringify(path)});
      store.meta.set("a", "committed");
      const tx = store.begin();
      store.meta.set("a", "not committed");
      console.log("ready");
      setInterval(() => tx, 1000);
    `;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    assert.throws(() => openStore(path), refused("STORE_LOCKED", new RegExp(`process ${child.pid}`)));

    child.kill("SIGKILL");
    await once(child, "exit");

    using store = openStore(path);
    assert.equal(store.meta.get("a"), "committed");
  });

  it("creates the store for a reader that comes first", () => {
    const path = join(folder(), "contextd.db");

    using reader = openStore(path, { readonly: true });

    assert.equal(reader.records.count(), 0);
    assert.ok(existsSync(path));
  });
});

describe("a folder that cannot be made", () => {
  it("is named at once, not tried for ever", { skip: !existsSync("/proc/self") && "no /proc here" }, () => {
    for (const path of ["/proc/nope", "/proc/nope/deeper"])
      assert.throws(() => openStore(join(path, "contextd.db")), refused("DATA_DIR_UNWRITABLE", /\/proc\/nope.* cannot be written/));
  });

  it("is made with those above it where it can be", () => {
    const path = join(folder(), "one", "two", "contextd.db");

    using _store = openStore(path);

    assert.ok(existsSync(path));
  });
});

describe("a transaction", () => {
  it("is undone unless committed", () => {
    using store = openStore(":memory:");
    store.meta.set("a", "before");
    {
      using _tx = store.begin();
      store.meta.set("a", "lost");
    }
    assert.equal(store.meta.get("a"), "before");
    {
      using tx = store.begin();
      store.meta.set("a", "kept");
      tx.commit();
    }

    assert.equal(store.meta.get("a"), "kept");
  });
});
