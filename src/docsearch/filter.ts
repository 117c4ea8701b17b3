import type { Chunk, SearchFilter } from "../core/chunk.ts";
import type { SourceKind } from "../core/record.ts";

/** Folders of files and fetched pages; all other sources are records of a tracker, a forge, a wiki or logs. */
export const documentSources: readonly SourceKind[] = ["documents", "web"];

/** Whether a chunk passes a filter; the same rules as the store's own (store/chunk-rows.ts). */
export function passes({ source, kind, span, updatedAt }: Chunk, filter: SearchFilter): boolean {
  if (filter.corpus === "documents" && !documentSources.includes(source)) return false;
  if (filter.corpus === "records" && documentSources.includes(source)) return false;
  if (filter.sources !== undefined && !filter.sources.includes(source)) return false;
  if (filter.kinds !== undefined && !filter.kinds.includes(kind)) return false;
  if (filter.records !== undefined && !filter.records.includes(span.record)) return false;
  if (filter.since !== undefined && !(Date.parse(updatedAt) >= Date.parse(filter.since))) return false;
  return filter.pathPrefix === undefined || startsWith(span.record, filter.pathPrefix);
}

/** A record's id, or what follows its connector's prefix, starts with it. */
export function startsWith(record: string, prefix: string): boolean {
  return record.startsWith(prefix) || record.slice(record.indexOf(":") + 1).startsWith(prefix);
}

export function isFiltered({ corpus, ...rest }: SearchFilter): boolean {
  return (corpus !== undefined && corpus !== "all") || Object.values(rest).some((value) => value !== undefined);
}
