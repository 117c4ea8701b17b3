/** Where a second question begins inside of one: behind its mark, or behind "and" before a question word or an inverted verb. */
const joint =
  /\?\s+(?=\S)|[,;]?\s+(?:and|or|but|plus|as well as)\s+(?:also\s+)?(?=(?:(?:until|by|from|since|at|on|in|for|to|with)\s+)?(?:who|whom|whose|what|when|where|which|why|how|is|are|was|were|does|do|did|has|have|can|could|should|will)\b)/gi;
const pronoun = /\b(?:it|its|they|them|their|he|she|his|her|this|that|these|those)\b/i;
/** A part that is shorter than this says nothing by itself, in words. */
const SHORTEST = 2;
const MOST = 3;

/**
 * The questions that a question holds, each standing for itself: "Who owns checkout-api and when was it deployed?" is "Who owns
 * checkout-api?" and "when was it deployed? (checkout-api)". One, the question itself, where it holds no second one.
 * @param names what the question names; a part that speaks of "it" is given them
 */
export function subQuestions(question: string, names: readonly string[]): string[] {
  const parts = question
    .split(joint)
    .map((part) => part.replace(/[\s?.!,;]+$/, "").trim())
    .filter((part) => part !== "");
  if (parts.length < 2 || parts.length > MOST || parts.some((part) => part.split(/\s+/).length < SHORTEST)) return [question];
  return parts.map((part) => {
    const unsaid = pronoun.test(part) ? names.filter((name) => !part.toLowerCase().includes(name.toLowerCase())) : [];
    return unsaid.length === 0 ? `${part}?` : `${part}? (${[...new Set(unsaid)].join(", ")})`;
  });
}
