import type { Ambiguity, Merge, NameEntry, NameHints } from "../core/extract.ts";
import type { Declaration, NodeId } from "../core/fact.ts";
import { corroborated, isLearned } from "./learned.ts";
import { joinedKey, nameKey, serviceNode, slugOf, tokensOf } from "./tokens.ts";
import { commonWords, nicknames, notProjects } from "./words.ts";

/**
 * How sure a spelling is. The lowest class that knows a key decides; two nodes in that class make it ambiguous.
 * 0 manifest · 1 stated · 2 derived by a rule of spelling · 3 initial and surname · 4 given name or surname alone
 */
export type SpellingClass = 0 | 1 | 2 | 3 | 4;
export type Candidate = readonly [node: NodeId, spelling: SpellingClass];

/** Everything that extraction looks names up in, in a form that can be stored. */
export interface NameData {
  readonly entries: readonly NameEntry[];
  /** Folded key to what it means, per kind of thing. */
  readonly services: Readonly<Record<string, readonly Candidate[]>>;
  readonly engineers: Readonly<Record<string, readonly Candidate[]>>;
  readonly teams: Readonly<Record<string, readonly Candidate[]>>;
  /** "@login" and addresses, lower case. */
  readonly handles: Readonly<Record<string, NodeId>>;
  /** Path prefix to service. */
  readonly paths: Readonly<Record<string, NodeId>>;
  /** Prefixes of ticket keys that occur as a record's own key. */
  readonly projects: readonly string[];
  /** Former ticket key to the present node. */
  readonly moved: Readonly<Record<string, NodeId>>;
  readonly merges: readonly Merge[];
  readonly ambiguities: readonly Ambiguity[];
}

/** From this score on, a source that lists services is taken as complete: weaker sources add spellings, not services. */
const catalogueScore = 0.95;
const weakScore = 0.7;
/** Words of two letters that a given name of two letters must not be taken for. */
const shortWords = new Set("am an as at be by do go he hi if in is it me my no of oh ok on or so to up us we".split(" "));
const generic = new Set(["service", "services", "svc", "microservice"]);

interface Group {
  readonly node: NodeId;
  label: string;
  score: number;
  readonly manifest: boolean;
  readonly records: Set<string>;
  /** Records that define the canonical name, by rule. */
  readonly definedIn: Set<string>;
  /** Folded key to the best spelling. */
  readonly names: Map<string, { name: string; score: number }>;
  readonly paths: Set<string>;
}

/** Folds declarations and hints into the dictionary. The order of the declarations does not matter. */
export function foldNames(declarations: Iterable<Declaration>, hints: NameHints): NameData {
  const services: Declaration[] = [];
  const engineers: Declaration[] = [];
  const teams: Declaration[] = [];
  const projects = new Set<string>();
  const moved = new Map<string, NodeId>();
  for (const declaration of declarations) {
    const kind = declaration.node.slice(0, declaration.node.indexOf(":"));
    if (kind === "service") services.push(declaration);
    else if (kind === "engineer") engineers.push(declaration);
    else if (kind === "team") teams.push(declaration);
    else if (declaration.rule === "ticket.key") projects.add(declaration.name.slice(0, declaration.name.lastIndexOf("-")).toUpperCase());
    else if (declaration.rule === "ticket.moved") {
      const before = moved.get(declaration.name);
      if (before === undefined || declaration.node < before) moved.set(declaration.name, declaration.node);
    }
  }
  for (const name of notProjects) projects.delete(name);

  const undo = new Set(hints.undo ?? []);
  const merges: Merge[] = [];
  const ambiguities: Ambiguity[] = [];
  const serviceGroups = mergeServices(groupServices(services, hints), undo, merges);
  const people = mergeEngineers(engineers, undo, merges);
  const entries: NameEntry[] = [];
  const serviceKeys = spellServices(serviceGroups, entries, ambiguities);
  const { keys: engineerKeys, handles } = spellEngineers(people, entries, ambiguities);
  const teamKeys = spellTeams(teams, entries, handles);

  return {
    entries: entries.sort((a, b) => compare(a.node, b.node)),
    services: sorted(serviceKeys),
    engineers: sorted(engineerKeys),
    teams: sorted(teamKeys),
    handles: Object.fromEntries([...handles].sort(([a], [b]) => compare(a, b))),
    paths: Object.fromEntries(
      serviceGroups.flatMap((group) => [...group.paths].map((path) => [path, group.node] as const)).sort(([a], [b]) => compare(a, b)),
    ),
    projects: [...projects].sort(),
    moved: Object.fromEntries([...moved].sort(([a], [b]) => compare(a, b))),
    merges: merges.sort((a, b) => compare(a.id, b.id)),
    ambiguities: ambiguities.sort((a, b) => compare(a.name, b.name)),
  };
}

