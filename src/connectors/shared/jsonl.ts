import { createReadStream } from "node:fs";
import type { z } from "zod";
import { ContextError } from "../../core/errors.ts";
import { problemOf } from "../../core/schema-problem.ts";

export interface JsonLine {
  /** 1-based. */
  readonly number: number;
  /** The parsed value, or what is wrong with the line. */
  readonly value: unknown;
  readonly error: ContextError | null;
}

/**
 * Lines of a JSON Lines file, one at a time, however large the file. Empty lines are skipped;
 * a broken one comes as an error that names file and line, and the rest goes on.
 * Throws FILE_NOT_FOUND or FILE_UNREADABLE when the file cannot be read at all.
 */
export async function* readJsonLines(path: string, shownPath: string, signal: AbortSignal): AsyncGenerator<JsonLine> {
  let number = 0;
  for await (const line of readLines(path, shownPath, signal)) {
    number += 1;
    const text = number === 1 ? line.replace(/^\uFEFF/, "") : line;
    if (text.trim() === "") continue;
    try {
      yield { number, value: JSON.parse(text), error: null };
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      yield {
        number,
        value: null,
        error: new ContextError("RECORD_INVALID", `${shownPath}:${number} is not JSON: ${brief(reason)}`, { cause }),
      };
    }
  }
}

/** Lines of a text file, one at a time. By "\n" alone: node:readline also parts lines at U+2028, which may stand inside a JSON string. */
export async function* readLines(path: string, shownPath: string, signal: AbortSignal): AsyncGenerator<string> {
  const stream = createReadStream(path, { encoding: "utf8", signal });
  try {
    let rest = "";
    for await (const chunk of stream as AsyncIterable<string>) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
    if (rest !== "") yield rest;
  } catch (cause) {
    throw fileError(cause, shownPath);
  } finally {
    stream.destroy();
  }
}

/** What reading a file threw, as one of ours; aborts and our own errors stay what they are. */
export function fileError(cause: unknown, shownPath: string): unknown {
  if (cause instanceof ContextError || (cause instanceof Error && cause.name === "AbortError")) return cause;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  if (code === "ENOENT" || code === "ENOTDIR") return new ContextError("FILE_NOT_FOUND", `${shownPath} does not exist.`, { cause });
  if (code === "") return cause;
  return new ContextError("FILE_UNREADABLE", `${shownPath} cannot be read (${code}).`, { cause });
}

/** What does not fit, in one line: "updatedAt: must be text in quotation marks". */
export function issuesOf(error: z.ZodError): string {
  return error.issues
    .slice(0, 3)
    .map((issue) => `${issue.path.join(".") || "the value"}: ${brief(problemOf(issue, issue.message.endsWith("received undefined")))}`)
    .join("; ");
}

function brief(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}
