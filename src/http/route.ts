import type { Request, RequestHandler, Response } from "express";
import type { z } from "zod";
import type { App } from "../core/app.ts";
import type { Log } from "../core/connector.ts";
import { ContextError } from "../core/errors.ts";
import type { RecordId, SourceRecord } from "../core/record.ts";
import type { AuthOptions, Scope } from "./auth.ts";
import type { HookInbox } from "./hooks.ts";
import type { Limits } from "./limits.ts";
import type { Login } from "./login.ts";
import type { Metrics } from "./metrics.ts";
import type { Served } from "./originals.ts";
import type { Pages } from "./pages.ts";
import type { RunTracker } from "./runs.ts";
import type { Streams } from "./streams.ts";
import type { Uploads } from "./uploads.ts";

/** What handlers need beside their request. */
export interface Context {
  /** For what concerns the daemon itself; what a caller asks of records goes through `reading`. */
  readonly daemon: App;
  /** What the sender of this request may see. */
  reading(res: Response): Promise<Served>;
  /** A record with its own link, as far as the sender may see it; for the file behind it. */
  original(id: RecordId, res: Response): Promise<SourceRecord | null>;
  readonly log: Log;
  readonly auth: AuthOptions;
  /** Null: tokens alone. */
  readonly login: Login | null;
  readonly runs: RunTracker;
  readonly streams: Streams;
  readonly metrics: Metrics;
  /** Resolves when the loop has looked at everything else: between two pieces of work that keep it busy. */
  settled(): Promise<void>;
  /** Turns for questions. */
  readonly limits: Limits;
  /** Turns for searches, apart from those for questions: a slow model must not hold them up. */
  readonly searches: Limits;
  readonly pages: Pages;
  readonly hooks: HookInbox;
  /** Where answers to alerts are posted; null: only in the reply. */
  readonly forwardTo: string | null;
  /** Null: no uploads. */
  readonly uploads: Uploads | null;
  readonly version: string;
  readonly heartbeatMs: number;
  /** Aborts when the daemon begins to shut down: streams without an end of their own end now. */
  readonly closing: AbortSignal;
  /** Aborts when open requests have had their time: all work ends. */
  readonly stopping: AbortSignal;
  newId(): string;
}

/** One reply in the OpenAPI document. */
export interface ReplySpec {
  readonly about: string;
  readonly schema?: z.ZodType;
  /** application/json unless told. */
  readonly type?: string;
  /** Other types that a client may ask for. */
  readonly also?: readonly string[];
}

/** A validated request. */
export interface Call<Query = unknown, Body = unknown> {
  readonly req: Request;
  readonly res: Response;
  readonly query: Query;
  readonly body: Body;
  /** What stands for `{…}` at the end of the path, decoded; empty where the path has none. */
  readonly rest: string;
}

/** One operation: how it is reached, what it takes and gives, and what it does. The OpenAPI document is made from these. */
export interface Route {
  readonly method: "get" | "post" | "delete";
  /** At most one parameter, at the end; it takes slashes too: "/api/chunks/{id}". */
  readonly path: string;
  readonly scope: Scope | "public";
  readonly summary: string;
  /** What `{…}` is, where the path has one. */
  readonly parameter?: string;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** Body that is not JSON and that the handler reads itself. */
  readonly rawBody?: { readonly type: string; readonly about: string; readonly schema?: Readonly<Record<string, unknown>> };
  /** Parsers of such a body. */
  readonly before?: readonly RequestHandler[];
  readonly replies: Readonly<Record<number, ReplySpec>>;
  handle(call: Call, context: Context): void | Promise<void>;
}

type Output<S> = S extends z.ZodType<infer T> ? T : undefined;

/** Keeps the types from a route's schemas to its handler. */
export function defineRoute<Query extends z.ZodType | undefined = undefined, Body extends z.ZodType | undefined = undefined>(
  route: Omit<Route, "query" | "body" | "handle"> & {
    readonly query?: Query;
    readonly body?: Body;
    handle(call: Call<Output<Query>, Output<Body>>, context: Context): void | Promise<void>;
  },
): Route {
  return route as unknown as Route;
}

/** A signal that aborts when the client goes away before the reply is complete. */
export function goneSignal(res: Response): AbortSignal {
  const gone = new AbortController();
  res.once("close", () => {
    if (!res.writableFinished) gone.abort();
  });
  return gone.signal;
}

/** The same, and when the daemon stops. */
export function clientSignal(res: Response, stopping: AbortSignal): AbortSignal {
  return AbortSignal.any([goneSignal(res), stopping]);
}

/**
 * Refuses what speaks of all records to who may not see all of them.
 * @throws ContextError FORBIDDEN
 */
export async function needsWhole(res: Response, { reading }: Context): Promise<void> {
  if ((await reading(res)).whole) return;
  throw new ContextError("FORBIDDEN", "This speaks of all records, and some are not for your groups.", {
    remedy: "Ask an administrator, or use a token of all groups.",
  });
}

/** Whether the client asked for events. */
export function wantsEvents(req: Request): boolean {
  return (req.headers.accept ?? "").toLowerCase().includes("text/event-stream");
}
