import type { AboutDocument } from "./core/app.ts";
import type { NameMatch } from "./core/extract.ts";
import type { GraphNode } from "./core/graph.ts";
import type { RecordKind, SourceRecord } from "./core/record.ts";
import type { KnowledgeGraph } from "./graph/knowledge-graph.ts";
import type { Reader } from "./store/visible.ts";

const DOCUMENTS: readonly RecordKind[] = ["page", "file"];
/** Passages looked at for each spelling of the name, best first. */
const MOST_PASSAGES = 100;
/** A document that says the name once, in passing, is about something else. */
const FEWEST_MENTIONS = 2;

/**
 * Pages and files about a service, whether they state a fact or not: the title names it, or the text does twice. An everyday
 * word that is also a service's name ("email") counts only where it is used as a name.
 * @returns those with the name in their title first, then by how often they say it
 */
export function documentsAbout({ records, chunks }: Reader, graph: KnowledgeGraph, service: GraphNode): readonly AboutDocument[] {
  const mentions = new Map<string, number>();
  const looked = new Set<string>();
  const meant = (text: string): readonly NameMatch[] =>
    (graph.names?.scan(text) ?? []).filter(({ nodes }) => nodes.length === 1 && nodes[0] === service.id);
  const names = (text: string): number => meant(text).filter(({ bare }) => !bare).length;

  for (const spelling of new Set([service.label, ...service.aliases])) {
    for (const { chunkId } of chunks.matchPhrase(spelling, MOST_PASSAGES, { kinds: DOCUMENTS })) {
      const chunk = looked.has(chunkId) ? null : chunks.get(chunkId);
      looked.add(chunkId);
      if (chunk === null) continue;
      const { record } = chunk.span;
      mentions.set(record, (mentions.get(record) ?? 0) + names(chunk.text));
    }
  }
  const isTitled = (title: string, count: number): boolean => {
    if (title.includes("/")) return title.split("/").some((part) => graph.names?.find(part, "service").includes(service.id));
    // "Checkout architecture": an everyday word, but the text uses it as a name
    if (names(title) > 0 || (count > 0 && meant(title).length > 0)) return true;
    return graph.names?.find(title.replace(/^[^:]*: */, ""), "service").includes(service.id) === true;
  };
  return [...mentions]
    .flatMap(([id, count]) => {
      const record = records.get(id as SourceRecord["id"]);
      return record === null ? [] : [{ record, count, titled: isTitled(record.title, count) }];
    })
    .filter(({ count, titled }) => titled || count >= FEWEST_MENTIONS)
    .toSorted((a, b) => Number(b.titled) - Number(a.titled) || b.count - a.count || a.record.id.localeCompare(b.record.id))
    .map(({ record, titled }) => ({ record, titled }));
}
