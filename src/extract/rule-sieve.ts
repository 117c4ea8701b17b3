import { beginningsIn, beginningsOf, codeOf } from "./word-beginnings.ts";

/**
 * Which of many expressions a text may match, told by its words: the text is looked through once, however many there are.
 * May name one in vain, never leave one out.
 */
export class RuleSieve {
  /** 1 for those of which nothing can be told by words. */
  private readonly always: Uint8Array;
  private readonly byBeginning = new Map<number, number[]>();

  /** @param rules from then on known by their index; see `beginningsOf` */
  constructor(rules: readonly { readonly pattern: string; readonly startsWord: boolean }[]) {
    this.always = new Uint8Array(rules.length);
    for (const [index, { pattern, startsWord }] of rules.entries()) {
      const beginnings = beginningsOf(pattern, startsWord);
      if (beginnings === null) this.always[index] = 1;
      for (const beginning of beginnings ?? []) {
        const code = codeOf(beginning);
        this.byBeginning.set(code, [...(this.byBeginning.get(code) ?? []), index]);
      }
    }
  }

  /** By index: 1 for an expression that the text may match. */
  possible(text: string): Uint8Array {
    const possible = this.always.slice();
    for (const code of beginningsIn(text)) for (const index of this.byBeginning.get(code) ?? []) possible[index] = 1;
    return possible;
  }
}
