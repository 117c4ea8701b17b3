import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Answer, AnswerEvent, AskOptions } from "../../src/core/answer.ts";
import { refusals } from "../../src/core/answer.ts";
import type {
  AboutDocument,
  App,
  Freshness,
  IndexEvent,
  IndexOptions,
  IndexReport,
  RunListener,
  RunRow,
  ScheduleStatus,
} from "../../src/core/app.ts";
import type { Chunk, SearchResult } from "../../src/core/chunk.ts";
import { toCitation } from "../../src/core/citation.ts";
import { ContextError } from "../../src/core/errors.ts";
import type { GraphNode } from "../../src/core/graph.ts";
import type { RecordId, SourceRecord } from "../../src/core/record.ts";
import type { Viewer } from "../../src/core/visibility.ts";
import { RunFeed } from "../../src/indexing/run-feed.ts";
import { GraphDouble } from "./graph-double.ts";
import { edgesOfWorld, NOW, nodesOfWorld, recordsOfWorld } from "./world-double.ts";

/** What a test can steer. */
export interface AppDoubleOptions {
  /** Called before each step of an answer; a promise holds it back. */
  readonly pause?: (signal: AbortSignal) => Promise<void>;
  readonly notReady?: readonly ContextError[];
  readonly records?: readonly SourceRecord[];
  /** How records are cut; a paragraph a chunk unless a test says otherwise. */
  readonly cut?: (record: SourceRecord) => readonly Chunk[];
}

const EMPTY_REPORT: Omit<IndexReport, "runId"> = {
  records: { seen: 12, added: 0, changed: 0, deleted: 0, unchanged: 12, failed: 0 },
  extraction: { tier1: 0, tier2: 0, tier3: 0, cached: 12, llmCalls: 0, costUsd: 0 },
  graph: { nodes: 12, edges: 14 },
  chunks: { total: 12, added: 0, deleted: 0 },
  failures: [],
  durationMs: 42,
};

function chunkOf(record: SourceRecord): Chunk[] {
  const parts: Chunk[] = [];
  let at = 0;
  const texts = record.body.split(/\n\n/);
  texts.forEach((text, index) => {
    const start = record.body.indexOf(text, at);
    at = start + text.length;
    parts.push({
      id: `${record.id}#${index + 1}`,
      span: { record: record.id, start, end: at },
      ordinal: index + 1,
      of: texts.length,
      heading: [],
      page: record.fields.mediaType === "application/pdf" ? index + 1 : null,
      text,
      revision: "r1",
      title: record.title,
      source: record.source,
      kind: record.kind,
      url: record.url,
      updatedAt: record.updatedAt,
    });
  });
  return parts;
}

type Played = Pick<
  App,
  | "name"
  | "whole"
  | "uploads"
  | "as"
  | "now"
  | "graph"
  | "ask"
  | "answer"
  | "search"
  | "index"
  | "ingest"
  | "record"
  | "documentsAbout"
  | "chunk"
  | "runs"
  | "run"
  | "running"
  | "watchRuns"
  | "freshness"
  | "scheduleStatus"
  | "pauseSchedule"
  | "manifest"
  | "doctor"
  | "notReady"
  | "spend"
>;

/** An App in memory with a small shop's records, for tests of what stands in front of it. What only the command line needs is left out. */
export function appDouble(options: AppDoubleOptions = {}): App & AppDouble {
  return new AppDouble(options) as unknown as App & AppDouble;
}

class AppDouble implements Played {
  readonly name = "sample shop";
  readonly whole = true;
  readonly uploads = true;
  /** For whom it was looked at. */
  readonly viewers: Viewer[] = [];
  readonly graph = new GraphDouble(nodesOfWorld, edgesOfWorld);
  readonly asked: string[] = [];
  readonly aborted: string[] = [];
  /** Records that single runs were asked for. */
  readonly reread: (readonly RecordId[])[] = [];
  running: { runId: string; startedAt: string } | null = null;
  readonly #feed = new RunFeed();
  #pausedSince: string | null = null;
  readonly #options: AppDoubleOptions;
  readonly #records: Map<string, SourceRecord>;
  readonly #chunks = new Map<string, Chunk>();
  readonly #answers = new Map<string, Answer>();
  readonly #runs: RunRow[] = [];

