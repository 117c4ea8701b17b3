/**
 * The Porter stemmer for English, words of ASCII letters only; every other word stays as it is.
 * @see M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980; with the author's two later departures
 * ("logi" to "log", "abli" by "bli"), as in his reference implementation.
 */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  let w = word;
  // plurals and -ed, -ing
  if (w.endsWith("sses") || w.endsWith("ies")) w = w.slice(0, -2);
  else if (w.endsWith("s") && !w.endsWith("ss")) w = w.slice(0, -1);

  if (w.endsWith("eed")) {
    if (measure(w.slice(0, -3)) > 0) w = w.slice(0, -1);
  } else if (w.endsWith("ed") && hasVowel(w.slice(0, -2))) w = tidy(w.slice(0, -2));
  else if (w.endsWith("ing") && hasVowel(w.slice(0, -3))) w = tidy(w.slice(0, -3));

  if (w.endsWith("y") && hasVowel(w.slice(0, -1))) w = `${w.slice(0, -1)}i`;
  w = replaceSuffix(w, doubleSuffixes);
  w = replaceSuffix(w, singleSuffixes);
  w = dropSuffix(w);

  if (w.endsWith("e")) {
    const rest = w.slice(0, -1);
    const m = measure(rest);
    if (m > 1 || (m === 1 && !endsConsonantVowelConsonant(rest))) w = rest;
  }
  if (w.endsWith("ll") && measure(w.slice(0, -1)) > 1) w = w.slice(0, -1);
  return w;
}

const doubleSuffixes: readonly (readonly [string, string])[] = [
  ["ational", "ate"],
  ["ization", "ize"],
  ["iveness", "ive"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["tional", "tion"],
  ["biliti", "ble"],
  ["entli", "ent"],
  ["ousli", "ous"],
  ["ation", "ate"],
  ["alism", "al"],
  ["aliti", "al"],
  ["iviti", "ive"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["izer", "ize"],
  ["alli", "al"],
  ["ator", "ate"],
  ["logi", "log"],
  ["bli", "ble"],
  ["eli", "e"],
];

const singleSuffixes: readonly (readonly [string, string])[] = [
  ["icate", "ic"],
  ["ative", ""],
  ["alize", "al"],
  ["iciti", "ic"],
  ["ical", "ic"],
  ["ness", ""],
  ["ful", ""],
];

const lastSuffixes: readonly string[] = [
  "ement",
  "ance",
  "ence",
  "able",
  "ible",
  "ment",
  "ant",
  "ent",
  "ism",
  "ate",
  "iti",
  "ous",
  "ive",
  "ize",
  "ion",
  "al",
  "er",
  "ic",
  "ou",
];

function replaceSuffix(word: string, table: readonly (readonly [string, string])[]): string {
  for (const [suffix, by] of table) {
    if (!word.endsWith(suffix)) continue;
    const rest = word.slice(0, -suffix.length);
    return measure(rest) > 0 ? rest + by : word;
  }
  return word;
}

function dropSuffix(word: string): string {
  for (const suffix of lastSuffixes) {
    if (!word.endsWith(suffix)) continue;
    const rest = word.slice(0, -suffix.length);
    if (suffix === "ion" && !rest.endsWith("s") && !rest.endsWith("t")) return word;
    return measure(rest) > 1 ? rest : word;
  }
  return word;
}

/** After -ed or -ing went: "hopp" to "hop", "fil" to "file", "conflat" to "conflate". */
function tidy(word: string): string {
  if (/(?:at|bl|iz)$/.test(word)) return `${word}e`;
  const last = word.at(-1);
  if (last === word.at(-2) && isConsonant(word, word.length - 1) && !/[lsz]$/.test(word)) return word.slice(0, -1);
  return measure(word) === 1 && endsConsonantVowelConsonant(word) ? `${word}e` : word;
}

function isConsonant(word: string, at: number): boolean {
  const letter = word[at];
  if (letter === "y") return at === 0 || !isConsonant(word, at - 1);
  return letter !== "a" && letter !== "e" && letter !== "i" && letter !== "o" && letter !== "u";
}

/** Number of vowel-consonant sequences: Porter's m. */
function measure(word: string): number {
  let m = 0;
  let afterVowel = false;
  for (let at = 0, consonant = false; at < word.length; at++) {
    consonant = word[at] === "y" ? at === 0 || !consonant : isConsonant(word, at);
    if (consonant && afterVowel) m++;
    afterVowel = !consonant;
  }
  return m;
}

function hasVowel(word: string): boolean {
  for (let at = 0, consonant = false; at < word.length; at++) {
    consonant = word[at] === "y" ? at === 0 || !consonant : isConsonant(word, at);
    if (!consonant) return true;
  }
  return false;
}

/** Ends consonant, vowel, consonant, the last not w, x or y. */
function endsConsonantVowelConsonant(word: string): boolean {
  const n = word.length;
  if (n < 3 || /[wxy]$/.test(word)) return false;
  return isConsonant(word, n - 1) && !isConsonant(word, n - 2) && isConsonant(word, n - 3);
}
