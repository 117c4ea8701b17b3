import { randomBytes } from "node:crypto";
import type { Request } from "express";
import type { Configuration } from "openid-client";
import { ContextError } from "../core/errors.ts";
import type { LoginSettings, OidcSettings } from "../core/oidc.ts";
import { callerOf } from "./oidc.ts";
import { cookieOf, Sessions } from "./sessions.ts";

/** How long somebody may take at the identity provider, how many at once, and how long a request to it may take. */
const PENDING_MS = 10 * 60_000;
const MOST_PENDING = 1_000;
const TIMEOUT_S = 5;
const PENDING_COOKIE = "contextd-login";
/** The only path that needs to know of a login under way. */
const PATH = "/auth";

interface Pending {
  readonly verifier: string;
  readonly state: string;
  readonly nonce: string;
  readonly to: string;
  readonly until: number;
}

/** What a login needs of the outside. */
export interface LoginDeps {
  readonly fetch: typeof fetch;
  /** The real time, whatever the manifest says it is. */
  readonly now: () => Date;
}

/**
 * Logs people in on the page: OpenID Connect's authorization code flow with PKCE, run by the daemon, so that no token ever
 * reaches the browser. Who they are and their groups are in the ID token, or in what the provider's userinfo adds to it.
 * @see https://datatracker.ietf.org/doc/html/draft-ietf-oauth-browser-based-apps section 6.1, backend for frontend
 */
export class Login {
  readonly sessions: Sessions;
  readonly #settings: OidcSettings;
  readonly #login: LoginSettings;
  readonly #deps: LoginDeps;
  readonly #pending = new Map<string, Pending>();
  #provider: Promise<Configuration> | null = null;

  constructor(settings: OidcSettings, login: LoginSettings, deps: LoginDeps) {
    this.#settings = settings;
    this.#login = login;
    this.#deps = deps;
    this.sessions = new Sessions(login.redirectUri.startsWith("https:"), () => deps.now().getTime());
  }

  /**
   * Where to send the browser, and the cookie by which it is known when it comes back.
   * @param to path of this daemon to come back to
   * @throws ContextError IDENTITY_UNAVAILABLE
   */
  async begin(to: string): Promise<{ readonly url: string; readonly cookie: string }> {
    const provider = await this.#open();
    const { buildAuthorizationUrl, calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier, randomState } = await library();
    const pending = { verifier: randomPKCECodeVerifier(), state: randomState(), nonce: randomNonce(), to, until: this.#now() + PENDING_MS };
    const url = buildAuthorizationUrl(provider, {
      redirect_uri: this.#login.redirectUri,
      scope: this.#login.scopes.join(" "),
      code_challenge: await calculatePKCECodeChallenge(pending.verifier),
      code_challenge_method: "S256",
      state: pending.state,
      nonce: pending.nonce,
    });
    const key = randomBytes(32).toString("base64url");
    this.#pending.set(key, pending);
    for (const [old, { until }] of this.#pending) {
      if (until > this.#now() && this.#pending.size <= MOST_PENDING) break;
      this.#pending.delete(old);
    }
    return { url: url.href, cookie: this.sessions.header(PENDING_COOKIE, key, PATH, PENDING_MS / 1_000) };
  }

  /**
   * Takes the browser back from the provider.
   * @throws ContextError UNAUTHORIZED, IDENTITY_UNAVAILABLE
   */
  async finish(req: Request): Promise<{ readonly to: string; readonly cookies: readonly string[] }> {
    const key = cookieOf(req, PENDING_COOKIE) ?? "";
    const pending = this.#pending.get(key);
    this.#pending.delete(key);
    if (pending === undefined || pending.until <= this.#now()) {
      throw new ContextError("UNAUTHORIZED", "This login was not begun here, or too long ago.", { remedy: "Log in again." });
    }
    // behind a proxy the request itself does not know its own address
    const current = new URL(this.#login.redirectUri);
    current.search = req.originalUrl.split("?", 2)[1] ?? "";
    const claims = await this.#claims(current, pending);
    const caller = callerOf(claims, this.#settings);
    const named = [claims.name, claims.preferred_username, claims.email, claims.sub].find((one) => typeof one === "string" && one !== "");
    const until = this.#now() + this.#login.hours * 3_600_000;
    const cookie = this.sessions.start({ caller, label: String(named ?? caller.name), until });
    return { to: pending.to, cookies: [cookie, this.sessions.header(PENDING_COOKIE, "", PATH, 0)] };
  }

  async #claims(current: URL, pending: Pending): Promise<Readonly<Record<string, unknown>>> {
    const provider = await this.#open();
    const { authorizationCodeGrant, fetchUserInfo } = await library();
    try {
      const tokens = await authorizationCodeGrant(provider, current, {
        pkceCodeVerifier: pending.verifier,
        expectedState: pending.state,
        expectedNonce: pending.nonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new Error("there is no ID token");
      const groups = this.#settings.groupsClaim.split(".")[0] ?? "";
      if (groups in claims || provider.serverMetadata().userinfo_endpoint === undefined) return claims;
      // many providers keep groups and names out of the ID token
      return { ...(await fetchUserInfo(provider, tokens.access_token, claims.sub)), ...claims };
    } catch (cause) {
      throw refusal(cause, this.#settings.issuer);
    }
  }

  async #open(): Promise<Configuration> {
    this.#provider ??= this.#discover();
    try {
      return await this.#provider;
    } catch (cause) {
      this.#provider = null;
      throw unavailable(cause, this.#settings.issuer);
    }
  }

  async #discover(): Promise<Configuration> {
    const { allowInsecureRequests, ClientSecretPost, customFetch, discovery, enableNonRepudiationChecks, None } = await library();
    const { clientId, clientSecret } = this.#login;
    const issuer = new URL(this.#settings.issuer);
    return discovery(issuer, clientId, {}, clientSecret === undefined ? None() : ClientSecretPost(clientSecret), {
      timeout: TIMEOUT_S,
      [customFetch]: (url: string, init: object) => this.#deps.fetch(url, init as RequestInit),
      // plain http is taken for loopback only: the settings see to it
      execute: [enableNonRepudiationChecks, ...(issuer.protocol === "http:" ? [allowInsecureRequests] : [])],
    });
  }

  #now(): number {
    return this.#deps.now().getTime();
  }
}

/** Loaded when somebody logs in. */
function library(): Promise<typeof import("openid-client")> {
  return import("openid-client");
}

function refusal(cause: unknown, issuer: string): ContextError {
  const { name = "", error = "", error_description: said } = (cause ?? {}) as Readonly<Record<string, string | undefined>>;
  if (name === "AuthorizationResponseError" || name === "ResponseBodyError") {
    const reason = said ?? error;
    return new ContextError("UNAUTHORIZED", `The identity provider refused the login: ${reason.slice(0, 200)}.`, {
      cause,
      remedy:
        error === "access_denied"
          ? "Log in again, or ask for access."
          : "Check oidc.login in the manifest against the client's settings there.",
    });
  }
  return unavailable(cause, issuer);
}

function unavailable(cause: unknown, issuer: string): ContextError {
  const reason = cause instanceof Error ? (cause.message.split("\n")[0] ?? "") : String(cause);
  return new ContextError("IDENTITY_UNAVAILABLE", `Nobody can log in: ${issuer} does not answer as it should (${reason.slice(0, 200)}).`, {
    cause,
  });
}
