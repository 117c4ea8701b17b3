import type { Citation } from "./answer.ts";
import type { Chunk, SearchResult } from "./chunk.ts";

/** A chunk in the shape in which answers and searches cite it; nothing else makes one. */
export function toCitation(n: number, chunk: Chunk): Citation {
  return {
    n,
    source: chunk.source,
    recordId: chunk.span.record,
    chunkId: chunk.id,
    title: chunk.title,
    chunk: chunk.ordinal,
    of: chunk.of,
    page: chunk.page,
    charStart: chunk.span.start,
    charEnd: chunk.span.end,
    text: chunk.text,
    url: chunk.url,
    ...(chunk.lines === undefined ? {} : { lines: [...chunk.lines] }),
    ...(chunk.ocr === undefined ? {} : { ocr: chunk.ocr }),
  };
}

/** A search result as the command line and HTTP give it (contract, `search`). */
export function searchReply(result: SearchResult) {
  return {
    query: result.query,
    identifiers: [...result.identifiers],
    missing: [...result.missing],
    hits: result.passages.map(({ chunk, ranks }, at) => {
      const { bm25Rank, vectorRank, cosine, rrf, rerank } = ranks;
      return { rank: at + 1, chunk: toCitation(at + 1, chunk), bm25Rank, vectorRank, cosine, rrf, rerank };
    }),
    timings: { ...result.timings },
  };
}
