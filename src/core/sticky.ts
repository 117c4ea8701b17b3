/** Whether an expression matches at a place of a text. @param pattern sticky (`y`) */
export function standsAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}
