import type { Unmet } from "../verify/unmet.ts";

/** What the probability that a sentence answers a question is made of. */
export interface Signs extends Unmet {
  /** Cosine of the question and the sentence or its whole passage, whichever is nearer. */
  readonly near: number;
}

/** Least probability, chosen on the curve in docs/answering.md. */
export const SUPPORT = 0.62;

/** The same for a search in other words, which gives an unanswerable question another chance. */
export const SUPPORT_AGAIN = 0.72;

/** The same for a sentence that has every word of content of the question. */
export const SUPPORT_WHOLE = 0.45;

/** Counts above this say no more. */
const MOST = 2;

/** Weights, by `src/eval/answers-fit.ts` on questions of SQuAD 2.0 (CC BY-SA 4.0, see THIRD_PARTY.md): see docs/answering.md for the data and what they are worth on data they were not fitted on. */
const weights = {
  one: -2.24,
  near: 5.98,
  names: -0.38,
  otherNames: -1.14,
  values: -1.04,
  polarity: -0.34,
  quantifiers: -1.72,
  phrases: -0.46,
  elsewhere: -0.31,
} as const;

export type Weights = Readonly<Record<keyof typeof weights, number>>;

/** The signs in the order of the weights, counts cut off. */
export function vectorOf(signs: Signs): Record<keyof typeof weights, number> {
  const count = (n: number): number => Math.min(MOST, n);
  return {
    one: 1,
    near: signs.near,
    names: count(signs.names),
    otherNames: count(signs.otherNames),
    values: count(signs.values),
    polarity: count(signs.polarity),
    quantifiers: count(signs.quantifiers),
    phrases: count(signs.phrases),
    elsewhere: count(signs.elsewhere),
  };
}

/** Probability, 0 to 1, that a sentence with these signs answers: a logistic regression. */
export function probabilityOf(signs: Signs, by: Weights = weights): number {
  const x = vectorOf(signs);
  const sum = (Object.keys(x) as (keyof Weights)[]).reduce((total, key) => total + by[key] * x[key], 0);
  return 1 / (1 + Math.exp(-sum));
}
