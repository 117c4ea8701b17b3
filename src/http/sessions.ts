import { randomBytes } from "node:crypto";
import type { Request } from "express";
import type { Caller } from "./auth.ts";

/** Most people who are logged in at once; the one who logged in first goes first. */
const MOST = 10_000;

/** Somebody who is logged in. */
export interface Session {
  readonly caller: Caller;
  /** As the page greets them. */
  readonly label: string;
  readonly until: number;
}

/** Who has logged in on the page: kept in memory, so that a restart logs everybody out. The cookie holds nothing but a random key. */
export class Sessions {
  readonly cookie: string;
  readonly #secure: boolean;
  readonly #now: () => number;
  readonly #open = new Map<string, Session>();

  /** @param secure the page is reached over https */
  constructor(secure: boolean, now: () => number) {
    // a browser takes this prefix only with Secure, for the whole site, and from the site itself
    this.cookie = secure ? "__Host-contextd" : "contextd";
    this.#secure = secure;
    this.#now = now;
  }

  /** @returns the Set-Cookie header */
  start(session: Session): string {
    const key = randomBytes(32).toString("base64url");
    this.#open.set(key, session);
    const [oldest] = this.#open.keys();
    if (this.#open.size > MOST && oldest !== undefined) this.#open.delete(oldest);
    return this.header(this.cookie, key, "/", Math.max(0, Math.round((session.until - this.#now()) / 1_000)));
  }

  find(req: Request): Session | null {
    const key = cookieOf(req, this.cookie);
    const session = key === null ? undefined : this.#open.get(key);
    if (key === null || session === undefined) return null;
    if (session.until > this.#now()) return session;
    this.#open.delete(key);
    return null;
  }

  /** @returns the Set-Cookie header that takes the cookie away */
  end(req: Request): string {
    this.#open.delete(cookieOf(req, this.cookie) ?? "");
    return this.header(this.cookie, "", "/", 0);
  }

  /** Lax: the way back from the identity provider is a link from another site. */
  header(name: string, value: string, path: string, seconds: number): string {
    return `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${this.#secure ? "; Secure" : ""}`;
  }
}

/** A cookie's value; null where there is none of the name. */
export function cookieOf(req: Request, name: string): string | null {
  for (const part of (req.headers.cookie ?? "").split(";")) {
    const [key, value] = part.trim().split("=", 2);
    if (key === name && value) return value;
  }
  return null;
}
