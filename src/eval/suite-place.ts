import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import type { AskDeps } from "../answer/ask.ts";
import { createApp } from "../app.ts";
import { type Manifest, parseManifest } from "../config/manifest.ts";
import { SourceConfig } from "../connectors/registry.ts";
import type { Answer } from "../core/answer.ts";
import type { App } from "../core/app.ts";
import type { Log } from "../core/connector.ts";
import { ContextError } from "../core/errors.ts";
import { openStore } from "../store/open.ts";
import type { AnswerTable, Store } from "../store/store.ts";
import type { Configured } from "./suite.ts";
import type { SuiteHeader } from "./suite-file.ts";

const Fragment = z.object({
  now: z.string().optional(),
  aliases: z.record(z.string(), z.array(z.string())).default({}),
  sourcePaths: z.record(z.string(), z.array(z.string())).default({}),
});

/** The daemon that the questions are put to, indexed. */
export interface SuitePlace extends AsyncDisposable {
  /** What it is, for the report: a manifest's name and its records. */
  readonly about: string;
  readonly store: Store;
  readonly app: App;
  /** What was found about a sentence and the passages that it cites, so that it is checked once for all configurations. */
  readonly checked: Map<string, Promise<boolean | null>>;
  /** What the daemon answers with; `rerank: false` as it would be with `"reranker": "none"`. */
  deps(rerank: boolean): AskDeps;
}

export interface PlaceOptions {
  readonly file: string;
  readonly header: SuiteHeader;
  readonly configured: Configured;
  readonly log: Log;
  readonly signal: AbortSignal;
  progress(stage: string, done: number, total: number): void;
}

/**
 * Opens what a suite is about: the manifest or world that its header names; else the manifest given on the command line; else the
 * world that the file lies in; else the configured daemon as it is indexed now. All but the last are indexed afresh, in memory.
 */
export async function openPlace(options: PlaceOptions): Promise<SuitePlace> {
  const { file, header, configured } = options;
  const here = dirname(file);
  if (header.manifest !== undefined) return await afresh(manifestAt(join(here, header.manifest), options), options);
  if (header.world !== undefined) return await afresh(worldAt(join(here, header.world)), options);
  if (!configured.manifestGiven) {
    const world = [here, dirname(here)].find((folder) => existsSync(join(folder, "records.jsonl")));
    if (world !== undefined) return await afresh(worldAt(world), options);
  }
  const manifest = manifestAt(configured.manifest, options);
  const indexed = join(configured.dataDir, "contextd.db");
  if (!existsSync(indexed)) return await afresh(manifest, options);
  return placeOver(openStore(indexed, { readonly: true }), manifest, options);
}

interface Rooted {
  readonly manifest: Manifest;
  readonly root: string;
}

function manifestAt(file: string, { configured }: PlaceOptions): Rooted {
  if (!existsSync(file)) throw new ContextError("CONFIG_MISSING", `There is no manifest at ${file}.`);
  return { manifest: parseManifest(readFileSync(file, "utf8"), SourceConfig, configured.env, file), root: dirname(file) };
}

/** A folder of records is a world, any other one a folder of documents. */
function worldAt(folder: string): Rooted {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) throw new ContextError("FILE_NOT_FOUND", `There is no world at ${folder}.`);
  const isWorld = ["records.jsonl", "jira", "github", "confluence", "logs"].some((name) => existsSync(join(folder, name)));
  const flat = isWorld && !["jira", "github", "confluence", "logs"].some((name) => existsSync(join(folder, name)));
  const fragment = join(folder, "manifest-fragment.json");
  const { now, aliases, sourcePaths } = Fragment.parse(existsSync(fragment) ? JSON.parse(readFileSync(fragment, "utf8")) : {});
  const text = JSON.stringify({
    name: basename(folder),
    ...(now === undefined ? {} : { now }),
    sources: [isWorld ? { kind: "records", path: flat ? join(folder, "records.jsonl") : folder } : { kind: "documents", path: folder }],
    aliases,
    sourcePaths,
  });
  return { manifest: parseManifest(text, SourceConfig, {}, fragment), root: folder };
}

async function afresh(rooted: Rooted, options: PlaceOptions): Promise<SuitePlace> {
  const place = placeOver(openStore(":memory:"), rooted, options);
  try {
    const run = place.app.index({ signal: options.signal });
    for (;;) {
      const step = await run.next();
      if (step.done !== true) continue;
      const { failures, records } = step.value;
      if (records.seen === 0)
        throw new ContextError("INDEX_EMPTY", `Nothing could be read from the sources of "${rooted.manifest.name}".`, {
          detail: { failures },
        });
      return place;
    }
  } catch (error) {
    await place[Symbol.asyncDispose]();
    throw error;
  }
}

function placeOver(store: Store, { manifest, root }: Rooted, { configured, log }: PlaceOptions): SuitePlace {
  const answers = memoryAnswers();
  const found: AskDeps[] = [];
  const opened: App[] = [];
  const open = (one: Manifest): AskDeps => {
    // the model comes from the suite's own options, and a user's store keeps no trace of a measurement
    const app = createApp({
      manifest: one,
      root,
      store,
      env: { ...configured.env, CONTEXTD_LLM_BASE_URL: "", OPENAI_API_KEY: "" },
      log,
      answering: (deps) => {
        found.push({ ...deps, answers });
        return deps;
      },
    });
    opened.push(app);
    return found[found.length - 1] as AskDeps;
  };
  const { llm: _none, ...plain } = manifest;
  const usual = open(plain);
  let bare: AskDeps | null = null;
  return {
    get about() {
      return `${manifest.name}, ${store.records.count()} records`;
    },
    store,
    app: opened[0] as App,
    checked: new Map(),
    deps(rerank) {
      if (rerank) return usual;
      bare ??= open({ ...plain, models: { ...plain.models, reranker: "none" } });
      return bare;
    },
    async [Symbol.asyncDispose]() {
      for (const app of opened) await app[Symbol.asyncDispose]();
    },
  };
}

function memoryAnswers(): AnswerTable {
  const kept = new Map<string, { answer: Answer; cited: Readonly<Record<string, string>> }>();
  const keys = new Map<string, string>();
  return {
    put(answer, _now, { cited = {}, cache } = {}) {
      kept.set(answer.id, { answer, cited });
      if (cache !== undefined) keys.set(cache.key, answer.id);
    },
    get: (id) => kept.get(id)?.answer ?? null,
    cited: (id) => kept.get(id)?.cited ?? {},
    recall: (key) => kept.get(keys.get(key) ?? "")?.answer ?? null,
  };
}
