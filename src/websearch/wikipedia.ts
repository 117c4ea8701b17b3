import { z } from "zod";
import { ContextError } from "../core/errors.ts";
import { keywords } from "../core/keywords.ts";
import type { WebPage } from "../core/web-search.ts";
import type { Wikipedia } from "./config.ts";
import { clipped, type Engine, isPublicUrl } from "./engine.ts";

/** Longest query that MediaWiki's search takes, in characters. */
const MOST_CHARACTERS = 300;

/** MediaWiki reports its errors with status 200. */
const Refused = z.object({ error: z.object({ code: z.string(), info: z.string().default("") }) });
const Found = z.object({ query: z.object({ search: z.array(z.object({ pageid: z.int() })) }) });
const Extracts = z.object({ query: z.object({ pages: z.array(z.unknown()) }) });
const Page = z.object({
  pageid: z.int(),
  title: z.string(),
  extract: z.string(),
  canonicalurl: z.string(),
  touched: z.string().nullish(),
});

/**
 * MediaWiki's action API: `list=search`, then the introductions of what it found by TextExtracts. All words must be in a page there,
 * so keywords are sent, not the question.
 * @see https://www.mediawiki.org/wiki/API:Search and https://www.mediawiki.org/wiki/Extension:TextExtracts
 */
export function wikipedia({ baseUrl }: Wikipedia): Engine {
  const address = (parameters: Readonly<Record<string, string>>): string =>
    `${baseUrl}/w/api.php?${new URLSearchParams({ action: "query", format: "json", formatversion: "2", ...parameters })}`;
  return {
    name: "Wikipedia",
    baseUrl,
    // Wikimedia asks every client to name itself: https://meta.wikimedia.org/wiki/User-Agent_policy
    headers: { accept: "application/json", "user-agent": "contextd (engineering-context daemon)" },
    async search(question, count, get) {
      const srsearch = keywords(question).slice(0, MOST_CHARACTERS);
      const found = read(Found, await get(address({ list: "search", srsearch, srlimit: String(count), srprop: "", srnamespace: "0" })));
      const ids = found.query.search.map(({ pageid }) => pageid).slice(0, count);
      if (ids.length === 0) return [];
      const wanted = { prop: "extracts|info", exintro: "1", explaintext: "1", exlimit: "max", inprop: "url", pageids: ids.join("|") };
      const pages = new Map(read(Extracts, await get(address(wanted))).query.pages.flatMap(pageOf));
      return ids.flatMap((id) => pages.get(id) ?? []);
    },
  };
}

function read<Shape extends z.ZodType>(shape: Shape, reply: unknown): z.infer<Shape> {
  const refused = Refused.safeParse(reply);
  if (refused.success) {
    const { code, info } = refused.data.error;
    throw new ContextError("SOURCE_REFUSED", `Wikipedia refused the search: ${code}, ${info.slice(0, 200)}`);
  }
  const read = shape.safeParse(reply);
  if (!read.success) throw new ContextError("SOURCE_BAD_REPLY", "Wikipedia answered with something that is no search result.");
  return read.data;
}

function pageOf(found: unknown): [number, WebPage][] {
  const page = Page.safeParse(found);
  if (!page.success || !isPublicUrl(page.data.canonicalurl)) return [];
  const { pageid, title, extract, canonicalurl, touched } = page.data;
  const text = clipped(extract.trim());
  return text === "" ? [] : [[pageid, { title, url: canonicalurl, text, engine: "Wikipedia", updatedAt: touched ?? null }]];
}
