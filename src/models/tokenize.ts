import { readFileSync } from "node:fs";
import { Tokenizer } from "@huggingface/tokenizers";

export interface Encoded {
  readonly ids: readonly number[];
  /** 0 for the first text, 1 for the second. */
  readonly types: readonly number[];
}

/** A model's tokenizer, cut to what the model reads, the closing special token kept. */
export class ModelTokenizer {
  readonly #tokenizer: Tokenizer;
  readonly #maxTokens: number;

  constructor(tokenizer: string, config: string, maxTokens: number) {
    this.#tokenizer = new Tokenizer(JSON.parse(readFileSync(tokenizer, "utf8")), JSON.parse(readFileSync(config, "utf8")));
    this.#maxTokens = maxTokens;
  }

  encode(text: string): Encoded {
    const { ids } = this.#tokenizer.encode(this.#shorten(text));
    return { ids: this.#cut(ids), types: [] };
  }

  /** Question and passage as one input; a passage that is too long is cut, the question is kept. */
  encodePair(query: string, passage: string): Encoded {
    const { ids, token_type_ids: types } = this.#tokenizer.encode(this.#shorten(query), {
      text_pair: this.#shorten(passage),
      return_token_type_ids: true,
    });
    const cut = this.#cut(ids);
    return { ids: cut, types: cut.length === ids.length ? types : [...types.slice(0, cut.length - 1), types.at(-1) ?? 0] };
  }

  /** Ids of one word, without special tokens. */
  encodeWord(word: string): readonly number[] {
    return this.#tokenizer.encode(word, { add_special_tokens: false }).ids;
  }

  #cut(ids: readonly number[]): readonly number[] {
    if (ids.length <= this.#maxTokens) return ids;
    return [...ids.slice(0, this.#maxTokens - 1), ids.at(-1) ?? 0];
  }

  /** A token has at most a few dozen characters; what lies far beyond the limit need not be tokenized. */
  #shorten(text: string): string {
    return text.length > this.#maxTokens * 40 ? text.slice(0, this.#maxTokens * 40) : text;
  }
}
