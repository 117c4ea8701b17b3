import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createCloudClient } from "jira.js";
import { FakeJira } from "../../../test/fakes/jira.ts";
import { type Reply, sample } from "../../../test/fakes/server.ts";
import { assertRefused, changes, failure, Shelf, undated } from "../../../test/support/pulls.ts";
import type { ErrorCode } from "../../core/errors.ts";
import { JiraConfig } from "./config.ts";
import { jira } from "./index.ts";

const TOKEN = "jira-token-of-the-test";

function configOf(fake: FakeJira, more: object = {}): JiraConfig {
  return JiraConfig.parse({ kind: "jira", baseUrl: fake.url, email: "me@users.example", token: TOKEN, projects: ["JR"], ...more });
}

describe("the fake Jira", () => {
  it("answers as jira.js's own schemas want it", async () => {
    await using fake = await new FakeJira().start();
    fake.add(3);
    fake.issues[0] = { ...fake.issues[0], comments: ["a"], statuses: ["Done"] } as (typeof fake.issues)[0];
    const client = createCloudClient({
      host: fake.url,
      auth: { type: "basic", email: "a@users.example", apiToken: "t" },
      onSchemaMismatch: "throw",
    });

    await client.issueSearch.searchAndReconsileIssuesUsingJql({
      jql: "project in (JR)",
      fields: ["summary"],
      expand: "changelog",
      maxResults: 2,
    });
    await client.issueSearch.countIssues({ jql: "project in (JR)" });
    await client.issues.getIssue({ issueIdOrKey: "JR-1", expand: "changelog" });
    await client.issues.getChangeLogs({ issueIdOrKey: "JR-1" });
    await client.issueComments.getComments({ issueIdOrKey: "JR-1" });
    await client.issueFields.getFields();
    await client.myself.getCurrentUser();

    assert.deepEqual(fake.unexpected, []);
  });
});

