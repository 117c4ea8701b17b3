import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it, type TestContext } from "node:test";
import { makeTinyCrossEncoder } from "../../test/support/tiny-onnx.ts";
import type { RerankCandidate } from "../core/chunk.ts";
import { ContextError } from "../core/errors.ts";
import { bundledModels } from "./files.ts";
import { standardize } from "./late-interaction.ts";
import { openModels } from "./load.ts";
import { ModelTokenizer } from "./tokenize.ts";
import { maxSim, packTokens } from "./vectors.ts";
import { WordPiece } from "./wordpiece.ts";

const { signal } = new AbortController();
const minilm = join(bundledModels, "minilm-l6-v2-int8");
const bundled = openModels({ embedding: "bundled", reranker: "bundled" });
after(() => bundled[Symbol.dispose]());

function dot(a: Float32Array | undefined, b: Float32Array | undefined): number {
  return [...(a ?? [])].reduce((total, component, i) => total + component * (b?.[i] ?? 0), 0);
}

function is(code: string): (error: unknown) => boolean {
  return (error) => error instanceof ContextError && error.code === code;
}

function folder(t: TestContext): string {
  const made = mkdtempSync(join(tmpdir(), "contextd-models-"));
  t.after(() => rmSync(made, { recursive: true }));
  return made;
}

