import type { Ambiguity, Merge, NameEntry } from "../core/extract.ts";
import type { Declaration, NodeId } from "../core/fact.ts";
import { add, compare, report, type SpellingClass, type Spellings } from "./name-data.ts";
import { foldedWords, nameKey, slugOf } from "./tokens.ts";
import { commonWords, nicknames } from "./words.ts";

/** Words of two letters that a given name of two letters must not be taken for. */
const shortWords = new Set("am an as at be by do go he hi if in is it me my no of oh ok on or so to up us we".split(" "));

/** One person: names, logins, addresses. */
export interface PersonGroup {
  readonly node: NodeId;
  readonly names: Set<string>;
  readonly handles: Set<string>;
  readonly records: Set<string>;
}

/** Joins people who share a login, an address or an account. */
export function mergeEngineers(declarations: readonly Declaration[], undo: ReadonlySet<string>, merges: Merge[]): PersonGroup[] {
  const groups = new Map<NodeId, PersonGroup>();
  const mentioned = new Map<NodeId, PersonGroup>();
  for (const declaration of declarations) {
    if (declaration.rule === "person.mentioned") {
      mention(mentioned, declaration);
      continue;
    }
    let group = groups.get(declaration.node);
    if (group === undefined) {
      group = { node: declaration.node, names: new Set(), handles: new Set(), records: new Set() };
      groups.set(declaration.node, group);
    }
    if (declaration.rule === "person.name" || declaration.rule === "person.labelled") group.names.add(declaration.name);
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
  const people = [...merged.values()];
  const known = new Set(people.map((group) => group.node));
  return joinSpeltLogins(
    people,
    [...mentioned.values()].filter((group) => !known.has(group.node)).sort((a, b) => compare(a.node, b.node)),
    undo,
    merges,
  );
}

function mention(mentioned: Map<NodeId, PersonGroup>, { node, name, span }: Declaration): void {
  const group = mentioned.get(node) ?? { node, names: new Set(), handles: new Set(), records: new Set() };
  mentioned.set(node, group);
  group.names.add(name);
  if (group.records.size < 5 && span !== null) group.records.add(span.record);
}

/** The logins that a name gives by custom: "alovelace", "ada.lovelace", "adalovelace", "lovelacea". */
function customaryLogins(name: string): readonly string[] {
  const words = foldedWords(name);
  const [given, surname] = [words[0] ?? "", words.at(-1) ?? ""];
  if (words.length < 2 || surname.length < 3) return [];
  return [`${given[0]}${surname}`, ...["", ".", "-", "_"].map((joint) => `${given}${joint}${surname}`), `${surname}${given[0]}`];
}

/**
 * A login without a name is the one person whose name gives it by custom, if that person has no other login. Two people of
 * whom both could have it keep it apart. A name that texts only mention counts where it explains a login so.
 */
function joinSpeltLogins(
  groups: readonly PersonGroup[],
  mentioned: readonly PersonGroup[],
  undo: ReadonlySet<string>,
  merges: Merge[],
): PersonGroup[] {
  const bySpelling = new Map<string, PersonGroup[]>();
  for (const group of [...groups, ...mentioned]) {
    const spellings = new Set([...group.names].flatMap(customaryLogins));
    for (const login of spellings) bySpelling.set(login, [...(bySpelling.get(login) ?? []), group]);
  }
  const kept: PersonGroup[] = [];
  for (const group of groups) {
    const [login, ...others] = [...group.handles].filter((handle) => handle.startsWith("login:")).map((handle) => handle.slice(6));
    const [person, second] = group.names.size > 0 || login === undefined || others.length > 0 ? [] : (bySpelling.get(login) ?? []);
    const id = `${group.node} = ${person?.node}`;
    if (person === undefined || second !== undefined || hasOtherLogin(person) || undo.has(id)) {
      kept.push(group);
      continue;
    }
    for (const handle of group.handles) person.handles.add(handle);
    if (mentioned.includes(person)) kept.push(person);
    merges.push({ id, alias: group.node, of: person.node, rule: "the login is spelt from the name", records: [...group.records].sort() });
  }
  return kept;
}

/** A login that is only the name with hyphens is how flat files write authors, no account. */
function hasOtherLogin({ names, handles }: PersonGroup): boolean {
  const slugs = new Set([...names].map((name) => `login:${slugOf(name)}`));
  return [...handles].some((handle) => handle.startsWith("login:") && !slugs.has(handle));
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

/** All ways in which a person is written. */
export function spellEngineers(
  groups: readonly PersonGroup[],
  entries: NameEntry[],
  ambiguities: Ambiguity[],
): { readonly keys: Spellings; readonly handles: Map<string, NodeId> } {
  const keys: Spellings = new Map();
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
  const words = foldedWords(name);
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
