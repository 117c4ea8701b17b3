import type { Ambiguity, Merge, NameEntry, NameHints } from "../core/extract.ts";
import type { Declaration, NodeId } from "../core/fact.ts";
import { corroborated, isLearned } from "./learned.ts";
import { add, compare, report, type Spellings } from "./name-data.ts";
import { joinedKey, nameKey, serviceNode, slugOf } from "./tokens.ts";
import { productSpellings } from "./words.ts";

/** From this score on, a source that lists services is taken as complete: weaker sources add spellings, not services. */
const catalogueScore = 0.95;
const weakScore = 0.7;
/** Share of the services in use that a user's list must hold to be taken as complete. */
const mostOfAll = 0.75;
const generic = new Set(["service", "services", "svc", "microservice"]);

/** What is known of one service. */
export interface ServiceGroup {
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

/** Gathers the declarations of each service; where somebody keeps a list of services, weaker signs add no others. */
export function groupServices(declarations: readonly Declaration[], hints: NameHints): ServiceGroup[] {
  const groups = new Map<NodeId, ServiceGroup>();
  const groupOf = (node: NodeId, manifest: boolean): ServiceGroup => {
    const known = groups.get(node);
    if (known !== undefined) return known;
    const group: ServiceGroup = {
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
  const put = (group: ServiceGroup, name: string, score: number): void => {
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
  const services = servicesInUse(declarations);
  const catalogue = declarations.some((declaration) => declaration.score >= catalogueScore);
  const complete = catalogue || isComplete(groups, services);
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

/** Services that records show without a list of them. */
function servicesInUse(declarations: readonly Declaration[]): ReadonlySet<NodeId> {
  const listed = declarations.filter((declaration) => !isLearned(declaration) && !declaration.rule.endsWith(".path"));
  return corroborated(declarations.filter(isLearned), new Set(listed.map(({ node }) => node)));
}

/** A user's names are a list of the services when they hold most of those that records show; else they only add to them. */
function isComplete(hinted: ReadonlyMap<NodeId, ServiceGroup>, shown: ReadonlySet<NodeId>): boolean {
  if (hinted.size === 0) return false;
  const keys = new Set([...hinted.values()].flatMap((group) => [...group.names.keys()].map(stemOf)));
  const known = [...shown].filter((node) => hinted.has(node) || keys.has(stemOf(nameKey(node.slice("service:".length)))));
  return known.length >= mostOfAll * shown.size;
}

/** A folder that is only known as one is no service beside the service that is built from it. */
function joinFolders(groups: readonly ServiceGroup[], undo: ReadonlySet<string>, merges: Merge[]): ServiceGroup[] {
  const byFolder = new Map<string, ServiceGroup[]>();
  for (const group of groups)
    for (const path of group.paths) {
      const folder = slugOf(path.split("/").findLast((part) => part !== "") ?? "");
      byFolder.set(folder, [...(byFolder.get(folder) ?? []), group]);
    }
  return groups.filter((group) => {
    const [builder, second] = byFolder.get(slugOf(group.label)) ?? [];
    const folderOnly =
      group.definedIn.size > 0 && [...group.definedIn].every((where) => /^(?:codeowners\.folder|folder\.dockerfile) /.test(where));
    const id = `${group.node} = ${builder?.node}`;
    if (!folderOnly || group.manifest || builder === undefined || second !== undefined || builder === group || undo.has(id)) return true;
    for (const [name, spelling] of group.names) if (!builder.names.has(name)) builder.names.set(name, spelling);
    merges.push({ id, alias: group.node, of: builder.node, rule: "the folder that the other is built from", records: recordsOf(group) });
    return false;
  });
}

function recordsOf(group: ServiceGroup): string[] {
  return [...group.records]
    .filter((record) => record !== "")
    .sort()
    .slice(0, 5);
}

/** "checkoutservice", "checkout service" and "checkout" share the stem "checkout". */
function stemOf(key: string): string {
  const words = key.split(" ");
  while (words.length > 1 && generic.has(words.at(-1) ?? "")) words.pop();
  const joined = words.join("");
  return joined.length > 9 && joined.endsWith("service") ? joined.slice(0, -7) : joined;
}

/** Joins services that records name in two ways, each merge noted with its rule. */
export function mergeServices(groups: readonly ServiceGroup[], undo: ReadonlySet<string>, merges: Merge[]): ServiceGroup[] {
  const ordered = joinFolders(groups, undo, merges).sort(
    (a, b) =>
      b.score - a.score ||
      stemOf(nameKey(a.label)).length - nameKey(a.label).length - (stemOf(nameKey(b.label)).length - nameKey(b.label).length) ||
      compare(a.node, b.node),
  );
  // between equals the shorter name leads: "checkout" before "checkout-service"
  ordered.sort((a, b) => b.score - a.score || a.label.length - b.label.length || compare(a.node, b.node));
  const kept: ServiceGroup[] = [];
  const byStem = new Map<string, ServiceGroup>();
  const byAlias = new Map<string, { group: ServiceGroup; score: number }>();
  for (const group of ordered) {
    const key = joinedKey(nameKey(group.label));
    const stem = stemOf(nameKey(group.label));
    const sameStem = byStem.get(stem);
    const sameAlias = byAlias.get(key) ?? byAlias.get(stem);
    let target: ServiceGroup | undefined;
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
          records: recordsOf(group),
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

function claim(byAlias: Map<string, { group: ServiceGroup; score: number }>, name: string, group: ServiceGroup, score: number): void {
  const key = joinedKey(name);
  const known = byAlias.get(key);
  if (known === undefined || known.score < score) byAlias.set(key, { group, score });
}

/** Two entries of one list are two things, however alike their names. */
function definedTogether(a: ServiceGroup, b: ServiceGroup): boolean {
  for (const where of a.definedIn) if (b.definedIn.has(where)) return true;
  return false;
}

/** What runs beside a product without being it: "redis-exporter". */
const sidecars = new Set(
  "ui exporter client operator init proxy metrics backup consumer producer worker admin bridge adapter sync export import feed".split(" "),
);

/** "Redis" for redis-sessions and "CockroachDB" for cockroach, where only one service is called after the product. */
function productNames(groups: readonly ServiceGroup[]): ReadonlyMap<string, NodeId> {
  const named = new Map<string, Set<NodeId>>();
  for (const group of groups) {
    const words = nameKey(group.label).split(" ");
    if (words.length > 1 && sidecars.has(words.at(-1) ?? "")) continue;
    for (const product of new Set(words.flatMap((word) => productSpellings.get(word) ?? [])))
      named.set(product, (named.get(product) ?? new Set()).add(group.node));
  }
  return new Map([...named].flatMap(([name, nodes]) => (nodes.size === 1 ? [[name, [...nodes][0] as NodeId] as const] : [])));
}

/** All spellings of the services: stated ones, and those that follow by rule. */
export function spellServices(groups: readonly ServiceGroup[], entries: NameEntry[], ambiguities: Ambiguity[]): Spellings {
  const keys: Spellings = new Map();
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
  for (const [name, node] of productNames(groups)) if (!stated.has(name)) add(keys, name, node, 2);
  report(keys, ambiguities, "two services are called so");
  return keys;
}
