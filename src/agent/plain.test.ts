import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { plainWords, rewordings } from "./plain.ts";

describe("plain words", () => {
  for (const { example } of rewordings) {
    it(`asks "${example[1]}" for "${example[0]}"`, () => assert.equal(plainWords(example[0]), example[1]));
  }

  it("leaves plain questions and names as they are", () => {
    for (const text of [
      "who owns ⟨service⟩?",
      "what changed in ⟨service⟩ since yesterday?",
      "why is ⟨service⟩ broken?",
      "who had the idea?",
      "is ⟨ticket⟩ a die-hard problem?",
    ])
      assert.equal(plainWords(text), text);
  });

  it("ends in linear time on long input", () => {
    const text = "was hat sich would suffer from ".repeat(2000);
    assert.ok(plainWords(text).length > 0);
  });
});