async function serve(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const candidates = (texts: readonly string[]): RerankCandidate[] =>
  texts.map((text, i) => ({ chunkId: `c${i}`, text, bm25: null, cosine: null }));

describe("the models that are shipped", () => {
  it("are the files that models/README.md names, byte for byte", () => {
    for (const line of readFileSync(join(bundledModels, "SHA256SUMS"), "utf8").trim().split("\n")) {
      const [sum, file] = line.split(/\s+/);
      const bytes = readFileSync(join(bundledModels, file ?? ""));
      assert.equal(createHash("sha256").update(bytes).digest("hex"), sum, file);
    }
  });
});

describe("bundled embedder", () => {
  it("gives unit vectors that are near for like meanings and far for others", async () => {
    const [a, b, c] = await bundled.embedder.embed(
      ["Redis fails over to its replica", "The cache promotes a replica when it fails", "Cats sleep most of the day"],
      "passage",
      signal,
    );

    assert.equal(bundled.embedder.dimensions, 384);
    assert.equal(a?.length, 384);
    for (const vector of [a, b, c]) assert.ok(Math.abs(dot(vector, vector) - 1) < 1e-5);
    assert.ok(dot(a, b) > 0.35, `${dot(a, b)}`);
    assert.ok(dot(a, c) < 0.15, `${dot(a, c)}`);
  });

  it("gives a text the same vector whatever is embedded beside it", async () => {
    const [alone] = await bundled.embedder.embed(["Redis fails over."], "passage", signal);
    const [, among] = await bundled.embedder.embed(["A much longer text. ".repeat(30), "Redis fails over.", ""], "passage", signal);

    assert.deepEqual(among, alone);
  });

  it("takes no texts, empty text and text beyond its limit", async () => {
    assert.deepEqual(await bundled.embedder.embed([], "passage", signal), []);
    const vectors = await bundled.embedder.embed(["", "word ".repeat(5000), "\ud800 \u0000 数据库"], "passage", signal);
    for (const vector of vectors) assert.ok(Math.abs(dot(vector, vector) - 1) < 1e-5);
  });

  it("answers a question before the passages that wait, and leaves the event loop free", async () => {
    const done: string[] = [];
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    const passages = bundled.embedder
      .embed(Array<string>(12).fill("A paragraph about failover of the replica. ".repeat(10)), "passage", signal)
      .then(() => done.push("passages"));
    const question = bundled.embedder.embed(["what failed?"], "query", signal).then(() => done.push("question"));

    await Promise.all([passages, question]);
    clearInterval(timer);

    assert.deepEqual(done, ["question", "passages"]);
    assert.ok(ticks > 5, `${ticks} ticks`);
  });

  it("stops on request", async () => {
    const controller = new AbortController();
    const waiting = bundled.embedder.embed(Array<string>(50).fill("A paragraph. ".repeat(50)), "passage", controller.signal);
    controller.abort();

    await assert.rejects(waiting, is("CANCELLED"));
    await assert.rejects(bundled.embedder.embed(["a"], "query", controller.signal), is("CANCELLED"));
    assert.equal((await bundled.embedder.embed(["still works"], "query", signal)).length, 1);
  });
});

describe("a model that cannot be loaded", () => {
  it("is named when it is used, with what its folder lacks", async (t) => {
    const empty = folder(t);
    const { embedder, reranker } = openModels({ embedding: empty, reranker: join(empty, "nowhere") });

    await assert.rejects(embedder.embed(["a"], "query", signal), is("MODEL_MISSING"));
    await assert.rejects(reranker?.rerank("a", candidates(["b"]), signal) ?? Promise.resolve(), is("MODEL_MISSING"));
  });
});

describe("static-256", () => {
  const { embedder } = openModels({ embedding: "static-256", reranker: "none" });

  it("gives unit vectors that are near for like meanings and far for others", async () => {
    const [a, b, c] = await embedder.embed(
      ["Redis fails over to its replica", "the replica is promoted on failure", "cats sleep"],
      "passage",
      signal,
    );

    assert.equal(a?.length, 256);
    assert.ok(Math.abs(dot(a, a) - 1) < 1e-5);
    assert.ok(dot(a, b) > dot(a, c) + 0.2);
  });

  it("cuts words into the same pieces as the encoder's own tokenizer", () => {
    const own = new WordPiece(join(bundledModels, "static-256", "vocab.txt"));
    const theirs = new ModelTokenizer(join(minilm, "tokenizer.json"), join(minilm, "tokenizer_config.json"), 512);
    for (const text of [
      "Redis-Sentinel's failover (v2.4.1)",
      "Überlauf naïve CAFÉ",
      "数据库 failed",
      "kube-apiserver: OOMKilled @ 10.0.0.1",
      "x".repeat(150),
      "",
    ]) {
      assert.deepEqual(own.encode(text, 510), theirs.encode(text).ids.slice(1, -1), text);
    }
  });
});

describe("late interaction", () => {
  it("takes for each word of the question its best token, weighted", () => {
    const rows = (...list: number[][]) => packTokens(Float32Array.from(list.flat()), 2, 0, list.length);
    const query = rows([1, 0], [0, 1]);
    const passage = rows([0.6, 0.8], [-1, 0]);

    assert.ok(Math.abs(maxSim(query, [1, 1], passage) - 0.7) < 0.01);
    assert.ok(Math.abs(maxSim(query, [3, 1], passage) - 0.65) < 0.01);
    assert.equal(maxSim(query, [1, 1], rows()), 0);
    assert.equal(maxSim(query, [0, 0], passage), 0);
  });

  it("adds BM25, cosine and late interaction, each standardised among the candidates", () => {
    const [low = 0, high = 0, unknown = 0] = standardize([1, 3, null]);
    assert.ok(Math.abs(low + high + unknown) < 1e-9 && Math.abs(low ** 2 + high ** 2 + unknown ** 2 - 3) < 1e-9);
    assert.ok(high > low && low === unknown);
    assert.deepEqual(standardize([2, 2]), [0, 0]);
    assert.deepEqual(standardize([null, null]), [0, 0]);
  });

  it("puts the passage that answers first, and takes a question of marks only", async () => {
    const texts = [
      "The colour of the dashboard can be set.",
      "When the primary is lost, Sentinel promotes a replica.",
      "Web replicas scale with requests.",
    ];

    const scores = await bundled.reranker?.rerank("what happens when the primary database dies?", candidates(texts), signal);

    assert.equal(scores?.indexOf(Math.max(...scores)), 1);
    assert.deepEqual(await bundled.reranker?.rerank("???", candidates(texts), signal), [0, 0, 0]);
    assert.deepEqual(await bundled.reranker?.rerank("a", [], signal), []);
  });
});

describe("cross-encoder", () => {
  it("scores question and passage as one input by the model's one logit", async (t) => {
    const tiny = makeTinyCrossEncoder(folder(t), minilm);
    using models = openModels({ embedding: "static-256", reranker: tiny.folder });
    const texts = ["Redis fails over.", "Cats sleep.", "word ".repeat(2000)];

    const scores = await models.reranker?.rerank("what fails over?", candidates(texts), signal);

    const tokenizer = new ModelTokenizer(join(minilm, "tokenizer.json"), join(minilm, "tokenizer_config.json"), 512);
    texts.forEach((text, i) => {
      const { ids, types } = tokenizer.encodePair("what fails over?", text);
      assert.ok(ids.length <= 512);
      assert.equal(ids.at(-1), 102);
      assert.ok(types.includes(1));
      assert.ok(Math.abs((scores?.[i] ?? 0) - tiny.logit(ids, types)) < 1e-4, text.slice(0, 20));
    });
  });

  it("refuses an encoder in its place instead of scoring by nonsense", async () => {
    using models = openModels({ embedding: "static-256", reranker: minilm });

    await assert.rejects(models.reranker?.rerank("a", candidates(["b", "c"]), signal) ?? Promise.resolve(), (error) => {
      return error instanceof ContextError && /one logit/.test(error.message);
    });
  });
});

describe("a model of a hub", () => {
  it("is fetched once, kept whole, and used from its folder after that", async (t) => {
    const asked: string[] = [];
    const hub = await serve(t, (request, response) => {
      const file = /^\/acme\/mini\/resolve\/main\/(.+)$/.exec(request.url ?? "")?.[1] ?? "";
      asked.push(file);
      try {
        response.end(readFileSync(join(minilm, file)));
      } catch {
        response.writeHead(404).end();
      }
    });
    const cacheDir = folder(t);
    const [shipped] = await bundled.embedder.embed(["Redis"], "passage", signal);
    for (const round of [1, 2]) {
      using models = openModels({ embedding: "acme/mini", reranker: "none" }, { cacheDir, hub });
      const [fetched] = await models.embedder.embed(["Redis"], "passage", signal);
      assert.deepEqual(fetched, shipped, `round ${round}`);
    }
    assert.equal(asked.filter((file) => file === "onnx/model_quantized.onnx").length, 1);
  });

  it("says so when the hub has no such model or cannot be reached", async (t) => {
    const hub = await serve(t, (_, response) => void response.writeHead(401).end());
    const cacheDir = folder(t);
    for (const at of [hub, "http://127.0.0.1:9"]) {
      using models = openModels({ embedding: "acme/none", reranker: "acme/none" }, { cacheDir, hub: at });
      await assert.rejects(models.embedder.embed(["a"], "query", signal), is("MODEL_MISSING"));
      await assert.rejects(models.reranker?.rerank("a", candidates(["b"]), signal) ?? Promise.resolve(), is("MODEL_MISSING"));
    }
  });

  it("says so when there is no folder to keep it in", async (t) => {
    const hub = await serve(t, (_, response) => void response.end("{}"));
    using models = openModels({ embedding: "acme/mini", reranker: "none" }, { cacheDir: "/proc/none/models", hub });

    await assert.rejects(models.embedder.embed(["a"], "query", signal), is("MODEL_MISSING"));
  });
});

describe("an embeddings endpoint", () => {
  it("gets texts in order of their index, whatever order the server answers in, made unit length", async (t) => {
    const baseUrl = await serve(t, (request, response) => {
      let body = "";
      request.on("data", (part) => {
        body += part;
      });
      request.on("end", () => {
        const { input, model } = JSON.parse(body) as { input: string[]; model: string };
        const data = input.map((text, index) => ({ object: "embedding", index, embedding: [text.length, 0, 0] })).reverse();
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify({ object: "list", model, data, usage: { prompt_tokens: 1, total_tokens: 1 } }));
      });
    });
    const { embedder } = openModels(
      { embedding: "openai:embed-1", reranker: "none" },
      { openai: { baseUrl: `${baseUrl}/v1`, apiKey: "k" } },
    );

    const vectors = await embedder.embed(
      Array.from({ length: 70 }, (_, i) => "x".repeat(i + 1)),
      "passage",
      signal,
    );

    assert.equal(embedder.id, "openai:embed-1");
    assert.equal(vectors.length, 70);
    assert.deepEqual([...(vectors[3] ?? [])], [1, 0, 0]);
    assert.equal(embedder.dimensions, 3);
  });

  it("names what is wrong: the key, or too few vectors", async (t) => {
    const refusing = await serve(t, (_, response) => void response.writeHead(401, { "content-type": "application/json" }).end("{}"));
    const short = await serve(t, (_, response) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ object: "list", model: "m", data: [], usage: { prompt_tokens: 1, total_tokens: 1 } }));
    });
    const embedderAt = (baseUrl: string) =>
      openModels({ embedding: "openai:m", reranker: "none" }, { openai: { baseUrl, apiKey: "k" } }).embedder;

    await assert.rejects(embedderAt(refusing).embed(["a"], "query", signal), is("LLM_UNAUTHORIZED"));
    await assert.rejects(embedderAt(short).embed(["a"], "query", signal), is("LLM_BAD_REPLY"));
  });
});
