import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createV1Client, createV2Client } from "confluence.js";
import { type FakeComment, FakeConfluence, type FakeFile } from "../../../test/fakes/confluence.ts";
import { type Reply, sample } from "../../../test/fakes/server.ts";
import { assertRefused, changes, failure, Shelf } from "../../../test/support/pulls.ts";
import type { ErrorCode } from "../../core/errors.ts";
import { ConfluenceConfig } from "./config.ts";
import { confluence } from "./index.ts";

const TOKEN = "confluence-token-of-the-test";

function configOf(fake: FakeConfluence, more: object = {}): ConfluenceConfig {
  return ConfluenceConfig.parse({
    kind: "confluence",
    baseUrl: `${fake.url}/wiki/`,
    email: "me@users.example",
    token: TOKEN,
    spaces: ["OPS"],
    ...more,
  });
}

const ids = (shelf: Shelf) => [...shelf.records.keys()].sort();
const expected = (fake: FakeConfluence) =>
  fake.pages
    .filter((page) => (page.status ?? "current") === "current")
    .map(({ kind, id }) => `confluence:${kind}:${id}`)
    .sort();

describe("the fake Confluence", () => {
  it("answers as confluence.js's own schemas want it", async () => {
    await using fake = await new FakeConfluence().start();
    fake.add(3);
    fake.add(1, "OPS", "blogpost");
    const auth = { host: fake.url, auth: { type: "basic", email: "a@users.example", apiToken: "t" } } as const;
    const client = createV2Client(auth);

    await client.space.getSpaces({ keys: ["OPS"] });
    await client.page.getPages({ spaceId: [101], bodyFormat: "storage", limit: 2 });
    await client.page.getPageById({ id: 1_000, bodyFormat: "storage", includeLabels: true });
    Object.assign(fake.pages[0] ?? {}, { comments: ["a", { text: "b", inline: true, replies: [{ text: "c" }] }] });
    await client.comment.getPageFooterComments({ id: 1_000, bodyFormat: "storage" });
    await client.comment.getPageInlineComments({ id: 1_000, bodyFormat: "storage" });
    await client.comment.getFooterComments({ sort: "-modified-date" });
    const { results } = await client.comment.getInlineComments({ sort: "-modified-date" });
    assert.deepEqual(
      (await client.comment.getInlineCommentChildren({ id: 1_000_001, bodyFormat: "storage" })).results?.map((one) => one.id),
      ["1000002"],
    );
    assert.deepEqual(
      results?.map((one) => one.pageId),
      ["1000", "1000"],
    );
    await client.blogPost.getBlogPosts({ spaceId: [101] });
    await client.user.createBulkUserLookup({ body: { accountIds: ["712020:1"] } });
    Object.assign(fake.pages[0] ?? {}, { files: [{ id: "att1", title: "a.md", text: "x" }] });
    await client.attachment.getAttachments({ sort: "-modified-date" });
    await client.attachment.getPageAttachments({ id: 1_000 });
    await client.attachment.getAttachmentById({ id: "att1" });
    await client.label.getSpaceContentLabels({ id: 101 });
    await client.page.getLabelPages({ id: 1, spaceId: [101] });
    await client.blogPost.getLabelBlogPosts({ id: 1, spaceId: [101] });
    await createV1Client(auth).search.searchByCQL({ cql: "type = page" });

    assert.deepEqual(fake.unexpected, []);
  });
});

