import { createConversations } from "./agent/conversation.ts";
import { createAgent } from "./agent/gather.ts";
import { createToolbox } from "./agent/toolbox.ts";
import { type AskDeps, createAsk } from "./answer/ask.ts";
import { documentGatherer } from "./answer/documents.ts";
import { quote } from "./answer/quote.ts";
import { documentsAbout } from "./app-documents.ts";
import { contentOf } from "./connectors/documents/index.ts";
import type { Coverage } from "./core/answer.ts";
import type { Copy, Reading, WhyHop } from "./core/app.ts";
import type { Embedder, Index, Reranker, Search } from "./core/chunk.ts";
import type { Log } from "./core/connector.ts";
import type { ContextError } from "./core/errors.ts";
import type { Graph, GraphNode } from "./core/graph.ts";
import type { RecordId } from "./core/record.ts";
import type { Spans } from "./core/spans.ts";
import { createSearch } from "./docsearch/search.ts";
import { diffSince } from "./graph/diff.ts";
import { exportGraph } from "./graph/export.ts";
import type { KnowledgeGraph } from "./graph/knowledge-graph.ts";
import { quoteOf } from "./graph/quote.ts";
import { pathBetween } from "./graph/why.ts";
import type { Reader } from "./store/visible.ts";
import { askWithSpans } from "./telemetry/question.ts";

/** Places named of a text that lies in many. */
const MOST_COPIES = 100;

/** What all readings share. */
export interface ReadingDeps {
  readonly name: string;
  readonly vectors: Index;
  readonly embedder: Embedder;
  readonly reranker: Reranker | null;
  /** What answers are made with beside what is read from. */
  readonly answering: Pick<
    AskDeps,
    "models" | "minCosine" | "verify" | "complete" | "web" | "screened" | "secondOpinion" | "now" | "clock" | "newId"
  >;
  /** Changes what questions are answered with. */
  readonly changed?: ((deps: AskDeps) => AskDeps) | undefined;
  readonly generation: () => string;
  readonly spans: Spans;
  readonly log: Log;
  /** Waits for the first index run, for a while. @throws ContextError INDEX_EMPTY */
  untilIndexed(signal: AbortSignal): Promise<void>;
  /** Why no question can be answered; empty: they can. */
  notReady(): ContextError[];
}

/** What one reading is of. */
export interface ReadingPart {
  readonly graph: KnowledgeGraph;
  readonly reader: Reader;
  /** Null: everything. */
  readonly scopes: readonly number[] | null;
  readonly coverage: () => Coverage[];
  /** Whether documents may be uploaded, and those uploaded be seen. */
  readonly uploads: boolean;
}

/** Everything that can be asked of a graph and the records that it was made of, as one reader sees them. */
export function createReading(deps: ReadingDeps, { graph, reader, scopes, coverage, uploads }: ReadingPart): Reading {
  const { embedder, generation, spans, answering } = deps;
  const { records, chunks } = reader;
  const { now, clock } = answering;
  const within = createSearch({
    store: reader,
    vectors: deps.vectors,
    embedder,
    reranker: deps.reranker,
    log: deps.log,
    expand: (query) => otherNames(graph, query),
  });
  const search: Search =
    scopes === null ? within : (query, options, signal) => within(query, { ...options, filter: { ...options.filter, scopes } }, signal);
  const agent = createAgent({
    graph,
    generation,
    records,
    chunks,
    search,
    quote: (question, passages, signal) => quote(question, passages, { embedder, signal }),
    coverage,
    clock,
    spans,
  });
  const conversations = createConversations({ graph, clock });
  const askDeps: AskDeps = {
    ...answering,
    // the answer cache keeps apart who sees what
    models: scopes === null ? answering.models : `${answering.models} ${scopes.join(",")}`,
    agent,
    documents: documentGatherer({ search, embedder, createdAt: (id) => records.get(id)?.createdAt ?? null }),
    search,
    embedder,
    revision: (id) => records.hash(id),
    chunkAt: (id, start, end) => chunks.at(id, start, end),
    answers: reader.answers,
    generation,
    followUp: (session, question, at) => conversations.resolve(session, question, at),
    coverage,
    expandNames: (question) => namedServices(graph, question).map(({ label }) => label),
    spans,
  };
  const ask = askWithSpans(createAsk(deps.changed?.(askDeps) ?? askDeps), spans);

  return {
    name: deps.name,
    whole: scopes === null,
    uploads,
    now,
    graph,
    async *ask(question, options) {
      await deps.untilIndexed(options.signal);
      return yield* ask(question, options);
    },
    tools: createToolbox({ graph, generation, records, chunks, search, spans }),
    answer: (id) => reader.answers.get(id),
    async search(query, { corpus, ...rest }, signal) {
      await deps.untilIndexed(signal);
      return search(query, { ...rest, filter: { ...rest.filter, ...(corpus === undefined ? {} : { corpus }) } }, signal);
    },
    record(id) {
      const found = records.get(id);
      return found === null ? null : { record: found, raw: records.raw(id), copies: copiesOf(reader, id) };
    },
    chunk(id, around = 1) {
      const chunk = chunks.get(id);
      if (chunk === null) return null;
      const all = chunks.ofRecord(chunk.span.record);
      const at = all.findIndex((one) => one.id === id);
      const [before, after] = [all.slice(Math.max(0, at - around), at), all.slice(at + 1, at + 1 + around)];
      return { chunk, before, after, copies: copiesOf(reader, chunk.span.record) };
    },
    exportGraph: (format, part) => exportGraph(part ?? { nodes: graph.nodes(), edges: graph.edges() }, format),
    why(from, to) {
      const path = pathBetween(graph, from, to);
      return path === null ? null : path.map(({ edge }): WhyHop => ({ edge, quotes: quotesOf(reader, edge) }));
    },
    documentsAbout: (service) => documentsAbout(reader, graph, service),
    graphDiff: (since) => ({ since, ...diffSince(graph, since, now().toISOString()) }),
    merges: () =>
      (graph.names?.merges() ?? []).map(({ id, alias, of, rule, records: stated }) => ({
        id,
        node: of,
        name: alias.slice(alias.indexOf(":") + 1),
        rule,
        score: 1,
        records: stated as readonly RecordId[],
      })),
    ambiguities: () => graph.ambiguities(),
    notReady: deps.notReady,
  };
}

function namedServices(graph: Graph, text: string): GraphNode[] {
  return graph
    .mentions(text)
    .flatMap(({ resolution }) => (resolution.type === "one" && resolution.node.kind === "service" ? [resolution.node] : []));
}

/** Every spelling of the services that a query names: records may use another one. */
function otherNames(graph: Graph, query: string): string[] {
  return namedServices(graph, query).flatMap(({ label, aliases }) => [label, ...aliases]);
}

/** The other places of a document that lies in several, at most `MOST_COPIES`. */
function copiesOf({ records }: Reader, id: RecordId): readonly Copy[] {
  const mark = contentOf(records.raw(id));
  if (mark === null) return [];
  const others = records.alike(mark, MOST_COPIES + 1).filter((other) => other !== id);
  return others.flatMap((other) => {
    const record = records.get(other);
    return record === null ? [] : [{ id: other, title: record.title, url: record.url }];
  });
}

function quotesOf({ records }: Reader, edge: WhyHop["edge"]): WhyHop["quotes"] {
  return edge.evidence.map(({ span }) => {
    const record = records.get(span.record);
    return { record: span.record, text: record === null ? "" : quoteOf(record, span), url: record?.url ?? null };
  });
}
