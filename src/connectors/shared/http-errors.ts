import { ContextError, type ErrorCode } from "../../core/errors.ts";

/** An answer that has arrived whole. */
export interface Answered {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const repeated: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Whether the same request may succeed later: busy or broken for the moment, or out of quota. Never a refusal. */
export function retriable(answered: Answered): boolean {
  return repeated.has(answered.status) || isRateLimited(answered);
}

/**
 * GitHub answers 403 both to the unwelcome and to the hasty; only its headers and words tell them apart. Its GraphQL answers
 * 200, with an error in place of data.
 * @see https://docs.github.com/en/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api
 */
export function isRateLimited(answered: Answered): boolean {
  if (answered.status === 429) return true;
  if (answered.status === 200 && answered.path.endsWith("/graphql")) return /"type"\s*:\s*"RATE_LIMIT(?:ED)?"/.test(answered.text);
  if (answered.status !== 403) return false;
  return (
    answered.headers.has("retry-after") ||
    answered.headers.get("x-ratelimit-remaining") === "0" ||
    /secondary rate limit/i.test(answered.text)
  );
}

/** A secondary limit without a header asks for "at least a minute". */
const UNNAMED_SECONDARY_MS = 60_000;

/**
 * Milliseconds that the source asks to wait: Retry-After (seconds or a date) first, which every vendor means, then the
 * reset of an exhausted quota (epoch seconds at GitHub, an ISO time at Atlassian). Null when it names none.
 */
export function rateLimitWait(answered: Answered, now: Date): number | null {
  const retryAfter = answered.headers.get("retry-after");
  if (retryAfter !== null && retryAfter.trim() !== "") {
    const seconds = Number(retryAfter);
    const until = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(retryAfter) - now.getTime();
    if (Number.isFinite(until)) return Math.max(0, until);
  }
  if (!isRateLimited(answered)) return null;
  const reset = answered.headers.get("x-ratelimit-reset");
  if (answered.headers.get("x-ratelimit-remaining") === "0" && reset !== null) {
    const at = /^\d+$/.test(reset) ? Number(reset) * 1_000 : Date.parse(reset);
    // one second more, since the reset is cut to the second (to the minute at Atlassian)
    if (Number.isFinite(at)) return Math.max(0, at - now.getTime()) + 1_000;
  }
  return /secondary rate limit/i.test(answered.text) ? UNNAMED_SECONDARY_MS : null;
}

/** The title of a web page; null for what is none. */
export function titleOf(text: string): string | null {
  if (!/^\s*</.test(text)) return null;
  const head = text.slice(0, 10_000);
  const from = head.search(/<title/i);
  if (from < 0) return "(untitled)";
  const title = /^<title[^>]{0,200}>([^<]{0,200})/i.exec(head.slice(from))?.[1]?.replace(/\s+/g, " ").trim();
  return title || "(untitled)";
}

/** An answer outside 2xx as an error of ours: what happened, where, and what the source itself said. */
export function statusError(
  product: string,
  answered: Answered,
  explained: { readonly message?: string; readonly remedy?: string } | null,
  now: Date,
): ContextError {
  const said = explained?.message ?? saidBy(answered.text);
  const message = `${product} answered ${answered.status} to ${answered.method} ${answered.path}${said ? `: ${said}` : "."}`;
  const waitMs = rateLimitWait(answered, now);
  return new ContextError(codeOf(answered), message, {
    detail: {
      status: answered.status,
      path: answered.path,
      ...(isRateLimited(answered) && waitMs !== null ? { until: new Date(now.getTime() + waitMs).toISOString() } : {}),
    },
    ...(explained?.remedy ? { remedy: explained.remedy } : {}),
  });
}

function codeOf(answered: Answered): ErrorCode {
  if (isRateLimited(answered)) return "SOURCE_RATE_LIMITED";
  switch (answered.status) {
    case 401:
      return "SOURCE_UNAUTHORIZED";
    case 403:
    case 451:
      return "SOURCE_FORBIDDEN";
    case 404:
      return "SOURCE_NOT_FOUND";
    case 400:
    case 409:
    case 410:
    case 422:
      return "SOURCE_REFUSED";
    default:
      return answered.status >= 500 ? "SOURCE_UNAVAILABLE" : "SOURCE_BAD_REPLY";
  }
}

/** The words of an error body, whichever of the vendors' shapes it has; at most 300 characters. */
function saidBy(text: string): string {
  const title = titleOf(text);
  if (title !== null) return `a web page titled "${title}"`;
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return brief(text);
  }
  if (body === null || typeof body !== "object") return "";
  const { message, error, errorMessages, errors } = body as Readonly<Record<string, unknown>>;
  const parts: string[] = [message, error].filter((one) => typeof one === "string");
  if (error !== null && typeof error === "object") {
    const { reason, message: inner, root_cause: causes } = error as Readonly<Record<string, unknown>>;
    const [cause] = Array.isArray(causes) ? (causes as readonly { readonly reason?: unknown }[]) : [];
    parts.push(...new Set([reason, cause?.reason, inner].filter((one) => typeof one === "string")));
  }
  if (Array.isArray(errorMessages)) parts.push(...errorMessages.filter((one) => typeof one === "string"));
  if (Array.isArray(errors)) {
    for (const one of errors as readonly { title?: unknown; detail?: unknown; message?: unknown }[]) {
      parts.push(...[one?.title, one?.detail, one?.message].filter((word) => typeof word === "string"));
    }
  } else if (errors !== null && typeof errors === "object") {
    parts.push(...Object.values(errors).filter((word) => typeof word === "string"));
  }
  return brief(parts.join(" "));
}

function brief(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}
