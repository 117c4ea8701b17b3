import { createHash, timingSafeEqual } from "node:crypto";
import type { NextFunction, Request, RequestHandler, Response } from "express";
import { ContextError } from "../core/errors.ts";
import type { Viewer } from "../core/visibility.ts";

/** What a token may do; each one includes those before it. */
export const scopes = ["read", "write", "admin"] as const;
export type Scope = (typeof scopes)[number];

/** Someone that a token stands for. */
export interface Caller {
  readonly name: string;
  readonly scope: Scope;
  /** What `visibleTo` in the manifest names. */
  readonly groups: readonly string[];
  /** The command line on this machine, which can read the data folder. */
  readonly local?: true;
}

/**
 * Looks a presented token up; null when it is unknown or revoked.
 * @throws ContextError UNAUTHORIZED where it can be said what is wrong with it
 */
export type VerifyToken = (token: string) => Caller | null | Promise<Caller | null>;

/** SHA-256 of a token: the only form in which tokens are kept or compared. Tokens are random, so no slow hash is needed. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token, "utf8").digest();
}

/** A verifier for one token, compared in constant time. */
export function singleToken(token: string, caller: Caller): (presented: string) => Caller | null {
  const expected = hashToken(token);
  return (presented) => (timingSafeEqual(hashToken(presented), expected) ? caller : null);
}

/** Whether an address to listen on is reachable from this machine only. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, "").toLowerCase();
  return name === "localhost" || name === "::1" || /^127(?:\.\d{1,3}){3}$/.test(name) || /^::ffff:127(?:\.\d{1,3}){3}$/.test(name);
}

/** The host of a Host header or origin without its port, in lower case. */
function hostName(value: string): string {
  const bracket = value.indexOf("]");
  const host = value.startsWith("[") && bracket > 0 ? value.slice(1, bracket) : (value.split(":")[0] ?? "");
  return host.toLowerCase();
}

/**
 * Refuses requests whose Host header names some other site: without it a page anywhere can rebind its DNS name to
 * 127.0.0.1 and read a daemon that listens without a token. Also refuses changes sent by pages of another origin.
 */
export function guardOrigin(options: { readonly boundTo: string; readonly allowedHosts: readonly string[] }): RequestHandler {
  const allowed = new Set(options.allowedHosts.map((host) => host.toLowerCase()));
  const anyHost = !isLoopback(options.boundTo);
  return (req, _res, next) => {
    const host = req.headers.host ?? "";
    const name = hostName(host);
    if (!anyHost && !isLoopback(name) && !allowed.has(name)) {
      throw new ContextError("FORBIDDEN", "The Host header does not name this daemon.", {
        remedy: "Open it as http://127.0.0.1 or http://localhost, or allow the name in the configuration.",
      });
    }
    const origin = req.headers.origin;
    if (origin !== undefined && req.method !== "GET" && req.method !== "HEAD" && req.method !== "OPTIONS") {
      const from = URL.canParse(origin) ? new URL(origin).host : "";
      if (from.toLowerCase() !== host.toLowerCase()) {
        throw new ContextError("FORBIDDEN", "Pages of another origin may not change anything here.", {
          remedy: "Send it from this daemon's own page, or from a program without an Origin header.",
        });
      }
    }
    next();
  };
}

/** Callers by response, so that handlers need no untyped field on the request. */
const callers = new WeakMap<Response, Caller>();

/** Who sent this request; null on loopback without a token. */
function callerOf(res: Response): Caller | null {
  return callers.get(res) ?? null;
}

/** Whether the command line on this machine sent it. */
export function isLocal(res: Response): boolean {
  return callerOf(res)?.local === true;
}

export interface AuthOptions {
  /** True: a request without a token gets 401. */
  readonly required: boolean;
  readonly verify: VerifyToken;
  /** Who has logged in on the page. */
  readonly session?: (req: Request) => Caller | null;
}

function bearer(req: Request): string | null {
  const match = /^bearer +(\S+)$/i.exec(req.headers.authorization ?? "");
  return match?.[1] ?? null;
}

/**
 * What the sender of a request may see. An administrator, and who reaches a daemon that needs no token, sees everything;
 * whom nobody has asked for a token yet sees what everybody may.
 */
export function viewerOf(options: AuthOptions, res: Response): Viewer {
  const caller = callerOf(res);
  if (caller === null) return options.required ? { groups: [] } : "all";
  return caller.scope === "admin" ? "all" : { groups: caller.groups };
}

/**
 * Whether the request may read, without an answer being sent when not: for pages that hold data beside their frame.
 * @throws ContextError UNAUTHORIZED where a token is presented that is not valid
 */
export async function mayRead(options: AuthOptions, req: Request, res: Response): Promise<boolean> {
  const caller = await presented(options, req);
  if (caller === null) return !options.required;
  callers.set(res, caller);
  return true;
}

/** Who sent it, by token or by session; null where it carries neither. */
async function presented(options: AuthOptions, req: Request): Promise<Caller | null> {
  const token = bearer(req);
  if (token !== null) return verified(options, token);
  // browsers name the origin of whatever changes something, and that of another page was refused before
  const reads = req.method === "GET" || req.method === "HEAD";
  return reads || req.headers.origin !== undefined ? (options.session?.(req) ?? null) : null;
}

async function verified(options: AuthOptions, token: string): Promise<Caller> {
  const caller = await options.verify(token);
  if (caller !== null) return caller;
  throw new ContextError("UNAUTHORIZED", "The token is not known here, or was revoked.", {
    remedy: "Check the token; `contextd token list` shows which ones are valid.",
  });
}

/** Lets a request through that may do what `scope` says. A wrong token is an error even where none is needed. */
export function needs(scope: Scope, options: AuthOptions): RequestHandler {
  return async (req: Request, res: Response, next: NextFunction) => {
    const caller = await presented(options, req);
    if (caller === null) {
      if (options.required || req.headers.authorization !== undefined) {
        throw new ContextError("UNAUTHORIZED", "This request needs a token.");
      }
      return next();
    }
    if (scopes.indexOf(caller.scope) < scopes.indexOf(scope)) {
      throw new ContextError("FORBIDDEN", `This request needs the scope ${scope}; you have ${caller.scope}.`);
    }
    callers.set(res, caller);
    next();
  };
}

/** Who to count a request for: the token's name and what it may see, else the peer's address. */
export function callerKey(req: Request, res: Response): string {
  const caller = callerOf(res);
  return caller === null ? `address ${req.socket.remoteAddress ?? ""}` : ["token", caller.name, caller.scope, ...caller.groups].join(" ");
}
