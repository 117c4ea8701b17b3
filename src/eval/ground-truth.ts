import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { records as recordsConnector } from "../connectors/records/index.ts";
import type { Log } from "../core/connector.ts";
import { ContextError } from "../core/errors.ts";
import type { NameHints } from "../core/extract.ts";
import type { SourceRecord } from "../core/record.ts";

const Edge = z.object({ kind: z.string(), source: z.string(), target: z.string() });
const TruthEdge = Edge.extend({ records: z.array(z.object({ id: z.string(), quote: z.string().optional() })).default([]) });
const NonEdge = Edge.extend({ record: z.string().optional(), why: z.string().optional() });
const Entity = z.object({ id: z.string(), kind: z.string(), label: z.string().optional(), login: z.string().nullish() });
const Ambiguous = z.object({ name: z.string(), candidates: z.array(z.string()) });
const AliasTest = z.object({ text: z.string(), expect: z.string().nullable() });
const Scope = z.record(z.string(), z.union([z.array(z.string()), z.string()]));
const Fragment = z.object({
  aliases: z.record(z.string(), z.array(z.string())).default({}),
  sourcePaths: z.record(z.string(), z.array(z.string())).default({}),
});

export type WorldEdge = z.infer<typeof Edge>;

/** A sample world: its records, what a user would put into the manifest, and the truth about it. */
export interface World {
  readonly records: readonly SourceRecord[];
  readonly failures: readonly string[];
  readonly hints: NameHints;
  readonly edges: readonly z.infer<typeof TruthEdge>[];
  readonly optional: readonly WorldEdge[];
  readonly nonEdges: readonly z.infer<typeof NonEdge>[];
  readonly entities: readonly z.infer<typeof Entity>[];
  readonly ambiguous: readonly z.infer<typeof Ambiguous>[];
  readonly aliasTests: readonly z.infer<typeof AliasTest>[];
  /** Whether a record is annotated so fully that what truth does not hold of this kind is wrong. */
  inScope(record: string, kind: string): boolean;
}

/** Reads a world folder. Parts of the truth that are absent are empty. @throws ContextError FILE_NOT_FOUND when there are no records */
export async function readWorld(folder: string, log: Log, signal: AbortSignal): Promise<World> {
  const records: SourceRecord[] = [];
  const failures: string[] = [];
  const io = { fetch, signal, log, now: () => new Date(0), root: folder };
  for await (const pulled of recordsConnector.pull({ kind: "records", path: await recordsPath(folder) }, io, null)) {
    if (pulled.type === "record") records.push(pulled.record);
    else if (pulled.type === "failed") failures.push(pulled.id);
  }
  if (records.length === 0)
    throw new ContextError("FILE_NOT_FOUND", `No records in ${folder}: expected records.jsonl, or jira/, github/, confluence/ or logs/.`);
  const truth = (name: string): string => join(folder, "truth", name);
  const scope = await json(truth("scope.json"), Scope);
  return {
    records,
    failures,
    hints: (await json(join(folder, "manifest-fragment.json"), Fragment)) ?? { aliases: {}, sourcePaths: {} },
    edges: (await json(truth("edges.json"), z.array(TruthEdge))) ?? [],
    optional: (await json(truth("optional-edges.json"), z.array(Edge))) ?? [],
    nonEdges: (await json(truth("non-edges.json"), z.array(NonEdge))) ?? [],
    entities: (await json(truth("entities.json"), z.array(Entity))) ?? [],
    ambiguous: (await json(truth("ambiguous.json"), z.array(Ambiguous))) ?? [],
    aliasTests: await lines(truth("alias-tests.jsonl"), AliasTest),
    inScope: scopeOf(scope),
  };
}

/** A folder of payloads is preferred: it holds the fields that the flat form leaves out. */
async function recordsPath(folder: string): Promise<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const payloads = entries.some((entry) => entry.isDirectory() && ["jira", "github", "confluence", "logs"].includes(entry.name));
  return payloads ? folder : join(folder, "records.jsonl");
}

/** "all github:commit:*" and lists of ids; what is only annotated for fields counts for these kinds alone. */
function scopeOf(scope: z.infer<typeof Scope> | null): World["inScope"] {
  if (scope === null) return () => true;
  const full = new Set<string>();
  const structured: ((id: string) => boolean)[] = [];
  for (const [name, members] of Object.entries(scope)) {
    if (/^not\b/i.test(name)) continue;
    if (/^structured/i.test(name)) structured.push(matcher(members));
    else for (const id of typeof members === "string" ? [] : members) full.add(id);
  }
  return (record, kind) => full.has(record) || ((kind === "modified" || kind === "fixes") && structured.some((matches) => matches(record)));
}

function matcher(members: readonly string[] | string): (id: string) => boolean {
  const patterns = typeof members === "string" ? (members.match(/[\w:*/.#-]+:[\w:*/.#-]*/g) ?? []) : members;
  return (id) => patterns.some((pattern) => (pattern.endsWith("*") ? id.startsWith(pattern.slice(0, -1)) : id === pattern));
}

async function text(path: string): Promise<string | null> {
  return readFile(path, "utf8").catch(() => null);
}

async function json<T>(path: string, shape: z.ZodType<T>): Promise<T | null> {
  const content = await text(path);
  return content === null ? null : shape.parse(JSON.parse(content));
}

async function lines<T>(path: string, shape: z.ZodType<T>): Promise<T[]> {
  const content = await text(path);
  if (content === null) return [];
  return content
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => shape.parse(JSON.parse(line)));
}
