import { DomUtils, parseDocument } from "htmlparser2";
import type { WebPage } from "../core/web-search.ts";

/** A search engine behind one question: asks over its transport, returns plain text. */
export interface Engine {
  readonly name: string;
  readonly baseUrl: string;
  /** Sent with every request, credentials among them. */
  readonly headers: Readonly<Record<string, string>>;
  /** What a refusal means here; null: nothing to add to what the status says. */
  explain?(body: string): { readonly message?: string; readonly remedy?: string } | null;
  /**
   * @param get fetches JSON from the engine's own host
   * @throws ContextError SOURCE_BAD_REPLY for a reply that is none of a search
   */
  search(question: string, count: number, get: (url: string) => Promise<unknown>): Promise<readonly WebPage[]>;
}

/** Longest text of one page, in characters: about what one chunk of a document holds twice. */
const LONGEST_TEXT = 2_000;

/** The words of a snippet, without markup and with its entities read. */
export function textOf(html: string): string {
  return DomUtils.textContent(parseDocument(html)).replace(/\s+/g, " ").trim();
}

/** At most `LONGEST_TEXT` characters, cut at the end of a sentence where there is one. */
export function clipped(text: string): string {
  if (text.length <= LONGEST_TEXT) return text;
  const cut = text.slice(0, LONGEST_TEXT);
  const end = Math.max(cut.lastIndexOf(". "), cut.lastIndexOf("\n"));
  return end > LONGEST_TEXT / 2 ? cut.slice(0, end + 1).trimEnd() : cut;
}

/** Addresses that a reader can open; "javascript:" and the like are none. */
export function isPublicUrl(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && (parsed.protocol === "https:" || parsed.protocol === "http:") && parsed.username === "";
}
