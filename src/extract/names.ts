import { createHash } from "node:crypto";
import type { Ambiguity, Merge, NameEntry, NameMatch, Names, ScanOptions } from "../core/extract.ts";
import type { NodeId, NodeKind } from "../core/fact.ts";
import { type Candidate, compare, type NameData } from "./name-data.ts";
import { NameFilter } from "./name-filter.ts";
import { joinedKey, nameKey, type Token, tokensOf } from "./tokens.ts";
import { commonWords, infrastructure, otherThing, serviceTail } from "./words.ts";

/** Kubernetes names a pod "<deployment>-<hash>-<five>" or "<stateful set>-<ordinal>". */
const podSuffix = /-(?:(?=[a-z0-9-]{0,12}\d)[a-z0-9]{4,10}-[a-z0-9]{5}|[0-9]{1,3}|(?=[a-z]{0,4}\d)[a-z0-9]{5})(?![\w-])/y;
const podName = /^([\w.-]{1,100}?)-(?:(?=[a-z0-9-]{0,12}\d)[a-z0-9]{4,10}-[a-z0-9]{5}|[0-9]{1,3})$/;
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

/** The dictionary: what a spelling means, which names a text holds, which service a file belongs to. */
export class NameBook implements Names {
  readonly hash: string;
  readonly data: NameData;
  /** First word of a key to the numbers of words of the keys that start with it, longest first. */
  private readonly lengths = new Map<string, number[]>();
  private readonly joined = new Map<string, string>();
  /** Keys of names that are written with full stops: "Orders.API". */
  private readonly dotted: ReadonlySet<string>;
  /** How all names begin: most sentences hold none of them. */
  private readonly openings = new NameFilter();
  private readonly services: ReadonlyMap<string, readonly Candidate[]>;
  private readonly engineers: ReadonlyMap<string, readonly Candidate[]>;
  private readonly teams: ReadonlyMap<string, readonly Candidate[]>;
  private readonly projects: ReadonlySet<string>;
  /** Last words of the names of services, made when first asked for. */
  private shortNames: ReadonlyMap<NodeId, readonly string[]> | null = null;
  /** Without the slash at the end. */
  private readonly paths: ReadonlyMap<string, NodeId>;

  constructor(data: NameData) {
    this.data = data;
    this.hash = createHash("sha256").update(JSON.stringify(data)).digest("hex").slice(0, 32);
    this.projects = new Set(data.projects);
    this.dotted = new Set(data.dotted);
    this.services = new Map(Object.entries(data.services));
    this.engineers = new Map(Object.entries(data.engineers));
    this.teams = new Map(Object.entries(data.teams));
    for (const keys of [data.services, data.engineers]) {
      for (const key of Object.keys(keys)) {
        const words = key.split(" ");
        const [first = "", second] = words;
        this.openings.add(second === undefined ? [first] : [first, second]);
        const known = this.lengths.get(first) ?? [];
        if (!known.includes(words.length))
          this.lengths.set(
            first,
            [...known, words.length].sort((a, b) => b - a),
          );
        if (words.length > 1 && keys === data.services) this.joined.set(joinedKey(key), key);
      }
    }
    for (const word of [...this.joined.keys(), ...(this.teams.size > 0 ? teamWords : [])]) this.openings.add([word]);
    this.paths = new Map(Object.entries(data.paths).map(([path, node]) => [path.replace(/\/$/, ""), node]));
  }

  toJSON(): NameData {
    return this.data;
  }

  entries(): Iterable<NameEntry> {
    return this.data.entries;
  }

  merges(): readonly Merge[] {
    return this.data.merges;
  }

  ambiguities(): readonly Ambiguity[] {
    return this.data.ambiguities;
  }

  /** Whether "JR" is the prefix of a known ticket. */
  isProject(prefix: string): boolean {
    return this.projects.has(prefix.toUpperCase());
  }

  /** A ticket key as a node; follows a move to another project; null when its project is unknown. */
  ticket(key: string): NodeId | null {
    const upper = key.toUpperCase();
    const moved = own(this.data.moved, upper);
    if (moved !== undefined) return moved;
    return this.isProject(upper.slice(0, upper.lastIndexOf("-"))) ? `ticket:${upper}` : null;
  }

