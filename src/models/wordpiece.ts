import { readFileSync } from "node:fs";

const unknown = 100;
const longestWord = 100;
/** Words remembered, some 5 MB: the common ones come first and make up nearly all of a text. */
const mostCached = 20_000;
/** Of a longer word V8 keeps no copy but the text that it was cut from, a passage for each. */
const longestCached = 12;

/** BERT's uncased WordPiece: the ids of a text, without special tokens. */
export class WordPiece {
  readonly #ids: ReadonlyMap<string, number>;
  readonly #cache = new Map<string, readonly number[]>();

  /** @param vocabulary file with one piece a line; the line's number is its id */
  constructor(vocabulary: string) {
    const lines = readFileSync(vocabulary, "utf8").split("\n");
    this.#ids = new Map(lines.map((line, i) => [line.replace(/\r$/, ""), i]));
  }

  encode(text: string, most: number): number[] {
    const ids: number[] = [];
    for (const word of basicTokens(text)) {
      ids.push(...this.#pieces(word));
      if (ids.length >= most) break;
    }
    return ids.slice(0, most);
  }

  #pieces(word: string): readonly number[] {
    const known = this.#cache.get(word);
    if (known !== undefined) return known;
    const pieces = this.#cut(word);
    if (this.#cache.size < mostCached && word.length <= longestCached) this.#cache.set(word, pieces);
    return pieces;
  }

  /** Greedy, longest piece first; a word that cannot be put together is unknown as a whole. */
  #cut(word: string): readonly number[] {
    if (word.length > longestWord) return [unknown];
    const pieces: number[] = [];
    for (let start = 0; start < word.length; ) {
      let end = word.length;
      let id: number | undefined;
      for (; end > start && id === undefined; end--) id = this.#ids.get((start > 0 ? "##" : "") + word.slice(start, end));
      if (id === undefined) return [unknown];
      pieces.push(id);
      start = end + 1;
    }
    return pieces;
  }
}

const token = /\p{Script=Han}|[^\s\p{P}$+<=>^`|~\p{Script=Han}\p{Cc}\p{Cf}]+|[\p{P}$+<=>^`|~]/gu;

function basicTokens(text: string): readonly string[] {
  return (
    text
      .normalize("NFD")
      .replace(/\p{Mn}/gu, "")
      .toLowerCase()
      .match(token) ?? []
  );
}
