import { z } from "zod";
import { BaseUrl } from "../connectors/shared/base-url.ts";

const Brave = z.strictObject({
  kind: z.literal("brave"),
  token: z.string().min(1).describe("Subscription token of Brave's Search API, as ${BRAVE_TOKEN}."),
  baseUrl: BaseUrl.default("https://api.search.brave.com"),
});
export type Brave = z.infer<typeof Brave>;

const Wikipedia = z.strictObject({
  kind: z.literal("wikipedia"),
  baseUrl: BaseUrl.default("https://en.wikipedia.org").describe("The Wikipedia to search, or another MediaWiki with TextExtracts."),
});
export type Wikipedia = z.infer<typeof Wikipedia>;

/** The `webSearch` block of the manifest. Without it nothing is ever asked outside. */
export const WebSearchConfig = z
  .strictObject({
    engines: z
      .array(z.discriminatedUnion("kind", [Brave, Wikipedia]))
      .min(1)
      .describe("Asked at once; their results take turns."),
    results: z.int().min(1).max(5).default(5).describe("Most pages that one question brings."),
    timeoutSeconds: z.number().positive().max(60).default(8).describe("Longest wait for all engines together, repeats included."),
  })
  .describe(
    "Engines that are asked where the indexed sources have no answer. They are sent the question, secrets taken out, and nothing else.",
  );
export type WebSearchConfig = z.infer<typeof WebSearchConfig>;
