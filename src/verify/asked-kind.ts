import { calendarWord, holds, interrogative, isContent, isSame, type Parsed } from "./asking.ts";
import { loadLexicon } from "./lexicon.ts";
import type { Token } from "./tokens.ts";

const people =
  /\b(?:who(?:ever)?|people|persons?|men|wom[ae]n|teams?|company|companies|users?|everyone|everybody|somebody|someone|anyone|anybody|nobody|group|committee|support|staff|owner|leader|lead|manager|engineer|developer|author|maintainer|reviewer|operator|customer|member|\w{3,}(?:ers|ors|ists|ians))\b|@/i;
const times =
  /\b(?:\d{4}|\d{1,2}:\d\d|january|february|march|april|may|june|july|august|september|october|november|december|century|decade|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|seconds?|minutes?|hours?|hourly|days?|daily|nights?|nightly|weeks?|weekly|months?|monthly|years?|yearly|annual|annually|today|yesterday|tomorrow|now|noon|midnight|afterwards|before|after|until|during|when|whenever|once|while|every|as soon as|if|within|at the (?:end|start|beginning))\b/i;
const numbers =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|\w{3,}ty-\w+|dozens?|hundreds?|thousands?|millions?|billions?|half|halves|quarter|once|twice|both|none|no|several|many|few|hourly|daily|nightly|weekly|monthly|yearly|fourth|fifth|sixth|seventh|eighth|ninth|tenth)\b/i;

const durations =
  /\d\s?(?:ms|s|min|m|h|d)\b|(?<!\d)\d{4}(?!\d)|\b(?:(?:milli|micro)?seconds?|minutes?|hours?|days?|nights?|weeks?|months?|years?|decades?|centur\w+|quarters?|until|till|since|from|through|throughout|forever|permanent\w*|indefinite\w*|never|always|overnight|while|when|as long as|end|short\w*|brief\w*)\b/i;
const priceAsked =
  /^how much (?:does|do|did|would|will) [^?]+ costs?\b|^what (?:does|do|did|would) [^?]+ costs?\b|^what (?:is|are|was|were) the (?:\p{L}+ )?(?:prices?|costs?|fees?)\b/iu;
const money =
  /[$€£¥]|\b(?:euros?|eur|usd|chf|gbp|dollars?|cents?|pounds?|francs?|millions?|billions?|gratis|free|prices?|costs?|fees?|paid|pays?)\b|_(?:eur|usd|chf|gbp)\b/i;
const frequencies =
  /\b(?:every|each|daily|nightly|hourly|weekly|monthly|quarterly|yearly|annual|annually|once|twice|times?|per|always|never|not|nobody|continuous\w*|regular\w*|often|seldom|rarely|rare|sometimes|usually|frequent\w*|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|days?|nights?|weeks?|months?|quarters?|years?|hours?|minutes?|seconds?|common\w*|occasional\w*|intervals?)\b/i;

const beingOrHaving = /^(?:is|are|was|were|has|have|had|and|will|can|may|must)$/;

/** "Which driver" asks for somebody. */
const somebody =
  /^(?:what|which) (?:customer|user|driver|player|engineer|developer|manager|owner|maintainer|author|reviewer|reporter|operator|person|people|member|shopper|buyer|visitor|courier|passenger|patient|student|teacher)s?\b/i;
const changeAsked = /^(?:what|which) (?:commit|revision|pull request|merge)s?\b/i;
/** A sha, or the number of a pull request. */
const changeNamed = /\b(?=[a-f]*\d)[0-9a-f]{7,40}\b|#\d/;

/**
 * Whether a sentence holds nothing of the kind that is asked for: nobody for "who", no time for "when" and "how long", no number for
 * "how many", no sha for "which commit". Of such a sentence no part can be the answer. Only the interrogative that opens the question
 * counts: "where forces act when …" asks for no time.
 */