export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function sorted(keys: Map<string, Candidate[]>): Record<string, readonly Candidate[]> {
  const rows = [...keys].map(([key, candidates]) => [key, candidates.sort((a, b) => a[1] - b[1] || compare(a[0], b[0]))] as const);
  return Object.fromEntries(rows.sort(([a], [b]) => compare(a, b)));
}

function add(keys: Map<string, Candidate[]>, key: string, node: NodeId, spelling: SpellingClass): void {
  if (key === "") return;
  const known = keys.get(key);
  if (known === undefined) keys.set(key, [[node, spelling]]);
  else {
    const at = known.findIndex((candidate) => candidate[0] === node);
    const before = known[at];
    if (before === undefined) known.push([node, spelling]);
    else if (before[1] > spelling) known[at] = [node, spelling];
  }
}

// services

function groupServices(declarations: readonly Declaration[], hints: NameHints): Group[] {
  const groups = new Map<NodeId, Group>();
  const groupOf = (node: NodeId, manifest: boolean): Group => {
    const known = groups.get(node);
    if (known !== undefined) return known;
    const group: Group = {
      node,
      label: "",
      score: 0,
      manifest,
      records: new Set(),
      definedIn: new Set(),
      names: new Map(),
      paths: new Set(),
    };
    groups.set(node, group);
    return group;
  };
  const put = (group: Group, name: string, score: number): void => {
    const key = nameKey(name);
    if (key === "") return;
    const known = group.names.get(key);
    if (known === undefined || known.score < score || (known.score === score && compare(name, known.name) < 0))
      group.names.set(key, { name, score });
  };
  for (const canonical of new Set([...Object.keys(hints.aliases), ...Object.keys(hints.sourcePaths)])) {
    const group = groupOf(`service:${slugOf(canonical)}`, true);
    group.label = canonical;
    group.score = 1;
    for (const name of [canonical, ...(hints.aliases[canonical] ?? [])]) put(group, name, 1);
    for (const path of hints.sourcePaths[canonical] ?? []) group.paths.add(path.replace(/^\/+/, ""));
  }
  const complete = groups.size > 0 || declarations.some((declaration) => declaration.score >= catalogueScore);
  const learned = complete ? [] : declarations.filter(isLearned);
  const services = corroborated(
    learned,
    new Set(complete ? [] : declarations.filter((declaration) => !isLearned(declaration)).map(({ node }) => node)),
  );
  for (const declaration of declarations) {
    if (complete && declaration.score < weakScore) continue;
    if (isLearned(declaration) && !services.has(declaration.node)) continue;
    const group = groupOf(declaration.node, false);
    const record = declaration.span?.record ?? "";
    group.records.add(record);
    if (declaration.rule.endsWith(".path")) {
      // paths that the manifest gives for a service are all of its paths
      if (!group.manifest || (hints.sourcePaths[group.label] ?? []).length === 0) group.paths.add(declaration.name.replace(/^\/+/, ""));
      continue;
    }
    put(group, declaration.name, declaration.score);
    if (serviceNode(declaration.name) !== declaration.node) continue;
    group.definedIn.add(`${declaration.rule} ${record}`);
    if (
      declaration.score > group.score ||
      (declaration.score === group.score && !group.manifest && compare(declaration.name, group.label) < 0)
    ) {
      if (!group.manifest) group.label = declaration.name;
      group.score = Math.max(group.score, declaration.score);
    }
  }
  return [...groups.values()].filter((group) => group.score > 0);
}

