import { existsSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import type { Manifest } from "./config/manifest.ts";
import { connectorOf, type SourceConfig } from "./connectors/registry.ts";
import { ContextError } from "./core/errors.ts";
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

/** What an index run pulls from: the manifest's sources, then what was ingested. */
export function configuredSources(
  manifest: Pick<Manifest, "sources">,
  root: string,
  store: Store,
): { readonly sources: readonly IndexSource[]; readonly configured: (label: string) => boolean } {
  const own = new Set(
    manifest.sources.filter((one) => one.kind === "documents").map((one) => resolve(root, String((one as { path?: unknown }).path))),
  );
  const ingested = ingestedPaths(store)
    .filter(({ path }) => !own.has(path))
    .map((one) => ({ kind: "documents", ...one }));
  const sources = [...manifest.sources, ...ingested].map((source) => indexSource(source as SourceConfig));
  const labels = new Set(sources.map((source) => source.label));
  return { sources, configured: (label) => labels.has(label) };
}

function indexSource(given: SourceConfig): IndexSource {
  const connector = connectorOf(given);
  // an ingested folder is a block without its defaults yet
  const config = connector.config.parse(given);
  const read = connector.read?.bind(connector);
  return {
    label: connector.label(config),
    kind: connector.kind,
    config: fingerprint(config),
    pull: (io, cursor) => connector.pull(config, io, cursor),
    ...(read === undefined ? {} : { read: (io, id) => read(config, io, id) }),
  };
}

/** The configuration without anything secret: a changed one makes the saved cursor void, a renewed token does not. */
function fingerprint(config: object): string {
  return JSON.stringify(config, (key, value: unknown) => (/token|password|secret|email|key$/i.test(key) ? undefined : value));
}
