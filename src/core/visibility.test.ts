import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Viewer, Visibility, type VisibleTo } from "./visibility.ts";

const of = (...groups: string[]): Viewer => ({ groups });

/** Whether the viewer may see each place of a source with this rule, whose own folder is "docs". */
function seen(rule: VisibleTo, viewer: Viewer, places: readonly string[]): readonly boolean[] {
  const visibility = new Visibility([["a", rule]], new Map([["a", "docs"]]));
  return places.map((place) => visibility.seesPlace(viewer, { source: "a", place }));
}

describe("who may see a place", () => {
  it("are the groups of the most specific place that is named, when one lies in the other", () => {
    const rule = { acme: ["dev"], "acme/vault": ["sre"] };
    const places = ["acme/shop", "acme/vault", "acme/vault/keys", "other/shop"];

    assert.deepEqual(seen(rule, of("dev"), places), [true, false, false, true]);
    assert.deepEqual(seen(rule, of("sre"), places), [false, true, true, true]);
  });

  it("are those of both where a place lies in two that are apart", () => {
    const rule = { hr: ["people"], plans: ["leads"] };

    assert.deepEqual(seen(rule, of("people"), ["docs/hr", "docs/hr/plans"]), [true, false]);
    assert.deepEqual(seen(rule, of("people", "leads"), ["docs/hr/plans"]), [true]);
  });

  it("are told by a folder's name wherever it stands, and by one with a slash before it at the beginning only", () => {
    const places = ["docs/private", "docs/private/a", "docs/team/private", "docs/privateer", "docs/open"];

    assert.deepEqual(seen({ "private/": ["sre"] }, of(), places), [false, false, false, true, true]);
    assert.deepEqual(seen({ "/private/": ["sre"] }, of(), places), [false, false, true, true, true]);
    assert.deepEqual(seen({ "/docs/private": ["sre"] }, of(), places), [false, false, true, true, true]);
    assert.deepEqual(seen({ "./Docs/Private": ["sre"] }, of(), places), [false, false, true, true, true]);
  });

  it("are those of every other place where it is not named, else everybody", () => {
    assert.deepEqual(seen({ SEC: ["sre"], "*": ["dev"] }, of("dev"), ["SEC", "SHOP", ""]), [false, true, true]);
    assert.deepEqual(seen({ SEC: ["sre"] }, of(), ["SEC", "SHOP"]), [false, true]);
    assert.deepEqual(seen(["sre"], of("dev"), ["SEC", "SHOP"]), [false, false]);
  });
});