/** "checkoutservice", "checkout service" and "checkout" share the stem "checkout". */
function stemOf(key: string): string {
  const words = key.split(" ");
  while (words.length > 1 && generic.has(words.at(-1) ?? "")) words.pop();
  const joined = words.join("");
  return joined.length > 9 && joined.endsWith("service") ? joined.slice(0, -7) : joined;
}

function mergeServices(groups: readonly Group[], undo: ReadonlySet<string>, merges: Merge[]): Group[] {
  const ordered = [...groups].sort(
    (a, b) =>
      b.score - a.score ||
      stemOf(nameKey(a.label)).length - nameKey(a.label).length - (stemOf(nameKey(b.label)).length - nameKey(b.label).length) ||
      compare(a.node, b.node),
  );
  // between equals the shorter name leads: "checkout" before "checkout-service"
  ordered.sort((a, b) => b.score - a.score || a.label.length - b.label.length || compare(a.node, b.node));
  const kept: Group[] = [];
  const byStem = new Map<string, Group>();
  const byAlias = new Map<string, { group: Group; score: number }>();
  for (const group of ordered) {
    const key = joinedKey(nameKey(group.label));
    const stem = stemOf(nameKey(group.label));
    const sameStem = byStem.get(stem);
    const sameAlias = byAlias.get(key) ?? byAlias.get(stem);
    let target: Group | undefined;
    let rule = "";
    if (sameAlias !== undefined && sameAlias.group !== group && sameAlias.score > group.score) {
      target = sameAlias.group;
      rule = "its name is stated as another name of the other";
    } else if (sameStem !== undefined && !(group.manifest && sameStem.manifest) && !definedTogether(group, sameStem)) {
      target = sameStem;
      rule = "same name but for case, separators or the word service";
    }
    if (target !== undefined && target !== group) {
      const id = `${group.node} = ${target.node}`;
      if (!undo.has(id)) {
        for (const [name, spelling] of group.names) {
          const known = target.names.get(name);
          if (known === undefined || known.score < spelling.score) target.names.set(name, spelling);
          claim(byAlias, name, target, spelling.score);
        }
        if (!target.manifest || target.paths.size === 0) for (const path of group.paths) target.paths.add(path);
        merges.push({
          id,
          alias: group.node,
          of: target.node,
          rule,
          records: [...group.records]
            .filter((record) => record !== "")
            .sort()
            .slice(0, 5),
        });
        continue;
      }
    }
    kept.push(group);
    if (!byStem.has(stem)) byStem.set(stem, group);
    for (const [name, spelling] of group.names) claim(byAlias, name, group, spelling.score);
  }
  return kept;
}

function claim(byAlias: Map<string, { group: Group; score: number }>, name: string, group: Group, score: number): void {
  const key = joinedKey(name);
  const known = byAlias.get(key);
  if (known === undefined || known.score < score) byAlias.set(key, { group, score });
}

/** Two entries of one list are two things, however alike their names. */
function definedTogether(a: Group, b: Group): boolean {
  for (const where of a.definedIn) if (b.definedIn.has(where)) return true;
  return false;
}

function spellServices(groups: readonly Group[], entries: NameEntry[], ambiguities: Ambiguity[]): Map<string, Candidate[]> {
  const keys = new Map<string, Candidate[]>();
  const canonical = new Map<string, NodeId>();
  for (const group of groups) canonical.set(nameKey(group.label), group.node);
  for (const group of groups) {
    for (const key of group.names.keys()) {
      const other = canonical.get(key);
      if (other !== undefined && other !== group.node && !group.manifest) continue;
      add(keys, key, group.node, group.manifest ? 0 : 1);
    }
  }
  const stated = new Set(keys.keys());
  for (const group of groups) {
    for (const key of group.names.keys()) {
      const words = key.split(" ");
      const derived = generic.has(words.at(-1) ?? "")
        ? words.length > 1
          ? [words.slice(0, -1).join(" ")]
          : []
        : [...generic].map((tail) => `${key} ${tail}`);
      if (words.length === 1 && key.length > 9 && key.endsWith("service")) derived.push(key.slice(0, -7), `${key.slice(0, -7)} service`);
      for (const spelling of derived) if (!stated.has(spelling)) add(keys, spelling, group.node, 2);
    }
    entries.push({
      node: group.node,
      label: group.label,
      spellings: [...new Set([...group.names.values()].map((one) => one.name))].sort(),
    });
  }
  report(keys, ambiguities, "two services are called so");
  return keys;
}

