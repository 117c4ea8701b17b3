import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeConfluence } from "../../test/fakes/confluence.ts";
import { FakeGithub } from "../../test/fakes/github.ts";
import { FakeJira } from "../../test/fakes/jira.ts";
import { Shelf } from "../../test/support/pulls.ts";
import { confluence } from "./confluence/index.ts";
import { github } from "./github/index.ts";
import { jira } from "./jira/index.ts";

const account = { email: "me@users.example", token: "token-of-the-test" };
/** What is edited stands on the source's clock alone, whatever ours says. */
const LATER = Date.UTC(2026, 5, 1);

describe("sources whose clock is not ours", () => {
  for (const ours of ["2016-01-01T00:00:00Z", "2036-01-01T00:00:00Z"]) {
    const clock = { now: () => new Date(ours) };

    it(`loses no edit of an issue with our clock at ${ours}`, async () => {
      await using fake = await new FakeJira().start();
      fake.add(250);
      const config = jira.config.parse({ kind: "jira", baseUrl: fake.url, projects: ["JR"], ...account });
      const shelf = new Shelf();
      await shelf.pull(jira, config, clock);

      Object.assign(fake.issues[6] ?? {}, { summary: "Edited", updated: LATER });
      const counts = await shelf.pull(jira, config, clock);

      assert.deepEqual([counts.added, counts.changed, counts.gone], [0, 1, 0]);
      assert.equal(shelf.records.get("jira:JR-7")?.title, "Edited");
    });

    it(`loses no edit of a pull request or issue with our clock at ${ours}`, async () => {
      await using fake = await new FakeGithub().start();
      fake.ticket(120, true);
      fake.ticket(120, false);
      const config = github.config.parse({
        kind: "github",
        baseUrl: fake.url,
        token: "t",
        repositories: ["acme/shop"],
        include: ["pulls", "issues"],
      });
      const shelf = new Shelf();
      await shelf.pull(github, config, clock);

      for (const index of [3, 130]) Object.assign(fake.tickets[index] ?? {}, { title: "Edited", updated: LATER });
      const counts = await shelf.pull(github, config, clock);

      assert.deepEqual([counts.added, counts.changed, counts.gone], [0, 2, 0]);
    });

    it(`loses no edit of a page and no comment with our clock at ${ours}`, async () => {
      await using fake = await new FakeConfluence().start();
      fake.add(120);
      const config = confluence.config.parse({
        kind: "confluence",
        baseUrl: fake.url,
        spaces: ["OPS"],
        include: ["pages", "comments"],
        ...account,
      });
      const shelf = new Shelf();
      await shelf.pull(confluence, config, clock);

      Object.assign(fake.pages[3] ?? {}, { title: "Edited", updated: LATER });
      Object.assign(fake.pages[4] ?? {}, { comments: [{ text: "No longer so.", at: LATER }] });
      const counts = await shelf.pull(confluence, config, clock);

      assert.deepEqual([counts.added, counts.changed, counts.gone], [0, 2, 0]);
    });
  }
});
