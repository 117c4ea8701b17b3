import { z } from "zod";
import { ContextError } from "../core/errors.ts";
import type { WebPage } from "../core/web-search.ts";
import type { Brave } from "./config.ts";
import { clipped, type Engine, isPublicUrl, textOf } from "./engine.ts";

/** Longest query that Brave takes: 400 characters, 50 words. */
const MOST_CHARACTERS = 400;
const MOST_WORDS = 50;

/** Fields of a reply that are used; `web` is absent where nothing was found. */
const Reply = z.object({ type: z.literal("search"), web: z.object({ results: z.array(z.unknown()) }).nullish() });
const Result = z.object({
  title: z.string(),
  url: z.string(),
  description: z.string().default(""),
  extra_snippets: z.array(z.string()).default([]),
  page_age: z.string().nullish(),
});
/** `{"type": "ErrorResponse", "error": {"code": "SUBSCRIPTION_TOKEN_INVALID", …}}`; older replies hold a list `errors`. */
const Failure = z.object({ code: z.string(), detail: z.string().default("") });
const Failures = z.object({ error: Failure.optional(), errors: z.array(Failure).optional() });

/** Brave's Web Search API. @see https://api-dashboard.search.brave.com/api-reference/web/search/get */
export function brave({ token, baseUrl }: Brave): Engine {
  return {
    name: "Brave Search",
    baseUrl,
    headers: { accept: "application/json", "x-subscription-token": token },
    explain: said,
    async search(question, count, get) {
      const url = new URL(`${baseUrl}/res/v1/web/search`);
      url.search = new URLSearchParams({
        q: question.split(" ").slice(0, MOST_WORDS).join(" ").slice(0, MOST_CHARACTERS),
        count: String(count),
        result_filter: "web",
        safesearch: "strict",
        text_decorations: "false",
        extra_snippets: "true",
      }).toString();
      const reply = Reply.safeParse(await get(url.href));
      if (!reply.success) throw new ContextError("SOURCE_BAD_REPLY", "Brave Search answered with something that is no search result.");
      return (reply.data.web?.results ?? []).flatMap(pageOf).slice(0, count);
    },
  };
}

/** A wrong token is a 422 at Brave; only the code in the body tells it from a wrong request. */
function said(body: string): { message?: string; remedy?: string } | null {
  let failures: z.infer<typeof Failures>;
  try {
    failures = Failures.parse(JSON.parse(body));
  } catch {
    return null;
  }
  const failure = failures.error ?? failures.errors?.[0];
  if (failure === undefined) return null;
  const message = `${failure.code}, ${failure.detail}`;
  return /TOKEN|SUBSCRIPTION/.test(failure.code) ? { message, remedy: "Renew the token of Brave Search under webSearch." } : { message };
}

function pageOf(found: unknown): WebPage[] {
  const result = Result.safeParse(found);
  if (!result.success || !isPublicUrl(result.data.url)) return [];
  const { title, url, description, extra_snippets, page_age } = result.data;
  const text = clipped([...new Set([description, ...extra_snippets].map(textOf))].filter((part) => part !== "").join("\n"));
  if (text === "") return [];
  return [{ title: textOf(title), url, text, engine: "Brave Search", updatedAt: page_age ?? null }];
}