describe("the Jira connector", () => {
  it("follows page tokens to their absence, over short and empty pages", async () => {
    await using fake = await new FakeJira().start();
    fake.add(250);
    fake.emptyPages = true;
    const shelf = new Shelf();

    const counts = await shelf.pull(jira, configOf(fake));

    assert.deepEqual([...shelf.records.keys()].sort(), fake.issues.map(({ key }) => `jira:${key}`).sort());
    assert.equal(counts.added, 250);
    assert.equal(counts.changed + counts.gone + counts.failed, 0);
    assert.equal(counts.scan, "full");
    assert.deepEqual(fake.unexpected, []);
  });

  it("ends with an error when a page token repeats", async () => {
    await using fake = await new FakeJira().start();
    fake.add(350);
    fake.repeatTokens = true;

    const error = await failure(new Shelf().pull(jira, configOf(fake)));

    assert.equal(error.code, "SOURCE_BAD_REPLY");
    assert.match(error.message, /repeats the page token/);
  });

  it("pulls 10,000 issues, then needs at most 5 requests while nothing changes", async () => {
    await using fake = await new FakeJira().start();
    fake.add(10_000);
    const shelf = new Shelf();

    await shelf.pull(jira, configOf(fake));
    const first = fake.take().length;
    const counts = await shelf.pull(jira, configOf(fake));

    assert.equal(shelf.records.size, 10_000);
    assert.ok(first <= 106, `${first} requests`);
    assert.equal(counts.added + counts.changed + counts.gone, 0);
    assert.ok(fake.take().length <= 5);
  });

  it("reads no issue twice in a full pull, in which nothing counts as known", async () => {
    await using fake = await new FakeJira().start();
    fake.add(300);
    const shelf = new Shelf();

    await shelf.pull(jira, configOf(fake), { known: () => null });

    assert.ok(fake.requests.length <= 10, `${fake.requests.length} requests`);
    assert.equal(shelf.records.size, 300);
  });

  it("reads one changed issue for one change, and finds one deletion and one new issue", async () => {
    await using fake = await new FakeJira().start();
    fake.add(300);
    const shelf = new Shelf();
    await shelf.pull(jira, configOf(fake));

    Object.assign(fake.issues[6] ?? {}, { summary: "Changed", updated: Date.UTC(2026, 5, 1) });
    assert.deepEqual(await changes(shelf.pull(jira, configOf(fake))), { added: 0, changed: 1, gone: 0 });
    assert.equal(shelf.records.get("jira:JR-7")?.title, "Changed");

    fake.issues.splice(99, 1);
    assert.deepEqual(await changes(shelf.pull(jira, configOf(fake))), { added: 0, changed: 0, gone: 1 });
    assert.equal(shelf.records.has("jira:JR-100"), false);

    fake.add(1, 301, Date.UTC(2026, 6, 1));
    assert.deepEqual(await changes(shelf.pull(jira, configOf(fake))), { added: 1, changed: 0, gone: 0 });
  });

  it("notices a deletion among very many by the count alone, and by time where no count is told", async () => {
    await using fake = await new FakeJira().start();
    fake.add(900);
    fake.keysPageSize = 100;
    const shelf = new Shelf();
    const config = configOf(fake);
    await shelf.pull(jira, config);

    fake.issues.splice(0, 1);
    assert.deepEqual(await changes(shelf.pull(jira, config)), { added: 0, changed: 0, gone: 1 });

    fake.hasCount = false;
    fake.issues.splice(0, 1);
    fake.take();
    assert.deepEqual(await changes(shelf.pull(jira, config)), { added: 0, changed: 0, gone: 0 });
    const later = () => new Date(Date.now() + 25 * 3_600_000);
    fake.unexpected.length = 0;
    assert.deepEqual(await changes(shelf.pull(jira, config, { now: later, fetch: undated })), { added: 0, changed: 0, gone: 1 });
  });

  it("loses no issue when others are deleted between two pages", async () => {
    await using fake = await new FakeJira().start();
    fake.add(300);
    const shelf = new Shelf();
    fake.beforeEach = (seen) => {
      if (seen.query.get("nextPageToken") !== null && fake.issues.length === 300) fake.issues.splice(5, 2);
    };

    await shelf.pull(jira, configOf(fake));

    assert.deepEqual([...shelf.records.keys()].sort(), fake.issues.map(({ key }) => `jira:${key}`).sort());
  });

  it("loses no issue that is edited between two pages", async () => {
    await using fake = await new FakeJira().start();
    fake.add(300);
    const shelf = new Shelf();
    fake.beforeEach = (seen) => {
      if (seen.query.get("nextPageToken") === null) return;
      // one that was read already and one that was not
      for (const index of [10, 290]) Object.assign(fake.issues[index] ?? {}, { summary: `Edited`, updated: Date.UTC(2026, 8, 1) });
    };

    await shelf.pull(jira, configOf(fake));

    assert.equal(shelf.records.size, 300);
    assert.equal(shelf.records.get("jira:JR-11")?.title, "Edited");
    assert.equal(shelf.records.get("jira:JR-291")?.title, "Edited");
  });

  it("asks for changes in the zone of the token's user, also in the hour that is repeated in autumn", async () => {
    await using fake = await new FakeJira().start();
    fake.zone = "Europe/Berlin";
    fake.add(1, 1, Date.UTC(2026, 9, 25, 0, 40) - 60_000);
    const shelf = new Shelf();
    await shelf.pull(jira, configOf(fake));

    // 02:50 for the first time, ten minutes after the change that was read; and again an hour later
    fake.add(1, 2, Date.UTC(2026, 9, 25, 0, 50) - 120_000);
    await shelf.pull(jira, configOf(fake));
    fake.add(1, 3, Date.UTC(2026, 9, 25, 1, 5) - 180_000);
    await shelf.pull(jira, configOf(fake));

    assert.equal(shelf.records.size, 3);
  });

  it("resumes at any point of a pull without losing or doubling an issue", async () => {
    await using fake = await new FakeJira().start();
    fake.add(420);
    for (const stopAfter of [1, 101, 230, 420, 424]) {
      const shelf = new Shelf();
      await shelf.pull(jira, configOf(fake), {}, stopAfter);
      const counts = await shelf.pull(jira, configOf(fake));

      assert.equal(shelf.records.size, 420, `after ${stopAfter}`);
      assert.equal(counts.gone, 0);
    }
  });

  it("reads all comments and changes where the search embeds only some", async () => {
    await using fake = await new FakeJira().start();
    fake.add(1);
    const comments = Array.from({ length: 230 }, (_, index) => `Comment ${index}.`);
    const statuses = Array.from({ length: 130 }, (_, index) => `S${index}`);
    Object.assign(fake.issues[0] ?? {}, { comments, statuses });
    const shelf = new Shelf();

    await shelf.pull(jira, configOf(fake));

    const record = shelf.records.get("jira:JR-1");
    assert.ok(record?.body.includes("Meera Iyer: Comment 229."));
    assert.equal(record?.fields.changes?.length, 130);
  });

  it("drops a deleted comment, which Jira stamps as a change of the issue", async () => {
    await using fake = await new FakeJira().start();
    fake.add(3);
    Object.assign(fake.issues[1] ?? {}, { comments: ["It is redis.", "It is kafka."] });
    const shelf = new Shelf();
    await shelf.pull(jira, configOf(fake));

    Object.assign(fake.issues[1] ?? {}, { comments: ["It is kafka."], updated: Date.UTC(2026, 5, 1) });
    fake.take();

    assert.deepEqual(await changes(shelf.pull(jira, configOf(fake))), { added: 0, changed: 1, gone: 0 });
    assert.ok(!shelf.records.get("jira:JR-2")?.body.includes("It is redis."));
    assert.ok(fake.take().length <= 5);
  });

  it("lets the old key go when an issue is moved", async () => {
    await using fake = await new FakeJira().start();
    fake.projects = ["JR", "NEW"];
    fake.add(2);
    const shelf = new Shelf();
    const config = configOf(fake, { projects: ["JR", "NEW"] });
    await shelf.pull(jira, config);

    Object.assign(fake.issues[0] ?? {}, { key: "NEW-1", formerKey: "JR-1", updated: Date.UTC(2026, 5, 1) });
    await shelf.pull(jira, config);

    assert.deepEqual([...shelf.records.keys()].sort(), ["jira:JR-2", "jira:NEW-1"]);
    assert.deepEqual(shelf.records.get("jira:NEW-1")?.fields.formerKeys, ["JR-1"]);
    assert.equal(await jira.read?.(config, shelf.io(), "jira:JR-1"), null);
  });

  it("removes nothing when a project is no longer visible", async () => {
    await using fake = await new FakeJira().start();
    fake.add(3);
    const shelf = new Shelf();
    await shelf.pull(jira, configOf(fake));
    fake.issues = [];
    fake.projects = [];

    const error = await failure(shelf.pull(jira, configOf(fake)));

    assert.equal(error.code, "SOURCE_NOT_FOUND");
    assert.equal(shelf.records.size, 3);
  });

  it("re-reads one issue for a webhook, and null when it is gone", async () => {
    await using fake = await new FakeJira().start();
    fake.add(1);

    assert.equal((await jira.read?.(configOf(fake), new Shelf().io(), "jira:JR-1"))?.record.title, "Issue 1");
    assert.equal(await jira.read?.(configOf(fake), new Shelf().io(), "jira:JR-9"), null);
  });

  it("keeps the other issues of a page when one does not fit", async () => {
    await using fake = await new FakeJira().start();
    fake.add(2);
    fake.troubles.push(
      () => null,
      () => null,
      () => ({
        status: 200,
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          issues: [
            { id: "1", key: "JR-1", fields: {} },
            { id: "2", key: "JR-2", fields: { summary: "fine", updated: "2026-01-01T00:02:00.000+0000" } },
          ],
        }),
      }),
    );
    const shelf = new Shelf();

    await shelf.pull(jira, configOf(fake));

    assert.equal(shelf.records.get("jira:JR-2")?.title, "fine");
    assert.match(shelf.failures[0]?.message ?? "", /^jira:JR-1 does not fit: fields\.summary/);
  });

  it("stops between two pages when it is told to", async () => {
    await using fake = await new FakeJira().start();
    fake.add(300);
    const controller = new AbortController();
    fake.beforeEach = (_, index) => index === 2 && controller.abort();

    await assert.rejects(new Shelf().pull(jira, configOf(fake), { signal: controller.signal }), { name: "AbortError" });
    assert.ok(fake.requests.length <= 3);
  });

  it("waits as long as Retry-After says, and with jitter where nothing is said", async () => {
    await using fake = await new FakeJira().start();
    fake.add(1);
    fake.troubles.push(sample("jira-429-burst"), sample("jira-503"), sample("jira-429-no-retry-after"));
    const shelf = new Shelf();

    await shelf.pull(jira, configOf(fake));

    const [burst, unavailable, unnamed] = shelf.waits;
    assert.deepEqual([burst, unavailable], [7_000, 30_000]);
    assert.ok((unnamed ?? 0) >= 2_000 && (unnamed ?? 0) <= 4_000);
    assert.equal(shelf.records.size, 1);
  });

  const refusals: readonly (readonly [string, Reply, ErrorCode, RegExp, RegExp])[] = [
    [
      "a wrong token",
      sample("jira-401"),
      "SOURCE_UNAUTHORIZED",
      /401 to GET \/rest\/api\/3\/field: Client must be authenticated/,
      /new API token/,
    ],
    ["a missing scope", sample("atlassian-401-scope"), "SOURCE_UNAUTHORIZED", /lacks a scope/, /read:jira-work/],
    ["no permission", sample("jira-403"), "SOURCE_FORBIDDEN", /You do not have permission/, /access/],
    ["an endpoint that is gone", sample("jira-410-old-search"), "SOURCE_REFUSED", /CHANGE-2046/, /./],
    ["a filter that is wrong", sample("jira-400-jql"), "SOURCE_REFUSED", /The value 'NOPE' does not exist/, /manifest/],
    [
      "a log-in page",
      sample("atlassian-200-login-page"),
      "SOURCE_BAD_REPLY",
      /a web page titled "Log in with Atlassian account"/,
      /base URL/,
    ],
    [
      "another host",
      { status: 302, headers: { location: "https://elsewhere.example/x" }, body: "" },
      "SOURCE_REDIRECTED",
      /https:\/\/elsewhere\.example/,
      /new address/,
    ],
  ];
  for (const [what, reply, code, message, remedy] of refusals) {
    it(`says what is wrong after one request: ${what}`, async () => {
      await using fake = await new FakeJira().start();
      fake.troubles.push(reply);

      const error = await failure(new Shelf().pull(jira, configOf(fake)));

      assertRefused(error, { code, message, remedy, secret: TOKEN });
      assert.equal(fake.requests.length, 1);
    });
  }

  it("tries a server that fails for good five times and then says so", async () => {
    await using fake = await new FakeJira().start();
    for (let index = 0; index < 5; index += 1)
      fake.troubles.push({ status: 500, headers: { "content-type": "text/html" }, body: "<html><title>Oops</title></html>" });

    const error = await failure(new Shelf().pull(jira, configOf(fake)));

    assert.equal(error.code, "SOURCE_UNAVAILABLE");
    assert.match(error.message, /answered 500 .*: a web page titled "Oops"/);
    assert.equal(fake.requests.length, 5);
  });

  it("comes over broken connections, cut bodies and truncated JSON", async () => {
    await using fake = await new FakeJira().start();
    fake.add(1);
    fake.troubles.push("reset", "cut", {
      status: 200,
      headers: { "content-type": "application/json" },
      body: '[{"id":"customfield_1","na',
    });
    const shelf = new Shelf();

    await shelf.pull(jira, configOf(fake));

    assert.equal(shelf.records.size, 1);
    assert.equal(shelf.waits.length, 3);
  });

  it("gives up a hung request in time", async () => {
    await using fake = await new FakeJira().start();
    fake.troubles.push("hang", "hang");

    const error = await failure(new Shelf().pull(jira, { ...configOf(fake), timeoutSeconds: 0.05 }));

    assert.equal(error.code, "SOURCE_UNAVAILABLE");
    assert.match(error.message, /did not answer \/rest\/api\/3\/field within 0\.05 seconds/);
  });

  it("stops at the budget of requests and goes on from there in the next run", async () => {
    await using fake = await new FakeJira().start();
    fake.add(700);
    const shelf = new Shelf();
    const config = { ...configOf(fake), maxRequests: 5 };

    const error = await failure(shelf.pull(jira, config));
    assert.equal(error.code, "SOURCE_RATE_LIMITED");
    assert.match(error.message, /budget of 5 requests/);
    assert.ok(shelf.records.size > 0 && shelf.records.size < 700);

    await shelf.pull(jira, configOf(fake));
    assert.equal(shelf.records.size, 700);
  });

  it("says in doctor who the token is and which project cannot be read", async () => {
    await using fake = await new FakeJira().start();
    const checks = await jira.check(configOf(fake, { projects: ["JR", "OPS"] }), new Shelf().io());

    assert.deepEqual(
      checks.map(({ ok }) => ok),
      [true, true, false],
    );
    assert.match(checks[0]?.detail ?? "", /as Meera Iyer/);
    assert.match(checks[2]?.detail ?? "", /No project could be found with key 'OPS'/);
  });
});
