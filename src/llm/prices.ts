/** US dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
}

/**
 * List prices by model-name prefix, the longest match wins. Vendors' public price pages of late 2025; a deployment overrides
 * them (they change, and contracts differ), so nothing but the ledger and the budget depends on them.
 */
export const listPrices: Readonly<Record<string, Price>> = {
  "gpt-5": { input: 1.25, output: 10 },
  "gpt-5-mini": { input: 0.25, output: 2 },
  "gpt-5-nano": { input: 0.05, output: 0.4 },
  "gpt-4.1": { input: 2, output: 8 },
  "gpt-4.1-mini": { input: 0.4, output: 1.6 },
  "gpt-4.1-nano": { input: 0.1, output: 0.4 },
  "gpt-4o": { input: 2.5, output: 10 },
  "gpt-4o-mini": { input: 0.15, output: 0.6 },
  "gpt-4-turbo": { input: 10, output: 30 },
  "gpt-3.5-turbo": { input: 0.5, output: 1.5 },
  o3: { input: 2, output: 8 },
  "o4-mini": { input: 1.1, output: 4.4 },
};

/** What an unknown model is booked at: dear rather than free, so that a budget still holds. */
export const unknownPrice: Price = { input: 2.5, output: 10 };

/**
 * The price of a model.
 * @param overrides prices by name prefix that win over the list
 * @param fallback for a model that no prefix names; pass zeros for a model on one's own machine
 */
export function priceOf(model: string, overrides: Readonly<Record<string, Price>> = {}, fallback: Price = unknownPrice): Price {
  return longestPrefix(model, overrides) ?? longestPrefix(model, listPrices) ?? fallback;
}

function longestPrefix(model: string, prices: Readonly<Record<string, Price>>): Price | null {
  const name = model.toLowerCase().replace(/^[\w.-]+\//, "");
  let best = "";
  for (const prefix of Object.keys(prices)) {
    if (prefix.length > best.length && (name.startsWith(prefix.toLowerCase()) || model.startsWith(prefix))) best = prefix;
  }
  return prices[best] ?? null;
}

/** US dollars for a call. */
export function costOf(price: Price, inputTokens: number, outputTokens: number): number {
  return (inputTokens * price.input + outputTokens * price.output) / 1e6;
}

/** Tokens of a text, rounded up: four characters a token is the usual mean for English, three leaves room for code. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 3);
}

/** Tokens that OpenAI's reasoning models may spend before they write; they count as output and against the length limit. */
export function reasoningRoom(model: string): number {
  return /^(?:o\d|gpt-5)/.test(model) ? 4_000 : 0;
}
