import { setTimeout as delay } from "node:timers/promises";
import type { Io } from "../../core/connector.ts";
import { ContextError } from "../../core/errors.ts";
import { isLoopback } from "./base-url.ts";
import { type Answered, rateLimitWait, retriable, statusError, titleOf } from "./http-errors.ts";

export interface TransportOptions {
  readonly io: Io;
  /** As errors name it: "Jira". */
  readonly product: string;
  /** The configured address; requests and redirects may go to its origin only. */
  readonly baseUrl: string;
  /** Sent with every request, credentials among them. */
  readonly headers: Readonly<Record<string, string>>;
  /** The Authorization header, where it changes with time; asked for when a request is sent, not when it begins to wait. */
  readonly authorize?: () => Promise<string>;
  readonly limits: { readonly maxRequests: number; readonly concurrency: number; readonly timeoutSeconds: number };
  /** What a refusal means in this product: the scope that is missing, the page to visit. Null: nothing to add. */
  readonly explain?: (answered: Answered) => { readonly message?: string; readonly remedy?: string } | null;
  /** Most tries of one request; 5 unless told. */
  readonly tries?: number;
  /** Longest single wait, ms: whoever asks for more is given up at once. An hour and a bit unless told. */
  readonly longestWaitMs?: number;
  /** 0 to 1; spreads repeated requests. */
  readonly random?: () => number;
}

/** Tries of one request in all: the waits before them are about 1, 2, 4 and 8 seconds when the source names none. */
const MOST_TRIES = 5;
/** Of one that nobody answers: each costs the whole time limit. */
const TIMEOUT_TRIES = 2;
const FIRST_WAIT_MS = 1_000;
/** Rate limits of a whole hour are waited out; whoever asks for more ends the pull, which goes on from its checkpoint. */
const LONGEST_WAIT_MS = 3_700_000;
const MOST_REDIRECTS = 5;
const MOST_BYTES = 128 * 1024 * 1024;

/** What a request is for: an answer of the API, or a file, which may lie elsewhere. */
type Wanted = "answer" | "file";

/**
 * The one way to a source's API, under whichever client library builds the requests. It keeps credentials on their
 * host, ends every request in time, repeats what may succeed later (429, 5xx, broken connections) with jitter and as
 * late as the source asks, never repeats a refusal, and stops at the run's budget of requests.
 * Client libraries are left without retries of their own, since two layers of them multiply.
 */
export class Transport {
  private readonly options: TransportOptions;
  private readonly origin: string;
  private readonly waiting: (() => void)[] = [];
  private running = 0;
  private sent = 0;
  private skewMs = 0;

  constructor(options: TransportOptions) {
    this.options = options;
    this.origin = new URL(options.baseUrl).origin;
  }

  /** Requests sent so far, repeats and redirects included. */
  get requests(): number {
    return this.sent;
  }

  /** The source's clock, as its last answer told it. */
  now(): Date {
    return new Date(this.options.io.now().getTime() + this.skewMs);
  }

  /**
   * As `fetch`, but the whole answer has arrived when it resolves, and 4xx and 5xx are answers only after repeating
   * did not help. Throws SOURCE_UNAVAILABLE, SOURCE_REDIRECTED, SOURCE_RATE_LIMITED, or the signal's reason.
   */
  async fetch(url: string, init: RequestInit = {}): Promise<Answered> {
    return this.repeated(url, init, "answer");
  }

  /**
   * The bytes of a file. Products hand files out from a host of their own, at an address that is its own permission: it
   * is followed there, over https, and nothing of ours goes with it.
   */
  async download(url: string): Promise<Uint8Array> {
    const answered = await this.repeated(url, { headers: { accept: "*/*" } }, "file");
    if (answered.status < 200 || answered.status >= 300) throw this.refusal(answered);
    return answered.bytes;
  }

  private async repeated(url: string, init: RequestInit, what: Wanted): Promise<Answered & { readonly bytes: Uint8Array }> {
    const { tries: most = MOST_TRIES, longestWaitMs = LONGEST_WAIT_MS } = this.options;
    for (let tries = 1; ; tries += 1) {
      let waitMs = this.backoff(tries);
      let answered: (Answered & { readonly bytes: Uint8Array }) | null = null;
      try {
        answered = await this.inTurn(() => this.once(url, init, what));
      } catch (error) {
        this.options.io.signal.throwIfAborted();
        const failure = this.networkError(error, url);
        const isLast = tries >= (failure.detail.timeout === true ? Math.min(most, TIMEOUT_TRIES) : most);
        if (failure.detail.again !== true || isLast) throw failure;
      }
      if (answered !== null) {
        if (!retriable(answered) || tries >= most) return answered;
        waitMs = rateLimitWait(answered, this.now()) ?? waitMs;
      }
      if (waitMs > longestWaitMs) throw this.tooLong(url, waitMs);
      this.options.io.log.warn(
        { product: this.options.product, path: pathOf(url), status: answered?.status ?? null, waitMs, tries },
        "source asked us to slow down, or did not answer",
      );
      await this.wait(waitMs);
    }
  }

