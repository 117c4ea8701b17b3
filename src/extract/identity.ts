import type { Ambiguity, Merge, NameEntry, NameHints } from "../core/extract.ts";
import type { Declaration, NodeId } from "../core/fact.ts";
import { mergeEngineers, spellEngineers } from "./fold-engineers.ts";
import { groupServices, mergeServices, spellServices } from "./fold-services.ts";
import { spellTeams } from "./fold-teams.ts";
import { compare, type NameData, sorted } from "./name-data.ts";
import { nameKey } from "./tokens.ts";
import { notProjects } from "./words.ts";

/** Folds declarations and hints into the dictionary. The order of the declarations does not matter. */
export function foldNames(declarations: Iterable<Declaration>, hints: NameHints): NameData {
  const services: Declaration[] = [];
  const engineers: Declaration[] = [];
  const teams: Declaration[] = [];
  const ownKeys = new Map<string, Set<string>>();
  const moved = new Map<string, NodeId>();
  for (const declaration of declarations) {
    const kind = declaration.node.slice(0, declaration.node.indexOf(":"));
    if (kind === "service") services.push(declaration);
    else if (kind === "engineer") engineers.push(declaration);
    else if (kind === "team") teams.push(declaration);
    else if (declaration.rule === "ticket.key") {
      const project = declaration.name.slice(0, declaration.name.lastIndexOf("-")).toUpperCase();
      ownKeys.set(project, (ownKeys.get(project) ?? new Set()).add(declaration.name));
    } else if (declaration.rule === "ticket.moved") {
      const before = moved.get(declaration.name);
      if (before === undefined || declaration.node < before) moved.set(declaration.name, declaration.node);
    }
  }
  // "EST-12" is a ticket where several of that project are known, else a time zone
  const projects = new Set([...ownKeys].filter(([name, keys]) => keys.size > 1 || !notProjects.has(name)).map(([name]) => name));

  const undo = new Set(hints.undo ?? []);
  const merges: Merge[] = [];
  const ambiguities: Ambiguity[] = [];
  const serviceGroups = mergeServices(groupServices(services, hints), undo, merges);
  // "Owner: Live Ops" may name a team: what is known as one, or as a service, is no person
  const otherNames = new Set([...serviceGroups.flatMap((group) => [...group.names.keys()]), ...teams.map((team) => nameKey(team.name))]);
  const labelled = (one: Declaration): boolean => one.rule === "person.labelled";
  const people = mergeEngineers(
    engineers.filter((one) => !labelled(one) || !otherNames.has(nameKey(one.name))),
    undo,
    merges,
  );
  const entries: NameEntry[] = [];
  const serviceKeys = spellServices(serviceGroups, entries, ambiguities);
  const { keys: engineerKeys, handles } = spellEngineers(people, entries, ambiguities);
  const teamKeys = spellTeams(teams, serviceKeys, entries, handles);

  return {
    entries: entries.sort((a, b) => compare(a.node, b.node)),
    services: sorted(serviceKeys),
    dotted: dottedKeys([...services.map(({ name }) => name), ...Object.entries(hints.aliases).flat(2)], serviceKeys),
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

/** "Orders.API" is one name; without a service that is called so, the same letters are a file, a host or an identifier. */
function dottedKeys(names: readonly string[], known: ReadonlyMap<string, unknown>): string[] {
  const dotted = names.filter((name) => /^[\p{L}\p{N}_-]{1,40}(?:\.[\p{L}\p{N}_-]{1,40}){1,4}$/u.test(name)).map(nameKey);
  return [...new Set(dotted)].filter((key) => known.has(key)).sort(compare);
}
