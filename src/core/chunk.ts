import type { GraphEdge } from "./graph.ts";
import type { LineBox } from "./lines.ts";
import type { RecordId, RecordKind, SourceKind, Span } from "./record.ts";

/** A passage-sized piece of one record. `text === body.slice(span.start, span.end)`, always. */
export interface Chunk {
  /** `${record}#${ordinal}` */
  readonly id: string;
  readonly span: Span;
  /** 1-based place among the record's chunks. */
  readonly ordinal: number;
  readonly of: number;
  /** Path of headings above it, outermost first; the record's title is not repeated here. */
  readonly heading: readonly string[];
  /** 1-based page of its first character; null where there are no pages. */
  readonly page: number | null;
  /** The lines that it stands on, on its page; absent where the source has no such places. */
  readonly lines?: readonly LineBox[];
  /** Read from a picture, with this confidence (0 to 1); absent where the source holds text. */
  readonly ocr?: number;
  readonly text: string;
  /** Hash of the record it was cut from; a cached answer checks it. */
  readonly revision: string;
  // carried along so that a hit can be shown and filtered without another look-up
  readonly title: string;
  readonly source: SourceKind;
  readonly kind: RecordKind;
  readonly url: string | null;
  readonly updatedAt: string;
}

/** Higher is better; the rank is the position + 1. */
export interface Hit {
  readonly chunkId: string;
  readonly score: number;
}

export interface SearchFilter {
  readonly corpus?: "records" | "documents" | "all";
  readonly sources?: readonly SourceKind[];
  readonly kinds?: readonly RecordKind[];
  /** Only records updated at or after. */
  readonly since?: string;
  /** Only record ids or paths that start with it. */
  readonly pathPrefix?: string;
  readonly records?: readonly RecordId[];
  /** Only records that are visible in these scopes (core/visibility.ts); absent: all. */
  readonly scopes?: readonly number[];
}

/** Lexical or vector, embedded or remote: one shape. */
export interface Index {
  readonly name: string;
  put(chunks: readonly Chunk[], signal: AbortSignal): Promise<void>;
  drop(chunkIds: readonly string[], signal: AbortSignal): Promise<void>;
  search(query: string, k: number, filter: SearchFilter, signal: AbortSignal): Promise<readonly Hit[]>;
  /** Chunks that it holds; an engine with data of its own may have lost some. */
  count?(signal: AbortSignal): Promise<number>;
}

export interface Ranks {
  readonly bm25Rank: number | null;
  readonly vectorRank: number | null;
  /** Similarity of question and chunk, -1 to 1; null where no vector was compared. */
  readonly cosine: number | null;
  readonly rrf: number | null;
  readonly rerank: number | null;
  /** The chunk holds an identifier of the question, letter for letter. */
  readonly literal: boolean;
}

/** What both sides, graph and search, bring to an answer. */
export interface Passage {
  readonly chunk: Chunk;
  /** Why the graph brought it; empty from search. */
  readonly edges: readonly GraphEdge[];
  readonly ranks: Ranks;
}

export interface SearchResult {
  readonly query: string;
  /** Identifiers of the query that were looked for letter for letter. */
  readonly identifiers: readonly string[];
  /** Those of them that no chunk holds. */
  readonly missing: readonly string[];
  readonly passages: readonly Passage[];
  readonly timings: Readonly<Record<string, number>>;
}

export interface SearchOptions {
  readonly k?: number;
  readonly filter?: SearchFilter;
  readonly rerank?: boolean;
}

export type Search = (query: string, options: SearchOptions, signal: AbortSignal) => Promise<SearchResult>;

/** Unit-length vectors. */
export interface Embedder {
  /** Names the model and its build: vectors of different ids are never mixed. */
  readonly id: string;
  readonly dimensions: number;
  /** `kind` matters to models that treat questions and passages differently. */
  embed(texts: readonly string[], kind: "query" | "passage", signal: AbortSignal): Promise<readonly Float32Array[]>;
}

/** One score a candidate, higher is better, no fixed range: it orders, it does not decide. */
export interface Reranker {
  readonly id: string;
  rerank(query: string, candidates: readonly RerankCandidate[], signal: AbortSignal, hints?: RerankHints): Promise<readonly number[]>;
}

export interface RerankHints {
  /** How much a word of the question counts: the rarer in the corpus, the more. */
  readonly termWeight: (word: string) => number;
}

export interface RerankCandidate {
  readonly chunkId: string;
  readonly text: string;
  readonly bm25: number | null;
  readonly cosine: number | null;
}
