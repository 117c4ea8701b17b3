import { type ChildProcess, fork } from "node:child_process";
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { ContextError } from "../../core/errors.ts";
import type { Reply, Request } from "./worker-protocol.ts";

export interface ParserLimits {
  /** For a file, apart from its pages that are read from pictures: each of these may take as long. */
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
  /** Read pages of PDFs that are pictures. */
  readonly ocr?: boolean;
}

const PAGE_BYTES = 4096;
const LOOK_EVERY_MS = 200;
const START_SECONDS = 60;

/**
 * Parses files in a child process, one at a time, so that a hostile file costs only itself: beyond the time or memory limit
 * the process is killed and the next file gets a new one. The process is kept between files.
 */
export class ParserProcess implements AsyncDisposable {
  readonly #limits: ParserLimits;
  #child: ChildProcess | null = null;

  constructor(limits: ParserLimits) {
    this.#limits = limits;
  }

  /**
   * Where reading pictures takes too much, the file is read again without them.
   * @throws ContextError with the file's fault, FILE_TIMEOUT, or the signal's reason
   */
  async parse(file: Omit<Request, "ocr">, signal: AbortSignal): Promise<Extract<Reply, { type: "parsed" }>> {
    if (this.#limits.ocr !== true) return this.#ask({ ...file, ocr: false }, signal);
    try {
      return await this.#ask({ ...file, ocr: true }, signal);
    } catch (error) {
      if (!(error instanceof ContextError) || error.code !== "FILE_TIMEOUT") throw error;
      return this.#ask({ ...file, ocr: false }, signal);
    }
  }

  async #ask(request: Request, signal: AbortSignal): Promise<Extract<Reply, { type: "parsed" }>> {
    signal.throwIfAborted();
    if (!this.#child?.connected) {
      this.#child = fork(workerPath(), [], {
        execArgv: [`--max-old-space-size=${this.#limits.memoryMb}`],
        // nothing of our environment (tokens, keys) is there for what a file may do
        env: {},
        serialization: "advanced",
        stdio: ["ignore", "ignore", "ignore", "ipc"],
      });
      // a busy machine may take long to start a process; the file's time begins after that
      const ready = await this.#next(this.#child, signal, START_SECONDS);
      if (ready.type !== "ready") throw new ContextError("INTERNAL", `The parser process began with ${ready.type}`);
    }
    const reply = this.#next(this.#child, signal, this.#limits.timeoutSeconds);
    this.#child.send(request);
    const answer = await reply;
    if (answer.type === "failed") throw new ContextError(answer.code, answer.message, { remedy: answer.remedy });
    if (answer.type !== "parsed") throw new ContextError("INTERNAL", "The parser process started twice");
    return answer;
  }

  /** The child's next message but those of single pages, each of which has the time to itself; it is killed when that takes too much time or memory, or is no longer wanted. */
  async #next(child: ChildProcess, signal: AbortSignal, seconds: number): Promise<Reply> {
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    const { memoryMb } = this.#limits;
    const stop = (error: unknown) => {
      this.#kill();
      reject(error);
    };
    const tooMuch = (what: string) => new ContextError("FILE_TIMEOUT", `Reading it took more than ${what} and was stopped`);
    const timer = setTimeout(() => stop(tooMuch(`${seconds} s`)), seconds * 1000);
    const watch = setInterval(() => {
      void residentBytes(child.pid).then((bytes) => {
        // twice the heap's limit: buffers stand beside it
        if (bytes > memoryMb * 2 * 1024 * 1024) stop(tooMuch(`${memoryMb * 2} MB of memory`));
      });
    }, LOOK_EVERY_MS);
    const onExit = () => stop(tooMuch(`${memoryMb} MB of memory`));
    const onError = (cause: Error) =>
      stop(new ContextError("INTERNAL", `The parser process could not be started: ${cause.message}`, { cause }));
    const onAbort = () => stop(signal.reason);
    const onMessage = (reply: Reply) => {
      if (reply.type === "page") timer.refresh();
      else resolve(reply);
    };
    child.on("message", onMessage).once("exit", onExit).once("error", onError);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      clearInterval(watch);
      child.off("message", onMessage).off("exit", onExit).off("error", onError);
      signal.removeEventListener("abort", onAbort);
    }
  }

  #kill(): void {
    this.#child?.kill("SIGKILL");
    this.#child = null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#kill();
  }
}

/** Beside this file: .ts in a checkout, .js in an installed package. */
function workerPath(): string {
  return fileURLToPath(new URL(`./worker${extname(fileURLToPath(import.meta.url))}`, import.meta.url));
}

/** Resident memory of a process; 0 where the system does not tell (then the heap's own limit must do). */
async function residentBytes(pid: number | undefined): Promise<number> {
  try {
    const [, pages] = (await readFile(`/proc/${pid}/statm`, "latin1")).split(" ");
    return Number(pages) * PAGE_BYTES;
  } catch {
    return 0;
  }
}
