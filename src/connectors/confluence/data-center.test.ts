import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeConfluenceDataCenter } from "../../../test/fakes/confluence-data-center.ts";
import { json } from "../../../test/fakes/server.ts";
import { failure, Shelf } from "../../../test/support/pulls.ts";
import { ConfluenceConfig } from "./config.ts";
import { confluence } from "./index.ts";

async function dataCenter(count: number, more: object = {}) {
  const fake = await new FakeConfluenceDataCenter().start();
  fake.add(count);
  const block = { kind: "confluence", deployment: "datacenter", baseUrl: fake.url, token: "personal", spaces: ["OPS"], ...more };
  const config = ConfluenceConfig.parse(block);
  const shelf = new Shelf();
  const pull = async () => {
    const { added, changed, gone } = await shelf.pull(confluence, config);
    return [added, changed, gone];
  };
  return { fake, config, shelf, pull };
}

const LATER = Date.UTC(2026, 5, 1);
const idsOf = (fake: FakeConfluenceDataCenter) => fake.pages.map(({ kind, id }) => `confluence:${kind}:${id}`).sort();

describe("the Confluence connector on Data Center", () => {
  it("pulls by position over REST v1 with a personal access token, and knows people, labels and the pages above", async () => {
    const { fake, shelf, pull } = await dataCenter(230);
    await using _ = fake;
    fake.add(3, "OPS", "blogpost");
    Object.assign(fake.pages[7] ?? {}, { parent: 1_006, labels: ["redis", "failover"] });

    await pull();

    assert.deepEqual([...shelf.records.keys()].sort(), idsOf(fake));
    const record = shelf.records.get("confluence:page:1007");
    assert.ok(
      record?.body.startsWith("Page 1007\n\nAbout 1007, see @Meera Iyer.\n\nSpace: Space OPS (OPS)\nUnder: Page 1006\nAuthor: Meera Iyer"),
    );
    assert.deepEqual(record?.fields.labels, ["failover", "redis"]);
    assert.equal(record?.url, `${fake.url}/pages/viewpage.action?pageId=1007`);
    assert.equal(record?.updatedAt, new Date(fake.pages[7]?.updated ?? 0).toISOString().replace(".000Z", "Z"));
    assert.ok(fake.requests.every(({ path, headers }) => path.startsWith("/rest/api/") && headers.authorization === "Bearer personal"));
    assert.deepEqual(fake.unexpected, []);
  });

  it("reads one page for one change, finds what is new, gone and relabelled, in at most five requests while nothing changes", async () => {
    const { fake, shelf, pull } = await dataCenter(300, { sweepHours: 0 });
    await using _ = fake;
    await pull();
    fake.take();

    assert.deepEqual(await pull(), [0, 0, 0]);
    assert.ok(fake.take().length <= 5);
    Object.assign(fake.pages[5] ?? {}, { title: "Edited", updated: LATER });
    assert.deepEqual(await pull(), [0, 1, 0]);
    assert.equal(shelf.records.get("confluence:page:1005")?.title, "Edited");
    fake.pages.splice(9, 1);
    assert.deepEqual(await pull(), [0, 0, 1]);
    Object.assign(fake.pages[3] ?? {}, { status: "trashed" });
    assert.deepEqual(await pull(), [0, 0, 1]);
    fake.pages.push({ id: 9_000, title: "New", body: "<p>x</p>", space: "OPS", updated: LATER + 1, kind: "page" });
    assert.deepEqual(await pull(), [1, 0, 0]);
    Object.assign(fake.pages[20] ?? {}, { labels: ["postmortem"] });
    assert.deepEqual(await pull(), [0, 1, 0]);
  });

  it("loses no page when others are deleted or edited between two pages of the list", async () => {
    const { fake, shelf, pull } = await dataCenter(160);
    await using _ = fake;
    fake.beforeEach = ({ query }) => {
      if (query.get("start") !== "50" || fake.pages.length < 160) return;
      fake.pages.splice(5, 2);
      Object.assign(fake.pages[1] ?? {}, { title: "Edited", updated: LATER });
    };

    await pull();
    assert.deepEqual(
      idsOf(fake).filter((id) => !shelf.records.has(id as `confluence:${string}`)),
      [],
    );
    await pull();

    assert.deepEqual([...shelf.records.keys()].sort(), idsOf(fake));
    assert.equal(shelf.records.get("confluence:page:1001")?.title, "Edited");
  });

  it("resumes at any point without losing or doubling a page", async () => {
    const { fake, config } = await dataCenter(170);
    await using _ = fake;
    for (const stopAfter of [1, 50, 51, 120, 171, 173]) {
      const shelf = new Shelf();
      await shelf.pull(confluence, config, {}, stopAfter);
      const { gone } = await shelf.pull(confluence, config);
      assert.deepEqual([[...shelf.records.keys()].sort(), gone], [idsOf(fake), 0], `after ${stopAfter}`);
    }
  });

  it("reads comments of both places with replies, and attachments, and follows their changes and deletions", async () => {
    const { fake, shelf, pull } = await dataCenter(3, { include: ["pages", "comments", "attachments"], sweepHours: 0 });
    await using _ = fake;
    const file = { id: "att1", title: "plan b.md", text: "# Failover\n\nPromote the replica." };
    Object.assign(fake.pages[0] ?? {}, { files: [file], comments: ["Still true?", { text: "This host is gone.", inline: true }] });
    await pull();

    assert.match(shelf.records.get("confluence:page:1000")?.body ?? "", /Meera Iyer: Still true\?\n\nMeera Iyer: This host is gone\./);
    assert.match(shelf.records.get("confluence:attachment:att1")?.body ?? "", /Promote the replica\./);
    Object.assign(fake.pages[1] ?? {}, { comments: [{ text: "New.", at: LATER }] });
    assert.deepEqual(await pull(), [0, 1, 0]);
    Object.assign(fake.pages[0] ?? {}, { files: [{ ...file, version: 2, text: "# Failover\n\nDo nothing.", at: LATER + 1 }] });
    assert.deepEqual(await pull(), [0, 1, 0]);
    Object.assign(fake.pages[0] ?? {}, { files: [], comments: ["Still true?"] });
    assert.deepEqual(await pull(), [0, 1, 1]);
    assert.ok(!shelf.records.get("confluence:page:1000")?.body.includes("This host is gone"));
    assert.deepEqual(fake.unexpected, []);
  });

  it("re-reads one page for a webhook, and null when it is gone, trashed or a post", async () => {
    const { fake, config } = await dataCenter(3);
    await using _ = fake;
    Object.assign(fake.pages[1] ?? {}, { status: "trashed" });
    const read = async (id: `confluence:${string}`) => (await confluence.read?.(config, new Shelf().io(), id))?.record.title ?? null;

    assert.equal(await read("confluence:page:1000"), "Page 1000");
    for (const id of ["confluence:page:1001", "confluence:page:77", "confluence:blogpost:1000"] as const)
      assert.equal(await read(id), null);
  });

  it("says in its own words what a refusal means", async () => {
    const { fake, config } = await dataCenter(1);
    await using _ = fake;
    fake.troubles.push(json({ message: "Client must be authenticated to access this resource.", "status-code": 401 }, 401));

    const error = await failure(new Shelf().pull(confluence, config));

    assert.equal(error.code, "SOURCE_UNAUTHORIZED");
    assert.match(error.message, /401 to GET \/rest\/api\/space: Client must be authenticated/);
    assert.match(error.remedy, /personal access token/);
  });
});
