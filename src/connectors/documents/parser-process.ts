import { type ChildProcess, fork } from "node:child_process";
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { ContextError } from "../../core/errors.ts";
import type { Reply, Request } from "./worker-protocol.ts";

export interface ParserLimits {
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
}

const PAGE_BYTES = 4096;
const LOOK_EVERY_MS = 200;

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

  /** @throws ContextError with the file's fault, FILE_TIMEOUT, or the signal's reason */
  async parse(request: Request, signal: AbortSignal): Promise<Exclude<Reply, { type: "failed" }>> {
    signal.throwIfAborted();
    const reply = await this.#ask(this.#start(), request, signal);
    if (reply.type === "failed") throw new ContextError(reply.code, reply.message, { remedy: reply.remedy });
    return reply;
  }

  #start(): ChildProcess {
    if (this.#child?.connected) return this.#child;
    const self = fileURLToPath(import.meta.url);
    const child = fork(fileURLToPath(new URL(`./worker${extname(self)}`, import.meta.url)), [], {
      execArgv: [`--max-old-space-size=${this.#limits.memoryMb}`],
      // nothing of our environment (tokens, keys) is there for what a file may do
      env: {},
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    this.#child = child;
    return child;
  }

  async #ask(child: ChildProcess, request: Request, signal: AbortSignal): Promise<Reply> {
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    const stop = (error: unknown) => {
      this.#kill();
      reject(error);
    };
    const { timeoutSeconds, memoryMb } = this.#limits;
    const tooMuch = (what: string) => new ContextError("FILE_TIMEOUT", `Reading it took more than ${what} and was stopped`);
    const timer = setTimeout(() => stop(tooMuch(`${timeoutSeconds} s`)), timeoutSeconds * 1000);
    const watch = setInterval(() => {
      void residentBytes(child.pid).then((bytes) => {
        // twice the heap's limit: buffers stand beside it
        if (bytes > memoryMb * 2 * 1024 * 1024) stop(tooMuch(`${memoryMb * 2} MB of memory`));
      });
    }, LOOK_EVERY_MS);
    const onMessage = (reply: Reply) => resolve(reply);
    const onExit = () => stop(tooMuch(`${memoryMb} MB of memory`));
    const onError = (cause: Error) =>
      stop(new ContextError("INTERNAL", `The parser process could not be started: ${cause.message}`, { cause }));
    const onAbort = () => stop(signal.reason);
    child.once("message", onMessage).once("exit", onExit).once("error", onError);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      child.send(request);
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

/** Resident memory of a process; 0 where the system does not tell (then the heap's own limit must do). */
async function residentBytes(pid: number | undefined): Promise<number> {
  try {
    const [, pages] = (await readFile(`/proc/${pid}/statm`, "latin1")).split(" ");
    return Number(pages) * PAGE_BYTES;
  } catch {
    return 0;
  }
}
