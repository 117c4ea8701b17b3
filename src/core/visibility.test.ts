import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { RecordFields, RecordId, SourceKind, SourceRecord } from "./record.ts";
import { placeOf, type Viewer, Visibility, type VisibleTo } from "./visibility.ts";

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

  it('are those that "/" names, where no place within is named', () => {
    const rule = { "/": ["sre"], open: ["dev"] };

    assert.deepEqual(seen(rule, of("dev"), ["docs/a", "docs/open", ""]), [false, true, false]);
    assert.deepEqual(seen(rule, of("sre"), ["docs/a", "docs/open", ""]), [true, false, true]);
  });

  it("are those of every other place where it is not named, else everybody", () => {
    assert.deepEqual(seen({ SEC: ["sre"], "*": ["dev"] }, of("dev"), ["SEC", "SHOP", ""]), [false, true, true]);
    assert.deepEqual(seen({ SEC: ["sre"] }, of(), ["SEC", "SHOP"]), [false, true]);
    assert.deepEqual(seen(["sre"], of("dev"), ["SEC", "SHOP"]), [false, false]);
  });
});

describe("the place of a record", () => {
  const record = (id: RecordId, source: SourceKind, fields: RecordFields = {}): SourceRecord => ({
    id,
    source,
    fields,
    kind: "page",
    title: "",
    body: "",
    proseEnd: 0,
    url: null,
    author: null,
    bot: false,
    createdAt: null,
    updatedAt: "2026-01-01T00:00:00Z",
  });

  it("is what its source states: a space, a project, a repository", () => {
    assert.equal(placeOf(record("confluence:page:1", "confluence", { space: "OPS" })), "OPS");
    assert.equal(placeOf(record("jira:OLD-7", "jira", { key: "SEC-7" })), "SEC");
    assert.equal(placeOf(record("jira:SEC-7", "jira")), "SEC");
    assert.equal(placeOf(record("github:issue:shop#7", "github", { repository: "acme/shop" })), "acme/shop");
    assert.equal(placeOf(record("statuspage:1", "documents", { repository: "acme/shop" })), "acme/shop");
  });

  it("is the folder of a document or a log, and none where nothing is stated", () => {
    assert.equal(placeOf(record("doc:docs/hr/plan.md", "documents")), "docs/hr");
    assert.equal(placeOf(record("log:loki/cart:3", "logs")), "loki");
    assert.equal(placeOf(record("doc:plan.md", "documents")), "");
    assert.equal(placeOf(record("confluence:a/b", "confluence")), "");
  });
});
