import { type Dirent, statSync } from "node:fs";
import { opendir, readFile, realpath, stat } from "node:fs/promises";
import { basename, join, matchesGlob, relative, sep } from "node:path";
import ignore, { type Ignore } from "ignore";
import { ContextError } from "../../core/errors.ts";
import { isNeverEntered, isNeverRead } from "./never-read.ts";

export interface FoundFile {
  readonly path: string;
  /** Below the source's folder, "/" between its parts. */
  readonly name: string;
  readonly size: number;
  readonly mtimeMs: number;
}

export interface WalkOptions {
  /** Globs of names that are read; all when empty. */
  readonly include: readonly string[];
  /** Patterns as in a .gitignore. */
  readonly exclude: readonly string[];
  /** Honour .gitignore and .contextdignore files found on the way. */
  readonly ignoreFiles: boolean;
  /** Just this name: folders that do not lead to it are passed over. */
  readonly only?: string;
}

/** Whether a file of this name may hold text: pictures, archives and programs are never opened. */
export function mayBeDocument(name: string): boolean {
  const plain = basename(name);
  return plain !== "" && !isNeverRead(plain);
}

/** A file or folder that cannot be looked at: what is known of it, and of all below it, is to be kept. */
export interface Unreachable {
  /** As of a found file; a folder's has a "/" at its end. */
  readonly name: string;
  readonly isFolder: boolean;
  readonly error: ContextError;
}

/**
 * Files of a folder, one directory at a time, in the order in which the system lists them: memory does not grow with their number.
 * Links to folders are not followed, so that no loop can trap it; links to files are, when these lie in the folder.
 * @throws ContextError FILE_NOT_FOUND when there is no such folder or file, or no longer the same one at the end (a share that was
 * taken off, a folder renamed): what was not met is then not known to be gone. FILE_UNREADABLE when it may not be looked into
 */
export async function* walk(root: string, options: WalkOptions): AsyncGenerator<FoundFile | Unreachable> {
  const info = await stat(root).catch((cause: NodeJS.ErrnoException) => {
    const remedy = "Check the path. What was read from it is kept; `contextd forget PATH` lets go of what was ingested.";
    throw new ContextError("FILE_NOT_FOUND", `There is no folder or file ${root}`, { cause, remedy });
  });
  if (info.isFile()) {
    if (options.only === undefined || options.only === basename(root))
      yield { path: root, name: basename(root), size: info.size, mtimeMs: Math.trunc(info.mtimeMs) };
    return;
  }
  const realRoot = await realpath(root);
  for await (const one of visit(root, options)) {
    if (one.type === "unreachable") yield one;
    if (one.type !== "entry") continue;
    const { folder, entry } = one;
    const name = folder.prefix + entry.name;
    if (options.only !== undefined && options.only !== name) continue;
    if (!(entry.isFile() || entry.isSymbolicLink()) || !folder.reads(entry.name)) continue;
    const path = join(folder.path, entry.name);
    if (entry.isSymbolicLink() && !(await inside(path, realRoot))) continue;
    try {
      // through the thread pool this takes most of the time of a scan
      const found = statSync(path);
      if (found.isFile()) yield { path, name, size: found.size, mtimeMs: Math.trunc(found.mtimeMs) };
    } catch (error) {
      const why = reasonOf(name, error);
      if (why !== null) yield { name, isFolder: false, error: why };
    }
  }
  const after = await stat(root).catch(() => null);
  if (after?.dev !== info.dev || after.ino !== info.ino) throw wentAway(root);
}

function wentAway(root: string, cause?: unknown): ContextError {
  const remedy = "Put it back, or mount it again; what was read from it is kept.";
  return new ContextError("FILE_NOT_FOUND", `The folder ${root} went away while it was read`, { cause, remedy });
}

/** Why nothing can be learnt of what was listed; null where it has just gone. */
function reasonOf(name: string, cause: unknown): ContextError | null {
  const { code = "" } = cause as NodeJS.ErrnoException;
  // the top folder has no name below itself, and who reports this names it
  const who = name === "" ? "" : `${name}: `;
  if (code !== "ENOENT" && code !== "ENOTDIR")
    return new ContextError("FILE_UNREADABLE", `${who}It cannot be looked at: ${code}`, { cause });
  // the system lists bytes; those that are no UTF-8 come as this sign, and there is no file of that name
  if (!name.includes("\u{fffd}")) return null;
  return new ContextError("FILE_UNREADABLE", `${name}: Its name is not written in UTF-8`, { cause, remedy: "Rename it." });
}

export interface WalkedFolder {
  readonly path: string;
  /** Its name below the source's folder with a "/" at the end, empty for that folder itself. */
  readonly prefix: string;
  /** Whether a file in it of this name is read. */
  reads(name: string): boolean;
  /** Whether a folder in it of this name is gone into. */
  enters(name: string): boolean;
}

