import type { Duplex } from "node:stream";
import type { Response } from "express";
import { z } from "zod";
import { ContextError, type ErrorCode, toContextError } from "../core/errors.ts";
import { requestId } from "./access-log.ts";

/** One field of a request that was not as it should be. */
export const FieldError = z.object({ field: z.string(), message: z.string() });
export type FieldError = z.infer<typeof FieldError>;

/** RFC 9457 problem details, with our code and what the reader can do now. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  remedy: z.string(),
  /** Id of the request, as in the log and the X-Request-Id header. */
  requestId: z.string(),
  errors: z.array(FieldError).optional(),
});
export type Problem = z.infer<typeof Problem>;

/** "NOT_FOUND" as a title: "Not found". */
function titleOf(code: ErrorCode): string {
  const words = code.toLowerCase().replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The problem as a reader may see it: what is unknown to us is named by its request id only, its text stays in the log. */
export function toProblem(error: ContextError, requestId: string): Problem {
  const fields = z.array(FieldError).safeParse(error.detail.errors);
  return {
    type: `/docs#error-${error.code}`,
    title: titleOf(error.code),
    status: error.status,
    detail:
      error.code === "INTERNAL" ? `Something failed inside contextd; the log has the cause under request ${requestId}.` : error.message,
    code: error.code,
    remedy: error.remedy,
    requestId,
    ...(fields.success && fields.data.length > 0 ? { errors: fields.data } : {}),
  };
}

/** Sends the problem, with Retry-After where the error knows it (`detail.retryAfterSeconds`). */
export function sendProblem(res: Response, error: ContextError): void {
  const problem = toProblem(error, requestId(res.req));
  const retryAfter = error.detail.retryAfterSeconds;
  if (typeof retryAfter === "number") res.setHeader("Retry-After", String(Math.max(1, Math.ceil(retryAfter))));
  if (problem.status === 401) res.setHeader("WWW-Authenticate", 'Bearer realm="contextd"');
  res.setHeader("Cache-Control", "no-store");
  res.status(problem.status).type("application/problem+json").send(JSON.stringify(problem));
}

/** Answers what could not be read as a request at all: it never reaches a handler. */
export function refuseUnread(thrown: Error & { readonly code?: string }, socket: Duplex): void {
  if (thrown.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const tooLong = thrown.code === "HPE_HEADER_OVERFLOW";
  const error = tooLong
    ? new ContextError("PAYLOAD_TOO_LARGE", "The address and headers of the request are too long.", { remedy: "Send a shorter query." })
    : new ContextError("BAD_REQUEST", "This is no HTTP request that can be read.", { remedy: "Send HTTP/1.1." });
  const body = JSON.stringify(toProblem(error, ""));
  socket.end(
    `HTTP/1.1 ${error.status} ${tooLong ? "Payload Too Large" : "Bad Request"}\r\nContent-Type: application/problem+json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

const HttpError = z.object({ type: z.string().optional(), status: z.int().optional(), message: z.string().optional() });

/** Whatever a handler or a parser of express threw, as a ContextError. */
export function fromThrown(error: unknown): ContextError {
  if (error instanceof ContextError) return error;
  const http = HttpError.safeParse(error);
  const status = http.success ? http.data.status : undefined;
  if (status === undefined || status >= 500) return toContextError(error);
  const type = http.success ? (http.data.type ?? "") : "";
  if (type === "entity.parse.failed") {
    return new ContextError("BAD_REQUEST", "The body is not valid JSON.", { cause: error, remedy: "Send one JSON object." });
  }
  if (status === 413) return new ContextError("PAYLOAD_TOO_LARGE", "The body is larger than this request allows.", { cause: error });
  if (status === 415) return new ContextError("MEDIA_UNSUPPORTED", "The body's charset or encoding is not understood.", { cause: error });
  if (type === "request.aborted") return new ContextError("CANCELLED", "The client went away.", { cause: error });
  if (status === 404) return new ContextError("NOT_FOUND", "There is nothing here.", { cause: error });
  return new ContextError("BAD_REQUEST", "The request could not be read.", { cause: error });
}

/**
 * Checks what came in against its schema.
 * @param where "body" or "query", for the message
 * @throws ContextError BAD_REQUEST with one entry a field
 */
export function validate<T>(schema: z.ZodType<T>, value: unknown, where: "body" | "query"): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.flatMap((issue): FieldError[] => {
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => ({ field: [...issue.path, key].join("."), message: "is not a known field" }));
    }
    return [{ field: issue.path.join(".") || where, message: issue.message }];
  });
  const named = errors.map(({ field, message }) => `${field}: ${message}`).join("; ");
  throw new ContextError("BAD_REQUEST", `The ${where} is not valid. ${named}.`, { detail: { errors } });
}
