import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BoundedCache } from "./bounded-cache.ts";

describe("a bounded cache", () => {
  it("keeps what was used last within its weight", () => {
    const cache = new BoundedCache<string>(10);
    cache.set("a", "A", 4);
    cache.set("b", "B", 4);
    assert.equal(cache.get("a"), "A");
    cache.set("c", "C", 4);
    cache.set("huge", "H", 11);

    assert.equal(cache.get("b"), undefined);
    assert.equal(cache.get("a"), "A");
    assert.equal(cache.get("c"), "C");
    assert.equal(cache.get("huge"), undefined);
  });
});
