import { z } from "zod";

/** Loopback in any of its spellings: the only place where plain http carries credentials nowhere. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** The address of a source: https, or http on loopback; without user, query and trailing slash. */
export const BaseUrl = z
  .string()
  .trim()
  .transform((text, context) => {
    const url = URL.parse(text);
    if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
      context.addIssue({ code: "custom", message: "must be an address such as https://acme.atlassian.net" });
      return z.NEVER;
    }
    if (url.protocol === "http:" && !isLoopback(url.hostname)) {
      context.addIssue({ code: "custom", message: "must begin with https://; plain http is accepted for loopback only" });
    }
    if (url.username !== "" || url.password !== "") {
      context.addIssue({ code: "custom", message: "must not hold a user or password; give them as keys of their own" });
    }
    return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
  });