  find(name: string, kind?: NodeKind): readonly NodeId[] {
    const text = name.trim();
    if (text === "" || text.length > 200) return [];
    const handle = own(this.data.handles, text.toLowerCase());
    if (handle !== undefined && (kind === undefined || handle.startsWith(`${kind}:`))) return [handle];
    if (/[\\/]/.test(text) || (/\w\.\w/.test(text) && !this.dotted.has(nameKey(text)))) return [];
    if (text.startsWith("@")) return this.find(text.slice(1), kind);
    const nodes: NodeId[] = [];
    if (kind === "ticket") {
      const ticket = this.ticket(text);
      return ticket === null ? [] : [ticket];
    }
    if (kind === undefined || kind === "service") nodes.push(...this.service(text));
    if (kind === undefined || kind === "engineer") nodes.push(...best(this.engineers.get(nameKey(text))));
    if (kind === "team" || (kind === undefined && nodes.length === 0)) nodes.push(...this.team(text));
    return nodes;
  }

  /** The service a field's value means: an exact spelling, one without its separators, or a pod's name. */
  service(name: string): readonly NodeId[] {
    const pod = podName.exec(name);
    const key = nameKey(name);
    const exact = best(this.services.get(key)) ?? [];
    if (exact.length > 0) return exact;
    const whole = this.joined.get(joinedKey(key));
    const joined =
      whole !== undefined && !key.includes(" ") ? best(this.services.get(whole)) : best(this.services.get(this.joinedWhenOne(key)));
    if (joined.length > 0) return joined;
    if (pod?.[1] !== undefined) return this.service(pod[1]);
    const bare = key.replace(/^the /, "").replace(/ (?:deployment|pods?|containers?|component|app)$/, "");
    return bare === key ? [] : best(this.services.get(bare));
  }

  /** "load generator" for a service that is only known as "loadgenerator". */
  private joinedWhenOne(key: string): string {
    const whole = joinedKey(key);
    return key.includes(" ") && whole.length > 8 && this.services.has(whole) ? whole : key;
  }

  team(name: string): readonly NodeId[] {
    const key = nameKey(name)
      .replace(/^(?:the )?(?:team )?/, "")
      .replace(/ (?:team|squad|group|guild)$/, "");
    return best(this.teams.get(key));
  }

  /** Whether any team is known at all. */
  get knowsTeams(): boolean {
    return this.teams.size > 0;
  }

  /** "adapter" for customs-adapter: by what a page about a service may call it, where nothing else is called so. */
  lastWords(service: NodeId): readonly string[] {
    this.shortNames ??= this.findShortNames();
    return this.shortNames.get(service) ?? [];
  }

  private findShortNames(): ReadonlyMap<NodeId, readonly string[]> {
    const found = new Map<NodeId, string[]>();
    for (const [key, candidates] of this.services) {
      const words = key.split(" ");
      const last = words.at(-1) ?? "";
      if (words.length < 2 || last.length < 4 || serviceTail.has(last) || this.services.has(last) || !/^[a-z]+$/.test(last)) continue;
      for (const [node] of candidates) {
        const known = found.get(node) ?? [];
        if (!known.includes(last)) found.set(node, [...known, last]);
      }
    }
    return found;
  }

