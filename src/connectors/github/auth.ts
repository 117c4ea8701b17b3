import { createPrivateKey, sign } from "node:crypto";
import { z } from "zod";
import { ContextError } from "../../core/errors.ts";
import { issuesOf } from "../shared/jsonl.ts";
import type { Transport } from "../shared/transport.ts";
import type { GithubConfig } from "./config.ts";

/** GitHub takes at most ten minutes, and a little less since clocks differ. */
const JWT_SECONDS = 540;
/** Made valid from a minute before, as GitHub advises. */
const JWT_BEFORE_SECONDS = 60;
/** An installation token holds for an hour; one that is about to end is replaced. */
const RENEW_MS = 5 * 60_000;

const InstallationToken = z.object({ token: z.string().min(1), expires_at: z.string() });

/** Gives the Authorization header of a request. */
export type Authorize = () => Promise<string>;

/**
 * A fixed token, or the installation tokens of an app, renewed before they end.
 * @param transport one that does not wait for the token itself
 */
export function authorizer({ token, app, baseUrl }: GithubConfig, transport: Transport): Authorize {
  if (app === undefined) return async () => `token ${token}`;
  let current: Promise<{ readonly token: string; readonly until: number }> | null = null;
  const fetched = async () => {
    const url = `${baseUrl}/app/installations/${app.installationId}/access_tokens`;
    const ask = () =>
      transport.json(url, {
        method: "POST",
        headers: { accept: "application/vnd.github+json", authorization: `Bearer ${appJwt(app, transport.now())}` },
      });
    const payload = await ask().catch((error) => {
      // a JWT is refused where our clock is wrong; the refusal has told GitHub's
      if (error instanceof ContextError && error.code === "SOURCE_UNAUTHORIZED") return ask();
      throw error;
    });
    const reply = InstallationToken.safeParse(payload);
    if (reply.success) return { token: reply.data.token, until: Date.parse(reply.data.expires_at) };
    throw new ContextError("SOURCE_BAD_REPLY", `GitHub's answer to the app has no installation token: ${issuesOf(reply.error)}`);
  };
  return async () => {
    const held = current === null ? null : await current;
    if (held === null || held.until - transport.now().getTime() < RENEW_MS) {
      // kept as a promise, so that requests that come together fetch one token; a failure is not kept
      current = fetched();
      current.catch(() => {
        current = null;
      });
    }
    return `token ${(await (current as NonNullable<typeof current>)).token}`;
  };
}

/**
 * The JSON Web Token by which an app names itself: RS256 over its id and a short time.
 * @see https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-json-web-token-jwt-for-a-github-app
 */
export function appJwt({ id, privateKey }: NonNullable<GithubConfig["app"]>, now: Date): string {
  const seconds = Math.floor(now.getTime() / 1_000);
  const signed = [
    { alg: "RS256", typ: "JWT" },
    { iat: seconds - JWT_BEFORE_SECONDS, exp: seconds + JWT_SECONDS, iss: id },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  return `${signed}.${sign("RSA-SHA256", Buffer.from(signed), keyOf(privateKey)).toString("base64url")}`;
}

function keyOf(pem: string) {
  try {
    return createPrivateKey(pem.replaceAll("\\n", "\n"));
  } catch (cause) {
    throw new ContextError("CONFIG_INVALID", "The private key of the GitHub App is no PEM key.", {
      cause,
      remedy: "Put the whole .pem file that GitHub gave into the manifest's variable, line ends as they are or as \\n.",
    });
  }
}
