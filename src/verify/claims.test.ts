import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { piecesOf } from "./claims.ts";
import { loadTagger, type Tagger } from "./grammar.ts";

let tag: Tagger;
before(async () => {
  tag = await loadTagger();
});

describe("the pieces of a long sentence", () => {
  it("begin where a second statement does", () => {
    assert.deepEqual(piecesOf("The cart service lost its cache at noon and checkout refused all orders.", tag), [
      "The cart service lost its cache at noon",
      "checkout refused all orders.",
    ]);
  });

  it("are not cut within a title in brackets", () => {
    const sentence = "The open ticket is SHOP-7 (Checkout drops the cents of orders and shipping costs are doubled).";

    assert.deepEqual(piecesOf(sentence, tag), [sentence]);
  });
});