  /** The JSON of a good answer; every other answer is thrown as what it means. */
  async json(url: string, init: RequestInit = {}): Promise<unknown> {
    const answered = await this.answer(url, init);
    return answered.status === 204 ? null : JSON.parse(answered.text);
  }

  /** A good answer, whose text is JSON unless it is 204 or 304; every other answer is thrown as what it means. */
  async answer(url: string, init: RequestInit = {}): Promise<Answered> {
    for (let tries = 1; ; tries += 1) {
      const answered = await this.fetch(url, init);
      if (answered.status === 204 || answered.status === 304) return answered;
      if (answered.status < 200 || answered.status >= 300) throw this.refusal(answered);
      try {
        JSON.parse(answered.text);
        return answered;
      } catch (cause) {
        // a page for people is an answer of somebody else; broken JSON may come whole the next time
        if (tries >= 3 || /^\s*</.test(answered.text)) throw this.badReply(answered, cause);
        await this.wait(this.backoff(tries));
      }
    }
  }

  /** What an answer outside 2xx means, with the remedy that this product knows. */
  refusal(answered: Answered): ContextError {
    return statusError(this.options.product, answered, this.options.explain?.(answered) ?? null, this.now());
  }

  private badReply(answered: Answered, cause: unknown): ContextError {
    const title = titleOf(answered.text);
    const what = title === null ? "something that is no JSON" : `a web page titled "${title}"`;
    return new ContextError("SOURCE_BAD_REPLY", `${this.options.product} answered ${answered.method} ${answered.path} with ${what}.`, {
      cause,
    });
  }