/** The folders that are gone into, the source's own first. */
export async function* walkFolders(root: string, options: WalkOptions): AsyncGenerator<WalkedFolder> {
  for await (const one of visit(root, options)) if (one.type === "folder") yield one.folder;
}

type Visited =
  | { readonly type: "folder"; readonly folder: WalkedFolder }
  /** What is in it, but folders. */
  | { readonly type: "entry"; readonly folder: WalkedFolder; readonly entry: Dirent }
  | ({ readonly type: "unreachable" } & Unreachable);

/** A folder that waits for its turn: of a million of them, a name and where it is. */
interface Waiting {
  readonly name: string;
  readonly parent: WalkedFolder & { readonly rules: readonly Rules[] };
}

/** Names that the system is asked for at a time. */
const LISTED_AT_ONCE = 256;

/** Each folder, then what is in it. Nothing is ever held of files; of folders, the names of those not gone into yet. */
async function* visit(root: string, options: WalkOptions): AsyncGenerator<Visited> {
  const waiting: Waiting[] = [];
  const given = options.exclude.length === 0 ? [] : [new Rules("", options.exclude.join("\n"))];
  let folder = await folderOf(root, "", given, options);
  for (;;) {
    yield { type: "folder", folder };
    const below: Waiting[] = [];
    try {
      for await (const entry of await opendir(folder.path, { bufferSize: LISTED_AT_ONCE })) {
        if (!entry.isDirectory()) yield { type: "entry", folder, entry };
        else if (folder.enters(entry.name) && leadsTo(`${folder.prefix}${entry.name}/`, options.only)) {
          below.push({ name: entry.name, parent: folder });
        }
      }
    } catch (error) {
      const why = reasonOf(folder.prefix, error);
      if (folder.prefix === "") throw why ?? wentAway(root, error);
      if (why !== null) yield { type: "unreachable", name: folder.prefix, isFolder: true, error: why };
    }
    for (const one of below.reverse()) waiting.push(one);
    const next = waiting.pop();
    if (next === undefined) return;
    const { name, parent } = next;
    folder = await folderOf(join(parent.path, name), `${parent.prefix}${name}/`, parent.rules, options);
  }
}

function leadsTo(prefix: string, only: string | undefined): boolean {
  return only === undefined || only.startsWith(prefix);
}

/** Names tested before a rule set is made anew: it remembers each, without end. */
const MOST_TESTED = 10_000;

/** Patterns as in a .gitignore. */
class Rules {
  readonly #base: string;
  readonly #patterns: string;
  #rules: Ignore;
  #tested = 0;

  /** @param base folder whose patterns these are, "" or ending in "/" */
  constructor(base: string, patterns: string) {
    this.#base = base;
    this.#patterns = patterns;
    this.#rules = ignore().add(patterns);
  }

  test(name: string): { readonly ignored: boolean; readonly unignored: boolean } {
    this.#tested += 1;
    if (this.#tested % MOST_TESTED === 0) this.#rules = ignore().add(this.#patterns);
    return this.#rules.test(name.slice(this.#base.length));
  }
}

async function folderOf(path: string, prefix: string, inherited: readonly Rules[], options: WalkOptions): Promise<Waiting["parent"]> {
  const rules = options.ignoreFiles ? [...inherited, ...(await ignoreFilesOf(path, prefix))] : inherited;
  return {
    path,
    prefix,
    rules,
    reads: (name) => !isIgnored(prefix + name, rules) && included(prefix + name, options.include),
    enters: (name) => !isIgnored(`${prefix}${name}/`, rules),
  };
}

async function ignoreFilesOf(folder: string, prefix: string): Promise<readonly Rules[]> {
  const found: Rules[] = [];
  for (const name of [".gitignore", ".contextdignore"]) {
    const text = await readFile(join(folder, name), "utf8").catch(() => null);
    if (text !== null) found.push(new Rules(prefix, text));
  }
  return found;
}

/** As git reads them: the deepest file that says something about the path decides, then what is never read anyway. */
function isIgnored(name: string, all: readonly Rules[]): boolean {
  for (let i = all.length - 1; i >= 0; i--) {
    const { ignored = false, unignored = false } = all[i]?.test(name) ?? {};
    if (ignored) return true;
    if (unignored) return false;
  }
  return name.endsWith("/") ? isNeverEntered(basename(name)) : isNeverRead(basename(name));
}

/** A glob without a slash fits a name in any folder; case does not count, so that "*.pdf" finds REPORT.PDF. */
function included(name: string, globs: readonly string[]): boolean {
  const lower = name.toLowerCase();
  return globs.length === 0 || globs.some((glob) => matchesGlob(glob.includes("/") ? lower : basename(lower), glob.toLowerCase()));
}

async function inside(path: string, realRoot: string): Promise<boolean> {
  const real = await realpath(path).catch(() => null);
  return real !== null && !relative(realRoot, real).split(sep).includes("..");
}
