import type { Embedder, Passage } from "../core/chunk.ts";
import { identifierTokens } from "../core/identifiers.ts";
import { type WebPage, webPageId } from "../core/web-search.ts";

/**
 * Web pages as passages, nearest to the question first: each is one chunk of a record that is kept nowhere. With an identifier in the
 * question only pages that hold one count, since a page about another ticket or version is about something else.
 */
export async function webPassages(
  question: string,
  pages: readonly WebPage[],
  { embedder, now, signal }: { readonly embedder: Embedder | null; readonly now: Date; readonly signal: AbortSignal },
): Promise<Passage[]> {
  const cosines = embedder === null ? null : await similarities(question, pages, embedder, signal);
  const wanted = identifierTokens(question);
  const passages = pages.map((page, at) => {
    const held = new Set(identifierTokens(`${page.title}\n${page.text}`));
    return toPassage(page, { cosine: cosines?.[at] ?? null, literal: wanted.some((token) => held.has(token)), now });
  });
  const about = wanted.length === 0 ? passages : passages.filter(({ ranks }) => ranks.literal);
  return about.sort((a, b) => (b.ranks.cosine ?? 0) - (a.ranks.cosine ?? 0));
}

async function similarities(question: string, pages: readonly WebPage[], embedder: Embedder, signal: AbortSignal): Promise<number[]> {
  if (pages.length === 0) return [];
  const [asked] = await embedder.embed([question], "query", signal);
  const vectors = await embedder.embed(
    pages.map(({ title, text }) => `${title}\n${text}`),
    "passage",
    signal,
  );
  return vectors.map((vector) => vector.reduce((sum, value, at) => sum + value * (asked?.[at] ?? 0), 0));
}

function toPassage(
  { title, url, text, updatedAt }: WebPage,
  { cosine, literal, now }: { readonly cosine: number | null; readonly literal: boolean; readonly now: Date },
): Passage {
  const record = webPageId(url);
  return {
    chunk: {
      id: `${record}#1`,
      span: { record, start: 0, end: text.length },
      ordinal: 1,
      of: 1,
      heading: [],
      page: null,
      text,
      revision: "",
      title,
      source: "web",
      kind: "page",
      url,
      updatedAt: updatedAt ?? now.toISOString(),
    },
    edges: [],
    ranks: { bm25Rank: null, vectorRank: null, cosine, rrf: null, rerank: null, literal },
  };
}
