import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeJira } from "../../../test/fakes/jira.ts";
import { Shelf } from "../../../test/support/pulls.ts";
import { JiraConfig } from "./config.ts";
import { jira } from "./index.ts";

async function dataCenter(count: number): Promise<{ readonly fake: FakeJira; readonly config: JiraConfig }> {
  const fake = await new FakeJira().start();
  fake.isDataCenter = true;
  fake.add(count);
  return {
    fake,
    config: JiraConfig.parse({ kind: "jira", deployment: "datacenter", baseUrl: fake.url, token: "personal", projects: ["JR"] }),
  };
}

describe("the Jira connector on Data Center", () => {
  it("pulls by position over REST v2 with a personal access token, and reads wiki markup", async () => {
    const { fake, config } = await dataCenter(250);
    await using _ = fake;
    const shelf = new Shelf();

    await shelf.pull(jira, config);

    assert.equal(shelf.records.size, 250);
    assert.ok(shelf.records.get("jira:JR-7")?.body.includes("About JR-7\n\nSee the runbook."));
    assert.equal(shelf.records.get("jira:JR-7")?.url, `${fake.url}/browse/JR-7`);
    assert.ok(fake.requests.every(({ path, headers }) => path.startsWith("/rest/api/2/") && headers.authorization === "Bearer personal"));
    assert.deepEqual(fake.unexpected, []);
  });

  it("reads one record for one change, and finds a deletion by the total", async () => {
    const { fake, config } = await dataCenter(450);
    await using _ = fake;
    const shelf = new Shelf();
    await shelf.pull(jira, config);
    fake.take();

    Object.assign(fake.issues[5] ?? {}, { summary: "Changed", updated: Date.UTC(2026, 5, 1) });
    fake.issues.splice(9, 1);
    const { added, changed, gone } = await shelf.pull(jira, config);
    assert.deepEqual({ added, changed, gone }, { added: 0, changed: 1, gone: 1 });

    fake.take();
    await shelf.pull(jira, config);
    assert.ok(fake.take().length <= 5);
  });

  it("loses no issue when others are deleted between two pages", async () => {
    const { fake, config } = await dataCenter(300);
    await using _ = fake;
    const shelf = new Shelf();
    fake.beforeEach = (seen) => {
      if (seen.query.get("startAt") === "100" && fake.issues.length === 300) fake.issues.splice(5, 2);
    };

    await shelf.pull(jira, config);

    assert.deepEqual([...shelf.records.keys()].sort(), fake.issues.map(({ key }) => `jira:${key}`).sort());
  });
});
