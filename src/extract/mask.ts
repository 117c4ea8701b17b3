import type { NameMatch } from "../core/extract.ts";
import type { NodeId } from "../core/fact.ts";
import { serviceTail } from "./words.ts";

/** A node named in a sentence. Offsets are into the record's body. */
export interface Mention {
  readonly kind: "service" | "engineer" | "team" | "ticket" | "commit";
  /** Several when the spelling is ambiguous. */
  readonly nodes: readonly NodeId[];
  readonly start: number;
  readonly end: number;
  readonly bare: boolean;
}

/** What of the dictionary finding names needs. */
export interface Dictionary {
  ticket(key: string): NodeId | null;
  scan(text: string): readonly NameMatch[];
}

/**
 * A sentence with each name replaced by one character that tells its kind, white space folded: "«S» depends on «S»".
 * Patterns run on it, so they need know no name, and no name can be taken for a part of a pattern.
 */
export interface Masked {
  readonly text: string;
  /** Offset in the body for each character of `text`, and one more for its end. */
  readonly offsets: readonly number[];
  readonly mentions: readonly Mention[];
}

const bases = { service: 0xe000, engineer: 0xe400, team: 0xe800, ticket: 0xec00, commit: 0xf000 } as const;
const room = 0x400;

/** Character classes for patterns. */
export const classes = {
  S: "\\uE000-\\uE3FF",
  E: "\\uE400-\\uE7FF",
  T: "\\uE800-\\uEBFF",
  K: "\\uEC00-\\uEFFF",
  C: "\\uF000-\\uF3FF",
} as const;