function report(keys: Map<string, Candidate[]>, ambiguities: Ambiguity[], why: string): void {
  for (const [key, candidates] of keys) {
    const best = Math.min(...candidates.map((candidate) => candidate[1]));
    const nodes = candidates.filter((candidate) => candidate[1] === best).map((candidate) => candidate[0]);
    if (nodes.length > 1) ambiguities.push({ name: key, nodes: nodes.sort(), why });
  }
}

// engineers

interface PersonGroup {
  readonly node: NodeId;
  readonly names: Set<string>;
  readonly handles: Set<string>;
  readonly records: Set<string>;
}

function mergeEngineers(declarations: readonly Declaration[], undo: ReadonlySet<string>, merges: Merge[]): PersonGroup[] {
  const groups = new Map<NodeId, PersonGroup>();
  for (const declaration of declarations) {
    let group = groups.get(declaration.node);
    if (group === undefined) {
      group = { node: declaration.node, names: new Set(), handles: new Set(), records: new Set() };
      groups.set(declaration.node, group);
    }
    if (declaration.rule === "person.name") group.names.add(declaration.name);
    else group.handles.add(handleKey(declaration));
    if (group.records.size < 5 && declaration.span !== null) group.records.add(declaration.span.record);
  }
  const parent = new Map<NodeId, NodeId>();
  const find = (node: NodeId): NodeId => {
    let at = node;
    for (let up = parent.get(at); up !== undefined; up = parent.get(at)) at = up;
    return at;
  };
  const holder = new Map<string, NodeId>();
  for (const group of [...groups.values()].sort((a, b) => compare(a.node, b.node))) {
    for (const handle of [...group.handles].sort()) {
      const first = holder.get(handle);
      if (first === undefined) {
        holder.set(handle, group.node);
        continue;
      }
      const [a, b] = [find(first), find(group.node)];
      if (a === b) continue;
      const [alias, of] = betterPerson(groups.get(a), groups.get(b)) ? [b, a] : [a, b];
      const id = `${alias} = ${of}`;
      if (undo.has(id)) continue;
      parent.set(alias, of);
      merges.push({
        id,
        alias,
        of,
        rule: `same ${handle.slice(0, handle.indexOf(":"))}`,
        records: [...(groups.get(alias)?.records ?? [])].sort(),
      });
    }
  }
  const merged = new Map<NodeId, PersonGroup>();
  for (const group of [...groups.values()].sort((a, b) => compare(a.node, b.node))) {
    const root = find(group.node);
    const into = merged.get(root) ?? { node: root, names: new Set<string>(), handles: new Set<string>(), records: new Set<string>() };
    for (const name of group.names) into.names.add(name);
    for (const handle of group.handles) into.handles.add(handle);
    merged.set(root, into);
  }
  return [...merged.values()];
}

function handleKey(declaration: Declaration): string {
  const kind = declaration.rule === "person.email" ? "e-mail" : declaration.rule === "person.account" ? "account" : "login";
  return `${kind}:${declaration.name.toLowerCase()}`;
}

/** A full name leads a login; of two names the longer one; then the alphabet. */
function betterPerson(a: PersonGroup | undefined, b: PersonGroup | undefined): boolean {
  const [x, y] = [bestName(a), bestName(b)];
  if (x === null || y === null) return x !== null || (y === null && compare(a?.node ?? "", b?.node ?? "") <= 0);
  return x.length > y.length || (x.length === y.length && compare(x, y) <= 0);
}

