/** CODEOWNERS as GitHub reads it: the last matching line wins, a line without owners means nobody. */

export interface OwnerRule {
  readonly pattern: string;
  /** The pattern's parts between slashes. */
  readonly parts: readonly string[];
  readonly owners: readonly string[];
  readonly start: number;
  readonly end: number;
}

export function isCodeowners(path: string): boolean {
  return /(?:^|\/)CODEOWNERS$/.test(path);
}

/** The rules of the file in order, with the places of their lines in the text. GitLab's "[Section]" lines are skipped. */
export function ownerRules(text: string, limit: number): OwnerRule[] {
  const rules: OwnerRule[] = [];
  for (let start = 0; start < limit; ) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 || newline > limit ? limit : newline;
    const rule = parseLine(text.slice(start, end));
    if (rule !== null) rules.push({ ...rule, start, end });
    start = end + 1;
  }
  return rules;
}

function parseLine(line: string): Pick<OwnerRule, "pattern" | "parts" | "owners"> | null {
  const words: string[] = [];
  let word = "";
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at] ?? "";
    if (character === "\\" && at + 1 < line.length) {
      word += line[at + 1];
      at += 1;
    } else if (character === "#" && word === "") break;
    else if (character === " " || character === "\t") {
      if (word !== "") words.push(word);
      word = "";
    } else word += character;
  }
  if (word !== "") words.push(word);
  const [pattern, ...owners] = words;
  if (pattern === undefined || /^(?:\^?\[|!)/.test(pattern)) return null;
  const known = owners.filter((owner) => /^@?[^\s@]+(?:@[^\s@]+)?$/.test(owner) && owner.includes("@"));
  return known.length === owners.length ? { pattern, parts: partsOf(pattern), owners: known } : null;
}

/** Whether a rule speaks of every file of the repository. */
export function isCatchAll(pattern: string): boolean {
  return /^\/?\*{1,2}(?:\/\*{0,2})?$/.test(pattern) || pattern === "/";
}

/** The parts of a path or pattern between its slashes. */
export function partsOf(path: string): readonly string[] {
  return path.split("/").filter((part) => part !== "");
}

/**
 * Whether a rule covers a path, given by its parts. Gitignore's rules as far as CODEOWNERS has them:
 * a slash at the start or inside anchors it to the root, one at the end means a directory, "*" stays within
 * one part, "**" crosses parts. Compared part by part, so that no pattern can be slow.
 */
export function covers({ pattern, parts }: Pick<OwnerRule, "pattern" | "parts">, path: readonly string[]): boolean {
  const slash = pattern.indexOf("/");
  const anchored = slash >= 0 && slash < pattern.length - 1;
  const directory = pattern.endsWith("/");
  if (parts.length === 0) return true;
  if (anchored) return matchParts(parts, path, 0, 0, directory);
  for (let from = 0; from < path.length; from += 1) if (matchParts(parts, path, 0, from, directory)) return true;
  return false;
}

function matchParts(want: readonly string[], have: readonly string[], w: number, h: number, directory: boolean): boolean {
  if (w === want.length) return directory ? h < have.length : true;
  const part = want[w] ?? "";
  if (part === "**") {
    for (let skip = h; skip <= have.length; skip += 1) if (matchParts(want, have, w + 1, skip, directory)) return true;
    return false;
  }
  const name = have[h];
  if (name === undefined || !matchPart(part, name)) return false;
  // "docs/*" covers the files of docs, not those of its folders
  if (w === want.length - 1 && part === "*" && !directory && want.length > 1) return h === have.length - 1;
  return matchParts(want, have, w + 1, h + 1, directory);
}

/** "*" and "?" within one part, without backtracking over more than one star at a time. */
function matchPart(pattern: string, name: string): boolean {
  let p = 0;
  let n = 0;
  let star = -1;
  let mark = 0;
  while (n < name.length) {
    if (p < pattern.length && (pattern[p] === "?" || pattern[p] === name[n])) {
      p += 1;
      n += 1;
    } else if (pattern[p] === "*") {
      star = p;
      mark = n;
      p += 1;
    } else if (star >= 0) {
      p = star + 1;
      mark += 1;
      n = mark;
    } else return false;
  }
  while (pattern[p] === "*") p += 1;
  return p === pattern.length;
}
