/** Judged documents of one query with their grade; only grades above 0. */
export type Judgements = ReadonlyMap<string, number>;

export interface IrFigures {
  readonly ndcg10: number;
  readonly recall10: number;
  readonly recall50: number;
  readonly mrr10: number;
}

/**
 * Figures of one ranking, as trec_eval computes them: nDCG with linear gain and log2 discount.
 * @see Järvelin and Kekäläinen, "Cumulated gain-based evaluation of IR techniques", TOIS 20(4), 2002
 */
export function irFigures(ranking: readonly string[], judged: Judgements): IrFigures {
  const gains = ranking.slice(0, 10).map((id) => judged.get(id) ?? 0);
  const ideal = [...judged.values()].sort((a, b) => b - a).slice(0, 10);
  const first = gains.findIndex((gain) => gain > 0);
  const best = discounted(ideal);
  return {
    ndcg10: best === 0 ? 0 : discounted(gains) / best,
    recall10: recall(ranking, judged, 10),
    recall50: recall(ranking, judged, 50),
    mrr10: first < 0 ? 0 : 1 / (first + 1),
  };
}

function discounted(gains: readonly number[]): number {
  return gains.reduce((total, gain, i) => total + gain / Math.log2(i + 2), 0);
}

function recall(ranking: readonly string[], judged: Judgements, depth: number): number {
  if (judged.size === 0) return 0;
  return ranking.slice(0, depth).filter((id) => judged.has(id)).length / judged.size;
}

/** Value below which the share of the values lies (nearest rank); 0 for none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((total, value) => total + value, 0) / values.length;
}
