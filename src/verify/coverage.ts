import { holds, interrogative, isContent, loadParse, type Parsed } from "./asking.ts";
import { deedOf, general, openingOf } from "./gap.ts";
import { isSpokenOf } from "./spoken.ts";
import { type Token, tokensOf, weightOf } from "./tokens.ts";

/** A sentence and where it stands. */
export interface Placed {
  /** The sentence, behind the one that it leans on; a row of a table with its columns. */
  readonly text: string;
  /** What stands before those and only names what they are about. */
  readonly context: string;
  readonly isRow: boolean;
  /** The nearest heading. */
  readonly heading: string;
  /** Further headings, title, the record's name: what all of it is about. */
  readonly above: string;
}

/** How far a sentence accounts for what a question asks about. */
export interface Accounted {
  /**
   * What is asked about and not spoken of, for people; null where all of it is: what is asked for in the sentence or its heading, what it
   * is asked of there or in what stands above.
   */
  readonly unspoken: string | null;
  /** Nor is a verb missing. */
  readonly complete: boolean;
}

/** A question, to be held against sentences; none takes more than a fraction of a millisecond. */
export interface Coverage {
  of(placed: Placed): Accounted;
  /** Every word of content is the question's own: it tells who asks nothing. Never so for "Is it …?", which is answered by yes. */
  addsNothing(text: string): boolean;
}

export type ReadCoverage = (question: string) => Coverage;

/** Words of the asking: what they ask for is answered in other words ("how long", "what does it cost"), or by one of its kind ("which day"). */
const asking = new Set(
  (
    "i we you one please long often much many far back fast soon quickly old lange oft hoch groß weit schnell teuer high large big tall deep wide heavy cost costs price happen happens happened " +
    "kind type sort thing name term word way part place time moment number amount percentage percent share person people somebody someone " +
    "anybody overview outline summary step steps procedure instruction instructions runbook runbooks playbook postmortem post-mortem page pages doc docs " +
    "document documents documentation article guide manual handbook report wiki readme file files need needs mean means meaning service system application app maximum minimum max min default first last exactly currently usually " +
    "year years day days date month months week weeks hour hours minute minutes second seconds quarter january february march april may june july august " +
    "september october november december monday tuesday wednesday thursday friday saturday sunday " +
    "der die das den dem des ein eine einen einem einer eines ist sind war waren wird werden wurde wurden hat haben hatte kann darf muss soll nicht mit von vom zu zum zur bei beim " +
    "auf aus im und oder nach vor bis um ich wir man es er sie sich wann wie viel viele wieviel wieviele wer wen wem was wo warum welche welcher welches welchem welchen"
  ).split(" "),
);
const asksForDeed = /^(?:who|whom|when|where|how long|how often|how many times|(?:what|which) (?:year|day|date|time|month))\b/;
/** "Never restart both" tells no more of what then happens than "restart both". */
const emphatic = /^(?:never|always|please|note|important|warning)$/;
/** Where no verb tells what is asked for, the first noun does: "how long is the warranty". */
const asksForSubject = /^(?:when|where|how long|how often|(?:what|which) (?:year|day|date|time|month))\b/;

export async function loadCoverage(): Promise<ReadCoverage> {
  const parse = await loadParse();
  return (question) => {
    const asked = parse(question);
    const open = asked.tokens.some(({ folded }) => interrogative.test(folded));
    return {
      of: (placed) => accountedBy(asked, placed),
      addsNothing: (text) => {
        const isOwn = ({ stem, folded }: Token): boolean => emphatic.test(folded) || asked.tokens.some((token) => token.stem === stem);
        return open && tokensOf(text).every((token) => !isContent(token) || weightOf(token) < 1 || isOwn(token));
      },
    };
  };
}

function accountedBy(asked: Parsed, { text, context, isRow, heading, above }: Placed): Accounted {
  const said = tokensOf(text);
  const here = [...said, ...tokensOf(heading)];
  const everywhere = [...here, ...tokensOf(`${context}\n${above}`)];
  const isMissing = (token: Token, among: readonly Token[]): boolean => isNeeded(asked, token) && !isSpokenOf(token, among, asked.tokens);
  const verb = isRow ? null : deedOf(asked);
  const deed = asksForDeed.test(openingOf(asked)) ? verb : null;
  const { nouns, isCategory } = propertyOf(asked);
  const without = (unspoken: string): Accounted => ({ unspoken, complete: false });
  if (deed !== null && isMissing(deed, here)) return without(`nothing is said of "${deed.text}"`);
  const unsaid = nouns.find((token) => isMissing(token, here));
  // "which vessel" is answered by its name
  const isNamed =
    isCategory &&
    verb !== null &&
    !isMissing(verb, here) &&
    said.some((token) => token.capital && !token.initial && isContent(token) && !holds(asked.tokens, token));
  if (unsaid !== undefined && !isNamed) return without(`nothing is said of "${unsaid.text}"`);
  const others = asked.tokens.filter((token) => !nouns.includes(token) && isMissing(token, everywhere));
  const isVerb = ({ start }: Token): boolean => asked.kinds.get(start) === "verb";
  const subject = others.find((token) => !isVerb(token));
  if (subject !== undefined) return without(`it is not about "${subject.text}"`);
  return { unspoken: null, complete: others.every(({ folded }) => general.test(folded)) };
}

function isNeeded({ kinds }: Parsed, token: Token): boolean {
  return isContent(token) && weightOf(token) === 1 && kinds.has(token.start) && !asking.has(token.folded) && !/^\d/.test(token.text);
}

/**
 * The nouns that say what is asked for: "which port", "how many open tickets", "what is the notice period of", "how long does a restore
 * of the orders take". @returns isCategory: they name a kind of thing, one of which answers
 */
function propertyOf(asked: Parsed): { readonly nouns: readonly Token[]; readonly isCategory: boolean } {
  const { tokens, kinds } = asked;
  const isPart = (token: Token | undefined): boolean =>
    isContent(token) && kinds.has(token.start) && kinds.get(token.start) !== "verb" && isNeeded(asked, token);
  const phraseFrom = (from: number): readonly Token[] => {
    let to = from;
    while (isPart(tokens[to])) to += 1;
    return tokens.slice(from, to);
  };
  const open = tokens.findIndex(({ folded }) => interrogative.test(folded));
  const [word = "", next = "", after] = open < 0 ? [] : tokens.slice(open).map(({ folded }) => folded);
  if (word === "how" && /^(?:many|much)$/.test(next)) return { nouns: phraseFrom(open + 2), isCategory: false };
  if (/^(?:what|which)$/.test(word) && /^(?:is|are|was|were)$/.test(next) && after === "the") {
    const nouns = phraseFrom(open + 3);
    return { nouns: /^(?:of|for|in|on)$/.test(tokens[open + 3 + nouns.length]?.folded ?? "") ? nouns : [], isCategory: false };
  }
  const asksFor = /^(?:what|which)$/.test(word) ? phraseFrom(open + 1) : [];
  if (asksFor.length > 0) return { nouns: asksFor, isCategory: word === "which" };
  if (!asksForSubject.test(openingOf(asked)) || deedOf(asked) !== null) return { nouns: [], isCategory: false };
  const nouns = phraseFrom(tokens.findIndex((token, at) => at > open && isPart(token)));
  // "the alarm FarmDown": a name says which one
  return { nouns: nouns.filter(({ text, start }) => kinds.get(start) !== "proper" && !/.[\p{Lu}\d]/u.test(text)), isCategory: false };
}
