import { opendir, readFile, realpath, stat } from "node:fs/promises";
import { basename, join, matchesGlob, relative, sep } from "node:path";
import ignore, { type Ignore } from "ignore";
import { ContextError } from "../../core/errors.ts";

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

/** Never documents: version control, packages, build output, and what has no text in it. */
const always = `
.git/ .hg/ .svn/ node_modules/ .venv/ __pycache__/ .DS_Store Thumbs.db ~$* .gitignore .gitattributes .contextdignore .dockerignore .npmignore
*.lock *.min.js *.min.css *.map package-lock.json
*.png *.jpg *.jpeg *.gif *.bmp *.ico *.webp *.tif *.tiff *.heic *.avif *.svg
*.mp3 *.mp4 *.wav *.ogg *.flac *.mov *.avi *.mkv *.webm
*.zip *.gz *.tgz *.bz2 *.xz *.zst *.7z *.rar *.tar *.jar *.war *.whl *.iso *.dmg
*.exe *.dll *.so *.dylib *.o *.a *.class *.pyc *.wasm *.bin *.dat *.db *.sqlite *.sqlite3
*.woff *.woff2 *.ttf *.otf *.eot
`
  .trim()
  .split(/\s+/);

/** Whether a file of this name may hold text: pictures, archives and programs are never opened. */
export function mayBeDocument(name: string): boolean {
  const plain = basename(name);
  return plain !== "" && !neverRead.ignores(plain);
}

const neverRead = ignore().add(always);

/**
 * Files of a folder, one directory at a time, in the order in which the system lists them: memory does not grow with their number.
 * Links to folders are not followed, so that no loop can trap it; links to files are, when these lie in the folder.
 * @throws ContextError FILE_NOT_FOUND when there is no such folder or file
 */
export async function* walk(root: string, options: WalkOptions): AsyncGenerator<FoundFile> {
  const info = await stat(root).catch((cause: NodeJS.ErrnoException) => {
    throw new ContextError("FILE_NOT_FOUND", `There is no folder or file ${root}`, { cause });
  });
  if (info.isFile()) {
    if (options.only === undefined || options.only === basename(root))
      yield { path: root, name: basename(root), size: info.size, mtimeMs: Math.trunc(info.mtimeMs) };
    return;
  }
  const rules = ignore()
    .add(always)
    .add([...options.exclude]);
  yield* walkFolder(root, await realpath(root), "", [{ base: "", rules }], options);
}

interface Rules {
  /** Folder whose patterns these are, "" or ending in "/". */
  readonly base: string;
  readonly rules: Ignore;
}

async function* walkFolder(
  folder: string,
  realRoot: string,
  prefix: string,
  inherited: readonly Rules[],
  options: WalkOptions,
): AsyncGenerator<FoundFile> {
  const rules = options.ignoreFiles ? [...inherited, ...(await ignoreFilesOf(folder, prefix))] : inherited;
  const folders: string[] = [];
  for await (const entry of await opendir(folder)) {
    const name = prefix + entry.name;
    const path = join(folder, entry.name);
    if (options.only !== undefined && options.only !== name && !(entry.isDirectory() && options.only.startsWith(`${name}/`))) continue;
    if (entry.isDirectory()) {
      if (!isIgnored(`${name}/`, rules)) folders.push(entry.name);
      continue;
    }
    if (isIgnored(name, rules) || !included(name, options.include)) continue;
    if (entry.isSymbolicLink() && !(await inside(path, realRoot))) continue;
    if (!entry.isFile() && !entry.isSymbolicLink()) continue;
    const info = await stat(path).catch(() => null);
    if (info?.isFile()) yield { path, name, size: info.size, mtimeMs: Math.trunc(info.mtimeMs) };
  }
  for (const name of folders) yield* walkFolder(join(folder, name), realRoot, `${prefix}${name}/`, rules, options);
}

async function ignoreFilesOf(folder: string, prefix: string): Promise<readonly Rules[]> {
  const found: Rules[] = [];
  for (const name of [".gitignore", ".contextdignore"]) {
    const text = await readFile(join(folder, name), "utf8").catch(() => null);
    if (text !== null) found.push({ base: prefix, rules: ignore().add(text) });
  }
  return found;
}

/** As git reads them: the deepest file that says something about the path decides. */
function isIgnored(name: string, all: readonly Rules[]): boolean {
  for (const { base, rules } of all.toReversed()) {
    const { ignored, unignored } = rules.test(name.slice(base.length));
    if (ignored) return true;
    if (unignored) return false;
  }
  return false;
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
