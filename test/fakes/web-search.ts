import { FakeServer, json, type Reply, type Seen } from "./server.ts";

export interface FakePage {
  readonly title: string;
  readonly url: string;
  readonly text: string;
}

/** Brave's Web Search API: its path, token, parameters and shapes, errors as it sends them. @see https://api-dashboard.search.brave.com */
export class FakeBrave extends FakeServer {
  pages: readonly FakePage[] = [];
  readonly token: string;

  constructor(token = "token-of-the-test") {
    super();
    this.token = token;
  }

  protected answer({ method, path, query, headers }: Seen): Reply | null {
    if (method !== "GET" || path !== "/res/v1/web/search") return null;
    if (headers["x-subscription-token"] !== this.token)
      return braveError(422, "SUBSCRIPTION_TOKEN_INVALID", "The provided subscription token is invalid.");
    const q = query.get("q") ?? "";
    const count = Number(query.get("count") ?? "20");
    if (q === "" || q.length > 400 || count < 1 || count > 20)
      return braveError(422, "VALIDATION", "Unable to validate request parameter(s)");
    const results = this.pages.slice(0, count).map(({ title, url, text }) => ({
      title,
      url,
      is_source_local: false,
      is_source_both: false,
      description: text,
      page_age: "2026-02-01T08:00:00",
      profile: { name: new URL(url).host, url, long_name: new URL(url).host, img: "" },
      language: "en",
      family_friendly: true,
      type: "search_result",
      subtype: "generic",
      meta_url: { scheme: "https", netloc: new URL(url).host, hostname: new URL(url).host, favicon: "", path: "" },
      extra_snippets: [],
    }));
    return json({
      query: { original: q, show_strict_warning: false, more_results_available: false },
      ...(results.length === 0 ? {} : { web: { type: "search", results, family_friendly: true } }),
      mixed: { type: "mixed", main: [], top: [], side: [] },
      type: "search",
    });
  }
}

export function braveError(status: number, code: string, detail: string): Reply {
  return json({ type: "ErrorResponse", error: { id: "5d832250", status, code, detail, meta: {} }, time: 1772400000 }, status);
}

/** MediaWiki's action API as Wikipedia serves it: list=search, then prop=extracts|info by page id. */
export class FakeWikipedia extends FakeServer {
  pages: readonly FakePage[] = [];

  protected answer({ method, path, query }: Seen): Reply | null {
    if (method !== "GET" || path !== "/w/api.php" || query.get("action") !== "query" || query.get("formatversion") !== "2") return null;
    if (query.get("list") === "search") {
      if (!query.get("srsearch")) return json(wikiError("missingparam", 'The "srsearch" parameter must be set.'));
      const search = this.pages.slice(0, Number(query.get("srlimit") ?? "10")).map(({ title }, at) => ({ ns: 0, title, pageid: at + 1 }));
      return json({ batchcomplete: true, query: { searchinfo: { totalhits: search.length }, search } });
    }
    if (query.get("prop") === "extracts|info") {
      const ids = (query.get("pageids") ?? "").split("|").map(Number);
      // pages come by id, not in the order in which they were asked for
      const pages = [...ids]
        .sort((a, b) => b - a)
        .map((pageid) => {
          const page = this.pages[pageid - 1];
          if (page === undefined) return { pageid, missing: true };
          const { title, url, text } = page;
          return { pageid, ns: 0, title, extract: text, touched: "2026-02-02T00:00:00Z", fullurl: url, canonicalurl: url };
        });
      return json({ batchcomplete: true, query: { pages } });
    }
    return null;
  }
}

export function wikiError(code: string, info: string): object {
  return { error: { code, info, docref: "See the API's usage." }, servedby: "mw1" };
}
