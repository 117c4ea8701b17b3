import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeConfluence } from "../../../test/fakes/confluence.ts";
import { Shelf, undated } from "../../../test/support/pulls.ts";
import { ConfluenceConfig } from "./config.ts";
import { confluence } from "./index.ts";

const DAY_MS = 25 * 3_600_000;

/** A site, and pulls of it now and a day later: what no version of a page tells is looked at every sweepHours. */
async function site(count: number, more: object = {}) {
  const fake = await new FakeConfluence().start();
  fake.add(count);
  const block = { kind: "confluence", baseUrl: fake.url, email: "me@users.example", token: "t", spaces: ["OPS"], ...more };
  const config = ConfluenceConfig.parse(block);
  const shelf = new Shelf();
  let days = 0;
  const pull = async () => {
    const io = { now: () => new Date(Date.now() + days * DAY_MS), fetch: undated };
    const { added, changed, gone } = await shelf.pull(confluence, config, io);
    return [added, changed, gone];
  };
  const nextDay = async () => {
    days += 1;
    return pull();
  };
  await pull();
  fake.take();
  return { fake, shelf, pull, nextDay };
}

describe("what changes on a page without a new version of it", () => {
  it("is another title of a page above: seen by the next pull, in the pages below it", async () => {
    const { fake, shelf, pull } = await site(30);
    await using _ = fake;
    for (const index of [3, 4]) Object.assign(fake.pages[index] ?? {}, { parent: 1_000 });
    for (const index of [3, 4]) Object.assign(fake.pages[index] ?? {}, { updated: Date.UTC(2026, 5, 1) });
    await pull();

    Object.assign(fake.pages[0] ?? {}, { title: "Runbooks", updated: Date.UTC(2026, 5, 2) });

    assert.deepEqual(await pull(), [0, 3, 0]);
    assert.deepEqual(shelf.records.get("confluence:page:1004")?.fields.ancestors, ["Runbooks"]);
    fake.take();
    assert.deepEqual(await pull(), [0, 0, 0]);
    assert.ok(fake.take().length <= 5);
  });

  it("is another place in the tree: seen by the next pull", async () => {
    const { fake, shelf, pull } = await site(30);
    await using _ = fake;

    Object.assign(fake.pages[5] ?? {}, { parent: 1_002 });

    assert.deepEqual(await pull(), [0, 1, 0]);
    assert.deepEqual(shelf.records.get("confluence:page:1005")?.fields.ancestors, ["Page 1002"]);
    Object.assign(fake.pages[5] ?? {}, { parent: undefined });
    assert.deepEqual(await pull(), [0, 1, 0]);
  });

  it("is a label that was set or taken away: seen within sweepHours, and read for those pages only", async () => {
    const { fake, shelf, pull, nextDay } = await site(30);
    await using _ = fake;
    Object.assign(fake.pages[2] ?? {}, { labels: ["runbook", "redis"] });
    Object.assign(fake.pages[3] ?? {}, { labels: [] });

    assert.deepEqual(await pull(), [0, 0, 0]);
    fake.take();
    assert.deepEqual(await nextDay(), [0, 2, 0]);
    assert.equal(fake.take().filter(({ path }) => /\/pages\/\d+$/.test(path)).length, 2);
    assert.deepEqual(shelf.records.get("confluence:page:1002")?.fields.labels, ["redis", "runbook"]);
    assert.equal(shelf.records.get("confluence:page:1003")?.fields.labels, undefined);
    assert.deepEqual(await nextDay(), [0, 0, 0]);
  });

  it("is a deleted comment: seen within sweepHours", async () => {
    const { fake, shelf, pull, nextDay } = await site(5, { include: ["pages", "comments"] });
    await using _ = fake;
    const at = Date.UTC(2026, 5, 1);
    Object.assign(fake.pages[1] ?? {}, {
      comments: [
        { text: "The first.", at },
        { text: "The last.", at: at + 1, replies: [{ text: "No." }] },
      ],
    });
    assert.deepEqual(await pull(), [0, 1, 0]);

    Object.assign(fake.pages[1] ?? {}, { comments: [{ text: "The last.", at: at + 1, replies: [{ text: "No." }] }] });

    assert.deepEqual(await pull(), [0, 0, 0]);
    assert.deepEqual(await nextDay(), [0, 1, 0]);
    assert.ok(!shelf.records.get("confluence:page:1001")?.body.includes("The first."));
    assert.deepEqual(await nextDay(), [0, 0, 0]);
  });

  it("is a removed attachment: gone within sweepHours", async () => {
    const { fake, shelf, pull, nextDay } = await site(5, { include: ["pages", "attachments"] });
    await using _ = fake;
    const at = Date.UTC(2026, 5, 1);
    Object.assign(fake.pages[1] ?? {}, {
      files: [
        { id: "att1", title: "a.md", text: "A", at },
        { id: "att2", title: "b.md", text: "B", at },
      ],
    });
    assert.deepEqual(await pull(), [2, 0, 0]);

    Object.assign(fake.pages[1] ?? {}, { files: [{ id: "att2", title: "b.md", text: "B", at }] });

    assert.deepEqual(await pull(), [0, 0, 0]);
    assert.deepEqual(await nextDay(), [0, 0, 1]);
    assert.ok(shelf.records.has("confluence:attachment:att2"));
    assert.deepEqual(await nextDay(), [0, 0, 0]);
  });
});