  /** The service a changed file belongs to by declared prefixes, the longest one; null when none fits. */
  serviceOfPath(path: string): NodeId | null {
    for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
      const node = this.paths.get(path.slice(0, end));
      if (node !== undefined) return node;
    }
    return null;
  }

  scan(text: string, options: ScanOptions = {}): readonly NameMatch[] {
    const question = options.question === true;
    if (!question && !text.includes("@") && !this.openings.mayHold(text)) return [];
    const matches: NameMatch[] = [];
    const tokens = tokensOf(text);
    const teams = this.teams.size > 0 && tokens.some((token) => this.openings.opens(token.hash) && teamWords.has(token.text));
    const taken = text.includes("@") ? this.scanHandles(text, matches) : [];
    for (let at = 0; at < tokens.length; ) {
      const token = tokens[at];
      if (
        token === undefined ||
        (!question && !teams && !this.openings.opens(token.hash)) ||
        taken.some(([start, end]) => token.start < end && token.end > start)
      ) {
        at += 1;
        continue;
      }
      const found = this.matchAt(text, tokens, at, question, teams);
      if (found === null) at += 1;
      else {
        matches.push(found.match);
        at += found.words;
      }
    }
    return matches.sort((a, b) => a.start - b.start);
  }

  private scanHandles(text: string, matches: NameMatch[]): (readonly [number, number])[] {
    const taken: (readonly [number, number])[] = [];
    for (const address of text.matchAll(addressPattern)) {
      const range = [address.index, address.index + address[0].length] as const;
      taken.push(range);
      const node = own(this.data.handles, address[0].toLowerCase());
      if (node !== undefined) matches.push({ start: range[0], end: range[1], nodes: [node], bare: false });
    }
    for (const mention of text.matchAll(/(?<![\w@])@[\w-]{1,60}(?:\/[\w.-]{1,60})?/g)) {
      const node = own(this.data.handles, mention[0].toLowerCase().replace(/[.-]$/, ""));
      if (node === undefined) continue;
      const range = [mention.index, mention.index + mention[0].length] as const;
      taken.push(range);
      matches.push({ start: range[0], end: range[1], nodes: [node], bare: false });
    }
    return taken;
  }

  private matchAt(
    text: string,
    tokens: readonly Token[],
    at: number,
    question: boolean,
    teams: boolean,
  ): { match: NameMatch; words: number } | null {
    const first = tokens[at];
    if (first === undefined) return null;
    const team = teams ? this.teamAt(text, tokens, at) : null;
    if (team !== null) return team;
    for (const words of this.lengths.get(first.text) ?? []) {
      const last = tokens[at + words - 1];
      if (last === undefined) continue;
      let key = first.text;
      for (let next = at + 1; next < at + words; next += 1) key += ` ${tokens[next]?.text ?? ""}`;
      if (!consecutive(text, tokens, at, words, words > 1 && this.dotted.has(key))) continue;
      const match = this.matchKey(text, tokens, at, words, key, question);
      if (match !== null) return { match, words };
    }
    const whole = this.joined.get(first.text);
    if (whole !== undefined) {
      const match = this.matchKey(text, tokens, at, 1, whole, question);
      if (match !== null) return { match, words: 1 };
    }
    // "Who is on call for Commerce?": a question may leave the word team away
    const bareTeam = question && (first.capital || tokens[at - 1]?.text === "for") ? best(this.teams.get(first.text)) : [];
    return bareTeam.length === 0 ? null : { match: { start: first.start, end: first.end, nodes: bareTeam, bare: true }, words: 1 };
  }

  private matchKey(text: string, tokens: readonly Token[], at: number, words: number, key: string, question: boolean): NameMatch | null {
    const first = tokens[at];
    const last = tokens[at + words - 1];
    if (first === undefined || last === undefined) return null;
    const services = this.services.get(key);
    if (services !== undefined) {
      const place = serviceEnd(text, first.start, last.end);
      if (place !== null) {
        const next = tokens[at + words];
        const single = words === 1 && !key.includes(" ");
        const common = single && (commonWords.has(key) || key.length <= 2);
        const decorated =
          place > last.end ||
          text[first.start - 1] === "`" ||
          (next !== undefined && serviceTail.has(next.text) && next.start - place <= 1);
        const other =
          next !== undefined &&
          single &&
          !decorated &&
          adjacent(text, place, next) &&
          otherThing.has(next.text) &&
          !(infrastructure.has(key) && !/^(?:ui|client|library|sdk)/.test(next.text));
        const verb = common && !decorated && usedAsWord(tokens[at - 1], next, text, first, question);
        if (!other && !verb) {
          const nodes = best(services);
          return { start: first.start, end: place, nodes, bare: common && !decorated };
        }
      }
    }
    const people = this.engineers.get(key);
    if (people !== undefined && bounded(text, first.start, last.end)) {
      const spelling = people[0]?.[1] ?? 4;
      const initial = spelling === 3;
      if (initial && !(first.end - first.start === 1 && (first.capital || question))) return null;
      if (spelling >= 3 && !question && !(last.capital && first.capital)) return null;
      if (spelling === 4 && question && !first.capital && commonWords.has(first.text)) return null;
      if (spelling === 4 && words === 1 && at + 1 < tokens.length && isSurname(text, last, tokens[at + 1])) return null;
      return { start: first.start, end: last.end, nodes: best(people), bare: spelling === 4 };
    }
    return null;
  }

  /** "team data", "the Data team": a team's name is an everyday word, so the word team must stand beside it. */
  private teamAt(text: string, tokens: readonly Token[], at: number): { match: NameMatch; words: number } | null {
    const first = tokens[at];
    if (first === undefined) return null;
    const lead = first.text === "team" || first.text === "squad";
    for (let words = 3; words >= 1; words -= 1) {
      const start = lead ? at + 1 : at;
      const last = tokens[start + words - 1];
      const tail = tokens[start + words];
      if (last === undefined || (!lead && !teamWords.has(tail?.text ?? ""))) continue;
      if (!consecutive(text, tokens, lead ? at : start, words + 1)) continue;
      const key = tokens
        .slice(start, start + words)
        .map((token) => token.text)
        .join(" ");
      const nodes = best(this.teams.get(key));
      if (nodes.length === 0) continue;
      const end = lead ? last.end : (tail?.end ?? last.end);
      return { match: { start: first.start, end, nodes, bare: false }, words: words + 1 };
    }
    return null;
  }
}

