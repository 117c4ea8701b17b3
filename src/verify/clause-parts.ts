import type { Word } from "./clause-words.ts";
import type { Clause } from "./clauses.ts";
import { isJoinedName } from "./names.ts";
import { type Token, weightOf } from "./tokens.ts";

/** The part that "to" brings before a verb: "ready to serve requests". */
export const INFINITIVE = "to do";

/** What stands behind a verb, by preposition. */
export function splitSlots(words: readonly Word[]): Map<string, Token[]> {
  const slots = new Map<string, Token[]>();
  let name = "";
  for (const [at, { token, kind }] of words.entries()) {
    if (kind === "prep" || kind === "sub") {
      // "a pool of connections": one thing with what stands before
      const infinitive = token.folded === "to" && words[at + 1]?.kind === "verb";
      if (at > 0 ? token.folded !== "of" : kind === "prep") name = infinitive ? INFINITIVE : token.folded;
      continue;
    }
    if (kind === "pron" || kind === "mark" || kind === "comma" || weightOf(token) === 0) continue;
    slots.set(name, [...(slots.get(name) ?? []), token]);
  }
  return slots;
}

/**
 * Two statements with one verb: "to staging on 4 June and to production on 11 June", "export for administrators and dark mode for
 * everybody", "Corvid had the highest throughput, Plinth the lowest cost".
 */
export function coordinated(clause: Clause, rest: readonly Word[]): Clause[] {
  for (const [at, { kind }] of rest.entries()) {
    if ((kind !== "and" && kind !== "comma") || rest[at + 1]?.kind === "and") continue;
    const [first, second] = [rest.slice(0, at), rest.slice(at + 1)];
    const held = splitSlots(first);
    const head = second.findIndex(({ kind: one }) => one === "prep");
    const noun = head < 0 ? second : second.slice(0, head);
    const more = noun.findIndex(({ kind: one }) => one === "comma" || one === "and" || one === "mark");
    if (more >= 0 && !noun.slice(0, more).some(({ token, kind: one }, place) => place > 0 && (one === "det" || isJoinedName(token.text))))
      continue;
    const own = splitSlots(second);
    const shared = head >= 0 && held.has(second[head]?.token.folded ?? "") && second[head]?.token.folded !== "of";
    const object = held.get("") ?? [];
    // "Plinth the lowest cost", "the content team media-bucket"
    const apart = noun.findIndex(
      ({ token, kind: one }, place) => place > 0 && noun[place - 1]?.kind === "noun" && (one === "det" || isJoinedName(token.text)),
    );
    const tokens = (list: readonly Word[]): Token[] =>
      list.filter(({ kind: one }) => one !== "mark" && one !== "comma").map(({ token }) => token);
    const rests = tokens(second);
    const mainTokens = clause.tokens.filter((token) => !rests.includes(token));
    const main: Clause = { ...clause, tokens: mainTokens, slots: without(clause.slots, rests) };
    if (shared && head === 0 && kind === "and") {
      const keep = new Map([...held].slice(0, [...held.keys()].indexOf(second[0]?.token.folded ?? "")));
      const other = {
        ...clause,
        own: false,
        slots: new Map([...keep, ...own]),
        tokens: [...clause.subject, ...clause.verbs, ...[...keep.values()].flat(), ...rests],
        link: "and",
      };
      return [main, ...coordinated(other, second)];
    }
    if (shared && head > 0 && object.length > 0 && noun.some((one) => weightOf(one.token) === 1)) {
      const other = { ...clause, own: false, slots: own, tokens: [...clause.subject, ...clause.verbs, ...rests], link: "and" };
      return [main, ...coordinated(other, second)];
    }
    const bare = noun.flatMap(({ token }) => (weightOf(token) === 1 ? [token] : []));
    if (shared && head > 0 && object.length === 0 && bare.length > 0) {
      const slots = splitSlots(second.slice(head));
      return [
        main,
        ...coordinated({ ...clause, subject: bare, own: true, slots, tokens: [...clause.verbs, ...rests], link: "" }, second.slice(head)),
      ];
    }
    if (apart > 0 && object.length > 0) {
      const subject = noun.slice(0, apart).flatMap(({ token }) => (weightOf(token) === 0 ? [] : [token]));
      const end = more < 0 ? second.length : more;
      const slots = splitSlots(second.slice(apart, end));
      const other = { ...clause, subject, own: true, slots, tokens: [...clause.verbs, ...tokens(second.slice(0, end))], link: "" };
      return [main, ...coordinated(other, second.slice(apart))];
    }
  }
  return [clause];
}

function without(slots: ReadonlyMap<string, readonly Token[]>, tokens: readonly Token[]): Map<string, readonly Token[]> {
  return new Map(
    [...slots]
      .map(([name, list]) => [name, list.filter((token) => !tokens.includes(token))] as const)
      .filter(([, list]) => list.length > 0),
  );
}
