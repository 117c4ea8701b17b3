import { sentencesOf } from "../core/sentences.ts";
import { stem } from "../core/stem.ts";
import { foldWord, isStopWord } from "../core/words.ts";

/** A word, number or joined name of a text ("checkout-api", "10:30", "O'Neal"), or a mark that ends a clause. */
export interface Token {
  readonly text: string;
  /** Lower case, without diacritics and possessive "'s". */
  readonly folded: string;
  readonly stem: string;
  readonly start: number;
  readonly end: number;
  /** Begins with a capital letter. */
  readonly capital: boolean;
  /** First word of its sentence, where a capital means nothing. */
  readonly initial: boolean;
  /** Comma, semicolon, bracket, dash: nothing a word could stand in. */
  readonly mark: boolean;
}

const shape = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:[-'’_./:@+#][\p{L}\p{N}]+)*|[,;:()[\]–—]|\s-{1,2}\s|[$€£%#&]/gu;
const possessive = /['’]s?$/;

/** Plurals and past forms that no suffix rule finds, by the form they are compared in. */
const irregular = new Map(
  (
    "children:child men:man women:woman people:person wives:wife lives:life feet:foot teeth:tooth mice:mouse won:win lost:lose losing:lose wrote:write " +
    "written:write writing:write made:make making:make began:begin begun:begin beginning:begin born:birth bore:birth died:die death:die dead:die dying:die " +
    "ran:run sold:sell sale:sell bought:buy built:build led:lead held:hold kept:keep left:leave sent:send went:go gone:go came:come took:take taken:take " +
    "gave:give given:give found:find founded:founder saw:see seen:see said:say told:tell knew:know known:know grew:grow grown:grow broke:break broken:break " +
    "fell:fall fallen:fall rose:rise risen:rise spoke:speak spoken:speak chose:choose chosen:choose choice:choose drove:drive driven:drive sang:sing " +
    "sung:sing song:song met:meet paid:pay payment:pay shot:shoot spent:spend taught:teach thought:think understood:understand wore:wear worn:wear " +
    "became:become relied:rely failure:fail failed:fail relies:rely"
  )
    .split(" ")
    .map((pair) => pair.split(":") as [string, string]),
);

/** Words as they are written, a blank between them. */
export function worded(tokens: readonly Token[]): string {
  return tokens.map(({ text }) => text).join(" ");
}

/** The base form of an irregular plural or past form: "taught" to "teach"; any other word as it is. */
export function baseOf(folded: string): string {
  return irregular.get(folded) ?? folded;
}

/** The form in which words are compared: irregular forms unified, then stemmed; British and American spellings are one. */
export function stemOf(folded: string): string {
  const regular = irregular.get(folded) ?? folded;
  return stem(
    regular
      .replace(/our(?=s?$|less|ed$|ful)/, "or")
      .replace(/is(?=e[sd]?$|ing$|ation)/, "iz")
      .replace(/metre/, "meter")
      .replace(/centre/, "center"),
  );
}

export function tokensOf(text: string): Token[] {
  const starts = new Set(sentencesOf(text).map(({ start }) => start));
  const ordered = [...starts].sort((a, b) => a - b);
  const tokens: Token[] = [];
  let sentence = 0;
  let opened = false;
  for (const match of text.matchAll(shape)) {
    const start = match.index;
    while (sentence < ordered.length && (ordered[sentence] ?? 0) <= start) {
      opened = true;
      sentence += 1;
    }
    const raw = match[0];
    const mark = !/[\p{L}\p{N}$€£%#&]/u.test(raw);
    const folded = foldWord(raw).replace(possessive, "");
    tokens.push({
      text: raw,
      folded,
      stem: stemOf(folded),
      start,
      end: start + raw.length,
      capital: /^\p{Lu}/u.test(raw),
      initial: opened && !mark,
      mark,
    });
    if (!mark) opened = false;
  }
  return tokens;
}

/** Words that carry little of what a sentence says: stop words, auxiliaries and words that fit anywhere. */
const light = new Set(
  (
    "have has had having do does did done be been being is are was were may might must shall can could would should will get gets got also then thus however " +
    "therefore indeed currently typically generally usually often additionally furthermore moreover overall finally various several many much lot lots one ones " +
    "kind sort type form part way thing things example instance including include includes included etc called named known like within across along among upon " +
    "via per since because so if when where while whereas although though despite even still yet just quite rather really actually already around about " +
    "approximately nearly roughly almost due based us it's there's made make makes used use uses using without against another other others well s t " +
    "located known became become becomes despite fact moreover said says according new year years time times day during first year"
  ).split(" "),
);

/** How much of a sentence's meaning a word carries: 0 for function words, 0.4 for words that fit anywhere, 1 for the rest. */
export function weightOf(token: Token): number {
  if (token.mark || token.folded === "") return 0;
  // a stop word for the sake of "won't"
  if (token.folded === "won") return 1;
  if (isStopWord(token.folded) && !token.capital) return 0;
  if (isStopWord(token.folded) && token.initial) return 0;
  if (isStopWord(token.folded) && token.text.length > 3) return 0;
  if (/n['’]t$/.test(token.text)) return 0;
  if (light.has(token.folded)) return 0.4;
  return 1;
}
