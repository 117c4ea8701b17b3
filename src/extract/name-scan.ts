import type { NameMatch } from "../core/extract.ts";
import type { NodeId } from "../core/fact.ts";
import { best, type Candidate, own } from "./name-data.ts";
import { NameFilter } from "./name-filter.ts";
import type { TextWords } from "./text-words.ts";
import { commonWords, infrastructure, otherThing, serviceTail } from "./words.ts";

/** Kubernetes names a pod "<deployment>-<hash>-<five>" or "<stateful set>-<ordinal>". */
const podSuffix = /-(?:(?=[a-z0-9-]{0,12}\d)[a-z0-9]{4,10}-[a-z0-9]{5}|[0-9]{1,3}|(?=[a-z]{0,4}\d)[a-z0-9]{5})(?![\w-])/y;
const glue = /[\p{L}\p{N}]/u;
const addressPattern = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g;
const articles = new Set(
  "a an this that these those each every any no some your my his her their our another one per which what".split(" "),
);
const beforeVerb = new Set("to please will can could would should must cannot we i you they let lets also then dont and".split(" "));
const afterVerb = new Set("this that these those the me him her us them it a an your my our their".split(" "));
const objects = new Set(["me", "him", "us", "them", "everyone", "everybody"]);
const teamWords = new Set(["team", "squad", "guild"]);
const troubleNouns = new Set(
  "incident incidents outage outages ticket tickets bug bugs issue issues problem problems alert alerts error errors failure failures owner owners change changes commit commits deploy deployment release".split(
    " ",
  ),
);

/** What a folded name may mean. */
type Meanings = ReadonlyMap<string, readonly Candidate[]>;

/** What is looked for. */
export interface NameTables {
  readonly services: Meanings;
  readonly engineers: Meanings;
  readonly teams: Meanings;
  /** Keys of services of several words by how they read without spaces. */
  readonly joined: ReadonlyMap<string, string>;
  /** Keys of names that are written with full stops: "Orders.API". */
  readonly dotted: ReadonlySet<string>;
  /** "@login" and addresses, lower case. */
  readonly handles: Readonly<Record<string, NodeId>>;
}

/** A stretch of a text that is searched. */
interface Stretch {
  readonly words: TextWords;
  /** Its first character. */
  readonly start: number;
  /** Its first word, and the first behind it. */
  readonly first: number;
  readonly last: number;
  /** The word team stands in it, beside which a team's name may begin with any word. */
  readonly teams: boolean;
  readonly question: boolean;
}

interface Found {
  readonly match: NameMatch;
  /** Of how many words it is. */
  readonly words: number;
}

/** Finds names in texts. */
export class NameScanner {
  private readonly tables: NameTables;
  /** First word of a key to the numbers of words of the keys that start with it, longest first. */
  private readonly lengths = new Map<string, readonly number[]>();
  /** How all names begin: most texts hold none of them. */
  private readonly openings = new NameFilter();

  constructor(tables: NameTables) {
    this.tables = tables;
    for (const key of [...tables.services.keys(), ...tables.engineers.keys()]) {
      const words = key.split(" ");
      const [first = "", second] = words;
      this.openings.add(second === undefined ? [first] : [first, second]);
      const known = this.lengths.get(first) ?? [];
      if (!known.includes(words.length))
        this.lengths.set(
          first,
          [...known, words.length].sort((a, b) => b - a),
        );
    }
    for (const word of [...tables.joined.keys(), ...(tables.teams.size > 0 ? teamWords : [])]) this.openings.add([word]);
  }

  /**
   * Names in a stretch of a text, longest first, without overlaps, in order.
   * @param start, end of the stretch, with nothing or white space on either side (`TextWords.standsFree`)
   * @param question see `ScanOptions`
   */
  scan(words: TextWords, start: number, end: number, question: boolean): NameMatch[] {
    const first = words.from(start);
    const last = words.from(end, first);
    const text = words.text.slice(start, end);
    const opening = this.openings.next(words, first, last);
    if (opening === last && !question && !text.includes("@")) return [];
    const teams = this.speaksOfTeams(words, opening, last);
    const stretch = { words, start, first, last, teams, question };
    const matches: NameMatch[] = [];
    const taken = text.includes("@") ? this.scanHandles(text, start, matches) : [];
    const anywhere = question || teams;
    for (let at = first; ; ) {
      if (!anywhere) at = this.openings.next(words, at, last);
      if (at >= last) break;
      const isTaken = taken.some((range) => words.start(at) < range.end && words.end(at) > range.start);
      const found = isTaken ? null : this.matchAt(stretch, at);
      if (found !== null) matches.push(found.match);
      at += found?.words ?? 1;
    }
    return taken.length === 0 ? matches : matches.sort((a, b) => a.start - b.start);
  }