describe("the Confluence connector", () => {
  it("pulls 5,000 pages and needs at most 5 requests while nothing changes", async () => {
    await using fake = await new FakeConfluence().start();
    fake.add(5_000);
    const shelf = new Shelf();

    await shelf.pull(confluence, configOf(fake));
    const first = fake.take().length;
    const counts = await shelf.pull(confluence, configOf(fake));

    assert.deepEqual(ids(shelf), expected(fake));
    assert.ok(first <= 80, `${first} requests`);
    assert.equal(counts.added + counts.changed + counts.gone, 0);
    assert.ok(fake.take().length <= 5);
  });

  it("names people, spaces and parents, and links to the page", async () => {
    await using fake = await new FakeConfluence().start();
    fake.add(2);
    Object.assign(fake.pages[1] ?? {}, { parent: 1_000 });
    const shelf = new Shelf();

    await shelf.pull(confluence, configOf(fake));

    const record = shelf.records.get("confluence:page:1001");
    assert.ok(
      record?.body.startsWith("Page 1001\n\nAbout 1001, see @Meera Iyer.\n\nSpace: Space OPS (OPS)\nUnder: Page 1000\nAuthor: Meera Iyer"),
    );
    assert.equal(record?.url, `${fake.url}/wiki/spaces/OPS/pages/1001`);
    assert.deepEqual(record?.fields.people, [{ name: "Meera Iyer", accountId: "712020:1" }]);
  });

  it("reads one page for one change, lets go what was deleted, trashed or archived, and finds what is new", async () => {
    await using fake = await new FakeConfluence().start();
    fake.add(30);
    fake.add(3, "OPS", "blogpost");
    const shelf = new Shelf();
    await shelf.pull(confluence, configOf(fake));

    const change = (run: () => void) => {
      run();
      return changes(shelf.pull(confluence, configOf(fake)));
    };
    const later = Date.UTC(2026, 5, 1);
    assert.deepEqual(await change(() => Object.assign(fake.pages[4] ?? {}, { title: "Edited", updated: later })), {
      added: 0,
      changed: 1,
      gone: 0,
    });
    assert.equal(shelf.records.get("confluence:page:1004")?.title, "Edited");
    assert.deepEqual(await change(() => Object.assign(fake.pages[5] ?? {}, { status: "trashed" })), { added: 0, changed: 0, gone: 1 });
    assert.deepEqual(await change(() => Object.assign(fake.pages[6] ?? {}, { status: "archived" })), { added: 0, changed: 0, gone: 1 });
    assert.deepEqual(await change(() => fake.pages.splice(0, 1)), { added: 0, changed: 0, gone: 1 });
    assert.deepEqual(
      await change(() => fake.pages.push({ id: 5_000, title: "New", body: "<p>x</p>", space: "OPS", updated: later + 1, kind: "page" })),
      { added: 1, changed: 0, gone: 0 },
    );
    assert.deepEqual(
      await change(() =>
        Object.assign(fake.pages.find((page) => page.kind === "blogpost") ?? {}, { title: "Edited, too", updated: later + 2 }),
      ),
      { added: 0, changed: 1, gone: 0 },
    );
  });

  it("notices one deletion among thousands by the count, and by time where the token may not search", async () => {
    await using fake = await new FakeConfluence().start();
    fake.add(1_200);
    const shelf = new Shelf();
    await shelf.pull(confluence, configOf(fake));

    fake.pages.splice(0, 1);
    assert.equal((await shelf.pull(confluence, configOf(fake))).gone, 1);

    fake.hasSearch = false;
    fake.pages.splice(0, 1);
    assert.equal((await shelf.pull(confluence, configOf(fake))).gone, 0);
    assert.equal((await shelf.pull(confluence, configOf(fake, { sweepHours: 0 }))).gone, 1);
  });

  it("finds changes on a server that does not sort", async () => {
    await using fake = await new FakeConfluence().start();
    fake.add(900);
    fake.ignoresSort = true;
    const shelf = new Shelf();
    await shelf.pull(confluence, configOf(fake));

    Object.assign(fake.pages[890] ?? {}, { title: "Edited", updated: Date.UTC(2026, 5, 1) });
    await shelf.pull(confluence, configOf(fake));

    assert.equal(shelf.records.get("confluence:page:1890")?.title, "Edited");
  });

  it("loses no page that is edited, made or deleted between two answers", async () => {
    await using fake = await new FakeConfluence().start();
    fake.add(450);
    const shelf = new Shelf();
    let edits = 0;
    fake.beforeEach = (seen) => {
      if (seen.query.get("cursor") === null || edits++ > 0) return;
      for (const index of [10, 440]) Object.assign(fake.pages[index] ?? {}, { title: "Edited", updated: Date.UTC(2026, 5, 1) });
      fake.pages.push({ id: 9_000, title: "New", body: "", space: "OPS", updated: Date.UTC(2026, 5, 2), kind: "page" });
      fake.pages.splice(5, 1);
    };

    await shelf.pull(confluence, configOf(fake));
    await shelf.pull(confluence, configOf(fake));

    assert.deepEqual(ids(shelf), expected(fake));
    assert.equal(shelf.records.get("confluence:page:1010")?.title, "Edited");
    assert.equal(shelf.records.get("confluence:page:1440")?.title, "Edited");
  });

  it("resumes at any point without losing or doubling a page", async () => {
    await using fake = await new FakeConfluence().start();
    fake.add(350);
    fake.add(120, "OPS", "blogpost");
    for (const stopAfter of [1, 100, 101, 250, 352, 400, 473]) {
      const shelf = new Shelf();
      await shelf.pull(confluence, configOf(fake), {}, stopAfter);
      const { gone } = await shelf.pull(confluence, configOf(fake));

      assert.deepEqual(ids(shelf), expected(fake), `after ${stopAfter}`);
      assert.equal(gone, 0);
    }
  });

  it("begins the listing again when a saved cursor is no longer taken", async () => {
    await using fake = await new FakeConfluence().start();
    fake.add(350);
    const shelf = new Shelf();
    await shelf.pull(confluence, configOf(fake), {}, 101);
    // spaces, labels and two pages of what carries one come first
    fake.troubles.push(...Array(5).fill(() => null), sample("confluence-400-bad-cursor"));

    await shelf.pull(confluence, configOf(fake));

    assert.deepEqual(ids(shelf), expected(fake));
  });

  it("ends with an error when a cursor repeats", async () => {
    await using fake = await new FakeConfluence().start();
    fake.add(350);
    fake.repeatCursors = true;

    const error = await failure(new Shelf().pull(confluence, configOf(fake)));

    assert.match(error.message, /repeats the cursor/);
  });

  it("reports a hidden space, pulls the others and removes nothing of it", async () => {
    await using fake = await new FakeConfluence().start();
    fake.add(2);
    fake.add(2, "SRE");
    const shelf = new Shelf();
    const config = configOf(fake, { spaces: ["OPS", "SRE"] });
    await shelf.pull(confluence, config);
    fake.hidden = ["SRE"];

    const counts = await shelf.pull(confluence, config);

    assert.equal(shelf.records.size, 4);
    assert.equal(counts.gone, 0);
    assert.match(shelf.failures[0]?.message ?? "", /space SRE is not there, or hidden/);

    fake.hidden = ["SRE", "OPS"];
    assert.equal((await failure(shelf.pull(confluence, config))).code, "SOURCE_NOT_FOUND");
    assert.equal(shelf.records.size, 4);
  });

  it("names people by account id where the token may not look them up", async () => {
    await using fake = await new FakeConfluence().start();
    fake.add(1);
    fake.hasUsers = false;
    const shelf = new Shelf();

    await shelf.pull(confluence, configOf(fake));

    assert.ok(shelf.records.get("confluence:page:1000")?.body.includes("see @712020:1."));
  });

  it("reads a page again for a new comment, an edit of one, or a reply, and in no pull after that", async () => {
    await using fake = await new FakeConfluence().start();
    fake.add(3);
    fake.add(1, "OPS", "blogpost");
    fake.add(1, "SRE");
    const shelf = new Shelf();
    const config = configOf(fake, { include: ["pages", "blogposts", "comments"] });
    const at = Date.UTC(2026, 5, 1);
    const say = async (page: number, comments: readonly FakeComment[]) => {
      Object.assign(fake.pages[page] ?? {}, { comments });
      const { added, changed, gone } = await shelf.pull(confluence, config);
      return [added, changed, gone];
    };
    await shelf.pull(confluence, config);

    assert.deepEqual(await say(1, [{ text: "Still true?", at }]), [0, 1, 0]);
    assert.deepEqual(await say(1, [{ text: "Still true?", at, replies: [{ text: "Since May, no.", at: at + 60_000 }] }]), [0, 1, 0]);
    assert.deepEqual(await say(2, [{ text: "This host is gone.", inline: true, at: at + 1_000 }]), [0, 1, 0]);
    assert.deepEqual(await say(3, [{ text: "Congratulations.", at: at + 90_000 }]), [0, 1, 0]);
    assert.deepEqual(await say(2, [{ text: "This host is gone, use db-2.", inline: true, at: at + 91_000 }]), [0, 1, 0]);
    // of another space
    assert.deepEqual(await say(4, [{ text: "Elsewhere.", at: at + 92_000 }]), [0, 0, 0]);
    fake.take();
    assert.deepEqual(await say(4, []), [0, 0, 0]);
    assert.ok(fake.take().length <= 7);

    assert.match(shelf.records.get("confluence:page:1001")?.body ?? "", /Meera Iyer: Still true\?\n\nMeera Iyer: Since May, no\./);
    assert.match(shelf.records.get("confluence:page:1002")?.body ?? "", /Meera Iyer: This host is gone, use db-2\./);
    assert.match(shelf.records.get("confluence:blogpost:1003")?.body ?? "", /Congratulations\./);
    assert.deepEqual(fake.unexpected, []);
  });

  it("finds a comment that was written while the pages were listed in the next pull", async () => {
    await using fake = await new FakeConfluence().start();
    fake.add(101);
    const shelf = new Shelf();
    const config = configOf(fake, { include: ["pages", "comments"] });
    fake.beforeEach = ({ query }) => {
      const page = fake.pages[0];
      if (query.get("cursor") !== null && page)
        page.comments = [
          { text: "Late.", at: page.updated - 1 },
          { text: "Later.", at: page.updated },
        ];
    };

    await shelf.pull(confluence, config);
    await shelf.pull(confluence, config);

    assert.match(shelf.records.get("confluence:page:1000")?.body ?? "", /Late\.[\s\S]*Later\./);
  });

  it("reads attached documents as records of their own, from where they are handed out, and follows their changes", async () => {
    await using fake = await new FakeConfluence().start();
    fake.add(3);
    fake.add(1, "OPS", "blogpost");
    const shelf = new Shelf();
    const config = configOf(fake, { include: ["pages", "blogposts", "attachments"], maxFileMb: 0.001 });
    const at = Date.UTC(2026, 5, 1);
    const attach = async (page: number, files: readonly FakeFile[]) => {
      Object.assign(fake.pages[page] ?? {}, { files });
      const { added, changed, gone, failed } = await shelf.pull(confluence, config);
      return [added, changed, gone, failed];
    };
    const plan = { id: "att1", title: "plan.md", text: "# Failover\n\nPromote the replica." };
    const picture = { id: "att2", title: "screen.png", text: "\u0089PNG" };
    Object.assign(fake.pages[0] ?? {}, { files: [plan, picture] });
    Object.assign(fake.pages[3] ?? {}, { files: [{ id: "att3", title: "notes.txt", text: "Kafka was upgraded." }] });

    await shelf.pull(confluence, config);

    const record = shelf.records.get("confluence:attachment:att1");
    assert.deepEqual(ids(shelf).slice(0, 2), ["confluence:attachment:att1", "confluence:attachment:att3"]);
    assert.equal(record?.title, "plan.md");
    assert.equal(record?.body.slice(0, record.proseEnd), "Failover\n\nPromote the replica.");
    assert.match(record?.body ?? "", /\nUnder: Page 1000\nAuthor: Meera Iyer\n/);
    assert.equal(record?.url, `${fake.url}/wiki/pages/viewpageattachments.action?pageId=1000&preview=%2F1000%2Fatt1`);
    assert.deepEqual(record?.fields.headings, [{ at: 0, level: 1, text: "Failover" }]);

    fake.take();
    assert.deepEqual(await attach(0, [plan, picture]), [0, 0, 0, 0]);
    assert.ok(!fake.take().some(({ path }) => /download|\d{4}\/attachments/.test(path)));
    assert.deepEqual(await attach(0, [{ ...plan, text: "# Failover\n\nDo nothing.", version: 2, at }, picture]), [0, 1, 0, 0]);
    assert.deepEqual(await attach(1, [{ id: "att4", title: "big.txt", text: "x".repeat(2_000), at: at + 1 }]), [0, 0, 0, 1]);
    assert.match(shelf.failures.at(-1)?.message ?? "", /^big\.txt: It has 0\.0 MB/);
    Object.assign(fake.pages[0] ?? {}, { updated: at + 2 });
    assert.deepEqual(await attach(0, []), [0, 1, 1, 0]);
    assert.deepEqual(fake.unexpected, []);
    const again = await confluence.read?.(config, shelf.io(), "confluence:attachment:att3");
    assert.equal(again?.record.title, "notes.txt");
    assert.equal(await confluence.read?.(config, shelf.io(), "confluence:attachment:att1"), null);
  });

  it("sends no credential to the host that hands files out", async () => {
    await using fake = await new FakeConfluence().start();
    await using media = await new FakeConfluence().start();
    media.troubles.push({ status: 200, headers: { "content-type": "text/plain" }, body: "Promote the replica." });
    fake.filesAt = media.url;
    fake.add(1);
    Object.assign(fake.pages[0] ?? {}, { files: [{ id: "att1", title: "plan.md", text: "" }] });
    const shelf = new Shelf();

    await shelf.pull(confluence, configOf(fake, { include: ["pages", "attachments"] }));

    assert.match(shelf.records.get("confluence:attachment:att1")?.body ?? "", /^Promote the replica\./);
    assert.deepEqual(
      media.requests.map(({ headers, query }) => [headers.authorization, query.get("token")]),
      [[undefined, "of-the-file"]],
    );
  });

  it("states labels in a first pull as after a change, and pulls without them where the token may not read them", async () => {
    await using fake = await new FakeConfluence().start();
    fake.add(260);
    fake.add(1, "OPS", "blogpost");
    fake.add(1, "SRE");
    Object.assign(fake.pages[1] ?? {}, { labels: ["redis", "failover"] });
    Object.assign(fake.pages[2] ?? {}, { labels: [] });
    const shelf = new Shelf();
    const labelsOf = (id: string) => shelf.records.get(`confluence:${id}` as `confluence:${string}`)?.fields.labels;

    await shelf.pull(confluence, configOf(fake));
    const first = ["page:1000", "page:1001", "page:1002", "page:1259", "blogpost:1260"].map(labelsOf);
    Object.assign(fake.pages[1] ?? {}, { updated: Date.UTC(2026, 5, 1) });
    await shelf.pull(confluence, configOf(fake));

    assert.deepEqual(first, [["runbook"], ["failover", "redis"], undefined, ["runbook"], ["runbook"]]);
    assert.deepEqual(labelsOf("page:1001"), ["failover", "redis"]);
    fake.hasLabels = false;
    const other = new Shelf();
    await other.pull(confluence, configOf(fake));
    assert.deepEqual(
      ids(other),
      expected(fake).filter((id) => id !== "confluence:page:1261"),
    );
  });

  it("names all pages above, also those that no list showed", async () => {
    await using fake = await new FakeConfluence().start();
    fake.add(1, "SRE");
    fake.add(3);
    for (const index of [1, 2, 3]) Object.assign(fake.pages[index] ?? {}, { parent: 999 + index });
    const shelf = new Shelf();

    await shelf.pull(confluence, configOf(fake));

    assert.deepEqual(shelf.records.get("confluence:page:1003")?.fields.ancestors, ["Page 1000", "Page 1001", "Page 1002"]);
  });

  it("reads comments where the configuration asks for them", async () => {
    await using fake = await new FakeConfluence().start();
    fake.add(1);
    Object.assign(fake.pages[0] ?? {}, { comments: ["Out of date since March."] });
    const shelf = new Shelf();

    await shelf.pull(confluence, configOf(fake, { include: ["pages", "comments"] }));

    assert.ok(shelf.records.get("confluence:page:1000")?.body.includes("Meera Iyer: Out of date since March."));
  });

  it("keeps the other pages of an answer when one does not fit", async () => {
    await using fake = await new FakeConfluence().start();
    fake.add(2);
    const odd = (reply: Reply | null) => reply;
    // spaces, labels, what carries one, and the newest page come first
    fake.troubles.push(...Array(5).fill(() => null), () =>
      odd({
        status: 200,
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          results: [
            { id: "1000", title: 7 },
            { id: "1001", status: "current", title: "fine", version: { createdAt: "2026-01-01T16:41:00.000Z" } },
          ],
          _links: {},
        }),
      }),
    );
    const shelf = new Shelf();

    await shelf.pull(confluence, configOf(fake));

    assert.equal(shelf.records.get("confluence:page:1001")?.title, "fine");
    assert.match(shelf.failures[0]?.message ?? "", /^confluence:page:1000 does not fit: title/);
  });

  it("re-reads one page for a webhook, and null when it is gone, trashed or in another space", async () => {
    await using fake = await new FakeConfluence().start();
    fake.add(3);
    fake.add(1, "SRE");
    Object.assign(fake.pages[1] ?? {}, { status: "trashed" });
    const read = async (id: `confluence:${string}`) => (await confluence.read?.(configOf(fake), new Shelf().io(), id))?.record ?? null;

    assert.deepEqual((await read("confluence:page:1000"))?.fields.labels, ["runbook"]);
    for (const id of ["confluence:page:1001", "confluence:page:1003", "confluence:page:77", "confluence:blogpost:1000"] as const)
      assert.equal(await read(id), null);
  });

  it("comes over 503 twice", async () => {
    await using fake = await new FakeConfluence().start();
    fake.add(1);
    fake.troubles.push(sample("jira-503"), sample("jira-503"));
    const shelf = new Shelf();

    await shelf.pull(confluence, configOf(fake));

    assert.deepEqual(shelf.waits, [30_000, 30_000]);
    assert.equal(shelf.records.size, 1);
  });

  const refusals: readonly (readonly [string, Reply, ErrorCode, RegExp, RegExp])[] = [
    ["a missing scope", sample("atlassian-401-scope"), "SOURCE_UNAUTHORIZED", /lacks a scope/, /read:page:confluence/],
    ["a wrong token", sample("jira-401"), "SOURCE_UNAUTHORIZED", /401 to GET \/wiki\/api\/v2\/spaces/, /new API token/],
    ["a wrong base URL", sample("confluence-404"), "SOURCE_NOT_FOUND", /404 .*: Not Found/, /base URL/],
    ["a cursor that is refused", sample("confluence-400-bad-cursor"), "SOURCE_REFUSED", /'cursor' is not the correct type/, /./],
    ["a log-in page", sample("atlassian-200-login-page"), "SOURCE_BAD_REPLY", /Log in with Atlassian/, /base URL/],
  ];
  for (const [what, reply, code, message, remedy] of refusals) {
    it(`says what is wrong after one request: ${what}`, async () => {
      await using fake = await new FakeConfluence().start();
      fake.troubles.push(reply);

      const error = await failure(new Shelf().pull(confluence, configOf(fake)));

      assertRefused(error, { code, message, remedy, secret: TOKEN });
      assert.equal(fake.requests.length, 1);
    });
  }

  it("says in doctor which scope for comments and attachments is missing", async () => {
    await using fake = await new FakeConfluence().start();
    fake.add(1);
    fake.troubles.push(
      () => null,
      () => null,
      sample("atlassian-401-scope"),
    );

    const checks = await confluence.check(configOf(fake, { include: ["pages", "comments", "attachments"] }), new Shelf().io());

    assert.deepEqual(
      checks.map(({ ok }) => ok),
      [true, true, false, true],
    );
    assert.match(checks[2]?.name ?? "", / inline comments$/);
    assert.match(checks[2]?.remedy ?? "", /read:comment:confluence/);
  });

  it("says in doctor which space cannot be read", async () => {
    await using fake = await new FakeConfluence().start();
    fake.hidden = ["SRE"];

    const checks = await confluence.check(configOf(fake, { spaces: ["OPS", "SRE"] }), new Shelf().io());

    assert.deepEqual(
      checks.map(({ ok }) => ok),
      [true, false],
    );
  });
});
