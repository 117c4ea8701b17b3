/** Something known that a text names: the spelling in the text, and its own name. */
export interface Named {
  readonly text: string;
  readonly name: string;
}

/** What an earlier question of a session was about. */
export interface Earlier {
  readonly question: string;
  readonly subject: Named;
}

const MOST_SESSIONS = 500;

/** The last subject of each session, in memory; the longest unused is forgotten. */
export class Sessions {
  readonly #earlier = new Map<string, Earlier>();

  get(session: string): Earlier | undefined {
    return this.#earlier.get(session);
  }

  set(session: string, earlier: Earlier): void {
    this.#earlier.delete(session);
    this.#earlier.set(session, earlier);
    const [oldest] = this.#earlier.keys();
    if (this.#earlier.size > MOST_SESSIONS && oldest !== undefined) this.#earlier.delete(oldest);
  }
}

/** "it" without a thing behind it: "how long does it take", "is it possible". */
const empty = /\bit (?:takes?|took|is possible|possible|means?|matters?|rains?)\b/i;
const pronoun = /\b(?:(?:this|that|the) service|its|it|they|them|theirs|their)\b/i;
const ellipsis = /^(?:and|so|then|ok|okay)?[\s,]*(?:(?:what|how) about|and|also)\s+/i;

/**
 * A follow-up as a question that stands alone: "Who owns it?" after a question about checkout asks who owns checkout, and "What about
 * redis?" asks the earlier question of redis. A question that names its own subject stays as it is.
 */
export function standalone(question: string, earlier: Earlier | undefined, names: readonly Named[]): string {
  if (earlier === undefined) return question;
  const [own] = names;
  if (own !== undefined) {
    const rest = question
      .replace(ellipsis, "")
      .replace(own.text, "")
      .replace(/[\s?!.]+/g, "");
    return ellipsis.test(question) && rest === "" ? earlier.question.replace(earlier.subject.text, own.text) : question;
  }
  const found = pronoun.exec(question);
  if (found === null || empty.test(question)) return question;
  const { name } = earlier.subject;
  return (
    question.slice(0, found.index) +
    (/^(?:its|theirs?)$/i.test(found[0]) ? `${name}'s` : name) +
    question.slice(found.index + found[0].length)
  );
}
