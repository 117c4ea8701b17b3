import type { Check } from "./connector.ts";
import type { RecordId } from "./record.ts";

/** A page of the public web as a search engine shows it. Plain text; nothing in it is trusted. */
export interface WebPage {
  readonly title: string;
  readonly url: string;
  readonly text: string;
  /** Who found it: "Brave Search". */
  readonly engine: string;
  readonly updatedAt: string | null;
}

const PREFIX = "websearch:";

/** The id that a page is cited by. No connector's ids look like it, and no record of it is kept. */
export function webPageId(url: string): RecordId {
  return `${PREFIX}${url}`;
}

/** Whether a cited record is a page of the web: it can not be looked up, nor told whether it changed. */
export function isWebPage(recordId: string): boolean {
  return recordId.startsWith(PREFIX);
}

export interface WebSearched {
  /** What was sent out, letter for letter. */
  readonly query: string;
  /** Best first, the engines in turn. */
  readonly pages: readonly WebPage[];
  /** One for each engine that was asked; `failure` is null where it answered, with pages or without. */
  readonly engines: readonly {
    readonly name: string;
    readonly found: number;
    readonly failure: { readonly code: string; readonly message: string } | null;
  }[];
}

/** Search engines of the public web: asked only where the indexed sources have no answer, and only when configured. */
export interface WebSearch {
  /** Names the engines and their addresses, for cache keys; holds no secret. */
  readonly id: string;
  /** Never throws for what an engine does: its failure is in the result. Throws the signal's reason. */
  search(question: string, signal: AbortSignal): Promise<WebSearched>;
  /** One row an engine, by the least search there is. */
  check(signal: AbortSignal): Promise<readonly Check[]>;
}
