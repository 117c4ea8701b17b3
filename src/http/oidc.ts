import { createRemoteJWKSet, customFetch, errors, type JWTPayload, jwtVerify } from "jose";
import { z } from "zod";
import { ContextError } from "../core/errors.ts";
import type { OidcSettings } from "../core/oidc.ts";
import type { Caller, Scope, VerifyToken } from "./auth.ts";

/** Clocks may differ by so much, in seconds. */
const TOLERANCE = 5;
/** How long a request for keys may take, how long keys are kept, and how soon an unknown key may make them be fetched again, ms. */
const TIMEOUT = 5_000;
const KEEP = 10 * 60_000;
const COOLDOWN = 30_000;

export interface OidcDeps {
  readonly fetch: typeof fetch;
  /** The real time, whatever the manifest says it is. */
  readonly now: () => Date;
  readonly cooldownMs?: number;
}

const Discovery = z.looseObject({ issuer: z.string(), jwks_uri: z.url() });

/**
 * Verifies access tokens (JWT) of one issuer by its published keys: signature, issuer, audience, times. Keys are cached, and
 * fetched again when a token names one that is not known.
 * @returns null for what is no JWT, which may be a token of ours
 * @throws ContextError UNAUTHORIZED that says what is wrong with the token; IDENTITY_UNAVAILABLE without the issuer's keys
 */
export function oidcVerifier(settings: OidcSettings, deps: OidcDeps): VerifyToken {
  const { issuer, audience, algorithms } = settings;
  let keys: Promise<ReturnType<typeof createRemoteJWKSet>> | null = null;

  async function open(): Promise<ReturnType<typeof createRemoteJWKSet>> {
    const place = settings.jwksUri ?? (await discover(issuer, deps.fetch));
    return createRemoteJWKSet(new URL(place), {
      timeoutDuration: TIMEOUT,
      cacheMaxAge: KEEP,
      cooldownDuration: deps.cooldownMs ?? COOLDOWN,
      [customFetch]: deps.fetch,
    });
  }

  return async (token) => {
    if (!/^[\w-]+\.[\w-]+\.[\w-]*$/.test(token)) return null;
    try {
      keys ??= open();
      const { payload } = await jwtVerify(token, await keys, {
        issuer,
        audience: typeof audience === "string" ? audience : [...audience],
        algorithms: [...algorithms],
        requiredClaims: ["exp", "sub"],
        clockTolerance: TOLERANCE,
        currentDate: deps.now(),
      });
      return callerOf(payload, settings);
    } catch (cause) {
      if (cause instanceof ContextError) {
        keys = null;
        throw cause;
      }
      throw refusal(cause, settings);
    }
  };
}

async function discover(issuer: string, get: typeof fetch): Promise<string> {
  const place = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  try {
    const reply = await get(place, { redirect: "error", signal: AbortSignal.timeout(TIMEOUT) });
    if (!reply.ok) throw new Error(`status ${reply.status}`);
    const found = Discovery.parse(await reply.json());
    if (found.issuer !== issuer) throw new Error(`it says that it is ${found.issuer}`);
    return found.jwks_uri;
  } catch (cause) {
    throw unavailable(cause, `${place} gives no configuration`);
  }
}

/**
 * Who the claims stand for: the best scope that a group or an OAuth scope gives.
 * @throws ContextError UNAUTHORIZED where none does
 */
export function callerOf(payload: JWTPayload, { groupsClaim, readers, writers, admins }: OidcSettings): Caller {
  const groups = listOf(at(payload, groupsClaim));
  const held = new Set([...groups, ...listOf(payload.scope), ...listOf(payload.scp)]);
  const has = (wanted: readonly string[]): boolean => wanted.some((one) => held.has(one));
  const scope: Scope | null = has(admins) ? "admin" : has(writers) ? "write" : readers === undefined || has(readers) ? "read" : null;
  if (scope === null) {
    throw new ContextError("UNAUTHORIZED", "The token is valid, and none of its groups or scopes may read here.", {
      remedy: "Ask for one of the groups that oidc.readers in the manifest names.",
    });
  }
  return { name: `oidc ${payload.sub ?? ""}`, scope, groups };
}

/** A claim by its name, else by a path of names. */
function at(payload: JWTPayload, path: string): unknown {
  if (Object.hasOwn(payload, path)) return payload[path];
  return path.split(".").reduce<unknown>((value, key) => {
    return typeof value === "object" && value !== null && Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
  }, payload);
}

/** A list of texts, or one text parted by blanks, as OAuth has scopes. */
function listOf(claim: unknown): readonly string[] {
  if (typeof claim === "string") return claim.split(" ").filter((one) => one !== "");
  return Array.isArray(claim) ? claim.filter((one): one is string => typeof one === "string") : [];
}

function refusal(cause: unknown, { issuer, audience, algorithms }: OidcSettings): ContextError {
  const refused = (message: string, remedy = "Get a new token from the identity provider.") =>
    new ContextError("UNAUTHORIZED", message, { cause, remedy });
  if (cause instanceof errors.JWTExpired) return refused(`The token has expired${when(cause.payload.exp)}.`);
  if (cause instanceof errors.JWTClaimValidationFailed) {
    switch (cause.claim) {
      case "aud":
        return refused(
          "The token is for another audience.",
          `Ask the provider for one whose audience is ${[audience].flat().join(" or ")}.`,
        );
      case "iss":
        return refused("The token is of another issuer.", `Tokens of ${issuer} are taken.`);
      case "nbf":
        return refused(`The token is not valid yet${when(cause.payload.nbf)}.`, "Wait, or correct the clocks.");
      default:
        return refused(`The token's claim ${cause.claim} is missing or wrong.`);
    }
  }
  if (cause instanceof errors.JOSEAlgNotAllowed || cause instanceof errors.JOSENotSupported)
    return refused("The token is signed in a way that is not taken.", `Signatures taken: ${algorithms.join(", ")}.`);
  if (cause instanceof errors.JWKSNoMatchingKey) return refused("The token is signed with a key that the issuer does not publish.");
  if (cause instanceof errors.JWSSignatureVerificationFailed) return refused("The token's signature does not fit.");
  if (cause instanceof errors.JWTInvalid || cause instanceof errors.JWSInvalid) return refused("The token is not a signed JWT.");
  return unavailable(cause, `the keys of ${issuer} cannot be read`);
}

function when(seconds: unknown): string {
  return typeof seconds === "number" && Math.abs(seconds) < 8.64e12 ? ` (${new Date(seconds * 1000).toISOString()})` : "";
}

function unavailable(cause: unknown, what: string): ContextError {
  const reason = cause instanceof Error ? (cause.message.split("\n")[0] ?? "") : String(cause);
  return new ContextError("IDENTITY_UNAVAILABLE", `The token cannot be checked: ${what} (${reason.slice(0, 200)}).`, { cause });
}