  constructor(options: AppDoubleOptions = {}) {
    this.#options = options;
    const records = options.records ?? recordsOfWorld;
    this.#records = new Map(records.map((record) => [record.id, record]));
    for (const record of records) for (const chunk of (options.cut ?? chunkOf)(record)) this.#chunks.set(chunk.id, chunk);
  }

  now(): Date {
    return new Date(NOW);
  }

  async as(viewer: Viewer): Promise<App> {
    this.viewers.push(viewer);
    return this as unknown as App;
  }

  async *ask(question: string, options: AskOptions): AsyncGenerator<AnswerEvent, Answer> {
    this.asked.push(question);
    options.signal.addEventListener("abort", () => this.aborted.push(question), { once: true });
    const pause = async (): Promise<void> => {
      await this.#options.pause?.(options.signal);
      options.signal.throwIfAborted();
    };
    if (question.includes("explode")) throw new Error("secret internal text");
    yield { type: "stage", name: "guard", ms: 0.2, detail: {} };
    await pause();
    const answer = this.#answerTo(question, options.now ?? this.now());
    if (answer.status === "answered") {
      for (const call of answer.toolCalls) yield { type: "tool", call };
      yield { type: "stage", name: "retrieve", ms: 2.5, detail: {} };
      for (const citation of answer.citations) yield { type: "citation", citation };
      for (const word of answer.answer.split(/(?<= )/)) {
        yield { type: "token", text: word };
        await pause();
      }
      yield { type: "verdict", claims: answer.claims };
    }
    this.#answers.set(answer.id, answer);
    return answer;
  }

