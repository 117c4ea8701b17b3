import type { NameHints } from "../core/extract.ts";
import type { Declaration, NodeId } from "../core/fact.ts";
import type { RecordFields, SourceRecord } from "../core/record.ts";
import { foldNames } from "./identity.ts";
import { NameBook } from "./names.ts";

/** Records and dictionaries for tests. */
export function recordFor(
  parts: Partial<SourceRecord> & {
    readonly id: string;
    readonly prose: string;
    readonly footer?: readonly string[];
    readonly fields?: RecordFields;
  },
): SourceRecord {
  const { prose, footer = [], ...rest } = parts;
  const [source, kind] = kindOf(parts.id);
  return {
    source,
    kind,
    title: prose.split("\n", 1)[0] ?? "",
    url: null,
    author: null,
    bot: false,
    createdAt: "2026-01-01T00:00:00Z",
    updatedAt: "2026-02-01T00:00:00Z",
    fields: {},
    ...rest,
    id: parts.id as SourceRecord["id"],
    body: footer.length === 0 ? prose : `${prose}\n\n${footer.join("\n")}`,
    proseEnd: prose.length,
  };
}

function kindOf(id: string): readonly [SourceRecord["source"], SourceRecord["kind"]] {
  if (id.startsWith("jira:")) return ["jira", "ticket"];
  if (id.startsWith("confluence:")) return ["confluence", "page"];
  if (id.startsWith("log:")) return ["logs", "log"];
  const kind = /^github:(commit|pull|issue|file):/.exec(id)?.[1] ?? "file";
  return ["github", kind as SourceRecord["kind"]];
}

export const noHints: NameHints = { aliases: {}, sourcePaths: {} };

/** A dictionary of services (name to other names), engineers and teams. */
export function namesFor(parts: {
  readonly services?: Readonly<Record<string, readonly string[]>>;
  readonly engineers?: Readonly<Record<string, string>>;
  readonly teams?: readonly string[];
  readonly projects?: readonly string[];
  readonly hints?: NameHints;
}): NameBook {
  const declarations: Declaration[] = [];
  const add = (node: NodeId, name: string, rule: string, score: number): void => {
    declarations.push({ node, name, rule, score, span: null });
  };
  for (const [service, aliases] of Object.entries(parts.services ?? {})) {
    add(`service:${service}`, service, "catalogue.name", 0.95);
    for (const alias of aliases) add(`service:${service}`, alias, "catalogue.alias", 0.92);
  }
  for (const [name, login] of Object.entries(parts.engineers ?? {})) {
    const node: NodeId = `engineer:${name
      .normalize("NFKD")
      .replace(/[^\w -]/g, "")
      .toLowerCase()
      .replaceAll(" ", "-")}`;
    add(node, name, "person.name", 0.9);
    if (login !== "") add(node, login, "person.login", 0.95);
  }
  for (const team of parts.teams ?? []) add(`team:${team.toLowerCase()}`, team, "catalogue.group", 0.9);
  for (const project of parts.projects ?? []) add(`ticket:${project}-1`, `${project}-1`, "ticket.key", 1);
  return new NameBook(foldNames(declarations, parts.hints ?? noHints));
}

/** A small dictionary from its parts, for properties over dictionaries. */
export function dictionaryOf(parts: {
  readonly services: readonly string[];
  readonly alias: string;
  readonly engineers: readonly string[];
  readonly project: boolean;
}): NameBook {
  const [first] = parts.services;
  return namesFor({
    services: Object.fromEntries(parts.services.map((name) => [name, name === first ? [parts.alias] : []])),
    engineers: Object.fromEntries(parts.engineers.map((name) => [name, name.startsWith("Ann") ? "ann" : ""])),
    projects: parts.project ? ["OPS"] : [],
  });
}
