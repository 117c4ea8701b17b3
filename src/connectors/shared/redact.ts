import { packLines, unpackLines } from "../../core/lines.ts";
import type { Json, RecordFields, SourceRecord } from "../../core/record.ts";
import { type SecretRule, secretRules } from "./secret-rules.ts";

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  readonly weak?: boolean;
}

/** A text without its secrets, and how offsets moved on the way. */
export interface Redacted {
  readonly text: string;
  /** An offset of the original in the new text; one inside a secret moves to the start of its replacement. */
  moved(offset: number): number;
}

const keyBegin = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const MOST_KEY = 20_000;

/** Short texts that were found clean: payloads repeat the same names, states and addresses thousands of times. */
const clean = new Set<string>();
const MOST_CLEAN = 20_000;
const SHORT = 200;

/** Replaces every secret by "[redacted kind]". Linear in the text; a text without secrets comes back as it is. */
export function redactText(text: string): Redacted {
  if (text.length < SHORT && clean.has(text)) return { text, moved: same };
  const edits = findSecrets(text);
  if (edits.length === 0) {
    if (text.length < SHORT) {
      if (clean.size >= MOST_CLEAN) clean.clear();
      clean.add(text);
    }
    return { text, moved: same };
  }
  let redacted = "";
  let from = 0;
  for (const edit of edits) {
    redacted += text.slice(from, edit.start) + edit.replacement;
    from = edit.end;
  }
  redacted += text.slice(from);
  return { text: redacted, moved: (offset) => moved(offset, edits) };
}

function same(offset: number): number {
  return offset;
}

function moved(offset: number, edits: readonly Edit[]): number {
  let shift = 0;
  for (const edit of edits) {
    if (edit.start >= offset) break;
    if (edit.end > offset) return edit.start + shift;
    shift += edit.replacement.length - (edit.end - edit.start);
  }
  return offset + shift;
}

/** In order, without overlaps; of two that overlap the one that starts first stays, grown to hold both. */
function findSecrets(text: string): readonly Edit[] {
  if (text.length < 8) return [];
  const lower = text.toLowerCase();
  const found: Edit[] = [...privateKeys(text, lower)];
  for (const rule of secretRules) {
    if (rule.hints.some((hint) => lower.includes(hint))) found.push(...matches(text, rule));
  }
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: Edit[] = [];
  for (const edit of found) {
    const last = kept.at(-1);
    if (last === undefined || edit.start >= last.end) kept.push(edit);
    else if (edit.end > last.end && !edit.weak) kept[kept.length - 1] = { ...last, end: edit.end };
  }
  return kept;
}

function* matches(text: string, rule: SecretRule): Generator<Edit> {
  rule.pattern.lastIndex = 0;
  for (let match = rule.pattern.exec(text); match !== null; match = rule.pattern.exec(text)) {
    const groups = match.indices?.groups;
    const place = groups?.secret ?? groups?.dq ?? groups?.sq ?? groups?.bare ?? match.indices?.[0];
    if (place === undefined) continue;
    const [start, end] = place;
    if (rule.accept && !rule.accept(text.slice(start, end), match)) {
      // what was taken for a value may itself begin a secret: "token: password=…"
      rule.pattern.lastIndex = Math.max(match.index + 1, start);
      continue;
    }
    yield { start, end, replacement: `[redacted ${rule.name}]`, weak: rule.weak ?? false };
  }
}

/** PEM blocks, by hand: a lazy pattern from BEGIN to END is quadratic where ENDs are missing. */
function* privateKeys(text: string, lower: string): Generator<Edit> {
  if (!lower.includes("private key")) return;
  keyBegin.lastIndex = 0;
  for (let match = keyBegin.exec(text); match !== null; match = keyBegin.exec(text)) {
    const start = match.index;
    const after = text.slice(keyBegin.lastIndex, start + MOST_KEY);
    const end = /-----END [A-Z0-9 ]{0,40}-----/.exec(after);
    // cut off before its end: the base64 that follows goes all the same
    const length = end ? end.index + end[0].length : (/^[A-Za-z0-9+/=\s\\:,-]*/.exec(after)?.[0].trimEnd().length ?? 0);
    yield { start, end: keyBegin.lastIndex + length, replacement: "[redacted private-key]" };
    keyBegin.lastIndex += length;
  }
}

const secretKey = /(?:password|passwd|passphrase|secret|api[_-]?key|access[_-]?key|private[_-]?key|(?:^|[_-])token)$/i;

/** A payload without its secrets; also what stands under a key such as "password". Deep payloads are cut at 100 levels. */
export function redactJson(value: unknown, depth = 0): Json {
  if (typeof value === "string") return redactText(value).text;
  if (value === null || typeof value === "boolean" || typeof value === "number") return value;
  if (typeof value !== "object" || depth > 100) return null;
  if (Array.isArray(value)) return value.map((item) => redactJson(item, depth + 1));
  const made: Record<string, Json> = {};
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    made[key] = typeof item === "string" && item !== "" && secretKey.test(key) ? "[redacted password]" : redactJson(item, depth + 1);
  }
  return made;
}

/** A record without secrets in its text, title and stated fields; offsets into the body move along. */
export function redactRecord(record: SourceRecord): SourceRecord {
  const body = redactText(record.body);
  const { headings, code, pageStarts, lines, ocr, ...stated } = record.fields;
  const fields: RecordFields = {
    ...(redactJson(stated) as RecordFields),
    ...(headings ? { headings: headings.map((one) => ({ ...one, at: body.moved(one.at), text: redactText(one.text).text })) } : {}),
    ...(code ? { code: code.map(({ start, end }) => ({ start: body.moved(start), end: body.moved(end) })) } : {}),
    ...(pageStarts ? { pageStarts: pageStarts.map((at) => body.moved(at)) } : {}),
    ...(lines ? { lines: packLines(unpackLines(lines).map((line) => ({ ...line, at: body.moved(line.at) }))) } : {}),
    ...(ocr ? { ocr: ocr.map((one) => ({ ...one, start: body.moved(one.start), end: body.moved(one.end) })) } : {}),
  };
  return { ...record, title: redactText(record.title).text, body: body.text, proseEnd: body.moved(record.proseEnd), fields };
}
