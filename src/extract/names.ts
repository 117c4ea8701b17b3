import { createHash } from "node:crypto";
import type { Ambiguity, Merge, NameEntry, NameMatch, Names, ScanOptions } from "../core/extract.ts";
import type { NodeId, NodeKind } from "../core/fact.ts";
import { best, type Candidate, type NameData, own } from "./name-data.ts";
import { NameScanner } from "./name-scan.ts";
import { TextWords } from "./text-words.ts";
import { joinedKey, nameKey } from "./tokens.ts";
import { serviceTail } from "./words.ts";

const podName = /^([\w.-]{1,100}?)-(?:(?=[a-z0-9-]{0,12}\d)[a-z0-9]{4,10}-[a-z0-9]{5}|[0-9]{1,3})$/;

/** The dictionary: what a spelling means, which names a text holds, which service a file belongs to. */
export class NameBook implements Names {
  readonly hash: string;
  readonly data: NameData;
  /** Keys of services of several words by how they read without spaces. */
  private readonly joined: ReadonlyMap<string, string>;
  /** Keys of names that are written with full stops: "Orders.API". */
  private readonly dotted: ReadonlySet<string>;
  private readonly scanner: NameScanner;
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
    const long = [...this.services.keys()].filter((key) => key.includes(" "));
    this.joined = new Map(long.map((key) => [joinedKey(key), key]));
    const { services, engineers, teams, joined, dotted } = this;
    this.scanner = new NameScanner({ services, engineers, teams, joined, dotted, handles: data.handles });
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
    const key = nameKey(name);
    const exact = best(this.services.get(key)) ?? [];
    if (exact.length > 0) return exact;
    const whole = this.joined.get(joinedKey(key));
    const joined =
      whole !== undefined && !key.includes(" ") ? best(this.services.get(whole)) : best(this.services.get(this.joinedWhenOne(key)));
    if (joined.length > 0) return joined;
    const pod = podName.exec(name);
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

  scan(text: string, { question = false }: ScanOptions = {}): readonly NameMatch[] {
    return this.scanner.scan(new TextWords(text), 0, text.length, question);
  }

  /** Names in a stretch of a text that stands free in it (`TextWords.standsFree`); their places are those of the text. */
  scanStretch(words: TextWords, start: number, end: number): readonly NameMatch[] {
    return this.scanner.scan(words, start, end, false);
  }
}
