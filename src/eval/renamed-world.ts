import type { Json, SourceRecord } from "../core/record.ts";
import type { World } from "./ground-truth.ts";

/** Words in names that say what kind of thing it is; they stay, as they would in any other company. */
const kindWords = new Set(
  "service server ui app api db demo the web shop store feature flag flags editor edge order orders queue database mock session cache proxy native docs team gateway cluster chat bot ai telemetry collector".split(
    " ",
  ),
);

/**
 * The same world with other names: every service, person and ticket project gets random words of the same length, so that
 * all offsets stay right. What is measured on it tells whether any rule is keyed to a name.
 */
export function renamed(world: World, seed: number): World {
  const random = randomOf(seed);
  const words = new Map<string, string>();
  const exact = new Map<string, string>();
  const rename = (word: string, into: Map<string, string>): void => {
    const key = word.toLowerCase();
    if (key.length > 1 && !kindWords.has(key) && !into.has(key)) into.set(key, pseudoWord(key.length, random));
  };
  for (const [service, aliases] of Object.entries(world.hints.aliases)) {
    for (const name of [service, ...aliases]) {
      for (const word of name.split(/[^\p{L}]+/u)) {
        const stem = word.replace(/service$/i, "").toLowerCase();
        rename(stem, stem.length > 3 ? words : exact);
      }
    }
  }
  for (const entity of world.entities) {
    if (entity.kind !== "engineer") continue;
    for (const word of `${entity.label ?? ""} ${entity.login ?? ""}`.split(/[^\p{L}'’]+/u)) {
      const parts = word.split(/['’]/).filter((part) => part !== "");
      for (const part of parts) if (part.length > 1) rename(part, exact);
      // "O'Brien" is "obrien" in ids
      if (parts.length > 1)
        exact.set(
          parts.join("").toLowerCase(),
          parts
            .map((part) => exact.get(part.toLowerCase()) ?? part)
            .join("")
            .toLowerCase(),
        );
    }
  }
  const projects = new Map<string, string>();
  for (const entity of world.entities) {
    const project = /^ticket:([A-Z]+)-\d+$/.exec(entity.id)?.[1];
    if (project !== undefined && !projects.has(project)) projects.set(project, pseudoWord(project.length, random).toUpperCase());
  }
  const folded = new Map([...exact].map(([word, by]) => [foldLetters(word), by]));
  const text = replacer(words, new Map([...folded, ...exact]), projects);
  return {
    ...world,
    records: world.records.map((record) => deep(record as unknown as Json, text) as unknown as SourceRecord),
    hints: {
      aliases: deep(world.hints.aliases as unknown as Json, text, true),
      sourcePaths: deep(world.hints.sourcePaths as unknown as Json, text, true),
    } as unknown as World["hints"],
    edges: deep(world.edges as unknown as Json, text) as unknown as World["edges"],
    optional: deep(world.optional as unknown as Json, text) as unknown as World["optional"],
    nonEdges: deep(world.nonEdges as unknown as Json, text) as unknown as World["nonEdges"],
    entities: deep(world.entities as unknown as Json, text) as unknown as World["entities"],
    aliasTests: [],
    inScope: scopeBy(world, text),
  };
}

function scopeBy(world: World, text: (value: string) => string): World["inScope"] {
  const before = new Map(world.records.map((record) => [text(record.id), record.id as string]));
  return (record, kind) => world.inScope(before.get(record) ?? record, kind);
}

function foldLetters(word: string): string {
  return word.normalize("NFKD").replace(/\p{Mn}+/gu, "");
}

function replacer(
  words: ReadonlyMap<string, string>,
  exact: ReadonlyMap<string, string>,
  projects: ReadonlyMap<string, string>,
): (value: string) => string {
  // a plural keeps its stem's new name: "payments" and "payment" stay one word apart
  const longest = [...words.keys()]
    .filter((word) => !(word.endsWith("s") && words.has(word.slice(0, -1))))
    .sort((a, b) => b.length - a.length);
  const parts = new RegExp(longest.join("|"), "giu");
  const inWords = (value: string): string => value.replace(parts, (match) => cased(match, words.get(match.toLowerCase()) ?? match));
  return (value) => {
    const keyed = value.replace(/\b([A-Z]{2,10})(?=-\d)/g, (match) => projects.get(match) ?? match);
    // whole words first, so that a person called Carter keeps no trace of the cart
    return keyed
      .split(/([\p{L}\p{N}]+)/u)
      .map((piece) => {
        if (/^[0-9a-f]{6,64}$/.test(piece) && /\d/.test(piece)) return piece;
        const own = exact.get(piece.toLowerCase());
        if (own !== undefined) return cased(piece, own);
        const short = /^(\p{L}{2,3})(s|service)$/iu.exec(piece);
        const by = short?.[1] === undefined ? undefined : exact.get(short[1].toLowerCase());
        if (short !== null && by !== undefined && short[1] !== undefined) return cased(short[1], by) + (short[2] ?? "");
        return inWords(piece);
      })
      .join("");
  };
}

function cased(like: string, word: string): string {
  if (like.length > 1 && like === like.toUpperCase()) return word.toUpperCase();
  return like[0] === like[0]?.toUpperCase() ? word.charAt(0).toUpperCase() + word.slice(1) : word;
}

/** @param names whether an object's keys are names too, as in the manifest, rather than fields */
function deep(value: Json, text: (value: string) => string, names = false): Json {
  if (typeof value === "string") return text(value);
  if (Array.isArray(value)) return value.map((one) => deep(one as Json, text, names));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [names ? text(key) : key, deep(one as Json, text, names)]));
}

/** Letters that no English word has together, so that a new name is never an everyday word. */
function pseudoWord(length: number, random: () => number): string {
  const [consonants, vowels] = ["bdgklmnprtvz", "aeiou"];
  let word = "";
  for (let at = 0; at < length; at += 1) {
    const letters = at % 2 === 0 ? consonants : vowels;
    word += letters[Math.floor(random() * letters.length)] ?? "k";
  }
  return word;
}

/** @see Steele and others 2014, "Fast splittable pseudorandom number generators": the mixer of SplitMix32 */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
  };
}
