import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Sheet } from "./desk.ts";

describe("a sheet", () => {
  it("says a sentence once, whatever its capitals and its last stop", () => {
    const sheet = new Sheet();
    sheet.say("Till depends on Memcached.", [{ record: "page:a", start: 0, end: 4 }]);
    sheet.say("Till depends on memcached", [{ record: "page:b", start: 0, end: 4 }]);
    sheet.say("Till depends on memcached-2.", [{ record: "page:b", start: 0, end: 4 }]);
    assert.deepEqual(
      sheet.statements(9).map(({ text }) => text),
      ["Till depends on Memcached.", "Till depends on memcached-2."],
    );
  });
});
