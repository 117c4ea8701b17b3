import type { Hit } from "../core/chunk.ts";

/** Of Cormack, Clarke and Büttcher, "Reciprocal rank fusion outperforms Condorcet", SIGIR 2009. */
export const rrfK = 60;

export interface Fused {
  readonly chunkId: string;
  readonly bm25Rank: number | null;
  readonly vectorRank: number | null;
  readonly rrf: number;
}

export interface FusionWeights {
  readonly bm25: number;
  readonly vector: number;
}

/**
 * Joins the two lists by reciprocal rank fusion: the sum of weight / (60 + rank), rank from 1. Only ranks count, so
 * lists with unlike scores may be joined. Ties go by chunk id, so that the result depends on nothing else.
 */
export function fuse(bm25: readonly Hit[], vector: readonly Hit[], weights: FusionWeights): Fused[] {
  const ranks = new Map<string, { bm25Rank: number | null; vectorRank: number | null }>();
  bm25.forEach(({ chunkId }, i) => {
    if (!ranks.has(chunkId)) ranks.set(chunkId, { bm25Rank: i + 1, vectorRank: null });
  });
  vector.forEach(({ chunkId }, i) => {
    const known = ranks.get(chunkId);
    if (known === undefined) ranks.set(chunkId, { bm25Rank: null, vectorRank: i + 1 });
    else known.vectorRank ??= i + 1;
  });
  const share = (rank: number | null, weight: number) => (rank === null ? 0 : weight / (rrfK + rank));
  return [...ranks]
    .map(([chunkId, { bm25Rank, vectorRank }]) => ({
      chunkId,
      bm25Rank,
      vectorRank,
      rrf: share(bm25Rank, weights.bm25) + share(vectorRank, weights.vector),
    }))
    .sort((a, b) => b.rrf - a.rrf || (a.chunkId < b.chunkId ? -1 : 1));
}

/**
 * Picks what is reranked: first those that must be looked at, then the best by fusion. Plain fusion drops a chunk that
 * one list alone ranks first, since any chunk in both lists (at worst 2/110) beats any in one (at best 1/61); so the
 * first few of each list have a seat of their own.
 * @returns in fused order
 */
export function seat<T extends Fused>(fused: readonly T[], seats: number, ownSeats: number, must: ReadonlySet<string>): T[] {
  const isFirst = ({ bm25Rank, vectorRank }: T) => (bm25Rank ?? Infinity) <= ownSeats || (vectorRank ?? Infinity) <= ownSeats;
  const order = [
    ...fused.filter(({ chunkId }) => must.has(chunkId)),
    ...fused.filter((one) => !must.has(one.chunkId) && isFirst(one)),
    ...fused.filter((one) => !must.has(one.chunkId) && !isFirst(one)),
  ];
  const seated = new Set(order.slice(0, Math.max(seats, must.size)));
  return fused.filter((one) => seated.has(one));
}