const ticketKey = /(?<![\w-])([A-Za-z][A-Za-z0-9_]{1,15}-\d{1,7})(?![\w-]|\.\d)/g;
const issueNumber = /(?<![\w&/])(?:([\w.-]{1,100}\/[\w.-]{1,100})|([\w.-]{1,60}))?#(\d{1,7})(?!\w)/g;
const hex = /(?<![\w/.#-])[0-9a-f]{6,40}(?![\w-]|\.\w)/g;

/** A sha as written, where it stands as one: hex with a digit and a letter; digits only where the words beside it speak of a commit. */
export function isSha(text: string, before: string, after: string): boolean {
  if (!/\d/.test(text)) return false;
  if (/[a-f]/.test(text)) return true;
  if (text.length < 7) return false;
  return (
    /\b(?:commit|revision|sha|(?:fixed|closed|resolved|solved|caused|introduced|broken|reverted) (?:by|in|with)|merged as|done with)\s?`?$/i.test(
      before,
    ) || /^`? (?:fixes|fixed|closes|closed|resolves|resolved|solves|broke)\b/i.test(after)
  );
}

/** Nodes that a stretch of a body names, in order, without overlaps. */
export function mentionsIn(body: string, start: number, end: number, names: Dictionary, repository: string | undefined): Mention[] {
  const text = body.slice(start, end);
  const matches = names.scan(text).map((match) => ({ ...match, start: start + match.start, end: start + match.end }));
  return withKeys(text, start, matches, names, repository);
}

/**
 * The names found in a stretch of a body with the ticket keys and commits that stand there, in order, without overlaps.
 * @param start of the stretch in the body, as the places of the matches are
 * @param repository whose issues a bare "#12" means; undefined: it means none
 */
export function withKeys(
  text: string,
  start: number,
  matches: readonly NameMatch[],
  names: Pick<Dictionary, "ticket">,
  repository: string | undefined,
): Mention[] {
  const found = /\d/.test(text) ? keysIn(text, start, names, repository) : [];
  const keys = found.length;
  for (const { nodes, start: from, end, bare } of matches) {
    const [node] = nodes;
    if (node === undefined) continue;
    const kind = node.slice(0, node.indexOf(":")) as Mention["kind"];
    if (keys > 0 && found.slice(0, keys).some((other) => from < other.end && end > other.start)) continue;
    found.push({ kind, nodes, start: from, end, bare });
  }
  const isClear = (mention: Mention, at: number): boolean => at === 0 || mention.start >= (found[at - 1]?.end ?? 0);
  if (found.every(isClear)) return found;
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  return found.filter(isClear);
}

/** Tickets and commits in a text with digits. */
function keysIn(text: string, start: number, names: Pick<Dictionary, "ticket">, repository: string | undefined): Mention[] {
  const found: Mention[] = [];
  const put = (kind: "ticket" | "commit", node: NodeId, { 0: written, index }: RegExpExecArray): void => {
    found.push({ kind, nodes: [node], start: start + index, end: start + index + written.length, bare: false });
  };
  for (const match of /-\d/.test(text) ? text.matchAll(ticketKey) : []) {
    const node = names.ticket(match[1] ?? "");
    if (node !== null) put("ticket", node, match);
  }
  for (const match of text.matchAll(hex)) {
    const before = text.slice(Math.max(0, match.index - 24), match.index);
    const after = text.slice(match.index + match[0].length, match.index + match[0].length + 12);
    if (isSha(match[0], before, after)) put("commit", `commit:${match[0]}`, match);
  }
  for (const match of text.includes("#") ? text.matchAll(issueNumber) : []) {
    const repo = match[1]?.split("/")[1] ?? match[2] ?? repository;
    // a bare "#12" outside of a repository points nowhere
    if (repo !== undefined) put("ticket", `ticket:${repo}#${match[3]}`, match);
  }
  return found;
}

/** Replaces the names of a sentence. Determiners before and nouns such as "service" after a service's name go with it. */
export function maskSentence(body: string, start: number, end: number, mentions: readonly Mention[]): Masked {
  let text = "";
  const offsets: number[] = [];
  let at = start;
  for (const [index, mention] of mentions.entries()) {
    if (index >= room) break;
    text = dropDeterminer(text + plain(body, at, mention.start, offsets, text), offsets);
    text += String.fromCharCode(bases[mention.kind] + index);
    offsets.push(mention.start);
    at = mention.end;
    if (body[at] === "`" || body[at] === "*") at += 1;
    if (mention.kind === "service") at = swallowTail(body, at, end);
  }
  text += plain(body, at, end, offsets, text);
  offsets.push(end);
  return { text, offsets, mentions };
}

/** A stretch without marks of emphasis, white space folded, characters that stand for names replaced. */
function plain(body: string, from: number, to: number, offsets: number[], before: string): string {
  let space = before === "" || before.endsWith(" ");
  let text = "";
  // characters that stay as they are go over in runs
  let run = from;
  for (let at = from; at < to; at += 1) {
    const code = body.charCodeAt(at);
    const blank = code <= 32 || code === 0xa0;
    const kept = blank ? !space && code === 32 : code !== 96 && code !== 42 && code !== 0x2019 && (code < 0xe000 || code > 0xf8ff);
    if (kept) offsets.push(at);
    else {
      if (at > run) text += body.slice(run, at);
      run = at + 1;
      const instead = blank ? (space ? "" : " ") : code === 0x2019 ? "'" : code >= 0xe000 ? "?" : "";
      if (instead !== "") {
        text += instead;
        offsets.push(at);
      }
    }
    if (blank) space = true;
    else if (code !== 96 && code !== 42) space = false;
  }
  return run < to ? text + body.slice(run, to) : text;
}

function dropDeterminer(text: string, offsets: number[]): string {
  const match = /(?:^|[ (])((?:the|our|der|die|das|den|dem|le|la|el) )$/i.exec(text.slice(-8));
  const length = match?.[1]?.length ?? 0;
  if (length === 0) return text;
  offsets.length -= length;
  return text.slice(0, text.length - length);
}

function swallowTail(body: string, at: number, end: number): number {
  const match = /^[ ]([a-z]{3,12})(?![\w-])/.exec(body.slice(at, Math.min(end, at + 16)));
  return match?.[1] !== undefined && serviceTail.has(match[1]) && match[1] !== "api" ? at + match[0].length : at;
}

/** The mention that a character of a masked text stands for. */
export function mentionAt(masked: Masked, character: string | undefined): Mention | null {
  if (character === undefined) return null;
  const code = character.charCodeAt(0);
  return code >= 0xe000 && code < 0xf400 ? (masked.mentions[(code - 0xe000) % room] ?? null) : null;
}
