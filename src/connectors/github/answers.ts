import { ContextError } from "../../core/errors.ts";
import type { Answered } from "../shared/http-errors.ts";

/** What the repository does not hold, or not under that name. */
export function isMissing(error: unknown): boolean {
  return error instanceof ContextError && (error.detail.status === 404 || error.detail.status === 422);
}

/** A repository without a commit answers 409. */
export function isEmpty(error: unknown): boolean {
  return error instanceof ContextError && error.detail.status === 409;
}

/** "acme/shop" as the parameters of a route. */
export function ownerAndRepo(name: string): { readonly owner: string; readonly repo: string } {
  const [owner = "", repo = ""] = name.split("/");
  return { owner, repo };
}

/** The address of rel="next" in a Link header. */
export function nextOf(link: string | undefined): string | null {
  for (const part of (link ?? "").split(",")) {
    const next = /^\s*<([^<>]+)>\s*;(?:.*;)?\s*rel="?next"?/.exec(part)?.[1];
    if (next !== undefined) return next;
  }
  return null;
}

/** Of a commit's payload. */
export function filesOf(commit: unknown): readonly Record<string, unknown>[] {
  const files = (commit as { files?: unknown } | null)?.files;
  return Array.isArray(files) ? files.filter((file) => file !== null && typeof file === "object") : [];
}

/** What GitHub means by its refusals; the headers say more than the words. */
export function explain(answered: Answered): { readonly message?: string; readonly remedy?: string } | null {
  if (answered.status === 401 && answered.path.endsWith("/access_tokens"))
    return { remedy: "Check the app's id, installationId and private key; the key can be made anew in the app's settings." };
  if (answered.status === 401)
    return { remedy: "Make a new token at https://github.com/settings/personal-access-tokens and put it into the manifest's variable." };
  if (answered.status === 403 && answered.headers.has("x-github-sso")) {
    const url = /url=(\S+)/.exec(answered.headers.get("x-github-sso") ?? "")?.[1];
    return {
      message: "the organisation asks for single sign-on.",
      remedy: `Authorise the token for the organisation${url ? `: ${url}` : "."}`,
    };
  }
  const permissions = answered.headers.get("x-accepted-github-permissions");
  if (answered.status === 403 && permissions)
    return { message: `the token lacks the permission ${permissions}.`, remedy: `Give the token the permission ${permissions}.` };
  if (answered.status === 404) {
    return {
      remedy:
        "Check owner/name; a private repository answers 404 to a token without access to it (Contents, Pull requests and Issues: read).",
    };
  }
  return null;
}
