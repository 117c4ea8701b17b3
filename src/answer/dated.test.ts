import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { chunkOf, passageOf } from "../../test/support/shapes.ts";
import type { Passage } from "../core/chunk.ts";
import { dayAsked, eventsOf, spellingsOf } from "./dated.ts";

function passage(text: string, heading: string[] = []): Passage {
  return passageOf(
    chunkOf("documents:a.md", text, { title: "a", heading, span: { record: "documents:a.md", start: 0, end: text.length } }),
  );
}

function told(question: string, ...passages: readonly Passage[]): string[] {
  const day = dayAsked(question);
  assert.ok(day);
  return eventsOf(day, passages).map(({ text }) => text);
}

describe("what happened on a day", () => {
  it("is asked for by name or number, in English and German", () => {
    assert.deepEqual(dayAsked("What happened on 3 March 2026?"), { year: 2026, month: 3, day: 3 });
    assert.deepEqual(dayAsked("What went wrong on March 3rd?"), { year: null, month: 3, day: 3 });
    assert.deepEqual(dayAsked("Was ist am 3. März 2026 passiert?"), { year: 2026, month: 3, day: 3 });
    assert.deepEqual(dayAsked("What was decided on 2026-03-03?"), { year: 2026, month: 3, day: 3 });
    assert.equal(dayAsked("Who called on 3 March 2026?"), null);
    assert.equal(dayAsked("What happened to the crane?"), null);
  });

  it("is told by sentences that hold the day in any spelling, not by those that it limits", () => {
    const text = passage(
      "The crane fell on 2026-03-03 at noon. The permit is valid until 3 March 2026. It was lifted again on 4 March 2026.",
    );

    assert.deepEqual(told("What happened on 3 March 2026?", text), ["The crane fell on 2026-03-03 at noon."]);
    assert.deepEqual(told("What happened on March 3?", text), ["The crane fell on 2026-03-03 at noon."]);
    assert.deepEqual(told("What happened on 3 March 2025?", text), []);
  });

  it("is told by the beginning of a text whose heading holds the day", () => {
    const report = passage("The crane fell into the harbour. Nobody was hurt.", ["Report of 03.03.2026"]);

    assert.deepEqual(told("What happened on 3 March 2026?", report), ["The crane fell into the harbour.", "Nobody was hurt."]);
  });

  it("is searched for in each spelling", () => {
    assert.deepEqual(spellingsOf({ year: 2026, month: 3, day: 3 }), ["3 March 2026", "3. März 2026", "2026-03-03"]);
  });
});