  /** @param first with which a name may begin */
  private speaksOfTeams(words: TextWords, first: number, last: number): boolean {
    if (this.tables.teams.size === 0) return false;
    for (let at = first; at < last; at = this.openings.next(words, at + 1, last)) if (teamWords.has(words.word(at))) return true;
    return false;
  }

  private scanHandles(text: string, offset: number, matches: NameMatch[]): { readonly start: number; readonly end: number }[] {
    const taken: { readonly start: number; readonly end: number }[] = [];
    for (const address of text.matchAll(addressPattern)) {
      const range = { start: offset + address.index, end: offset + address.index + address[0].length };
      taken.push(range);
      const node = own(this.tables.handles, address[0].toLowerCase());
      if (node !== undefined) matches.push({ ...range, nodes: [node], bare: false });
    }
    for (const mention of text.matchAll(/(?<![\w@])@[\w-]{1,60}(?:\/[\w.-]{1,60})?/g)) {
      const node = own(this.tables.handles, mention[0].toLowerCase().replace(/[.-]$/, ""));
      if (node === undefined) continue;
      const range = { start: offset + mention.index, end: offset + mention.index + mention[0].length };
      taken.push(range);
      matches.push({ ...range, nodes: [node], bare: false });
    }
    return taken;
  }

  private matchAt(stretch: Stretch, at: number): Found | null {
    const { words, first, last, teams, question } = stretch;
    const opening = words.word(at);
    const team = teams ? this.teamAt(stretch, at, opening === "team" || opening === "squad") : null;
    if (team !== null) return team;
    for (const count of this.lengths.get(opening) ?? []) {
      if (at + count > last) continue;
      let key = opening;
      for (let next = at + 1; next < at + count; next += 1) key += ` ${words.word(next)}`;
      if (!consecutive(words, at, count, count > 1 && this.tables.dotted.has(key))) continue;
      const match = this.matchKey(stretch, at, count, key);
      if (match !== null) return { match, words: count };
    }
    const whole = this.tables.joined.get(opening);
    if (whole !== undefined) {
      const match = this.matchKey(stretch, at, 1, whole);
      if (match !== null) return { match, words: 1 };
    }
    // "Who is on call for Commerce?": a question may leave the word team away
    const mayBeTeam = question && (words.capital(at) || (at > first && words.word(at - 1) === "for"));
    const bareTeam = mayBeTeam ? best(this.tables.teams.get(opening)) : [];
    return bareTeam.length === 0 ? null : { match: { start: words.start(at), end: words.end(at), nodes: bareTeam, bare: true }, words: 1 };
  }

  private matchKey(stretch: Stretch, at: number, count: number, key: string): NameMatch | null {
    const services = this.tables.services.get(key);
    const service = services === undefined ? null : serviceMatch(stretch, at, count, key, services);
    if (service !== null) return service;
    const people = this.tables.engineers.get(key);
    return people === undefined ? null : personMatch(stretch, at, count, people);
  }

  /** "team data", "the Data team": a team's name is an everyday word, so the word team must stand beside it. */
  private teamAt({ words, last }: Stretch, at: number, lead: boolean): Found | null {
    for (let count = 3; count >= 1; count -= 1) {
      const start = lead ? at + 1 : at;
      // the word behind the name
      const tail = start + count;
      if (tail > last || (!lead && (tail === last || !teamWords.has(words.word(tail))))) continue;
      if (!consecutive(words, at, count + 1)) continue;
      let key = words.word(start);
      for (let next = start + 1; next < tail; next += 1) key += ` ${words.word(next)}`;
      const nodes = best(this.tables.teams.get(key));
      if (nodes.length === 0) continue;
      return { match: { start: words.start(at), end: words.end(lead ? tail - 1 : tail), nodes, bare: false }, words: count + 1 };
    }
    return null;
  }
}