/** Own properties only: a text may hold the word "constructor". */
export function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

function best(candidates: readonly Candidate[] | undefined): readonly NodeId[] {
  const first = candidates?.[0];
  if (candidates === undefined || first === undefined) return [];
  if (candidates.length === 1) return [first[0]];
  return candidates
    .filter((candidate) => candidate[1] === first[1])
    .map((candidate) => candidate[0])
    .sort(compare);
}

function consecutive(text: string, tokens: readonly Token[], at: number, words: number, dots = false): boolean {
  for (let next = at + 1; next < at + words; next += 1) {
    const before = tokens[next - 1];
    const token = tokens[next];
    if (before === undefined || token === undefined) return false;
    const gap = token.start - before.end;
    if (
      gap === 1
        ? !(dots ? " -_.\u00a0\n" : " -_\u00a0\n").includes(text[before.end] ?? "?")
        : !(gap === 2 && text[before.end] === "." && text[before.end + 1] === " ")
    )
      return false;
  }
  return true;
}

function adjacent(text: string, end: number, next: Token): boolean {
  return next.start - end === 1 && " -_".includes(text[end] ?? "?");
}

function usedAsWord(before: Token | undefined, after: Token | undefined, text: string, self: Token, question: boolean): boolean {
  if (question && after !== undefined && troubleNouns.has(after.text)) return false;
  if (question && before !== undefined && before.text !== "a" && before.text !== "an") return false;
  const near = before !== undefined && self.start - before.end === 1 && text[before.end] === " ";
  if (near && articles.has(before.text)) return true;
  if (after !== undefined && objects.has(after.text)) return true;
  return (near ? beforeVerb.has(before.text) : self.capital) && after !== undefined && afterVerb.has(after.text);
}

function isSurname(text: string, given: Token, next: Token | undefined): boolean {
  return next?.capital === true && text.slice(given.end, next.start) === " " && next.text.length > 1;
}

/** Where a service's name ends: after a pod's suffix; null when it is part of a longer name, a path or an identifier. */
function serviceEnd(text: string, start: number, end: number): number | null {
  if (joinsLeft(text, start)) return null;
  podSuffix.lastIndex = end;
  const pod = podSuffix.exec(text);
  const place = pod === null ? end : end + pod[0].length;
  return joinsRight(text, place) ? null : place;
}

function bounded(text: string, start: number, end: number): boolean {
  return !joinsLeft(text, start) && !joinsRight(text, end);
}

function joinsLeft(text: string, start: number): boolean {
  const before = text[start - 1];
  if (before === undefined || !"-_./\\$#".includes(before)) return false;
  const further = text[start - 2];
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