export function lacksKind({ text: question, tokens: asked }: Parsed, { text, tokens, kinds }: Parsed): boolean {
  const inGerman = lacksKindInGerman(question, text);
  if (inGerman !== null) return inGerman;
  const at = openingAt(asked);
  const word = asked[at]?.folded;
  if (word === undefined) return false;
  const rest = question.slice(asked[at]?.start);
  if (changeAsked.test(rest)) return !changeNamed.test(text);
  if (/^who/.test(word) || somebody.test(rest)) {
    // "Returns a list" names nobody
    const isActor = (token: Token): boolean => {
      const kind = kinds.get(token.start);
      const next = tokens[tokens.indexOf(token) + 1];
      return (
        kind === "proper" ||
        // "Flights need …": a word of the language is no name for standing first
        (kind === "noun" &&
          loadLexicon().kind(token.folded, token.folded) === null &&
          (next === undefined || next.mark || next.capital || kinds.get(next.start) === "verb" || beingOrHaving.test(next.folded)))
      );
    };
    // "Take it out" names nobody, "Meera takes it out" does
    const isName = (token: Token): boolean =>
      token.capital && !calendarWord.test(token.folded) && (!token.initial || isActor(token) || /['’]s$/.test(token.text));
    const named = tokens.some((token) => isName(token) && isContent(token) && !holds(asked, token));
    const isCode = ({ start }: Token): boolean => text[start - 1] === "`";
    if (/^who (?:is|are|was|were) the\b/i.test(rest))
      return !named && !tokens.some(isJoinedName(asked, isCode)) && !/\b(?:team|group|crew|desk)\b|@/i.test(text);
    return !named && !people.test(text) && !tokens.some(isJoinedName(asked, isCode)) && !tokens.some(isDoer(asked, { tokens, kinds }));
  }
  if (priceAsked.test(question)) return !money.test(text);
  if (/^how often\b/i.test(rest)) return !frequencies.test(text);
  if (/^how long\b/i.test(rest)) return !durations.test(withoutShared(text, asked));
  if (word === "when" || /^how soon\b|^(?:what|which) (?:year|date|day|month|century|decade)s?\b/i.test(rest))
    return !times.test(text) && !numbers.test(withoutShared(text, asked));
  if (
    /^how (?:many|much|old|far|tall|fast|large|big|high)\b|^(?:what|which) (?:(?:is|are|was|were) the )?(?:[\p{L}-]+ ){0,2}(?:percentage|percent|number|amount|port|extension)\b/iu.test(
      rest,
    )
  )
    return !numbers.test(withoutShared(text, asked));
  return false;
}

/** Where the interrogative stands that opens the question, one word before it ("In which year") or a clause ("When it fails, who …"). */
function openingAt(asked: readonly Token[]): number {
  const at = asked.findIndex(({ folded }) => interrogative.test(folded));
  const behindClause = asked.findIndex((token, place) => place > at && token.mark && interrogative.test(asked[place + 1]?.folded ?? ""));
  if (at === 0 && behindClause > 0) return behindClause + 1;
  return at > 1 ? -1 : at;
}

/** "The help desk checks it": what stands before the verb that is asked of. */
function isDoer(asked: readonly Token[], { tokens, kinds }: Pick<Parsed, "tokens" | "kinds">): (token: Token, at: number) => boolean {
  const [, verb] = asked;
  return (token, at) => {
    const next = tokens[at + 1];
    return isContent(verb) && next !== undefined && isSame(verb, next) && kinds.get(token.start) === "noun" && !holds(asked, token);
  };
}

/** "j.keller", "jane_doe": a name that is written joined and is not in the question. */
function isJoinedName(asked: readonly Token[], isCode: (token: Token) => boolean): (token: Token) => boolean {
  return (token) => /^\p{L}+[_.]\p{L}+$/u.test(token.text) && !holds(asked, token) && !isCode(token);
}

/** The text without the numbers, and words for numbers, that the question gives itself. */
function withoutShared(text: string, asked: readonly Token[]): string {
  const given = new Set(asked.filter(({ folded }) => folded.length > 3 || /\d/.test(folded)).map(({ folded }) => folded));
  return text.replace(/[\p{L}\p{N}][\p{L}\p{N}.,:_-]*/gu, (word) => (given.has(word.replace(/[.,:]+$/, "").toLowerCase()) ? "" : word));
}

const german = {
  people:
    /\b(?:Herrn?|Frau|Dr\.|Prof\.|Firma|Team|Abteilung|Gruppe|Polizei|Feuerwehr|wir|ich)(?![\p{L}])|\p{L}{2,}(?:leitung|leiter|leiterin|chef|dienst|rat|amt|stelle|gruppe|team|wehr|beauftragte[rn]?|vertreter|meister|führer|führerin|arbeiter|arbeiterin|kräfte|personal|inhaber)(?![\p{L}])|(?<=\p{Ll},? )\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+/u,
  times:
    /\d|\b(?:uhr|sekunden?|minuten?|stunden?|tage?n?|täglich|nächte?|nachts|nächtlich|wochen?|wöchentlich|monate?n?|monatlich|quartal|jahre?n?|jährlich|morgens?|abends?|mittags?|mitternacht|heute|gestern|morgen|sofort|danach|nach|vor|bis|seit|während|wenn|sobald|immer|werktags|sonntags?|montags?|dienstags?|mittwochs?|donnerstags?|freitags?|samstags?|januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|frühjahr|sommer|herbst|winter|einmal|zweimal|dreimal)\b/i,
  numbers:
    /\d|\b(?:zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwanzig|dreißig|hundert|tausend|million(?:en)?|halb\w*|viertel|beide|kein\w*|mehrere|einmal|zweimal|dreimal|täglich|wöchentlich|monatlich|jährlich)\b/i,
};

/** The same for a question in German, told by its first word; null where it is none. */
function lacksKindInGerman(question: string, text: string): boolean | null {
  const [first = "", second = ""] = question.trim().toLowerCase().split(/\s+/);
  if (/^we(?:r|n|m)$/.test(first)) return !german.people.test(text);
  if (first === "wann") return !german.times.test(text);
  if (first === "wieviele" || first === "wieviel" || (first === "wie" && /^(?:viele?|hoch|groß|teuer|schnell|weit)$/.test(second)))
    return !german.numbers.test(text);
  if (first === "wie" && second === "alt") return !/\d|jahr|\balt\b|\bseit\b/i.test(text);
  if (first === "wie" && /^(?:lange|oft|spät)$/.test(second)) return !german.times.test(text);
  return null;
}