  private async once(url: string, init: RequestInit, what: Wanted): Promise<Answered & { readonly bytes: Uint8Array }> {
    const { io, limits } = this.options;
    // not AbortSignal.any and .timeout: their timers and links outlive the request, which adds up over thousands
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(new DOMException("too late", "TimeoutError")), limits.timeoutSeconds * 1_000);
    const stop = () => deadline.abort(io.signal.reason);
    io.signal.throwIfAborted();
    io.signal.addEventListener("abort", stop, { once: true });
    try {
      return await this.followed(url, init, what, deadline.signal);
    } finally {
      clearTimeout(timer);
      io.signal.removeEventListener("abort", stop);
    }
  }

  /** The answer at the end of redirects: on the same host, but for files. */
  private async followed(
    url: string,
    init: RequestInit,
    what: Wanted,
    signal: AbortSignal,
  ): Promise<Answered & { readonly bytes: Uint8Array }> {
    const { io, headers, authorize } = this.options;
    let at = new URL(url);
    for (let hops = 0; ; hops += 1) {
      const isHome = at.origin === this.origin;
      if (!isHome && (what === "answer" || hops === 0 || !this.isSafe(at))) throw this.elsewhere(url, at);
      if (hops > MOST_REDIRECTS)
        throw new ContextError("SOURCE_BAD_REPLY", `${this.options.product} redirects ${pathOf(url)} in a circle.`);
      const authorization = isHome && authorize ? { authorization: await authorize() } : {};
      this.spend(url);
      const response = await io.fetch(at, {
        ...init,
        headers: isHome ? mergeHeaders(init.headers, { ...headers, ...authorization }) : new Headers(),
        redirect: "manual",
        signal,
      });
      const target = response.headers.get("location");
      if (response.status >= 301 && response.status <= 308 && response.status !== 304 && target !== null) {
        await response.body?.cancel();
        at = new URL(target, at);
        continue;
      }
      if (isHome) this.learnClock(response.headers.get("date"));
      const bytes = await bytesOf(response);
      return {
        method: init.method ?? "GET",
        path: pathOf(at.href),
        status: response.status,
        headers: response.headers,
        text: what === "answer" || !response.ok ? new TextDecoder().decode(bytes) : "",
        bytes,
      };
    }
  }

  /** Plain http is for servers on this machine, which the source must be itself. */
  private isSafe(at: URL): boolean {
    return at.protocol === "https:" || (isLoopback(at.hostname) && isLoopback(new URL(this.origin).hostname));
  }

  private spend(url: string): void {
    const { maxRequests } = this.options.limits;
    if (this.sent >= maxRequests) {
      throw new ContextError(
        "SOURCE_RATE_LIMITED",
        `${this.options.product}: the run's budget of ${maxRequests} requests is used up before ${pathOf(url)}.`,
        { remedy: "Run it again to go on from the last checkpoint, or raise maxRequests in the manifest." },
      );
    }
    this.sent += 1;
  }

  /** At most `concurrency` requests at once; the others wait in order. */
  private async inTurn<T>(run: () => Promise<T>): Promise<T> {
    if (this.running >= this.options.limits.concurrency) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.running += 1;
    try {
      return await run();
    } finally {
      // the place is handed on, not given up, so that nobody slips in between
      const next = this.waiting.shift();
      if (next) next();
      else this.running -= 1;
    }
  }

  private async wait(ms: number): Promise<void> {
    const { signal, wait } = this.options.io;
    await (wait ? wait(ms, signal) : delay(ms, undefined, { signal }));
    signal.throwIfAborted();
  }

  /** Doubling, with jitter over the upper half, so that many clients do not come back together. */
  private backoff(tries: number): number {
    const { random = Math.random } = this.options;
    return Math.round(FIRST_WAIT_MS * 2 ** (tries - 1) * (0.5 + random() / 2));
  }

  private learnClock(date: string | null): void {
    const theirs = date === null ? Number.NaN : Date.parse(date);
    if (!Number.isNaN(theirs)) this.skewMs = theirs - this.options.io.now().getTime();
  }

  private elsewhere(url: string, target: URL): ContextError {
    return new ContextError("SOURCE_REDIRECTED", `${this.options.product} sends ${pathOf(url)} on to another host, ${target.origin}.`, {
      detail: { host: target.host },
    });
  }

  private tooLong(url: string, waitMs: number): ContextError {
    const until = new Date(this.options.io.now().getTime() + waitMs).toISOString();
    return new ContextError("SOURCE_RATE_LIMITED", `${this.options.product} takes no requests (${pathOf(url)}) before ${until}.`, {
      detail: { until },
    });
  }

  private networkError(error: unknown, url: string): ContextError {
    if (error instanceof ContextError) return error;
    const { product, limits } = this.options;
    const where = `${product} (${new URL(url).host})`;
    if (error instanceof Error && error.name === "TimeoutError") {
      return new ContextError("SOURCE_UNAVAILABLE", `${where} did not answer ${pathOf(url)} within ${limits.timeoutSeconds} seconds.`, {
        cause: error,
        detail: { again: true, timeout: true },
      });
    }
    const code = networkCode(error);
    if (/CERT|SIGNATURE|ALTNAME|SELF_SIGNED|ERR_TLS|ERR_SSL/.test(code)) {
      return new ContextError("SOURCE_UNAVAILABLE", `The certificate or TLS of ${where} is not accepted (${code}).`, {
        cause: error,
        remedy: "Check the host name in the manifest; for a company's own authority set NODE_EXTRA_CA_CERTS to its certificate.",
      });
    }
    return new ContextError("SOURCE_UNAVAILABLE", `The connection to ${where} failed (${code || "no reason given"}).`, {
      cause: error,
      detail: { again: code !== "ENOTFOUND" },
      remedy:
        code === "ENOTFOUND"
          ? "Check the host name in the manifest, and the network."
          : "Look at the source's status and the network; the next run goes on from the last checkpoint.",
    });
  }
}

/** The code under "fetch failed", which hides it some causes deep. */
function networkCode(error: unknown): string {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if ("code" in at && typeof at.code === "string") return at.code;
  }
  return "";
}

async function bytesOf(response: Response): Promise<Uint8Array> {
  if (response.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > MOST_BYTES)
      throw new ContextError("SOURCE_BAD_REPLY", `An answer of more than ${MOST_BYTES / 1024 / 1024} MB was not read.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function mergeHeaders(own: RequestInit["headers"], always: Readonly<Record<string, string>>): Headers {
  const merged = new Headers(own);
  for (const [name, value] of Object.entries(always)) if (!merged.has(name)) merged.set(name, value);
  return merged;
}

/** Path without the query, which may hold what people search for. */
function pathOf(url: string): string {
  return URL.parse(url)?.pathname ?? "/";
}
