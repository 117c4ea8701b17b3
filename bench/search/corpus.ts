/**
 * A generated corpus, the same on every machine: chunk n is made from n alone. 80 indexed words a chunk by Zipf's law
 * over 60,000 words with no stop word among them (the commonest word stands in nearly every chunk: harsher than prose),
 * every tenth chunk with a ticket key. Vectors are seeded, 384 dimensions around 2,000 centres: they say nothing about
 * quality, only about time and memory.
 */
import type { Chunk, Embedder } from "../../src/core/chunk.ts";
import type { RecordId } from "../../src/core/record.ts";
import { randomFrom } from "../../src/eval/random.ts";

export const dimensions = 384;
const words = 80;
const centreCount = 2000;
const keyEvery = 10;

const vocabulary = Array.from({ length: 60_000 }, (_, i) => `${"bcdfglmnprst"[i % 12]}${"aeiou"[i % 5]}${i.toString(36)}`);

/** A word by Zipf's law: the inverse of its distribution function, nearly. */
export function word(random: () => number): string {
  return vocabulary[Math.floor(vocabulary.length ** random()) - 1] ?? "";
}

export function textOf(n: number): string {
  const random = randomFrom(n);
  const text = Array.from({ length: words }, () => word(random)).join(" ");
  return n % keyEvery === 0 ? `${text} ${keyOf(n)}` : text;
}

export function keyOf(n: number): string {
  return `OPS-${n}`;
}

const centres = Array.from({ length: centreCount }, (_, i) => {
  const random = randomFrom(1_000_000_007 + i);
  return Float32Array.from({ length: dimensions }, () => random() - 0.5);
});

export function vectorOf(n: number): Float32Array {
  const random = randomFrom(2_000_000_011 + n);
  const centre = centres[Math.floor(random() * centreCount)] ?? new Float32Array(dimensions);
  const made = centre.map((component) => component + (random() - 0.5) * 0.8);
  let square = 0;
  for (const component of made) square += component * component;
  return made.map((component) => component / Math.sqrt(square));
}

export function chunkOf(n: number, text = textOf(n)): Chunk {
  const record = `documents:${n}` as RecordId;
  const more = { heading: [], page: null, revision: "1", title: "", source: "documents", kind: "file", url: null } as const;
  return {
    id: `${record}#1`,
    span: { record, start: 0, end: text.length },
    ordinal: 1,
    of: 1,
    text,
    updatedAt: "2026-03-01T00:00:00Z",
    ...more,
  };
}

/** Any text gives the next seeded vector. */
export function seededEmbedder(): Embedder {
  let next = -1;
  return { id: "seeded", dimensions, embed: async (texts) => texts.map(() => vectorOf(next--)) };
}

/** Kinds of questions, each made from a number. */
export function questionsOf(total: number): Readonly<Record<string, (n: number) => string>> {
  const five = (pick: (random: () => number) => string) => (n: number) => {
    const random = randomFrom(3_000_000_019 + n);
    return Array.from({ length: 5 }, () => pick(random)).join(" ");
  };
  return {
    "5 words": five(word),
    "5 of the 20 commonest": five((random) => vocabulary[Math.floor(random() * 20)] ?? ""),
    "a ticket key and 3 words": (n) => {
      const random = randomFrom(3_500_000_017 + n);
      const asked = Math.floor((random() * total) / keyEvery) * keyEvery;
      return `${word(random)} ${keyOf(asked)} ${word(random)} ${word(random)}`;
    },
  };
}
