import { type Dirent, existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, matchesGlob, relative, resolve, sep } from "node:path";
import { ContextError } from "../../core/errors.ts";

export interface LogFile {
  readonly path: string;
  /** Name in ids: the path below the pattern's fixed folder, "/" between its parts. */
  readonly name: string;
  /** Path below the manifest's folder, for people. */
  readonly shown: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly inode: string;
}

const wild = /[*?[\]{}!()]/;
/** What log rotation appends: ".1", ".2.gz", "-20260820", ".2026-08-20.zst". */
const rotation = /^[.-](?:\d{1,8}|\d{4}-\d\d-\d\d(?:-\d+)?)(?:\.(?:gz|zst))?$|^\.(?:gz|zst)$/;

/**
 * Log files that the patterns name, rotated siblings of theirs included, in a stable order, each once.
 * @throws ContextError FILE_NOT_FOUND when a pattern without wildcards names nothing
 */
export async function findLogFiles(root: string, patterns: readonly string[], rotated: boolean): Promise<readonly LogFile[]> {
  const found = new Map<string, LogFile>();
  const names = new Set<string>();
  for (const pattern of patterns) {
    const absolute = isAbsolute(pattern) ? pattern : resolve(root, pattern);
    const paths = await matching(absolute, rotated);
    const base = (await isFolder(absolute)) ? absolute : fixedFolder(absolute);
    for (const path of paths.toSorted()) {
      if (found.has(path)) continue;
      const info = await stat(path, { bigint: true });
      const below = slashed(relative(root, path));
      const shown = below.startsWith("../") ? slashed(path) : below;
      const short = slashed(relative(base, path));
      const name = names.has(short) ? shown : short;
      names.add(name);
      found.set(path, { path, name, shown, size: Number(info.size), mtimeMs: Number(info.mtimeMs), inode: `${info.dev}:${info.ino}` });
    }
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function matching(pattern: string, rotated: boolean): Promise<readonly string[]> {
  const fits = (path: string) => matchesGlob(path, pattern) || (rotated && fitsRotated(path, pattern));
  if (!wild.test(pattern)) {
    if (!existsSync(pattern)) throw new ContextError("FILE_NOT_FOUND", `There is no log file ${pattern}`);
    if ((await stat(pattern)).isDirectory()) return walk(pattern, () => true);
    if (!rotated) return [pattern];
    const siblings = await readdir(dirname(pattern));
    return siblings.map((name) => join(dirname(pattern), name)).filter((path) => path === pattern || fitsRotated(path, pattern));
  }
  const folder = fixedFolder(pattern);
  return existsSync(folder) ? walk(folder, fits) : [];
}

function fitsRotated(path: string, pattern: string): boolean {
  const name = basename(path);
  for (let at = name.indexOf("."); at > 0; at = nextMark(name, at)) {
    if (rotation.test(name.slice(at)) && matchesGlob(join(dirname(path), name.slice(0, at)), pattern)) return true;
  }
  return false;
}

function nextMark(name: string, at: number): number {
  const next = name.slice(at + 1).search(/[.-]/);
  return next < 0 ? -1 : at + 1 + next;
}

/** Files below a folder; links to folders are not followed, so no loop can trap it. */
async function walk(folder: string, fits: (path: string) => boolean): Promise<string[]> {
  const found: string[] = [];
  const entries: Dirent[] = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) found.push(...(await walk(path, fits)));
    else if (fits(path) && (entry.isFile() || (entry.isSymbolicLink() && (await isFile(path))))) found.push(path);
  }
  return found;
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (info) => info.isDirectory(),
    () => false,
  );
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (info) => info.isFile(),
    () => false,
  );
}

/** The part of a pattern before its first wildcard, as a folder. */
function fixedFolder(pattern: string): string {
  const parts = pattern.split(/[\\/]/);
  const first = parts.findIndex((part) => wild.test(part));
  return parts.slice(0, first < 0 ? -1 : first).join(sep) || sep;
}

function slashed(path: string): string {
  return sep === "/" ? path : path.replaceAll(sep, "/");
}
