import { marksOf, withoutMarks } from "../answer/marks.ts";
import type { Answer } from "../core/answer.ts";
import { sentencesOf } from "../core/sentences.ts";
import { terms } from "../core/words.ts";
import { plainText } from "../verify/evidence.ts";
import { type Damage, damaged, draftOf, right, type Source, type Written } from "./damage.ts";
import { pick, randomFrom } from "./random.ts";
import type { ChatRequest } from "./scripted-model.ts";

const LEAST_SOURCES = 2;

/**
 * A model that reads the sources out of its prompt, and answers as it was told to. As corrector it repeats itself; as judge it calls
 * everything faithful ("trusting"), or rejects what holds a sentence of which the cited sources lack too many words ("words").
 */
export class Liar {
  sentences: readonly Written[] | null = null;
  /** What it was given to answer from. */
  sources: readonly Source[] = [];
  readonly #judge: "trusting" | "words";
  #damage: Damage | null = null;
  #seed = 0;

  constructor(judge: "trusting" | "words" = "trusting") {
    this.#judge = judge;
  }

  next(damage: Damage | null, seed: number): void {
    this.sentences = null;
    this.#damage = damage;
    this.#seed = seed;
  }

  reply({ messages }: ChatRequest): string {
    const [system = "", user = ""] = messages.map(({ content }) => content ?? "");
    if (system.startsWith("You check an answer")) {
      const claims = this.#judge === "trusting" ? [] : strangers(user);
      return JSON.stringify({ verdict: claims.length === 0 ? "FAITHFUL" : "HALLUCINATION", claims });
    }
    if (system.startsWith("Some sentences of an answer")) return this.#insist();
    if (!system.startsWith("You answer questions")) return "I have nothing to add.";
    if (this.sentences === null) {
      this.sources = sourcesIn(user);
      this.sentences = this.#write(this.sources);
    }
    return this.sentences === null ? "INSUFFICIENT" : draftOf(this.sentences);
  }

  #write(sources: readonly Source[]): Written[] | null {
    const random = randomFrom(this.#seed);
    if (sources.length < LEAST_SOURCES) return null;
    const sentences: Written[] = [];
    const wanted = 2 + Math.floor(random() * 2);
    for (let tries = 0; sentences.length < wanted && tries < 30; tries += 1) {
      const source = pick(sources, random);
      const sentence = source === undefined ? null : right(source, random);
      if (sentence !== null && !sentences.some(({ text }) => text === sentence.text)) sentences.push(sentence);
    }
    if (sentences.length === 0) return null;
    if (this.#damage === null) return sentences;
    for (let tries = 0; tries < 30; tries += 1) {
      const at = Math.floor(random() * sentences.length);
      const spoilt = damaged(this.#damage, sentences[at] as Written, sources, random);
      if (spoilt !== null) return sentences.with(at, spoilt);
    }
    return null;
  }

  /** Sends the wrong sentence once more, as the revision of whatever was asked about. */
  #insist(): string {
    const wrong = this.sentences?.find(({ damage }) => damage !== null);
    const revisions = (this.sentences ?? []).flatMap((sentence, index) =>
      sentence === wrong ? [{ sentence: index + 1, text: draftOf([{ ...sentence, text: `Indeed, ${sentence.text}` }]) }] : [],
    );
    return JSON.stringify({ revisions });
  }
}

const shape = /^\[(\d+)\] \(from: (.*), chunk \d+ of \d+(?:, page \d+)?\)\n<<<(\S+)\n([\s\S]*?)\n\3>>>$/gm;

function sourcesIn(prompt: string): Source[] {
  return [...prompt.matchAll(shape)].map((match) => ({ n: Number(match[1]), title: match[2] ?? "", text: match[4] ?? "" }));
}

const LEAST_SHARED = 0.8;

/** Sentences of the answer to check of which the sources they cite hold less than this share of the words. */
function strangers(prompt: string): string[] {
  const answer = /Answer to check:\n<<<(\S+)\n([\s\S]*?)\n\1>>>/.exec(prompt)?.[2] ?? "";
  const sources = new Map(sourcesIn(prompt).map(({ n, title, text }) => [n, `${title} ${text}`]));
  return sentencesOf(answer).flatMap(({ start, end }) => {
    const sentence = answer.slice(start, end);
    const cited = marksOf(sentence).flatMap(({ numbers }) => numbers.map((n) => sources.get(n) ?? ""));
    const held = new Set(terms(cited.join(" ")));
    const words = terms(withoutMarks(sentence));
    return words.filter((word) => held.has(word)).length < LEAST_SHARED * words.length ? [sentence] : [];
  });
}

/** Which of the model's sentences stand in the answer that was shown. */
export function shownOf(sentences: readonly Written[], answer: Answer): Written[] {
  if (answer.status !== "answered" && answer.status !== "partial") return [];
  const shown = sentencesOf(answer.answer).map(({ start, end }) => {
    const sentence = answer.answer.slice(start, end);
    const numbers = marksOf(sentence).flatMap((mark) => mark.numbers);
    return {
      plain: bare(withoutMarks(sentence)),
      texts: answer.citations.filter(({ n }) => numbers.includes(n)).map(({ text }) => plainText(text)),
    };
  });
  return sentences.filter(({ text, quote = text, damage }) => {
    const plain = bare(text);
    const source = bare(quote);
    // a true sentence with a citation that is no good is wrong only as long as what it cites does not hold it
    const misplaced = damage === "wrongCitation" || damage === "inventedCitation";
    return shown.some((one) => {
      if (!one.plain.includes(plain)) return false;
      if (misplaced) return !one.texts.some((cited) => cited.includes(source));
      // the source's own sentence, of which the wrong one is a part ("… unless" left out)
      return damage === null || source === plain || !(source.includes(plain) && one.plain.includes(source));
    });
  });
}

function bare(text: string): string {
  return plainText(text).replace(/[.!?…]+$/, "");
}
