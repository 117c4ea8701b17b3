import type { NameEntry } from "../core/extract.ts";
import type { Declaration, NodeId } from "../core/fact.ts";
import { approversRule } from "./declare.ts";
import { add, compare, type Spellings } from "./name-data.ts";
import { nameKey } from "./tokens.ts";

/**
 * All spellings of the teams, by name and by handle. A team that is only named for all files of repositories that are no
 * services approves changes: it is known by its names, but is no entry of the graph before something is said of it.
 */
export function spellTeams(
  declarations: readonly Declaration[],
  services: Spellings,
  entries: NameEntry[],
  handles: Map<string, NodeId>,
): Spellings {
  const owners = new Set(
    declarations.filter((one) => one.rule !== approversRule || services.has(repositoryKey(one))).map(({ node }) => node),
  );
  const keys: Spellings = new Map();
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
    if (!owners.has(node)) continue;
    const plain = [...names].filter((name) => !name.startsWith("@")).sort((a, b) => compare(a, b));
    entries.push({ node, label: plain[0] ?? node.slice("team:".length), spellings: [...names].sort() });
  }
  return keys;
}

/** "github:file:acme/checkout/CODEOWNERS" lies in the repository checkout. */
function repositoryKey({ span }: Declaration): string {
  return nameKey(/^github:file:[^/]+\/([^/]+)\//.exec(span?.record ?? "")?.[1] ?? "");
}