function serviceMatch(stretch: Stretch, at: number, count: number, key: string, meant: readonly Candidate[]): NameMatch | null {
  const { words, last, question } = stretch;
  const { text } = words;
  const [start, end] = [words.start(at), words.end(at + count - 1)];
  const place = serviceEnd(text, start, end, stretch.start);
  if (place === null) return null;
  const next = at + count < last ? at + count : null;
  const following = next === null ? null : words.word(next);
  const gap = next === null ? 0 : words.start(next) - place;
  const single = count === 1 && !key.includes(" ");
  const common = single && (commonWords.has(key) || key.length <= 2);
  const decorated = place > end || text[start - 1] === "`" || (following !== null && serviceTail.has(following) && gap <= 1);
  const other =
    following !== null &&
    single &&
    !decorated &&
    gap === 1 &&
    " -_".includes(text.charAt(place)) &&
    otherThing.has(following) &&
    !(infrastructure.has(key) && !/^(?:ui|client|library|sdk)/.test(following));
  if (other || (common && !decorated && usedAsWord(stretch, at, following, question))) return null;
  return { start, end: place, nodes: best(meant), bare: common && !decorated };
}

function personMatch(stretch: Stretch, at: number, count: number, meant: readonly Candidate[]): NameMatch | null {
  const { words, last, question } = stretch;
  const { text } = words;
  const final = at + count - 1;
  const [start, end] = [words.start(at), words.end(final)];
  if (joinsLeft(text, start, stretch.start) || joinsRight(text, end)) return null;
  const spelling = meant[0]?.[1] ?? 4;
  const capital = words.capital(at);
  if (spelling === 3 && !(words.end(at) - start === 1 && (capital || question))) return null;
  if (spelling >= 3 && !question && !(capital && words.capital(final))) return null;
  if (spelling === 4 && question && !capital && commonWords.has(words.word(at))) return null;
  if (spelling === 4 && count === 1 && at + 1 < last && isSurname(words, at + 1)) return null;
  return { start, end, nodes: best(meant), bare: spelling === 4 };
}

function consecutive(words: TextWords, at: number, count: number, dots = false): boolean {
  const { text } = words;
  for (let next = at + 1; next < at + count; next += 1) {
    const end = words.end(next - 1);
    const gap = words.start(next) - end;
    if (
      gap === 1
        ? !(dots ? " -_.\u00a0\n" : " -_\u00a0\n").includes(text.charAt(end))
        : !(gap === 2 && text[end] === "." && text[end + 1] === " ")
    )
      return false;
  }
  return true;
}

function usedAsWord({ words, first }: Stretch, at: number, after: string | null, question: boolean): boolean {
  const before = at > first ? words.word(at - 1) : null;
  if (question && after !== null && troubleNouns.has(after)) return false;
  if (question && before !== null && before !== "a" && before !== "an") return false;
  const end = at > first ? words.end(at - 1) : -1;
  const near = before !== null && words.start(at) - end === 1 && words.text[end] === " ";
  if (near && articles.has(before)) return true;
  if (after !== null && objects.has(after)) return true;
  return (near ? beforeVerb.has(before) : words.capital(at)) && after !== null && afterVerb.has(after);
}

/** Whether a word is the surname that belongs to the given name before it. */
function isSurname(words: TextWords, at: number): boolean {
  return words.capital(at) && words.text.slice(words.end(at - 1), words.start(at)) === " " && words.word(at).length > 1;
}

/** Where a service's name ends: after a pod's suffix; null when it is part of a longer name, a path or an identifier. */
function serviceEnd(text: string, start: number, end: number, from: number): number | null {
  if (joinsLeft(text, start, from)) return null;
  if (text[end] !== "-") return joinsRight(text, end) ? null : end;
  podSuffix.lastIndex = end;
  const pod = podSuffix.exec(text);
  const place = pod === null ? end : end + pod[0].length;
  return joinsRight(text, place) ? null : place;
}

/** @param from where the text that is searched begins */
function joinsLeft(text: string, start: number, from: number): boolean {
  const before = start > from ? text[start - 1] : undefined;
  if (before === undefined || !"-_./\\$#".includes(before)) return false;
  const further = start - 1 > from ? text[start - 2] : undefined;
  // the host of a URL stands free
  if (before === "/" && further === "/") return false;
  return (
    before === "$" ||
    before === "#" ||
    before === "_" ||
    (further !== undefined && glue.test(further)) ||
    ((before === "/" || before === "\\") && further !== undefined && further !== " ")
  );
}

function joinsRight(text: string, end: number): boolean {
  const after = text[end];
  if (after === undefined || !"-_./\\$@(".includes(after)) return false;
  if (after === "_" || after === "(") return after === "_" || text[end + 1] === ")";
  const further = text[end + 1];
  // Java writes addresses as "flagd/10.0.12.4"
  if (after === "/" && /^\d{1,3}\.\d/.test(text.slice(end + 1, end + 6))) return false;
  return further !== undefined && glue.test(further);
}
