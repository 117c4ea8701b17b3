import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeGithub } from "../../../test/fakes/github.ts";
import { json, type Reply, sample } from "../../../test/fakes/server.ts";
import { assertRefused, changes, failure, Shelf } from "../../../test/support/pulls.ts";
import type { ErrorCode } from "../../core/errors.ts";
import { GithubConfig } from "./config.ts";
import { github } from "./index.ts";

const TOKEN = "github-token-of-the-test";

function configOf(fake: FakeGithub, more: object = {}): GithubConfig {
  return GithubConfig.parse({ kind: "github", baseUrl: fake.url, token: TOKEN, repositories: ["acme/shop"], ...more });
}

/** Ids that a complete pull of the fake gives. */
function expected(fake: FakeGithub, files: readonly string[] = []): readonly string[] {
  return [
    ...[...fake.commits.keys()].map((sha) => `github:commit:${sha}`),
    ...fake.tickets.map(({ number, isPull }) => `github:${isPull ? "pull" : "issue"}:shop#${number}`),
    ...files.map((path) => `github:file:acme/shop/${path}`),
  ].sort();
}

const ids = (shelf: Shelf) => [...shelf.records.keys()].sort();

describe("the GitHub connector", () => {
  it("pulls everything once, and needs five requests, four of them free, while nothing changes", async () => {
    await using fake = await new FakeGithub().start();
    fake.commit(230);
    fake.ticket(150, false);
    fake.ticket(130, true);
    fake.files
      .set(".github/CODEOWNERS", "* @rsharma")
      .set("CODEOWNERS", "* @nobody")
      .set("docs/a.md", "# A")
      .set("src/x.ts", "")
      .set("compose.yaml", "services: {}");
    const shelf = new Shelf();

    await shelf.pull(github, configOf(fake));
    assert.deepEqual(ids(shelf), expected(fake, [".github/CODEOWNERS", "docs/a.md", "compose.yaml"]));

    fake.take();
    const counts = await shelf.pull(github, configOf(fake));
    const again = fake.take();
    // lists of several pages take their ETag from the round after
    await shelf.pull(github, configOf(fake));
    const third = fake.take();

    assert.equal(counts.added + counts.changed + counts.gone, 0);
    assert.ok(again.length <= 5, `${again.length} requests`);
    assert.equal(third.length, 5);
    assert.equal(third.filter((seen) => seen.headers["if-none-match"] !== undefined).length, 4);
  });

  it("reads one record for one change: a commit, an edit, a new issue, a changed and a removed file", async () => {
    await using fake = await new FakeGithub().start();
    fake.commit(10);
    fake.ticket(3, false);
    fake.files.set("docs/a.md", "# A").set("README.md", "# Shop");
    const shelf = new Shelf();
    await shelf.pull(github, configOf(fake));

    const change = (run: () => void) => {
      run();
      return changes(shelf.pull(github, configOf(fake)));
    };
    assert.deepEqual(await change(() => fake.commit(1)), { added: 1, changed: 0, gone: 0 });
    assert.deepEqual(await change(() => Object.assign(fake.tickets[0] ?? {}, { title: "Edited", updated: Date.UTC(2026, 5, 1) })), {
      added: 0,
      changed: 1,
      gone: 0,
    });
    assert.deepEqual(await change(() => fake.tickets.push({ number: 9, title: "New", updated: Date.UTC(2026, 6, 1), isPull: false })), {
      added: 1,
      changed: 0,
      gone: 0,
    });
    assert.deepEqual(await change(() => fake.files.set("docs/a.md", "# A\n\nmore")), { added: 0, changed: 1, gone: 0 });
    assert.deepEqual(await change(() => fake.files.delete("README.md")), { added: 0, changed: 0, gone: 1 });
    assert.deepEqual(await change(() => fake.tickets.splice(1, 1)), { added: 0, changed: 0, gone: 1 });
  });

  it("finds old commits that a merge brings in", async () => {
    await using fake = await new FakeGithub().start();
    fake.commit(5);
    fake.branches.set("feature", fake.branches.get("main") ?? "");
    fake.commit(3, "feature", { at: Date.UTC(2020, 0, 1) });
    const shelf = new Shelf();
    fake.commit(2);
    await shelf.pull(github, configOf(fake));

    fake.commit(1, "main", { message: "Merge", parents: [fake.branches.get("main") ?? "", fake.branches.get("feature") ?? ""] });
    await shelf.pull(github, configOf(fake));

    assert.deepEqual(ids(shelf), expected(fake));
  });

  for (const hasCompare of [true, false]) {
    it(`lets go what a force-push took away, ${hasCompare ? "by comparison" : "by a new listing where the old commit is no longer served"}`, async () => {
      await using fake = await new FakeGithub().start();
      fake.hasCompare = hasCompare;
      const base = fake.commit(120);
      fake.commit(3);
      const lost = [...fake.commits.keys()].slice(-3);
      const shelf = new Shelf();
      await shelf.pull(github, configOf(fake));
      assert.equal(shelf.records.size, 123);

      fake.branches.set("main", base);
      fake.commit(2, "main", { message: "instead" });
      await shelf.pull(github, configOf(fake));

      for (const sha of lost) assert.equal(shelf.records.has(`github:commit:${sha}`), false);
      assert.equal(shelf.records.size, 122);
    });
  }

  it("reads release branches by name and pattern, each commit once", async () => {
    await using fake = await new FakeGithub().start();
    fake.commit(3);
    for (const branch of ["release/1", "release/2", "topic"]) {
      fake.branches.set(branch, fake.branches.get("main") ?? "");
      fake.commit(1, branch);
    }
    const shelf = new Shelf();

    await shelf.pull(github, configOf(fake, { branches: ["release/*"] }));

    assert.equal(shelf.records.size, 5);
  });

  it("reads the members of teams that own code, their changes for a free request each, and leaves hidden teams as names", async () => {
    await using fake = await new FakeGithub().start();
    fake.commit(1);
    fake.files.set("CODEOWNERS", "# @acme/old owned this\n* @acme/Payments @acme/secret\n/docs/ @acme/writers @rsharma\n");
    fake.teams.set("acme/payments", ["rsharma", "miyer"]).set("acme/writers", ["miyer"]).set("acme/old", ["x"]);
    const shelf = new Shelf();
    const teams = () => ids(shelf).filter((id) => id.startsWith("github:team:"));
    await shelf.pull(github, configOf(fake));

    const record = shelf.records.get("github:team:acme/payments");
    assert.deepEqual(teams(), ["github:team:acme/payments", "github:team:acme/writers"]);
    assert.match(
      record?.body ?? "",
      /kind: Group\nmetadata:\n {2}name: "payments"\nspec:\n[\s\S]*members:\n {4}- "miyer"\n {4}- "rsharma"\n/,
    );

    fake.teams.set("acme/writers", ["miyer", "new"]);
    const counts = await shelf.pull(github, configOf(fake));
    assert.deepEqual([counts.added, counts.changed, counts.gone], [0, 1, 0]);
    fake.files.set("CODEOWNERS", "* @acme/payments\n");
    await shelf.pull(github, configOf(fake));
    assert.deepEqual(teams(), ["github:team:acme/payments"]);
    fake.files.delete("CODEOWNERS");
    fake.files.set("docs/CODEOWNERS", "* @acme/payments\n# moved\n");
    await shelf.pull(github, configOf(fake));
    assert.deepEqual(teams(), ["github:team:acme/payments"]);
    fake.files.delete("docs/CODEOWNERS");
    fake.take();
    await shelf.pull(github, configOf(fake));
    assert.equal(shelf.records.has("github:file:acme/shop/docs/CODEOWNERS"), false);
    assert.ok(fake.take().length <= 5);
    assert.deepEqual(teams(), []);
  });

  it("marks what bots did, or leaves it out without a request where the configuration says so", async () => {
    await using fake = await new FakeGithub().start();
    const person = fake.commit(1);
    const bot = fake.commit(1, "main", { isBot: true });
    fake.ticket(2, true);
    fake.ticket(2, false);
    for (const index of [0, 2]) Object.assign(fake.tickets[index] ?? {}, { isBot: true });
    const shelf = new Shelf();

    await shelf.pull(github, configOf(fake));
    const marked = [...shelf.records.values()].filter((record) => record.bot).map((record) => record.id);
    fake.take();
    await shelf.pull(github, configOf(fake, { bots: "skip" }));

    assert.deepEqual(marked.sort(), [`github:commit:${bot}`, "github:issue:shop#3", "github:pull:shop#1"]);
    assert.deepEqual(ids(shelf), [`github:commit:${person}`, "github:issue:shop#4", "github:pull:shop#2"]);
    assert.ok(!fake.take().some(({ path }) => path.endsWith(bot)));
  });

  it("reads all files of a commit that has more than one page of them", async () => {
    await using fake = await new FakeGithub().start();
    fake.filesPerPage = 3;
    const sha = fake.commit(1, "main", { files: ["a", "b", "c", "d", "e", "f", "g"] });
    const shelf = new Shelf();

    await shelf.pull(github, configOf(fake));

    assert.deepEqual(shelf.records.get(`github:commit:${sha}`)?.fields.files, ["a", "b", "c", "d", "e", "f", "g"]);
    assert.ok(!JSON.stringify(shelf.raw.get(`github:commit:${sha}`)).includes("@@ -1"));
  });

  it("loses nothing that is edited between two pages of a first pull", async () => {
    await using fake = await new FakeGithub().start();
    fake.commit(1);
    fake.ticket(250, false);
    const shelf = new Shelf();
    fake.beforeEach = (seen) => {
      // an issue of the last page is edited while the second is read, and one is opened
      if (seen.path.endsWith("/issues") && seen.query.get("page") === "2" && fake.tickets.length === 250) {
        Object.assign(fake.tickets[3] ?? {}, { title: "Edited", updated: Date.UTC(2026, 8, 1) });
        fake.tickets.push({ number: 251, title: "New", updated: Date.UTC(2026, 8, 2), isPull: false });
      }
    };

    await shelf.pull(github, configOf(fake));

    assert.deepEqual(ids(shelf), expected(fake));
    assert.equal(shelf.records.get("github:issue:shop#4")?.title, "Edited");
  });

  it("resumes at any point without losing or doubling a record", async () => {
    await using fake = await new FakeGithub().start();
    fake.commit(250);
    fake.ticket(120, false);
    fake.ticket(120, true);
    fake.files.set("docs/a.md", "# A");
    for (const stopAfter of [1, 102, 255, 380, 495]) {
      const shelf = new Shelf();
      await shelf.pull(github, configOf(fake), {}, stopAfter);
      fake.take();
      const { gone } = await shelf.pull(github, configOf(fake));

      assert.deepEqual(ids(shelf), expected(fake, ["docs/a.md"]), `after ${stopAfter}`);
      assert.equal(gone, 0);
    }
  });

  it("does not read a commit's files twice when a pull is resumed", async () => {
    await using fake = await new FakeGithub().start();
    fake.commit(300);
    const shelf = new Shelf();
    await shelf.pull(github, configOf(fake, { include: ["commits"] }), {}, 220);
    const kept = shelf.records.size;
    fake.take();

    await shelf.pull(github, configOf(fake, { include: ["commits"] }));

    const read = fake.take().filter((seen) => /\/commits\/[0-9a-f]{40}$/.test(seen.path)).length;
    assert.equal(kept, 200);
    assert.equal(read, 100);
  });

  it("takes an empty repository for empty and keeps pulling the others", async () => {
    await using fake = await new FakeGithub().start();
    fake.ticket(1, false);
    const shelf = new Shelf();

    const counts = await shelf.pull(github, configOf(fake));

    assert.deepEqual(ids(shelf), ["github:issue:shop#1"]);
    assert.equal(counts.failed, 0);
  });

  it("reports a repository that it may not see, pulls the others, and removes nothing", async () => {
    await using fake = await new FakeGithub().start();
    fake.commit(2);
    const shelf = new Shelf();

    const counts = await shelf.pull(github, configOf(fake, { repositories: ["acme/secret", "acme/shop"] }));

    assert.equal(shelf.records.size, 2);
    assert.equal(counts.scan, "delta");
    assert.deepEqual(
      shelf.failures.map(({ id }) => id),
      ["github:acme/secret"],
    );
  });

  it("keeps what did not change when a repository can be read again that the first pull had to leave out", async () => {
    await using fake = await new FakeGithub().start();
    fake.commit(3);
    fake.ticket(2, false);
    const shelf = new Shelf();
    const config = configOf(fake, { repositories: ["acme/other", "acme/shop"], include: ["commits", "issues"] });
    for (let pull = 0; pull < 2; pull += 1) await shelf.pull(github, config);
    assert.equal(shelf.failures.length, 2);

    fake.beforeEach = ({ path }) => {
      if (path === "/repos/acme/other") fake.troubles.push(json({ full_name: "acme/other", default_branch: "main" }));
      else if (path.startsWith("/repos/acme/other/")) fake.troubles.push(json([]));
    };
    for (let pull = 0; pull < 2; pull += 1) await shelf.pull(github, config);

    assert.deepEqual(ids(shelf), expected(fake));
    assert.equal(shelf.failures.length, 2);
  });

  it("reads CODEOWNERS where the list of files is cut", async () => {
    await using fake = await new FakeGithub().start();
    fake.hasTrees = false;
    fake.commit(1);
    fake.files.set("CODEOWNERS", "* @rsharma");
    const shelf = new Shelf();

    await shelf.pull(github, configOf(fake));

    assert.ok(shelf.records.has("github:file:acme/shop/CODEOWNERS"));
  });

  it("reads reviews, files and comments where the configuration asks for them", async () => {
    await using fake = await new FakeGithub().start();
    fake.commit(1);
    fake.ticket(1, true);
    fake.tickets.push({ number: 2, title: "Broken", updated: Date.UTC(2026, 0, 3), isPull: false, comments: ["It is redis."] });
    fake.releases = [{ id: 1, tag_name: "v1.0", body: "First." }];
    const shelf = new Shelf();

    await shelf.pull(github, configOf(fake, { include: ["pulls", "reviews", "issues", "comments", "releases"] }));

    const pullRequest = shelf.records.get("github:pull:shop#1");
    assert.deepEqual(pullRequest?.fields.reviewers, [{ login: "rsharma" }]);
    assert.deepEqual(pullRequest?.fields.files, ["src/a.ts"]);
    assert.ok(shelf.records.get("github:issue:shop#2")?.body.includes("@rsharma: It is redis."));
    assert.ok(shelf.records.has("github:release:shop@v1.0"));
  });

  it("re-reads each kind of record for a webhook, and null when it is gone", async () => {
    await using fake = await new FakeGithub().start();
    const sha = fake.commit(1);
    fake.ticket(1, true);
    fake.ticket(1, false);
    fake.files.set("docs/a.md", "# A");
    const config = configOf(fake);
    const read = async (id: `github:${string}`) => (await github.read?.(config, new Shelf().io(), id))?.record.id ?? null;

    for (const id of [`github:commit:${sha}`, "github:pull:shop#1", "github:issue:shop#2", "github:file:acme/shop/docs/a.md"] as const) {
      assert.equal(await read(id), id);
    }
    for (const id of [
      `github:commit:${"0".repeat(40)}`,
      "github:pull:shop#7",
      "github:issue:other#2",
      "github:file:acme/shop/docs/b.md",
    ] as const) {
      assert.equal(await read(id), null);
    }
  });

  it("waits for the reset of an exhausted quota and as long as a secondary limit says", async () => {
    await using fake = await new FakeGithub().start();
    fake.commit(1);
    const now = Date.now();
    const reset = String(Math.floor(now / 1_000) + 120);
    fake.troubles.push(
      {
        ...sample("github-403-primary"),
        headers: { ...sample("github-403-primary").headers, "x-ratelimit-reset": reset, date: new Date(now).toUTCString() },
      },
      sample("github-403-secondary"),
      sample("github-429-secondary-no-header"),
    );
    const shelf = new Shelf();

    await shelf.pull(github, configOf(fake));

    const [primary = 0, secondary, unnamed] = shelf.waits;
    assert.ok(primary > 118_000 && primary <= 123_000, String(primary));
    assert.deepEqual([secondary, unnamed], [60_000, 60_000]);
    assert.equal(shelf.records.size, 1);
  });

  it("does not wait for longer than an hour and a bit", async () => {
    await using fake = await new FakeGithub().start();
    fake.troubles.push({ status: 429, headers: { "retry-after": "7200" }, body: "{}" });

    const error = await failure(new Shelf().pull(github, configOf(fake)));

    assert.equal(error.code, "SOURCE_RATE_LIMITED");
    assert.match(error.message, /takes no requests .* before \d{4}-/);
  });

  it("follows a rename on the same host, and comes over a bad gateway", async () => {
    await using fake = await new FakeGithub().start();
    fake.commit(1);
    fake.troubles.push({ status: 301, headers: { location: `${fake.url}/repositories/1` }, body: "{}" }, () => null, sample("github-502"));
    const shelf = new Shelf();

    await shelf.pull(github, configOf(fake));

    assert.equal(shelf.records.size, 1);
  });

  it("never sends the token to another host, neither by a redirect nor by a link to a next page", async () => {
    await using elsewhere = await new FakeGithub().start();
    await using fake = await new FakeGithub().start();
    fake.commit(1);
    const page: Reply = {
      status: 200,
      headers: { "content-type": "application/json", link: `<${elsewhere.url}/repositories/1/commits?page=2>; rel="next"` },
      body: "[]",
    };
    for (const troubles of [
      [{ status: 302, headers: { location: `${elsewhere.url}/repos/acme/shop` }, body: "" }],
      [() => null, () => null, page],
    ] as const) {
      fake.troubles.splice(0, 9, ...troubles);
      const error = await failure(new Shelf().pull(github, configOf(fake)));
      assert.equal(error.code, "SOURCE_REDIRECTED");
    }
    assert.equal(elsewhere.requests.length, 0);
  });

  const refusals: readonly (readonly [string, Reply, ErrorCode, RegExp, RegExp])[] = [
    ["a wrong token", sample("github-401"), "SOURCE_UNAUTHORIZED", /401 to GET \/repos\/acme\/shop: Bad credentials/, /new token/],
    ["single sign-on", sample("github-403-sso"), "SOURCE_FORBIDDEN", /single sign-on/, /https:\/\/github\.com\/orgs\/acme\/sso/],
    ["a missing permission", sample("github-403-fine-grained"), "SOURCE_FORBIDDEN", /lacks the permission contents=read/, /Give the token/],
    ["a hidden repository", sample("github-404"), "SOURCE_NOT_FOUND", /404 .*: Not Found/, /private repository/],
    [
      "a web page",
      { status: 200, headers: { "content-type": "text/html" }, body: "<html><title>Proxy</title></html>" },
      "SOURCE_BAD_REPLY",
      /titled "Proxy"/,
      /base URL/,
    ],
  ];
  for (const [what, reply, code, message, remedy] of refusals) {
    it(`says what is wrong after one request: ${what}`, async () => {
      await using fake = await new FakeGithub().start();
      fake.troubles.push(reply);

      const error = await failure(new Shelf().pull(github, configOf(fake)));

      assertRefused(error, { code, message, remedy, secret: TOKEN });
      assert.equal(fake.requests.length, 1);
    });
  }

  it("takes neither an HTML page nor a cut list for an empty one, in the middle of a pull", async () => {
    await using fake = await new FakeGithub().start();
    fake.commit(1);
    fake.troubles.push(() => null, "cut", { status: 200, headers: { "content-type": "application/json" }, body: '[{"sha": "abc' });
    const shelf = new Shelf();

    await shelf.pull(github, configOf(fake));

    assert.equal(shelf.records.size, 1);
  });

  it("stops between two requests when it is told to", async () => {
    await using fake = await new FakeGithub().start();
    fake.commit(300);
    const controller = new AbortController();
    fake.beforeEach = (_, index) => index === 30 && controller.abort();

    await assert.rejects(new Shelf().pull(github, configOf(fake), { signal: controller.signal }), { name: "AbortError" });
    assert.ok(fake.requests.length <= 35);
  });

  it("says in doctor which repository and which part of it cannot be read", async () => {
    await using fake = await new FakeGithub().start();
    fake.commit(1);
    fake.troubles.push(
      () => null,
      () => null,
      sample("github-403-fine-grained"),
    );

    const checks = await github.check(configOf(fake, { repositories: ["acme/shop", "acme/other"] }), new Shelf().io());

    assert.deepEqual(
      checks.map(({ name, ok }) => `${name} ${ok}`),
      [
        "github acme/shop true",
        "github acme/shop commits true",
        "github acme/shop pulls false",
        "github acme/shop issues true",
        "github acme/other false",
      ],
    );
    assert.equal(checks[2]?.remedy, "Give the token the permission contents=read.");
  });
});
