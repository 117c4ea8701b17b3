import type { RerankCandidate, Reranker } from "../core/chunk.ts";
import type { Encoded, OnnxEncoder } from "./onnx-encoder.ts";
import { normalise } from "./vectors.ts";

const QUERY_TOKENS = 64;
const PASSAGE_TOKENS = 256;
/** Batches of this size keep the peak near 230 MB (models/README.md, Speed). */
const BATCH = 5;

/** Unit-length token vectors of one passage without its special tokens, as int8 (times 127). */
interface TokenVectors {
  readonly data: Int8Array;
  readonly tokens: number;
}

/**
 * Scores by late interaction over the bi-encoder's token vectors: z(BM25) + z(dense cosine) + z(MaxSim), z within the
 * candidates; MaxSim is the idf-weighted mean over the query's tokens of the best cosine with a token of the passage.
 * Weights and form from models/README.md (the row `reranker/`). Token vectors of often retrieved chunks are kept.
 * @see Khattab, Zaharia 2020, ColBERT (SIGIR) for MaxSim
 */
export class LateInteractionReranker implements Reranker {
  readonly id = "bundled:late-interaction";
  readonly #encoder: OnnxEncoder;
  readonly #idf: (token: number) => number;
  readonly #kept = new Map<string, TokenVectors>();
  readonly #most: number;

  /**
   * @param idf weight of a WordPiece id; equal weights where document frequencies are not at hand
   * @param most passages whose token vectors are kept (about 75 kB each)
   */
  constructor(encoder: OnnxEncoder, idf: (token: number) => number = () => 1, most = 1000) {
    this.#encoder = encoder;
    this.#idf = idf;
    this.#most = most;
  }

  async rerank(query: string, candidates: readonly RerankCandidate[], signal: AbortSignal): Promise<readonly number[]> {
    if (candidates.length === 0) return [];
    const maxSim = await this.#maxSim(query, candidates, signal);
    const features = [candidates.map((one) => one.bm25 ?? 0), candidates.map((one) => one.cosine ?? 0), maxSim].map(zScores);
    return candidates.map((_, at) => features.reduce((sum, feature) => sum + (feature[at] ?? 0), 0));
  }

  async #maxSim(query: string, candidates: readonly RerankCandidate[], signal: AbortSignal): Promise<number[]> {
    const encoded = await this.#encoder.encode([query], QUERY_TOKENS, signal);
    const { hidden, dimensions } = encoded;
    const last = (encoded.lengths[0] ?? 2) - 1;
    for (let token = 1; token < last; token += 1) normalise(hidden, token * dimensions, dimensions);
    const weights = (encoded.ids[0] ?? []).map((id) => this.#idf(id));
    await this.#encodeMissing(candidates, signal);
    return candidates.map((candidate) => {
      const passage = this.#kept.get(keyOf(candidate));
      if (passage === undefined || last <= 1) return 0;
      let sum = 0;
      let weight = 0;
      for (let token = 1; token < last; token += 1) {
        const best = bestCosine(hidden, token * dimensions, passage, dimensions);
        sum += (weights[token] ?? 1) * best;
        weight += weights[token] ?? 1;
      }
      return weight === 0 ? 0 : sum / weight;
    });
  }

  async #encodeMissing(candidates: readonly RerankCandidate[], signal: AbortSignal): Promise<void> {
    const missing: RerankCandidate[] = [];
    for (const candidate of candidates) {
      const key = keyOf(candidate);
      const known = this.#kept.get(key);
      if (known === undefined) missing.push(candidate);
      else {
        // the longest unused goes first
        this.#kept.delete(key);
        this.#kept.set(key, known);
      }
    }
    missing.sort((a, b) => a.text.length - b.text.length);
    for (let from = 0; from < missing.length; from += BATCH) {
      const batch = missing.slice(from, from + BATCH);
      const encoded = await this.#encoder.encode(
        batch.map((one) => one.text),
        PASSAGE_TOKENS,
        signal,
      );
      for (const [row, one] of batch.entries()) this.#kept.set(keyOf(one), tokenVectors(encoded, row));
    }
    for (const key of this.#kept.keys()) {
      if (this.#kept.size <= Math.max(this.#most, candidates.length)) break;
      this.#kept.delete(key);
    }
  }
}

/** A chunk's text can change under its id, so both name it. */
function keyOf({ chunkId, text }: RerankCandidate): string {
  return `${chunkId}\n${text}`;
}

function tokenVectors({ hidden, longest, dimensions, lengths }: Encoded, row: number): TokenVectors {
  const tokens = Math.max(0, (lengths[row] ?? 2) - 2);
  const data = new Int8Array(tokens * dimensions);
  for (let token = 0; token < tokens; token += 1) {
    const start = (row * longest + token + 1) * dimensions;
    normalise(hidden, start, dimensions);
    for (let at = 0; at < dimensions; at += 1) data[token * dimensions + at] = Math.round((hidden[start + at] ?? 0) * 127);
  }
  return { data, tokens };
}

function bestCosine(query: Float32Array, start: number, { data, tokens }: TokenVectors, dimensions: number): number {
  let best = -127;
  for (let token = 0; token < tokens; token += 1) {
    const offset = token * dimensions;
    let sum = 0;
    for (let at = 0; at < dimensions; at += 1) sum += (query[start + at] ?? 0) * (data[offset + at] ?? 0);
    if (sum > best) best = sum;
  }
  return best / 127;
}

/** Zero mean and unit variance; a constant feature counts 0. */
function zScores(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
  return values.map((value) => (deviation < 1e-12 ? 0 : (value - mean) / deviation));
}
