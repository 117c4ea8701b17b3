import { existsSync } from "node:fs";
import { isAbsolute, relative, resolve } from "node:path";
import type { Manifest } from "./config/manifest.ts";
import { connectorOf, SourceConfig } from "./connectors/registry.ts";
import { ContextError } from "./core/errors.ts";
import { type Viewer, Visibility } from "./core/visibility.ts";
import type { IndexSource } from "./indexing/deps.ts";
import type { Store } from "./store/store.ts";

const INGESTED = "ingest.paths";

interface Ingested {
  readonly path: string;
  /** What the ids begin with, in place of the path. */
  readonly name?: string;
}

/** Folders and files that were ingested besides the manifest's sources; they stay sources until they are removed. */
function ingestedPaths(store: Store): readonly Ingested[] {
  const saved = JSON.parse(store.meta.get(INGESTED) ?? "[]") as (string | Ingested)[];
  return saved.map((one) => (typeof one === "string" ? { path: one } : one));
}

/**
 * Makes paths sources of the next runs: all of them or, so that a mistyped one does not fail in every run from now on, none.
 * @throws ContextError FILE_NOT_FOUND
 */
export function remember(store: Store, paths: readonly string[], root: string, name?: string): void {
  const all = new Map(ingestedPaths(store).map((one) => [one.path, one]));
  for (const given of paths) {
    const path = isAbsolute(given) ? given : resolve(root, given);
    if (!existsSync(path))
      throw new ContextError("FILE_NOT_FOUND", `There is no folder or file ${path}.`, { remedy: "Check the path; nothing was ingested." });
    all.set(path, { path, ...(name === undefined ? {} : { name }) });
  }
  store.meta.set(INGESTED, JSON.stringify([...all.values()]));
}

/** What was ingested on the command line; the folder of uploads is the daemon's own. */
export function ingestedByHand(store: Store): readonly string[] {
  return ingestedPaths(store)
    .filter(({ name }) => name !== "")
    .map(({ path }) => path);
}

/**
 * Takes paths off the sources; the next run lets their records go.
 * @throws ContextError NOT_FOUND; then none was taken off
 */
export function unremember(store: Store, paths: readonly string[]): void {
  const known = ingestedByHand(store);
  for (const path of paths) {
    if (!known.includes(path))
      throw new ContextError("NOT_FOUND", `${path} was not ingested.`, {
        remedy: "`contextd forget` lists what was; sources of manifest.json are taken out there.",
      });
  }
  store.meta.set(INGESTED, JSON.stringify(ingestedPaths(store).filter(({ path }) => !paths.includes(path))));
}

/** The manifest's sources, then what was ingested. */
function sourcesOf(manifest: Pick<Manifest, "sources" | "uploads">, root: string, store: Store): readonly SourceConfig[] {
  const own = new Set(
    manifest.sources.filter((one) => one.kind === "documents").map((one) => resolve(root, String((one as { path?: unknown }).path))),
  );
  const { visibleTo, ocr } = manifest.uploads;
  const ingested = ingestedPaths(store)
    .filter(({ path }) => !own.has(path))
    // the folder of uploads is the one whose ids begin with nothing
    .map((one) => ({ kind: "documents", ocr, ...one, ...(one.name === "" && visibleTo !== undefined ? { visibleTo } : {}) }));
  return [...manifest.sources, ...ingested] as unknown as readonly SourceConfig[];
}

/** What `doctor` looks at: the folder of uploads is the daemon's own, and may be empty. */
export function sourcesToCheck(manifest: Pick<Manifest, "sources" | "uploads">, root: string, store: Store): readonly SourceConfig[] {
  const uploads = ingestedPaths(store).find(({ name }) => name === "")?.path ?? null;
  // an ingested folder is a block without its defaults yet
  return sourcesOf(manifest, root, store)
    .filter((source) => (source as { path?: unknown }).path !== uploads)
    .map((source) => SourceConfig.parse(source));
}

/** What an index run pulls from. */
export function configuredSources(
  manifest: Pick<Manifest, "sources" | "uploads">,
  root: string,
  store: Store,
): { readonly sources: readonly IndexSource[]; readonly configured: (label: string) => boolean } {
  const sources = sourcesOf(manifest, root, store).map(indexSource);
  const labels = new Set(sources.map((source) => source.label));
  return { sources, configured: (label) => labels.has(label) };
}

/** Who may see what, by source; read anew when something was ingested. */
export function configuredVisibility(manifest: Pick<Manifest, "sources" | "uploads">, root: string, store: Store): () => Visibility {
  let known: { readonly ingested: string | null; readonly visibility: Visibility } | null = null;
  return () => {
    const ingested = store.meta.get(INGESTED);
    if (known === null || known.ingested !== ingested) {
      const sources = sourcesOf(manifest, root, store).map((source) => ({ source, label: indexSource(source).label }));
      const rules = sources.map(({ source, label }) => [label, source.visibleTo] as const);
      const folders = sources.map(({ source, label }) => [label, folderOf(source, root)] as const);
      known = { ingested, visibility: new Visibility(rules, new Map(folders)) };
    }
    return known.visibility;
  };
}

/** Where the ids of a folder's documents begin; "" for what has no folder. */
function folderOf(source: SourceConfig, root: string): string {
  const { kind, path, name } = source as { kind: string; path?: unknown; name?: unknown };
  if (kind !== "documents" || typeof path !== "string") return "";
  if (typeof name === "string") return name;
  const below = relative(root, resolve(root, path));
  return below.startsWith("..") || isAbsolute(below) ? resolve(root, path) : below;
}

/** Whether somebody may upload documents, and see those uploaded. */
export function uploadsSeen({ uploads: { visibleTo } }: Pick<Manifest, "uploads">, viewer: Viewer): boolean {
  return viewer === "all" || visibleTo === undefined || visibleTo.some((group) => viewer.groups.includes(group));
}

function indexSource(source: SourceConfig): IndexSource {
  const connector = connectorOf(source);
  // who may see it changes nothing of what is pulled
  const { visibleTo: _, ...given } = source;
  // an ingested folder is a block without its defaults yet
  const config = connector.config.parse(given);
  const read = connector.read?.bind(connector);
  const watch = connector.watch?.bind(connector);
  return {
    label: connector.label(config),
    kind: connector.kind,
    config: fingerprint(config),
    pull: (io, cursor) => connector.pull(config, io, cursor),
    ...(watch === undefined ? {} : { watch: (io) => watch(config, io) }),
    ...(read === undefined ? {} : { read: (io, id) => read(config, io, id) }),
  };
}

/** The configuration without anything secret: a changed one makes the saved cursor void, a renewed token does not. */
function fingerprint(config: object): string {
  return JSON.stringify(config, (key, value: unknown) => (/token|password|secret|email|key$/i.test(key) ? undefined : value));
}