function bestName(group: PersonGroup | undefined): string | null {
  let best: string | null = null;
  for (const name of group?.names ?? []) {
    if (best === null) best = name;
    else {
      const full: boolean = name.includes(" ");
      if (full !== best.includes(" ")) best = full ? name : best;
      else if (name.length > best.length || (name.length === best.length && compare(name, best) < 0)) best = name;
    }
  }
  return best;
}

function spellEngineers(
  groups: readonly PersonGroup[],
  entries: NameEntry[],
  ambiguities: Ambiguity[],
): { readonly keys: Map<string, Candidate[]>; readonly handles: Map<string, NodeId> } {
  const keys = new Map<string, Candidate[]>();
  const handles = new Map<string, NodeId>();
  for (const group of groups) {
    const node = group.node;
    const spellings = new Set<string>();
    for (const name of group.names) {
      spellings.add(name);
      for (const [key, spelling] of personKeys(name)) add(keys, key, node, spelling);
    }
    for (const handle of group.handles) {
      const at = handle.indexOf(":");
      const value = handle.slice(at + 1);
      const key = handle.startsWith("login") ? `@${value}` : value;
      const before = handles.get(key);
      if (before === undefined || compare(node, before) < 0) handles.set(key, node);
      if (handle.startsWith("account")) continue;
      spellings.add(key);
      if (handle.startsWith("login")) {
        spellings.add(value);
        if (value.length > 3 && !commonWords.has(value)) add(keys, nameKey(value), node, 2);
      }
    }
    entries.push({ node, label: bestName(group) ?? node.slice("engineer:".length), spellings: [...spellings].sort() });
  }
  report(keys, ambiguities, "several engineers can be meant");
  return { keys, handles };
}

/** The ways in which a person's name is written: whole, reversed, short given name, initial, either part alone. */
function personKeys(name: string): (readonly [string, SpellingClass])[] {
  const words = tokensOf(name).map((token) => token.text);
  const [first] = words;
  const surname = words.slice(1).join(" ");
  if (first === undefined) return [];
  if (surname === "") return [[first, 1]];
  const found: (readonly [string, SpellingClass])[] = [
    [`${first} ${surname}`, 1],
    [`${surname} ${first}`, 2],
    [`${first[0]} ${surname}`, 3],
    [surname, 4],
  ];
  if ((first.length > 2 && !commonWords.has(first)) || (first.length === 2 && !shortWords.has(first))) found.push([first, 4]);
  for (const [short, long] of Object.entries(nicknames)) {
    if (long.includes(first)) found.push([`${short} ${surname}`, 2], [short, 4]);
    else if (short === first) for (const full of long) found.push([`${full} ${surname}`, 2]);
  }
  // "Fatima El-Amin" is also found under "Amin", "Anna Maria Ortega" under "Anna Ortega"
  const last = words.at(-1) ?? "";
  if (words.length > 2 && last.length > 2) found.push([last, 4], [`${first} ${last}`, 2]);
  return found;
}

// teams

function spellTeams(declarations: readonly Declaration[], entries: NameEntry[], handles: Map<string, NodeId>): Map<string, Candidate[]> {
  const keys = new Map<string, Candidate[]>();
  const labels = new Map<NodeId, Set<string>>();
  for (const declaration of declarations) {
    const names = labels.get(declaration.node) ?? new Set<string>();
    labels.set(declaration.node, names);
    if (declaration.name.startsWith("@")) {
      handles.set(declaration.name.toLowerCase(), declaration.node);
      names.add(declaration.name);
    } else {
      names.add(declaration.name);
      add(keys, nameKey(declaration.name), declaration.node, 1);
    }
    const slug = declaration.node.slice("team:".length);
    add(keys, nameKey(slug), declaration.node, 1);
  }
  for (const [node, names] of labels) {
    const plain = [...names].filter((name) => !name.startsWith("@")).sort((a, b) => compare(a, b));
    entries.push({ node, label: plain[0] ?? node.slice("team:".length), spellings: [...names].sort() });
  }
  return keys;
}
