import { sentencesOf } from "../core/sentences.ts";
import { type KnownNames, knownNames } from "./names.ts";
import { bareOfLess, negated } from "./polarity.ts";
import { type Token, tokensOf, weightOf } from "./tokens.ts";
import { type Value, valuesOf } from "./values.ts";

/** A text that a claim is held against. */
export interface EvidenceText {
  readonly title: string;
  readonly text: string;
  /** Names that the text is known to be about: headings, ends of the edges that brought it. */
  readonly about?: readonly string[];
}

/** One sentence of evidence, taken apart. */
export interface EvidenceSentence {
  readonly text: string;
  readonly tokens: readonly Token[];
  /** Stems of its words; the parts of joined ones too. */
  readonly stems: ReadonlySet<string>;
  readonly folded: ReadonlySet<string>;
  /** Stem to 1 (said), 2 (negated) or 3 (both). */
  readonly polarity: ReadonlyMap<string, number>;
  readonly values: readonly Value[];
  /** Starts a paragraph, list item or row: what stands before it is not about the same. */
  readonly opens: boolean;
  readonly passage: PassageWords;
  /** Values of the label that its paragraph begins with: "2.8.0 (3 April 2024): …", "09:14: …". */
  readonly label: readonly Value[];
}

/** What the sentences of one passage share. */
export interface PassageWords {
  /** Words of its title, its headings and what it is known to be about. */
  readonly above: readonly Token[];
  /** Stems of all its words, those above it too. */
  readonly stems: ReadonlySet<string>;
}

export interface Evidence {
  readonly sentences: readonly EvidenceSentence[];
  readonly titleStems: ReadonlySet<string>;
  readonly titleValues: readonly Value[];
  readonly titleTokens: readonly Token[];
  readonly titleText: string;
  readonly titled: boolean;
  readonly known: KnownNames;
  /** White space and case unified, for finding quotes. */
  readonly plain: string;
}

/** A sentence longer than this is cut: tables and menus without full stops. */
const LONGEST_SENTENCE = 80;
const CUT = 50;

/** Takes evidence apart, once for all claims that are held against it. */
export function readEvidence(texts: readonly EvidenceText[]): Evidence {
  const sentences: EvidenceSentence[] = [];
  const titles = texts.flatMap(({ title, about = [] }) => [title, ...about]).filter((title) => title !== "");
  const allTokens: Token[] = tokensOf(titles.join(". "));
  for (const { title, text, about = [] } of texts) {
    const above = tokensOf([title, ...about].join(". "));
    const passage = { above, stems: stemsOf([...above, ...tokensOf(text)]) };
    let previousEnd = 0;
    let label: readonly Value[] = [];
    for (const { start, end } of sentencesOf(text)) {
      const opens = previousEnd === 0 || text.slice(previousEnd, start).includes("\n");
      previousEnd = end;
      if (opens) label = labelOf(text.slice(start, end));
      for (const [at, piece] of pieces(text.slice(start, end)).entries()) {
        const sentence = readSentence(piece, opens && at === 0, passage, label);
        sentences.push(sentence);
        for (const token of sentence.tokens) allTokens.push(token);
      }
    }
  }
  const whole = [...titles, ...texts.map(({ text }) => text)].join("\n");
  const titleTokens = tokensOf(titles.join(". "));
  return {
    sentences,
    titleStems: stemsOf(titleTokens),
    titleValues: valuesOf(titles.join(". ")),
    titleTokens,
    titleText: titles.join(". "),
    titled: titles.length > 0,
    known: knownNames(whole, allTokens),
    plain: plainText(texts.map(({ text }) => text).join("\n")),
  };
}

/** Values before the first colon that a blank follows, where little stands before it. */
function labelOf(sentence: string): readonly Value[] {
  const label = /^.{1,40}?:(?=\s)/.exec(sentence)?.[0] ?? "";
  return label === "" ? [] : valuesOf(label);
}

function pieces(sentence: string): string[] {
  const words = sentence.split(/(?<=\s)/);
  if (words.length <= LONGEST_SENTENCE) return [sentence];
  const found: string[] = [];
  for (let from = 0; from < words.length; from += CUT) found.push(words.slice(from, from + CUT + 15).join(""));
  return found;
}

function readSentence(text: string, opens: boolean, passage: PassageWords, label: readonly Value[]): EvidenceSentence {
  const tokens = tokensOf(text);
  const parity = negated(tokens);
  const polarity = new Map<string, number>();
  for (const [at, token] of tokens.entries()) {
    if (token.mark) continue;
    for (const stem of stemsOfToken(token)) polarity.set(stem, (polarity.get(stem) ?? 0) | (parity[at] === 1 ? 2 : 1));
  }
  return {
    text,
    tokens,
    stems: stemsOf(tokens),
    folded: new Set(tokens.map((token) => token.folded)),
    polarity,
    values: valuesOf(text),
    opens,
    passage,
    label,
  };
}

function stemsOf(tokens: readonly Token[]): Set<string> {
  return new Set(tokens.flatMap((token) => (token.mark ? [] : stemsOfToken(token))));
}

/** A token's stem, the stems of its joined parts, and what "-less" says it lacks. */
export function stemsOfToken(token: Token): string[] {
  const stems = [token.stem];
  const bare = bareOfLess(token.folded);
  if (bare !== null) stems.push(bare);
  if (/[-/._:@]/.test(token.folded)) stems.push(...tokensOf(token.folded.replace(/[-/._:@]/g, " ")).map((part) => part.stem));
  return stems;
}

/** Stems of the words of content. */
export function contentStems(tokens: readonly Token[]): Set<string> {
  return new Set(tokens.flatMap((token) => (weightOf(token) > 0 ? stemsOfToken(token) : [])));
}

/** Words of content with their weights: what coverage is counted over. */
export function contentOf(tokens: readonly Token[]): { token: Token; weight: number }[] {
  return tokens.flatMap((token) => {
    const weight = weightOf(token);
    return weight > 0 ? [{ token, weight }] : [];
  });
}

/** White space, quotation marks, case and closing marks do not tell quotes apart. */
export function plainText(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/[“”«»]/g, '"')
    .replace(/[‘’]/g, "'")
    .replace(/\[(\d[\d,;\s–-]*)\]/g, "($1)")
    .replace(/\*\*|__|`/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();
}
