/** Never documents: version control, packages, build output, and what has no text in it. Compared in lower case. */
const folders: ReadonlySet<string> = new Set([".git", ".hg", ".svn", "node_modules", ".venv", "__pycache__"]);

const names: ReadonlySet<string> = new Set([
  ...[".ds_store", "thumbs.db", "package-lock.json"],
  ...[".gitignore", ".gitattributes", ".contextdignore", ".dockerignore", ".npmignore"],
]);

const endings: ReadonlySet<string> = new Set(
  `
lock map
png jpg jpeg gif bmp ico webp tif tiff heic avif svg
mp3 mp4 wav ogg flac mov avi mkv webm
zip gz tgz bz2 xz zst 7z rar tar jar war whl iso dmg
exe dll so dylib o a class pyc wasm bin dat db sqlite sqlite3
db-wal db-shm db-journal sqlite-wal sqlite-shm sqlite-journal
woff woff2 ttf otf eot
`
    .trim()
    .split(/\s+/),
);

/** Whether a folder of this name holds no documents. */
export function isNeverEntered(name: string): boolean {
  return folders.has(name.toLowerCase());
}

/** Whether a file of this name holds no text that is worth reading. */
export function isNeverRead(name: string): boolean {
  const lower = name.toLowerCase();
  const dot = lower.lastIndexOf(".");
  return (
    (dot >= 0 && endings.has(lower.slice(dot + 1))) ||
    names.has(lower) ||
    lower.startsWith("~$") ||
    lower.endsWith(".min.js") ||
    lower.endsWith(".min.css")
  );
}
