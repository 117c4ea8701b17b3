import { redactText } from "../connectors/shared/redact.ts";
import { Transport } from "../connectors/shared/transport.ts";
import type { Check, Io } from "../core/connector.ts";
import { ContextError, toContextError } from "../core/errors.ts";
import type { WebPage, WebSearch, WebSearched } from "../core/web-search.ts";
import { brave } from "./brave.ts";
import type { WebSearchConfig } from "./config.ts";
import type { Engine } from "./engine.ts";
import { wikipedia } from "./wikipedia.ts";

/** Tries of one request: somebody waits for the answer. */
const TRIES = 3;
/** A search of an engine is two requests at most, each tried again and redirected on its own host. */
const MOST_REQUESTS = 20;

type WebIo = Pick<Io, "fetch" | "log" | "now" | "wait">;

/**
 * The engines of the manifest behind one search. All are asked at once, with the question alone, its secrets taken out; their pages take
 * turns, each address once. What an engine does wrong (refusal, quota, silence, a page in place of JSON) is in the result.
 */
export function createWebSearch(config: WebSearchConfig, io: WebIo): WebSearch {
  const engines = config.engines.map((engine) => (engine.kind === "brave" ? brave(engine) : wikipedia(engine)));
  const ask = (engine: Engine, query: string, count: number, signal: AbortSignal) => asked(engine, query, count, config, io, signal);
  return {
    id: engines.map(({ name, baseUrl }) => `${name} ${baseUrl}`).join(" "),
    async search(question, signal): Promise<WebSearched> {
      const query = queryOf(question);
      if (query === "") return { query, pages: [], engines: [] };
      const answers = await Promise.all(
        engines.map(async (engine) => {
          try {
            const pages = await ask(engine, query, config.results, signal);
            return { name: engine.name, pages, failure: null };
          } catch (thrown) {
            signal.throwIfAborted();
            const { code, message } = toContextError(thrown);
            return { name: engine.name, pages: [], failure: { code, message } };
          }
        }),
      );
      return {
        query,
        pages: inTurn(answers.map(({ pages }) => pages)).slice(0, config.results),
        engines: answers.map(({ name, pages, failure }) => ({ name, found: pages.length, failure })),
      };
    },
    async check(signal) {
      return await Promise.all(engines.map((engine) => checked(engine, (query) => ask(engine, query, 1, signal), signal)));
    },
  };
}

/** The question as it may leave: one line, without secrets and without the marks that stand in their place. */
function queryOf(question: string): string {
  return redactText(question)
    .text.replace(/\[redacted [\w-]{1,40}\]/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

async function asked(
  engine: Engine,
  query: string,
  count: number,
  { timeoutSeconds }: WebSearchConfig,
  io: WebIo,
  signal: AbortSignal,
): Promise<readonly WebPage[]> {
  const deadline = AbortSignal.timeout(Math.ceil(timeoutSeconds * 1_000));
  const { explain } = engine;
  const transport = new Transport({
    io: { ...io, root: "", signal: AbortSignal.any([signal, deadline]) },
    product: engine.name,
    baseUrl: engine.baseUrl,
    headers: engine.headers,
    limits: { maxRequests: MOST_REQUESTS, concurrency: 2, timeoutSeconds },
    tries: TRIES,
    longestWaitMs: timeoutSeconds * 1_000,
    ...(explain === undefined ? {} : { explain: ({ text }) => explain(text) }),
  });
  try {
    return await engine.search(query, count, (url) => transport.json(url));
  } catch (thrown) {
    if (!deadline.aborted || signal.aborted) throw thrown;
    throw new ContextError("SOURCE_UNAVAILABLE", `${engine.name} did not answer within ${timeoutSeconds} seconds.`, { cause: thrown });
  }
}

/** First the first of each list, then the second of each; an address that came already is left out. */
function inTurn(lists: readonly (readonly WebPage[])[]): WebPage[] {
  const pages = new Map<string, WebPage>();
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  for (let at = 0; at < longest; at += 1) {
    for (const list of lists) {
      const page = list[at];
      if (page !== undefined && !pages.has(page.url)) pages.set(page.url, page);
    }
  }
  return [...pages.values()];
}

async function checked(engine: Engine, ask: (query: string) => Promise<readonly WebPage[]>, signal: AbortSignal): Promise<Check> {
  const name = `web search by ${engine.name}`;
  try {
    await ask("search engine");
    return { name, ok: true, detail: `answers at ${engine.baseUrl}; asked where the sources have no answer`, remedy: null };
  } catch (thrown) {
    signal.throwIfAborted();
    const { message, remedy } = toContextError(thrown);
    return { name, ok: false, detail: message, remedy };
  }
}