  #answerTo(question: string, now: Date): Answer {
    const base: Omit<Answer, "status" | "answer"> = {
      id: `answer-${this.#answers.size + 1}`,
      question,
      refusal: null,
      citations: [],
      claims: [],
      coverage: [
        { source: "jira", syncedUntil: "2026-03-12T02:05:00Z", stale: false },
        { source: "github", syncedUntil: "2026-03-11T20:00:00Z", stale: true },
      ],
      lookedFor: [{ what: "log errors of payments", window: "48 h", found: 0 }],
      hypotheses: [],
      permalink: `/a/answer-${this.#answers.size + 1}`,
      route: "agent",
      toolCalls: [],
      trace: {
        stages: [{ name: "guard", ms: 0.2, detail: {} }],
        retries: 0,
        llm: { calls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 },
      },
      asOf: now.toISOString(),
    };
    if (/ignore all|system prompt/i.test(question)) {
      return { ...base, status: "refused", refusal: "guardrail", answer: refusals.guardrail("it asks for the daemon's own instructions") };
    }
    if (/store down/i.test(question)) {
      return { ...base, status: "unavailable", answer: "The index could not be read since 02:07 UTC (STORE_DAMAGED)." };
    }
    if (!/checkout|redis|hostile/i.test(question))
      return { ...base, status: "refused", refusal: "insufficient", answer: refusals.insufficient };
    const ids = /hostile/i.test(question)
      ? ["jira:JR-666#1"]
      : [
          "jira:JR-441#1",
          "confluence:4101#2",
          "jira:JR-441#2",
          "github:commit:a3f8c2d94be17f60a5c38e21b7d4096f3ac1e58b#2",
          "confluence:4101#1",
        ];
    const texts = /hostile/i.test(question)
      ? ["A ticket holds <script>window.hacked = 1</script> as its title."]
      : [
          "JR-441 affects checkout-api: about 30 % of orders fail since 01:20 UTC.",
          "The owner of checkout-api is Rahul Sharma.",
          "JR-441 was caused by a3f8c2, which opens one Redis connection per request.",
          "a3f8c2 modified checkout-api on 2026-03-11 at 22:40 UTC.",
          "checkout-api depends on redis and payments.",
        ];
    const citations = ids.flatMap((id, at) => {
      const chunk = this.#chunks.get(id);
      return chunk === undefined ? [] : [toCitation(at + 1, chunk)];
    });
    return {
      ...base,
      status: "answered",
      answer: texts.map((text, at) => `${text.replace(/\.$/, "")} [${at + 1}].`).join(" "),
      citations,
      claims: texts.map((text, at) => ({
        text: `${text.replace(/\.$/, "")} [${at + 1}].`,
        label: at === 3 ? "UNCERTAIN" : "SUPPORTED",
        confidence: at === 3 ? 0.58 : 0.93,
        citations: [at + 1],
        reason: at === 3 ? "The source gives the time of the commit, not of its roll-out." : "The cited paragraph says so.",
        // worded from the graph: its words stand nowhere, its place does
        ...(at === 4 ? { evidence: citations.slice(4).map(({ n, charStart }) => ({ n, start: charStart, end: charStart + 8 })) } : {}),
      })),
      hypotheses: /hostile/i.test(question)
        ? []
        : [
            {
              statement: "Commit a3f8c2 exhausts Redis's client limit.",
              cause: "commit:a3f8c2d94be17f60a5c38e21b7d4096f3ac1e58b",
              confidence: 0.81,
              basis: "stated",
              for: ["JR-441 names it as the cause", "the first error came 2 h 40 min after it"],
              against: ["no roll-out time is recorded"],
            },
          ],
      toolCalls: [
        { tool: "get_service_context", arguments: { service: "checkout-api" }, ms: 1.2, found: 7 },
        { tool: "get_incident", arguments: { key: "JR-441" }, ms: 0.6, found: 3 },
        { tool: "get_recent_changes", arguments: { service: "checkout-api", hours: 48 }, ms: 0.8, found: 2 },
      ],
    };
  }

  answer(id: string): Answer | null {
    return this.#answers.get(id) ?? null;
  }

  async search(query: string, options: { readonly k?: number }): Promise<SearchResult> {
    const words = query.toLowerCase().match(/[\p{L}\p{N}-]+/gu) ?? [];
    const found = [...this.#chunks.values()]
      .map((chunk) => ({ chunk, score: words.filter((word) => chunk.text.toLowerCase().includes(word)).length }))
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, options.k ?? 5);
    return {
      query,
      identifiers: [],
      missing: [],
      passages: found.map(({ chunk }, at) => ({
        chunk,
        edges: [],
        ranks: { bm25Rank: at + 1, vectorRank: at + 2, cosine: 0.7 - at * 0.05, rrf: 1 / (61 + at), rerank: 9 - at, literal: false },
      })),
      timings: { bm25: 0.4, vector: 1.1, rerank: 6.2 },
    };
  }

  watchRuns(listener: RunListener): Disposable {
    return this.#feed.watch(listener);
  }

  freshness(): Freshness {
    const sources = [
      { source: "jira", lag: 90, failing: false },
      { source: "github", lag: null, failing: true },
    ];
    return { indexAge: this.#runs.length === 0 ? null : 60, paused: this.#pausedSince !== null, sources };
  }

  scheduleStatus(): ScheduleStatus {
    const nextRun = this.#pausedSince === null ? "2026-03-13T02:00:00.000Z" : null;
    return { cron: "0 2 * * *", timezone: "UTC", jitterSeconds: 0, pausedSince: this.#pausedSince, nextRun, lastRun: null };
  }

  pauseSchedule(paused: boolean): void {
    this.#pausedSince = paused ? NOW : null;
  }

  index(options: IndexOptions): AsyncGenerator<IndexEvent, IndexReport> {
    return this.#feed.pass(this.#index(options), options.trigger ?? "cli", () => this.running);
  }

  async *#index(options: IndexOptions): AsyncGenerator<IndexEvent, IndexReport> {
    if (options.records !== undefined) this.reread.push(options.records);
    if (this.running !== null) throw new ContextError("INDEX_RUNNING", "A run is going.");
    const runId = `run-${this.#runs.length + 1}`;
    const startedAt = NOW;
    this.running = { runId, startedAt };
    try {
      const total = this.#records.size;
      let done = 0;
      for (const record of this.#records.values()) {
        await this.#options.pause?.(options.signal);
        options.signal.throwIfAborted();
        done += 1;
        yield { type: "record", source: record.source, id: record.id, outcome: "unchanged" };
        yield { type: "progress", stage: "extract", done, total };
      }
      const report = { runId, ...EMPTY_REPORT };
      this.#runs.unshift({ id: runId, trigger: options.trigger ?? "cli", startedAt, endedAt: NOW, status: "done", report });
      return report;
    } finally {
      this.running = null;
    }
  }

  /** Reads the texts of `<root>/uploads` as the document connector would; what begins with "MZ" cannot be read. */
  async *ingest(paths: readonly string[]): AsyncGenerator<IndexEvent, IndexReport> {
    let deleted = 0;
    for (const root of paths) {
      const names = readdirSync(join(root, "uploads"));
      for (const id of [...this.#records.keys()].filter((one) => one.startsWith("doc:uploads/"))) {
        if (names.includes(id.slice("doc:uploads/".length))) continue;
        this.#records.delete(id);
        for (const chunk of [...this.#chunks.values()].filter((one) => one.span.record === id))
          deleted += Number(this.#chunks.delete(chunk.id));
      }
      for (const name of names) {
        const id: RecordId = `doc:uploads/${name}`;
        const body = readFileSync(join(root, "uploads", name), "utf8");
        if (body.startsWith("MZ")) {
          yield { type: "failure", failure: { source: "documents", id, code: "FILE_UNSUPPORTED", message: `${name} is a program.` } };
          continue;
        }
        const known = this.#records.get(id);
        const record: SourceRecord = {
          id,
          source: "documents",
          kind: "file",
          title: name,
          url: null,
          author: null,
          bot: false,
          createdAt: null,
          updatedAt: NOW,
          body,
          proseEnd: body.length,
          fields: {},
        };
        this.#records.set(id, record);
        for (const chunk of chunkOf(record)) this.#chunks.set(chunk.id, chunk);
        yield {
          type: "record",
          source: "documents",
          id,
          outcome: known === undefined ? "added" : known.body === body ? "unchanged" : "changed",
        };
      }
    }
    return { runId: "run-ingest", ...EMPTY_REPORT, chunks: { ...EMPTY_REPORT.chunks, deleted } };
  }

  spend() {
    return [{ day: "2026-03-12", purpose: "answer", model: "cheap-1", calls: 3, inputTokens: 900, outputTokens: 120, costUsd: 0.0012 }];
  }

  /** Pages whose title names the service. */
  documentsAbout(service: GraphNode): AboutDocument[] {
    return [...this.#records.values()]
      .filter(({ kind, title }) => kind === "page" && title.includes(service.label))
      .map((record) => ({ record, titled: true }));
  }

  record(id: string) {
    const record = this.#records.get(id);
    return record === undefined ? null : { record, raw: { id }, copies: [] };
  }

  chunk(id: string, around = 1) {
    const chunk = this.#chunks.get(id);
    if (chunk === undefined) return null;
    const all = [...this.#chunks.values()].filter((one) => one.span.record === chunk.span.record);
    const at = all.indexOf(chunk);
    return { chunk, before: all.slice(Math.max(0, at - around), at), after: all.slice(at + 1, at + 1 + around), copies: [] };
  }

  runs(limit = 20): readonly RunRow[] {
    return this.#runs.slice(0, limit);
  }

  run(id: string): RunRow | null {
    return this.#runs.find((run) => run.id === id) ?? null;
  }

  *manifest() {}

  async doctor() {
    return [];
  }

  notReady(): readonly ContextError[] {
    return this.#options.notReady ?? [];
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}
