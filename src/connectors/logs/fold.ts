import { bareHeader, type Entry, type Header } from "./entry.ts";
import { exceptionTypes } from "./exceptions.ts";
import { jsonHeaders } from "./json.ts";
import { textHeader } from "./text.ts";
import { type Clock, stampAt } from "./time.ts";

/** Characters of one entry that are kept; a stack trace of some hundred frames fits. */
export const LONGEST_ENTRY = 16_000;

interface Open {
  readonly header: Header;
  readonly line: number;
  readonly part: number;
  readonly parts: string[];
  size: number;
  /** The entry said its time or level itself, so lines that do not are its continuation. */
  readonly headed: boolean;
  /** A panic or traceback: all that follows without a header is part of it. */
  readonly block: boolean;
  /** A key block (-----BEGIN) that has not ended. */
  key: boolean;
}

/** Begins an entry of its own even after a headed one: the process died, or a key was printed. */
const opening = /^(?:panic: |fatal error: |Exception in thread "|Unhandled exception|Uncaught |-----BEGIN )/;
/** Continues the entry before it wherever it stands. */
const continuing =
  /^(?:[ \t})\]]|Caused by: |Traceback \(most|During handling of|The above exception|goroutine \d|created by |\[signal |exit status |\.\.\. \d+ )/;
/** What makes an entry of a file without headers swallow what follows. */
const swallowing = /^(?:panic: |fatal error: |Traceback \(most|Exception in thread ")/;

/**
 * Folds physical lines into entries: stack traces under the line that reports them, parts of containerd and
 * docker lines into whole ones.
 */
export class Folder {
  readonly #clock: Clock;
  readonly #partial = new Map<string, { text: string; readonly line: number }>();
  #open: Open | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The line on which the entry begins that is not finished yet; null when none is open. */
  get openLine(): number | null {
    let least = this.#open?.line ?? null;
    if (this.#partial.size > 0) for (const { line } of this.#partial.values()) if (least === null || line < least) least = line;
    return least;
  }

  /** Takes the next line and hands out the entries that it completes. */
  push(raw: string, line: number): readonly Entry[] {
    const first = raw.charCodeAt(0);
    const text = raw.includes("\u001b") ? stripAnsi(raw) : raw;
    if (first === 123) return this.#json(text, line);
    if (first >= 48 && first <= 57) {
      const wrapped = cri(text);
      if (wrapped) return this.#wrapped(wrapped.stream, wrapped.whole, wrapped.text, wrapped.time, line, "cri");
    }
    return this.#text(text, line, null);
  }

  /** The last entry, at the end of the file. */
  end(): readonly Entry[] {
    const done: Entry[] = [];
    for (const { text, line } of this.#partial.values()) done.push(...this.#text(text, line, null));
    this.#partial.clear();
    const last = this.#close();
    return last ? [...done, last] : done;
  }

  #json(text: string, line: number): readonly Entry[] {
    if (text.startsWith('{"log":')) {
      const docker = dockerLine(text);
      if (docker) return this.#wrapped(docker.stream, docker.whole, docker.text, docker.time, line, "docker-json");
    }
    const headers = jsonHeaders(text, this.#clock);
    if (headers === null) return this.#text(text, line, null);
    const done: Entry[] = [];
    headers.forEach((header, i) => {
      const closed = this.#start(header, text, line, i + 1, true);
      if (closed) done.push(closed);
    });
    return done;
  }

  #wrapped(stream: string, whole: boolean, text: string, time: string, line: number, format: "cri" | "docker-json"): readonly Entry[] {
    const before = this.#partial.get(stream);
    const joined = before ? before.text + text : text;
    const from = before?.line ?? line;
    if (!whole && joined.length < LONGEST_ENTRY) {
      this.#partial.set(stream, { text: joined, line: from });
      return [];
    }
    this.#partial.delete(stream);
    const outer = { ...bareHeader, format, ms: stampAt(time, 0, this.#clock)?.ms ?? null, timeAssumed: false };
    if (joined.startsWith("{")) {
      const [header] = jsonHeaders(joined, this.#clock) ?? [];
      if (header) {
        const own = header.ms === null ? { ms: outer.ms, timeAssumed: false } : {};
        const closed = this.#start({ ...header, ...own, format }, joined, from, 1, true);
        return closed ? [closed] : [];
      }
    }
    return this.#text(joined, from, outer);
  }

  /** @param outer what the wrapping line said; null for a line that stands by itself */
  #text(text: string, line: number, outer: Header | null): readonly Entry[] {
    const open = this.#open;
    if (open?.key) {
      this.#fold(open, text);
      if (text.startsWith("-----END ")) open.key = false;
      return [];
    }
    const indented = text === "" || text.charCodeAt(0) === 32 || text.charCodeAt(0) === 9;
    const header = indented && (open || text.trim() === "") ? null : textHeader(text, this.#clock);
    if (header) {
      const merged = outer
        ? { ...header, format: outer.format, ...(header.ms === null ? { ms: outer.ms, timeAssumed: false } : {}) }
        : header;
      return listOf(this.#start(merged, text, line, 1, true));
    }
    if (open && !opening.test(text) && this.#continues(open, text, outer !== null)) {
      this.#fold(open, text);
      return [];
    }
    if (text.trim() === "") return [];
    return listOf(this.#start({ ...(outer ?? bareHeader), message: text }, text, line, 1, false));
  }

  #continues(open: Open, text: string, wrapped: boolean): boolean {
    if (text === "") return open.block || (open.headed && open.parts.length > 1);
    if (open.block || continuing.test(text)) return true;
    if (open.parts[0]?.startsWith("-----BEGIN ")) return false;
    // in a wrapped line every message without a header of its own is one, unless a stack trace is under way
    return open.headed && (!wrapped || open.parts.length > 1);
  }

  #start(header: Header, text: string, line: number, part: number, headed: boolean): Entry | null {
    const closed = this.#close();
    const cut = text.length > LONGEST_ENTRY ? `${text.slice(0, LONGEST_ENTRY)}…` : text;
    const key = text.startsWith("-----BEGIN ");
    this.#open = { header, line, part, parts: [cut], size: cut.length, headed, block: !headed && swallowing.test(text), key };
    return closed;
  }

  #fold(open: Open, text: string): void {
    if (open.size >= LONGEST_ENTRY) return;
    const cut = text.length > LONGEST_ENTRY - open.size ? `${text.slice(0, LONGEST_ENTRY - open.size)}…` : text;
    open.parts.push(cut);
    open.size += cut.length + 1;
  }

  #close(): Entry | null {
    const open = this.#open;
    this.#open = null;
    if (!open) return null;
    const { shown, stack, ...header } = open.header;
    const { parts, line, part } = open;
    while (parts.length > 1 && parts.at(-1) === "") parts.pop();
    // most entries are only counted, so the readable form of a structured line waits until somebody looks at it
    if (parts.length === 1 && stack === null && shown !== null) {
      return {
        ...header,
        line,
        part,
        stackStart: null,
        exceptions: [],
        get text() {
          return cutEntry(shown());
        },
      };
    }
    if (shown !== null) parts[0] = shown();
    const folded = stack === null ? parts : [...parts, ...stack.split("\n", 200)];
    const text = folded.length === 1 ? (parts[0] ?? "") : cutEntry(folded.join("\n"));
    const exceptions = folded.length > 1 || !open.headed ? exceptionTypes(folded) : [];
    const level = header.level ?? (exceptions.length === 0 ? null : open.block && /^(?:panic|fatal)/.test(text) ? "fatal" : "error");
    return { ...header, level, line, part, text, stackStart: folded.length > 1 ? (folded[0]?.length ?? 0) + 1 : null, exceptions };
  }
}

function cutEntry(text: string): string {
  return text.length > 2 * LONGEST_ENTRY ? `${text.slice(0, 2 * LONGEST_ENTRY)}…` : text;
}

function listOf(entry: Entry | null): readonly Entry[] {
  return entry ? [entry] : [];
}

/** containerd's and CRI-O's line: time, stream, P for a part or F for the end, text. */
function cri(text: string): { readonly time: string; readonly stream: string; readonly whole: boolean; readonly text: string } | null {
  const m = /^(\d{4}-\d\d-\d\dT\S{8,30}) (stdout|stderr) ([PF])(?::\S*)? /.exec(text.slice(0, 80));
  return m ? { time: m[1] ?? "", stream: m[2] ?? "", whole: m[3] === "F", text: text.slice(m[0].length) } : null;
}

/** docker's json-file line; a message without a line end at its end goes on in the next. */
function dockerLine(
  text: string,
): { readonly time: string; readonly stream: string; readonly whole: boolean; readonly text: string } | null {
  try {
    const { log, stream, time } = JSON.parse(text) as { log?: unknown; stream?: unknown; time?: unknown };
    if (typeof log !== "string" || typeof time !== "string") return null;
    const whole = log.endsWith("\n");
    return { time, stream: typeof stream === "string" ? stream : "stdout", whole, text: whole ? log.slice(0, -1).replace(/\r$/, "") : log };
  } catch {
    return null;
  }
}

/** Terminal colours and cursor movements (ECMA-48 control sequences). */
function stripAnsi(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what is looked for
  return text.replace(/\u001b(?:\[[0-?]*[ -/]*[@-~]|[@-Z\\-_])/g, "");
}
