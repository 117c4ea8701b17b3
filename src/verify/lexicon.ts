import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { baseOf } from "./tokens.ts";

const kinds = ["noun", "verb", "adjective", "adverb"] as const;
type Kind = (typeof kinds)[number];

/** How one word stands to another in a dictionary of general English. */
export type WordRelation =
  /** They share a meaning, or one is made from the other: "movie" and "film", "teach" and "teacher". */
  | "same"
  /** The first is what the second is a kind of: "animal" to "dog". */
  | "broader"
  | "narrower"
  | "opposite"
  /** The dictionary holds both, and none of the above: "physics" and "statistics". */
  | "apart"
  /** The dictionary lacks one. */
  | "unknown";

/** Relations of words, asked for in lower case, in any form. */
export interface Lexicon {
  relation(a: string, b: string): WordRelation;
  /** What kind of word both are first of all; null where they are not of one. */
  kind(a: string, b: string): Kind | null;
}

/** Steps from a meaning to a broader one: "dog", "canine", "carnivore". */
const MOST_STEPS = 3;

const file = fileURLToPath(new URL("../../models/wordnet/relations.txt", import.meta.url));
let loaded: Lexicon | null = null;

/** The bundled relations, made from WordNet 3.1 by `models/recipe/wordnet.mjs`; read at first use, a tenth of a second. */
export function loadLexicon(): Lexicon {
  loaded ??= readLexicon(readFileSync(file, "utf8"));
  return loaded;
}

/**
 * Parts with an empty line between them: antonyms, "a b" line by line; words of several kinds by the kind that they mostly are, a line a
 * kind; then for each kind its meanings, a line each: words, numbers of broader and of near meanings in base 36.
 */
export function readLexicon(text: string): Lexicon {
  const [pairs = "", mostly = "", ...meaningsByKind] = text.trimEnd().split("\n\n");
  const antonyms = new Map<string, string[]>();
  for (const line of pairs.split("\n")) {
    const [a = "", b = ""] = line.split(" ");
    antonyms.set(a, [...(antonyms.get(a) ?? []), b]);
    antonyms.set(b, [...(antonyms.get(b) ?? []), a]);
  }
  const kindOf = new Map<string, Kind>();
  const nouns = new Set<string>();
  const verbs = new Set<string>();
  const meanings: string[] = [];
  const meaningsOf = new Map<string, number[]>();
  for (const [index, lines] of meaningsByKind.entries()) {
    for (const line of lines.split("\n")) {
      for (const word of line.slice(0, line.indexOf("|")).split(" ")) {
        const known = meaningsOf.get(word);
        if (known === undefined) meaningsOf.set(word, [meanings.length]);
        else known.push(meanings.length);
        kindOf.set(word, kinds[index] ?? "noun");
        if (index === 0) nouns.add(word);
        if (index === 1) verbs.add(word);
      }
      meanings.push(line);
    }
  }
  for (const [index, words] of mostly.split("\n").entries()) for (const word of words.split(" ")) kindOf.set(word, kinds[index] ?? "noun");
  const part = (at: number, column: number): string => meanings[at]?.split("|")[column] ?? "";
  const broader = (at: number): number[] => numbersIn(part(at, 1));
  const beside = (at: number): number[] => numbersIn(part(at, 2));
  const above = (from: readonly number[]): Set<number> => {
    const found = new Set<number>();
    let edge = from;
    for (let step = 0; step < MOST_STEPS; step += 1) {
      edge = edge.flatMap(broader).filter((at) => !found.has(at));
      for (const at of edge) found.add(at);
    }
    return found;
  };
  const relate = (a: string, b: string): WordRelation => {
    if (a === b) return "same";
    if (antonyms.get(a)?.includes(b) === true) return "opposite";
    const [ours, theirs] = [meaningsOf.get(a), meaningsOf.get(b)];
    if (ours === undefined || theirs === undefined) return "unknown";
    const held = new Set(theirs);
    const near = ours.flatMap(beside);
    if ([...ours, ...near].some((at) => held.has(at))) return "same";
    // a word that is near one of two opposites: "huge", beside "large", and "small"
    if (
      near.some((at) =>
        part(at, 0)
          .split(" ")
          .some((word) => antonyms.get(word)?.includes(b) === true),
      )
    )
      return "opposite";
    if (near.some((at) => beside(at).some((other) => held.has(other)))) return "same";
    if ([...above(theirs)].some((at) => ours.includes(at))) return "broader";
    return [...above(ours)].some((at) => held.has(at)) ? "narrower" : "apart";
  };
  const known = new Map<string, WordRelation>();
  const formsOf = (word: string): string[] => baseFormsOf(word).filter((form) => meaningsOf.has(form));
  const mainKind = (word: string): Kind | null => {
    const forms = formsOf(word);
    // "archived", "broken": a form of a verb, whatever else it is
    if (/(?:ed|ing|en)$/.test(word) && forms.some((one) => one !== word && verbs.has(one))) return "verb";
    return kindOf.get(forms.find((one) => one !== word && kindOf.get(one) === "verb") ?? forms[0] ?? "") ?? null;
  };
  return {
    kind(a, b) {
      const [ours, theirs] = [mainKind(a), mainKind(b)];
      if (ours === theirs) return ours;
      // "finance" and "load" are verbs too
      return nouns.has(a) && nouns.has(b) ? "noun" : null;
    },
    relation(a, b) {
      const key = `${a} ${b}`;
      const before = known.get(key);
      if (before !== undefined) return before;
      const found = new Set(formsOf(a).flatMap((one) => formsOf(b).map((other) => relate(one, other))));
      const relation = a === b ? "same" : (order.find((one) => found.has(one)) ?? "unknown");
      known.set(key, relation);
      return relation;
    },
  };
}

/** Of several readings the one that makes the least of a difference. */
const order = ["same", "opposite", "broader", "narrower", "apart"] as const;

/** What a word in another form may be a form of: "stored" of "store", "stopped" of "stop", "taught" of "teach". */
function baseFormsOf(word: string): string[] {
  const forms = new Set([word, baseOf(word)]);
  for (const [ending, others] of endings) {
    if (!word.endsWith(ending) || word.length - ending.length < 2) continue;
    const stem = word.slice(0, -ending.length);
    for (const other of others) forms.add(stem + other);
    if (stem.at(-1) === stem.at(-2)) forms.add(stem.slice(0, -1));
  }
  return [...forms];
}

const endings: readonly (readonly [string, readonly string[]])[] = [
  ["ies", ["y"]],
  ["es", ["", "e"]],
  ["s", [""]],
  ["ied", ["y"]],
  ["ed", ["", "e"]],
  ["ing", ["", "e"]],
  ["er", ["", "e"]],
  ["est", ["", "e"]],
];

function numbersIn(list: string): number[] {
  return list === "" ? [] : list.split(",").map((digits) => Number.parseInt(digits, 36));
}
