import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, rename, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { type Io, type Pulled, silent } from "../../core/connector.ts";
import type { ContextError } from "../../core/errors.ts";
import type { Json, SourceRecord } from "../../core/record.ts";
import { contentOf, documents } from "./index.ts";
import { ParserProcess } from "./parser-process.ts";

type Known = Map<string, string>;
type Unread = Map<string, { readonly fingerprint: string; readonly error: ContextError }>;

async function folderOf(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "contextd-docs-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

interface Result {
  readonly records: SourceRecord[];
  readonly unchanged: string[];
  readonly failed: Extract<Pulled, { type: "failed" }>[];
}

function ioAt(root: string, known: Known = new Map(), unread: Unread = new Map()): Io {
  return {
    fetch,
    signal: new AbortController().signal,
    log: silent,
    now: () => new Date("2026-03-12T00:00:00Z"),
    root,
    known: (id) => (known.has(id) ? { fingerprint: known.get(id) ?? "" } : null),
    unread: (id) => unread.get(id) ?? null,
  };
}

/** Pulls once; `known` and `unread` hold what an index would know, and are brought up to date. */
async function pull(root: string, config: object = {}, known: Known = new Map(), unread: Unread = new Map()): Promise<Result> {
  const io = ioAt(root, known, unread);
  const result: Result = { records: [], unchanged: [], failed: [] };
  for await (const one of documents.pull(documents.config.parse({ kind: "documents", path: ".", ...config }), io, null)) {
    if (one.type === "record") {
      result.records.push(one.record);
      known.set(one.record.id, (one.raw as { readonly [key: string]: Json }).fingerprint as string);
    } else if (one.type === "unchanged") {
      result.unchanged.push(one.id);
      if (one.fingerprint !== undefined) known.set(one.id, one.fingerprint);
    } else if (one.type === "failed") {
      result.failed.push(one);
      if (one.fingerprint !== undefined) unread.set(one.id, { fingerprint: one.fingerprint, error: one.error });
    } else if (one.type === "end") assert.equal(one.scan, "full");
  }
  return result;
}

/** A pipe that nobody writes to: reading it never ends. */
function pipeAt(path: string): void {
  execFileSync("mkfifo", [path]);
}

const ids = (records: readonly SourceRecord[]) => records.map((record) => record.id).sort();

describe("documents", () => {
  it("makes one record a file, named by its path, with its text, headings and code in place", async (t) => {
    const root = await folderOf(t);
    await mkdir(join(root, "runbooks"));
    await writeFile(join(root, "runbooks", "redis.md"), "# Redis failover\n\nPromote the **replica**.\n\n```sh\nredis-cli failover\n```\n");

    const [record] = (await pull(root)).records;

    assert.ok(record);
    assert.deepEqual([record.id, record.source, record.kind, record.title], ["doc:runbooks/redis.md", "documents", "file", "redis.md"]);
    assert.match(record.url ?? "", /^file:\/\/.*\/runbooks\/redis\.md$/);
    assert.equal(record.body, "Redis failover\n\nPromote the replica.\n\nredis-cli failover\n\nPath: runbooks/redis.md");
    assert.deepEqual(record.fields.headings, [{ at: 0, level: 1, text: "Redis failover" }]);
    const [code] = record.fields.code ?? [];
    assert.equal(record.body.slice(code?.start, code?.end), "redis-cli failover");
    assert.equal(record.body.slice(record.proseEnd), "\n\nPath: runbooks/redis.md");
  });

  it("reads a file again only when its size or time changed, and keeps it when its content did not", async (t) => {
    const root = await folderOf(t);
    const known: Known = new Map();
    await writeFile(join(root, "a.txt"), "first text");
    await writeFile(join(root, "b.txt"), "second text");
    await pull(root, {}, known);

    const second = await pull(root, {}, known);
    await utimes(join(root, "a.txt"), new Date(), new Date("2020-01-01T00:00:00Z"));
    const touched = await pull(root, {}, known);
    const before = known.get("doc:a.txt");
    await writeFile(join(root, "b.txt"), "another text");
    const edited = await pull(root, {}, known);

    assert.deepEqual([second.records.length, second.unchanged.length], [0, 2]);
    assert.deepEqual([touched.records.length, touched.unchanged.length], [0, 2]);
    // its new time is known from now on: it is not read once more
    assert.ok(before?.endsWith(`:10:${Date.parse("2020-01-01T00:00:00Z")}`), before);
    assert.deepEqual([ids(edited.records), edited.unchanged], [["doc:b.txt"], ["doc:a.txt"]]);
  });

  it("knows a file that was moved or copied by its content, and does not parse it again", async (t) => {
    const root = await folderOf(t);
    await writeFile(join(root, "a.md"), "# One\n\nFirst text.\n\n```sh\nls\n```\n");
    await writeFile(join(root, "b.md"), "Second text.");
    const [before] = (await pull(root, { include: ["a.md"] })).records;
    const stored = new Map<string, { record: SourceRecord; raw: Json }>();
    const fill = async (since: string | null) => {
      const records: Extract<Pulled, { type: "record" }>[] = [];
      const io: Io = {
        ...ioAt(root),
        known: (id) => {
          const fingerprint = (stored.get(id)?.raw as { readonly fingerprint: string } | undefined)?.fingerprint;
          return fingerprint === undefined ? null : { fingerprint };
        },
        alike: (start) =>
          [...stored.values()].find(({ raw }) => (raw as { readonly fingerprint: string }).fingerprint.startsWith(start)) ?? null,
      };
      for await (const one of documents.pull(documents.config.parse({ kind: "documents", path: ".", timeoutSeconds: 20 }), io, since)) {
        if (one.type !== "record") continue;
        records.push(one);
        stored.set(one.record.id, one);
      }
      return records;
    };
    await fill(null);
    await mkdir(join(root, "sub"));
    await rename(join(root, "a.md"), join(root, "sub", "a.md"));
    await copyFile(join(root, "b.md"), join(root, "copy.md"));
    await copyFile(join(root, "b.md"), join(root, "copy.rst"));
    await writeFile(join(root, "new.md"), "Third text.");

    const found = (await fill("{}")).sort((a, b) => a.record.id.localeCompare(b.record.id));

    assert.deepEqual(
      found.map(({ record, from }) => [record.id, from]),
      [
        ["doc:copy.md", "doc:b.md"],
        // another extension, another reading
        ["doc:copy.rst", undefined],
        ["doc:new.md", undefined],
        ["doc:sub/a.md", "doc:a.md"],
      ],
    );
    const moved = found.at(-1)?.record;
    assert.equal(moved?.body, before?.body.replace("Path: a.md", "Path: sub/a.md"));
    assert.deepEqual(
      [moved?.fields.headings, moved?.fields.code, moved?.fields.path],
      [before?.fields.headings, before?.fields.code, "sub/a.md"],
    );
    assert.match(moved?.url ?? "", /\/sub\/a\.md$/);
  });

  it("keeps of a file that grows while it is looked at what was read, and knows it by its new size from the next run on", async (t) => {
    const root = await folderOf(t);
    const path = join(root, "growing.txt");
    await writeFile(path, "first line\n");
    const known: Known = new Map();
    const config = documents.config.parse({ kind: "documents", path: "." });
    const io: Io = {
      ...ioAt(root),
      // asked between the look at its size and the reading of it
      known() {
        appendFileSync(path, "second line\n");
        return null;
      },
    };
    for await (const one of documents.pull(config, io, null)) {
      if (one.type !== "record") continue;
      assert.match(one.record.body, /first line\nsecond line/);
      known.set(one.record.id, (one.raw as { readonly [key: string]: Json }).fingerprint as string);
    }

    const next = await pull(root, {}, known);

    assert.deepEqual([next.records, next.unchanged], [[], ["doc:growing.txt"]]);
    assert.match(known.get("doc:growing.txt") ?? "", /:23:\d+$/);
  });

  it("knows documents of one content by how their fingerprints begin, and no other records", async (t) => {
    const root = await folderOf(t);
    await mkdir(join(root, "sub"));
    await writeFile(join(root, "a.md"), "The same text.");
    await writeFile(join(root, "sub", "b.md"), "The same text.");
    await writeFile(join(root, "c.md"), "Another text.");
    const known: Known = new Map();
    await pull(root, {}, known);

    const of = (id: string) => contentOf({ fingerprint: known.get(id) ?? "", mediaType: "text/markdown" });

    assert.ok(of("doc:a.md") !== null && known.get("doc:a.md")?.startsWith(of("doc:a.md") ?? "-"));
    assert.equal(of("doc:sub/b.md"), of("doc:a.md"));
    assert.notEqual(of("doc:c.md"), of("doc:a.md"));
    assert.deepEqual([contentOf({ fingerprint: "12:34:56" }), contentOf(null), contentOf({ mediaType: "text/plain" })], [null, null, null]);
  });

  it("names each file it could not read with the reason, and does not try it again until it changes", async (t) => {
    const root = await folderOf(t);
    await writeFile(join(root, "empty.txt"), "");
    await writeFile(join(root, "fake.pdf"), "just text");
    await writeFile(join(root, "good.txt"), "good");
    await writeFile(join(root, "large.txt"), "x".repeat(3000));

    const unread: Unread = new Map();
    const first = await pull(root, { maxFileMb: 0.002 }, new Map(), unread);
    const again = await pull(root, { maxFileMb: 0.002, timeoutSeconds: 0.001 }, new Map([["doc:good.txt", "2:0:0:0"]]), unread);

    const codes = (result: Result) => Object.fromEntries(result.failed.map((one) => [one.id, one.error.code]));
    assert.deepEqual(codes(first), {
      "doc:empty.txt": "FILE_EMPTY",
      "doc:fake.pdf": "FILE_UNSUPPORTED",
      "doc:large.txt": "FILE_TOO_LARGE",
    });
    assert.match(first.failed.find((one) => one.id === "doc:fake.pdf")?.error.message ?? "", /^fake\.pdf: .*plain text/);
    assert.deepEqual(ids(first.records), ["doc:good.txt"]);
    // the failures come from memory: with a limit of a millisecond nothing could have been parsed
    assert.deepEqual({ ...codes(again), "doc:good.txt": undefined }, { ...codes(first), "doc:good.txt": undefined });
  });

  it("leaves out what ignore files, exclude patterns and its own list say, and reads only what is included", async (t) => {
    const root = await folderOf(t);
    for (const folder of ["node_modules", "sub", "drafts"]) await mkdir(join(root, folder));
    for (const file of ["a.md", "LOUD.MD", "b.txt", "node_modules/x.md", "sub/c.md", "sub/secret.md", "drafts/d.md", "logo.png"])
      await writeFile(join(root, file), "text");
    await writeFile(join(root, ".gitignore"), "sub/*\n!sub/c.md\n");

    const names = async (config: object) => ids((await pull(root, config)).records);

    assert.deepEqual(await names({ exclude: ["drafts/"] }), ["doc:LOUD.MD", "doc:a.md", "doc:b.txt", "doc:sub/c.md"]);
    assert.deepEqual(await names({ include: ["**/*.md"], ignoreFiles: false }), [
      "doc:LOUD.MD",
      "doc:a.md",
      "doc:drafts/d.md",
      "doc:sub/c.md",
      "doc:sub/secret.md",
    ]);
  });

  it("is not trapped by links that lead in circles, nor led out of its folder", async (t) => {
    const root = await folderOf(t);
    const outside = await folderOf(t);
    await writeFile(join(outside, "secret.txt"), "secret");
    await writeFile(join(root, "a.txt"), "text");
    await symlink(root, join(root, "loop"));
    await symlink(join(outside, "secret.txt"), join(root, "out.txt"));
    await symlink(join(root, "a.txt"), join(root, "in.txt"));

    assert.deepEqual(ids((await pull(root)).records), ["doc:a.txt", "doc:in.txt"]);
  });

  it("goes past a folder that cannot be looked into and a name that is no UTF-8, and says so", async (t) => {
    const root = await mkdtemp(join(tmpdir(), "contextd-docs-"));
    // Node's own takes whole paths, and there are longer ones than it can
    t.after(() => execFileSync("rm", ["-rf", root]));
    await writeFile(join(root, "a.txt"), "text");
    await symlink("loop.txt", join(root, "loop.txt"));
    await writeFile(Buffer.concat([Buffer.from(`${root}/caf`), Buffer.from([0xe9]), Buffer.from(".txt")]), "latin");
    await mkdir(Buffer.concat([Buffer.from(`${root}/d`), Buffer.from([0xff])]));
    // longer than a path may be: nobody can look into it, whoever they are
    const name = "x".repeat(250);
    execFileSync("sh", ["-c", `for i in $(seq 20); do mkdir ${name} && cd ${name}; done; cd "${root}"; mkdir last; echo b > last/b.txt`], {
      cwd: root,
    });

    const { records, failed } = await pull(root);

    assert.deepEqual(ids(records), ["doc:a.txt", "doc:last/b.txt"]);
    const told = failed.map(({ id, error, below }) => [id.length < 40 ? id : "long", error.code, below]).sort();
    assert.deepEqual(told, [
      ["doc:caf\u{fffd}.txt", "FILE_UNREADABLE", false],
      ["doc:d\u{fffd}/", "FILE_UNREADABLE", true],
      ["long", "FILE_UNREADABLE", true],
    ]);
    assert.match(failed.find(({ id }) => id.startsWith("doc:caf"))?.error.message ?? "", /not written in UTF-8/);
  });

  it("takes a single file for a source, and fails when there is nothing at the path", async (t) => {
    const root = await folderOf(t);
    await writeFile(join(root, "only.txt"), "text");

    assert.deepEqual(ids((await pull(root, { path: "only.txt" })).records), ["doc:only.txt"]);
    await assert.rejects(pull(root, { path: "nowhere" }), { code: "FILE_NOT_FOUND" });
  });

  it("takes nothing for gone when its folder goes away while it is read", async (t) => {
    const root = await folderOf(t);
    await mkdir(join(root, "share"));
    for (const name of ["a.txt", "b.txt", "c.txt"]) await writeFile(join(root, "share", name), name);
    const config = documents.config.parse({ kind: "documents", path: "share" });

    const came: Pulled["type"][] = [];
    const pulling = async () => {
      for await (const one of documents.pull(config, ioAt(root), null)) {
        came.push(one.type);
        await rename(join(root, "share"), join(root, "elsewhere")).catch(() => {});
      }
    };

    await assert.rejects(pulling, { code: "FILE_NOT_FOUND", message: /share went away while it was read/, remedy: /mount it again/ });
    assert.equal(came.includes("end"), false);
  });

  it("takes nothing for gone where a share is not mounted, and everything where a folder was emptied", async (t) => {
    const root = await folderOf(t);
    const config = documents.config.parse({ kind: "documents", path: "." });
    const again = async (since: string): Promise<Pulled | undefined> =>
      (await Array.fromAsync(documents.pull(config, ioAt(root), since))).at(-1);

    const cursorOf = (one: Pulled | undefined): string => (one?.type === "end" && one.cursor) || "no end";

    assert.equal(cursorOf(await again("{}")), "{}", "an empty folder may lie on another disk tomorrow");
    await writeFile(join(root, "a.txt"), "text");
    const cursor = cursorOf(await again("{}"));
    const elsewhere = JSON.stringify({ disk: (JSON.parse(cursor) as { disk: number }).disk + 1 });
    assert.equal(cursorOf(await again(elsewhere)), cursor, "moved to a larger disk");
    await rm(join(root, "a.txt"));

    assert.equal(cursorOf(await again(cursor)), "{}");
    await assert.rejects(again(elsewhere), { code: "FILE_NOT_FOUND", message: /is empty, and on another disk than before/ });
  });

  it("reads a single document again, null when it is gone, and nothing outside its folder", async (t) => {
    const root = await folderOf(t);
    await mkdir(join(root, "docs"));
    await writeFile(join(root, "docs", "a.txt"), "inside");
    await writeFile(join(root, "b.txt"), "outside");
    const config = documents.config.parse({ kind: "documents", path: "docs" });
    const read = async (id: `doc:${string}`) => (await documents.read?.(config, ioAt(root), id))?.record.body.split("\n")[0] ?? null;

    assert.deepEqual(
      [await read("doc:docs/a.txt"), await read("doc:docs/gone.txt"), await read("doc:docs/../b.txt"), await read("doc:b.txt")],
      ["inside", null, null, null],
    );
  });

  it("names files by their place, so that two folders may hold files of one name", async (t) => {
    const root = await folderOf(t);
    const outside = await folderOf(t);
    for (const folder of ["a", "b/deep", "uploads"]) {
      await mkdir(join(root, folder), { recursive: true });
      await writeFile(join(root, folder, "README.md"), `of ${folder}`);
    }
    await writeFile(join(outside, "README.md"), "of another place");
    const idsOf = async (config: object) => ids((await pull(root, config)).records);

    assert.deepEqual(await idsOf({ path: "a" }), ["doc:a/README.md"]);
    assert.deepEqual(await idsOf({ path: join(root, "b") }), ["doc:b/deep/README.md"]);
    assert.deepEqual(await idsOf({ path: "b/deep/README.md" }), ["doc:b/deep/README.md"]);
    assert.deepEqual(await idsOf({ path: outside }), [`doc:${outside}/README.md`]);
    assert.deepEqual(await idsOf({ path: outside, name: "handbook" }), ["doc:handbook/README.md"]);
    // what is uploaded has ids of its own
    assert.deepEqual(await idsOf({ path: "uploads" }), ["doc:./uploads/README.md"]);
    assert.deepEqual(await idsOf({}), ["doc:./uploads/README.md", "doc:a/README.md", "doc:b/deep/README.md"]);
    const config = documents.config.parse({ kind: "documents", path: "uploads" });
    assert.equal((await documents.read?.(config, ioAt(root), "doc:./uploads/README.md"))?.record.title, "README.md");
  });

  it("lets no secret of a document into its record", async (t) => {
    const root = await folderOf(t);
    await writeFile(join(root, "a.md"), "# Setup\n\nexport GITHUB_TOKEN=ghp_abcdefghijklmnopqrstuvwxyz0123456789\n\n## After\n");

    const [record] = (await pull(root)).records;

    assert.ok(record && !record.body.includes("ghp_"));
    const after = record.fields.headings?.at(-1);
    assert.equal(record.body.slice(after?.at, (after?.at ?? 0) + 5), "After");
  });
});

describe("the parser process", () => {
  const signal = new AbortController().signal;

  it("is killed when a file takes too long, and a new one reads the next", async (t) => {
    const root = await folderOf(t);
    pipeAt(join(root, "slow.txt"));
    await writeFile(join(root, "quick.txt"), "quick");
    await using parser = new ParserProcess({ timeoutSeconds: 1, memoryMb: 256 });

    const slow = parser.parse({ path: join(root, "slow.txt"), name: "slow.txt" }, signal);
    await assert.rejects(slow, { code: "FILE_TIMEOUT" });
    const quick = await parser.parse({ path: join(root, "quick.txt"), name: "quick.txt" }, signal);

    assert.equal(quick.parsed.text, "quick");
  });

  it("costs no more memory than allowed", async (t) => {
    const root = await folderOf(t);
    await writeFile(join(root, "greedy.txt"), "a b\n\n".repeat(6_000_000));
    await using parser = new ParserProcess({ timeoutSeconds: 60, memoryMb: 64 });

    await assert.rejects(parser.parse({ path: join(root, "greedy.txt"), name: "greedy.txt" }, signal), {
      code: "FILE_TIMEOUT",
      message: /memory/,
    });
  });

  it("stops at once when the caller does", async (t) => {
    const root = await folderOf(t);
    pipeAt(join(root, "slow.txt"));
    await using parser = new ParserProcess({ timeoutSeconds: 60, memoryMb: 256 });
    const stop = new AbortController();

    const parsing = parser.parse({ path: join(root, "slow.txt"), name: "slow.txt" }, stop.signal);
    stop.abort(new Error("enough"));

    await assert.rejects(parsing, { message: "enough" });
  });
});
