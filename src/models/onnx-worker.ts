/** The thread that runs one model, so that the event loop stays free. Started by onnx-thread.ts. */
import { createHash } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import { BoundedCache } from "../core/bounded-cache.ts";
import type { Reply, Request, WeightedWord, Work, WorkerSetup } from "./protocol.ts";
import { ModelSession } from "./session.ts";
import { ModelTokenizer } from "./tokenize.ts";
import { maxSim, normalize, packTokens, type TokenVectors } from "./vectors.ts";

/** A question longer than this is cut for late interaction. */
const queryTokens = 64;

const setup = workerData as WorkerSetup;
const port = parentPort;
if (port === null) throw new Error("onnx-worker runs as a worker thread only.");

const tokenizer = new ModelTokenizer(setup.tokenizer, setup.tokenizerConfig, setup.maxTokens);
const session = ModelSession.open(setup.onnx, setup.threads);
const tokenCache = new BoundedCache<TokenVectors>(setup.cacheBytes);
const cancelled = new Set<number>();
let urgent = 0;
let closing = false;

class Cancelled extends Error {}

port.on("message", (request: Request) => {
  if ("close" in request) {
    closing = true;
    port.close();
  } else if ("cancel" in request) cancelled.add(request.cancel);
  else void answer(request);
});

async function answer({ id, urgent: first, work }: Exclude<Request, { cancel: number } | { close: true }>): Promise<void> {
  if (first) urgent++;
  let reply: Reply;
  try {
    reply = { id, ...(await perform(work, () => turn(id, first))) };
  } catch (error) {
    reply = { id, error: error instanceof Error ? error.message : String(error) };
  } finally {
    if (first) urgent--;
    cancelled.delete(id);
  }
  port?.postMessage(reply, "values" in reply ? [reply.values.buffer as ArrayBuffer] : []);
}

/** Between two texts: lets messages in, stops what was cancelled, and lets questions go before indexing. */
async function turn(id: number, first: boolean): Promise<void> {
  do {
    await new Promise((resolve) => setImmediate(resolve));
    if (closing || cancelled.has(id)) throw new Cancelled("cancelled");
  } while (!first && urgent > 0);
}

async function perform(work: Work, next: () => Promise<void>): Promise<{ values: Float32Array; dimensions: number }> {
  switch (work.type) {
    case "embed":
      return embed(work.texts, next);
    case "maxSim":
      return lateInteraction(work.query, work.passages, next);
    case "pairs":
      return crossEncode(work.query, work.passages, next);
  }
}

async function embed(texts: readonly string[], next: () => Promise<void>) {
  const model = await session;
  let values = new Float32Array(0);
  let dimensions = 0;
  for (const [i, text] of texts.entries()) {
    await next();
    const { data, dims } = await model.run(tokenizer.encode(text));
    const tokens = dims.length === 3 ? (dims[1] ?? 0) : 1;
    dimensions = dims.at(-1) ?? 0;
    if (i === 0) values = new Float32Array(texts.length * dimensions);
    values.set(pool(data, tokens, dimensions), i * dimensions);
  }
  return { values, dimensions };
}

/** One vector for a text: its first token's, or the mean of all. */
function pool(data: Float32Array, tokens: number, dimensions: number): Float32Array {
  const vector = data.slice(0, dimensions);
  if (setup.pooling === "mean") {
    for (let token = 1; token < tokens; token++) {
      for (let i = 0; i < dimensions; i++) vector[i] = (vector[i] ?? 0) + (data[token * dimensions + i] ?? 0);
    }
  }
  return normalize(vector);
}

async function lateInteraction(query: readonly WeightedWord[], passages: readonly string[], next: () => Promise<void>) {
  const values = new Float32Array(passages.length);
  const pieces = query.flatMap(({ word, weight }) => tokenizer.encodeWord(word).map((id) => ({ id, weight }))).slice(0, queryTokens);
  if (pieces.length === 0) return { values, dimensions: 1 };
  await next();
  const [first, last] = specialTokens();
  const ids = [...first, ...pieces.map(({ id }) => id), ...last];
  const asked = await tokenVectors(ids, first.length, last.length);
  const weights = pieces.map(({ weight }) => weight);
  for (const [i, passage] of passages.entries()) {
    values[i] = maxSim(asked, weights, await passageTokens(passage, first.length, last.length, next));
  }
  return { values, dimensions: 1 };
}

async function passageTokens(passage: string, before: number, after: number, next: () => Promise<void>): Promise<TokenVectors> {
  const key = createHash("sha256").update(passage).digest("base64");
  const known = tokenCache.get(key);
  if (known !== undefined) return known;
  await next();
  const made = await tokenVectors(tokenizer.encode(passage).ids, before, after);
  tokenCache.set(key, made, made.codes.byteLength);
  return made;
}

async function tokenVectors(ids: readonly number[], before: number, after: number): Promise<TokenVectors> {
  const { data, dims } = await (await session).run({ ids, types: [] });
  if (dims.length !== 3) throw new Error("Late interaction needs a model that gives a vector for each token.");
  return packTokens(data, dims[2] ?? 0, before, ids.length - after);
}

/** What the tokenizer puts before and after a text ([CLS] and [SEP] for BERT). */
function specialTokens(): readonly [readonly number[], readonly number[]] {
  const inner = tokenizer.encodeWord("a");
  const { ids } = tokenizer.encode("a");
  const at = ids.indexOf(inner[0] ?? -1);
  return [ids.slice(0, Math.max(0, at)), ids.slice(at + inner.length)];
}

async function crossEncode(query: string, passages: readonly string[], next: () => Promise<void>) {
  const model = await session;
  const values = new Float32Array(passages.length);
  for (const [i, passage] of passages.entries()) {
    await next();
    const { data, dims } = await model.run(tokenizer.encodePair(query, passage));
    // [1, 1] is one relevance logit; two classes are (not relevant, relevant)
    if (dims.length !== 2 || (dims[1] !== 1 && dims[1] !== 2)) {
      throw new Error("A cross-encoder gives one logit for a question and a passage; this model does not.");
    }
    values[i] = dims[1] === 1 ? (data[0] ?? 0) : (data[1] ?? 0) - (data[0] ?? 0);
  }
  return { values, dimensions: 1 };
}
