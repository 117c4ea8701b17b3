import { BoundedCache } from "../core/bounded-cache.ts";
import { foldWord } from "../core/words.ts";

/** What the tagger says of a word that claims are cut and names are found by. */
export interface Tagged {
  readonly start: number;
  readonly end: number;
  readonly verb: boolean;
  /** Auxiliary or copula: a verb that says little by itself. */
  readonly auxiliary: boolean;
  readonly proper: boolean;
  readonly pronoun: boolean;
  /** A noun, name or value. */
  readonly noun: boolean;
  readonly gerund: boolean;
  readonly adverb: boolean;
}

export type Tagger = (sentence: string) => readonly Tagged[];

/** Characters of sentences whose tags are kept: one claim is read several times, and the same records make the same claims. */
const KEPT = 500_000;

/**
 * Part-of-speech tags by compromise (rules and a lexicon of general English, no model). Loaded at first use, since it takes
 * a quarter of a second and most commands verify nothing.
 */
export async function loadTagger(): Promise<Tagger> {
  const { default: nlp } = await import("compromise/two");
  const known = new BoundedCache<readonly Tagged[]>(KEPT);
  return (sentence) => {
    const tagged = known.get(sentence) ?? tag(sentence);
    known.set(sentence, tagged, sentence.length);
    return tagged;
  };

  function tag(sentence: string): readonly Tagged[] {
    const tagged: Tagged[] = [];
    for (const { terms } of nlp(sentence).json({ offset: true }) as { terms: Term[] }[]) {
      for (const { tags, offset, text } of terms) {
        if (offset === undefined || text === "") continue;
        const has = (tag: string): boolean => tags.includes(tag);
        const verb = has("Verb") && !has("Adjective");
        tagged.push({
          start: offset.start,
          end: offset.start + offset.length,
          verb: verb && !has("Gerund"),
          auxiliary: verb && (has("Copula") || has("Auxiliary") || has("Modal")),
          proper: has("ProperNoun") || has("Place") || has("Organization"),
          pronoun: has("Pronoun") || pronouns.has(foldWord(text)),
          noun: has("Noun") || has("Value"),
          gerund: has("Gerund"),
          adverb: has("Adverb"),
        });
      }
    }
    return tagged;
  }
}

interface Term {
  readonly text: string;
  readonly tags: readonly string[];
  readonly offset?: { readonly start: number; readonly length: number };
}

export const pronouns: ReadonlySet<string> = new Set(
  "he she it they his her its their him them this these that those who which".split(" "),
);
