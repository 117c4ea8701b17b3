import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeGithub } from "../../../test/fakes/github.ts";
import { sample } from "../../../test/fakes/server.ts";
import { Shelf } from "../../../test/support/pulls.ts";
import { createTier1 } from "../../extract/tier1.ts";
import { GithubConfig } from "./config.ts";
import { github } from "./index.ts";

const START = Date.now() - 5 * 86_400_000;
const MINUTE = 60_000;

async function repository(include: readonly string[]) {
  const fake = await new FakeGithub().start();
  const config = GithubConfig.parse({ kind: "github", baseUrl: fake.url, token: "t", repositories: ["acme/shop"], include });
  const shelf = new Shelf();
  return { fake, config, shelf, sha: fake.commit(1), pull: () => shelf.pull(github, config) };
}

const changes = ({ added, changed, gone }: { added: number; changed: number; gone: number }) => [added, changed, gone];

describe("deployments", () => {
  it("are events that name commit, environment, state and time, 120 of them in three queries", async () => {
    const { fake, shelf, sha, pull } = await repository(["deployments"]);
    await using _ = fake;
    for (let id = 1; id <= 120; id += 1)
      fake.deployments.push({
        id,
        sha,
        environment: "production",
        at: START + id * MINUTE,
        states: [{ state: "SUCCESS", at: START + id * MINUTE + 1_000 }],
      });

    const counts = await pull();

    assert.deepEqual(changes(counts), [120, 0, 0]);
    assert.equal(fake.take().length, 4);
    const record = shelf.records.get("github:deployment:shop#7");
    assert.equal(record?.kind, "log");
    assert.equal(record?.title, `Deployed shop to production at ${sha.slice(0, 7)}`);
    assert.match(record?.body ?? "", /\nEnvironment: production\nStatus: success\nCommit: [0-9a-f]{40}\nBranch: main\n/);
    assert.deepEqual([record?.fields.revision, record?.fields.level], [sha, "info"]);
    assert.equal(record?.createdAt, new Date(START + 7 * MINUTE + 1_000).toISOString().replace(".000Z", "Z"));
    assert.equal(record?.bot, true);
  });

  it("are read again until they come to an end, with one request in a pull, and then no more", async () => {
    const { fake, shelf, sha, pull } = await repository(["deployments"]);
    await using _ = fake;
    const add = (id: number, state: string) =>
      fake.deployments.push({ id, sha, environment: "production", at: START + id * MINUTE, states: [{ state, at: START + id * MINUTE }] });
    for (let id = 1; id <= 60; id += 1) add(id, "SUCCESS");
    add(61, "IN_PROGRESS");
    await pull();
    assert.equal(shelf.records.get("github:deployment:shop#61")?.fields.revision, undefined);

    for (let id = 62; id <= 75; id += 1) add(id, "FAILURE");
    const open = fake.deployments[60];
    if (open) open.states = [{ state: "SUCCESS", at: START + 90 * MINUTE }, ...open.states];
    fake.take();

    assert.deepEqual(changes(await pull()), [14, 1, 0]);
    assert.equal(fake.take().filter(({ path }) => path === "/graphql").length, 1);
    assert.equal(shelf.records.get("github:deployment:shop#61")?.fields.revision, sha);
    const failed = shelf.records.get("github:deployment:shop#62");
    assert.deepEqual([failed?.fields.level, failed?.fields.revision], ["error", undefined]);
    assert.match(failed?.title ?? "", /^Deployment of shop to production at [0-9a-f]{7} failed$/);
    assert.deepEqual(changes(await pull()), [0, 0, 0]);
  });

  it("waits for the reset where the quota of GraphQL is used up, and then goes on", async () => {
    const { fake, shelf, sha, pull } = await repository(["deployments"]);
    await using _ = fake;
    fake.deployments.push({ id: 1, sha, environment: "production", at: START, states: [{ state: "SUCCESS", at: START }] });
    const now = Date.now();
    const headers = {
      "content-type": "application/json",
      date: new Date(now).toUTCString(),
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": String(Math.floor(now / 1_000) + 600),
    };
    // 200, as GitHub says it of GraphQL
    const body = JSON.stringify({ errors: [{ type: "RATE_LIMITED", message: "API rate limit already exceeded for user ID 1." }] });
    let refusals = 1;
    fake.beforeEach = ({ path }) => {
      if (path === "/graphql" && refusals-- > 0) fake.troubles.push({ status: 200, headers, body });
    };

    await pull();

    assert.ok(shelf.records.has("github:deployment:shop#1"));
    assert.equal(shelf.waits.length, 1);
    assert.ok((shelf.waits[0] ?? 0) > 595_000 && (shelf.waits[0] ?? 0) <= 603_000, String(shelf.waits[0]));
  });

  it("stay what they were when a later one makes them inactive", async () => {
    const { fake, shelf, sha, pull } = await repository(["deployments"]);
    await using _ = fake;
    const states = [{ state: "SUCCESS", at: START + MINUTE }];
    fake.deployments.push({ id: 1, sha, environment: "production", at: START, states });
    await pull();
    const before = shelf.records.get("github:deployment:shop#1");

    Object.assign(fake.deployments[0] ?? {}, { states: [{ state: "INACTIVE", at: START + 9 * MINUTE }, ...states] });

    assert.deepEqual(changes(await pull()), [0, 0, 0]);
    assert.equal(shelf.records.get("github:deployment:shop#1"), before);
  });

  it("to an environment for trials are no roll-outs", async () => {
    const { fake, shelf, sha, pull } = await repository(["deployments"]);
    await using _ = fake;
    const environments = ["production", "shop-prod-eu", "live", "latest", "staging", "pr-12", "Preview", "eu_test", "github-pages"];
    for (const [id, environment] of environments.entries())
      fake.deployments.push({ id, sha, environment, at: START, states: [{ state: "SUCCESS", at: START }] });

    await pull();

    const live = environments.filter((_, id) => shelf.records.get(`github:deployment:shop#${id}`)?.fields.revision === sha);
    assert.deepEqual(live, ["production", "shop-prod-eu", "live", "latest"]);
  });

  it("say when they go back", async () => {
    const { fake, shelf, sha, pull } = await repository(["deployments"]);
    await using _ = fake;
    fake.deployments.push({
      id: 1,
      sha,
      environment: "production",
      at: START,
      description: "Rollback after errors",
      states: [{ state: "SUCCESS", at: START }],
    });

    await pull();

    assert.match(
      shelf.records.get("github:deployment:shop#1")?.body ?? "",
      /^Rolled back shop to production at .*\n\nRollback after errors\n/,
    );
  });

  it("resume where a first listing was cut off, and lose none", async () => {
    const { fake, config, sha } = await repository(["deployments"]);
    await using _ = fake;
    for (let id = 1; id <= 130; id += 1)
      fake.deployments.push({ id, sha, environment: "e", at: START + id * MINUTE, states: [{ state: "SUCCESS", at: START }] });
    for (const stopAfter of [1, 50, 51, 80, 131]) {
      const shelf = new Shelf();
      await shelf.pull(github, config, {}, stopAfter);
      await shelf.pull(github, config);
      assert.equal(shelf.records.size, 130, `after ${stopAfter}`);
    }
  });

  it("are the same when a webhook reads one over REST", async () => {
    const { fake, config, shelf, sha, pull } = await repository(["deployments"]);
    await using _ = fake;
    const states = [{ state: "FAILURE", at: START + MINUTE, description: "Health check timed out" }];
    fake.deployments.push({ id: 5, sha, environment: "staging", at: START, states });
    await pull();

    const read = await github.read?.(config, shelf.io(), "github:deployment:shop#5");

    assert.deepEqual(read?.record, shelf.records.get("github:deployment:shop#5"));
    assert.deepEqual(read?.raw, shelf.raw.get("github:deployment:shop#5"));
    assert.equal(await github.read?.(config, shelf.io(), "github:deployment:shop#6"), null);
  });

  it("become nodes of the graph that name the commit", async () => {
    const { fake, shelf, sha, pull } = await repository(["deployments", "checks"]);
    await using _ = fake;
    fake.deployments.push({ id: 5, sha, environment: "production", at: START, states: [{ state: "SUCCESS", at: START }] });
    fake.runs.push({ id: 9, name: "CI", sha, at: START, conclusion: "failure" });
    await pull();
    const extractor = createTier1();
    const names = extractor.names([], { aliases: {}, sourcePaths: {} });

    const nodes = [...shelf.records.values()].flatMap((record) => extractor.extract(record, names).nodes);

    assert.deepEqual(nodes.map(({ node, attributes }) => `${node} ${attributes.level}`).sort(), [
      "log:github:check:shop#9 error",
      "log:github:deployment:shop#5 info",
    ]);
  });
});

describe("failed checks", () => {
  it("name workflow, branch and commit, and cost a free request while nothing changes", async () => {
    const { fake, shelf, sha, pull } = await repository(["checks"]);
    await using _ = fake;
    fake.runs.push({ id: 1, name: "CI", sha, at: START, conclusion: "success" });
    fake.runs.push({ id: 2, name: "Integration", sha, at: START + MINUTE, conclusion: "failure" });

    await pull();

    const record = shelf.records.get("github:check:shop#2");
    assert.equal(shelf.records.size, 1);
    assert.equal(record?.title, `Check Integration failed on main at commit ${sha.slice(0, 7)}`);
    assert.match(record?.body ?? "", /\nWorkflow: Integration\nStatus: failure\nCommit: [0-9a-f]{40}\n/);
    assert.deepEqual([record?.fields.level, record?.fields.sha], ["error", sha]);

    fake.take();
    await pull();
    const [, runs, ...more] = fake.take();
    assert.ok(runs?.headers["if-none-match"] !== undefined);
    assert.equal(more.length, 0);
  });

  it("are gone when a second attempt succeeds, and new when it fails again", async () => {
    const { fake, sha, pull } = await repository(["checks"]);
    await using _ = fake;
    for (let id = 1; id <= 130; id += 1) fake.runs.push({ id, name: "CI", sha, at: START + id * MINUTE, conclusion: "failure" });
    await pull();

    Object.assign(fake.runs[120] ?? {}, { conclusion: "success", attempt: 2 });
    assert.deepEqual(changes(await pull()), [0, 0, 1]);
    Object.assign(fake.runs[121] ?? {}, { attempt: 2 });
    assert.deepEqual(changes(await pull()), [0, 1, 0]);
    fake.runs.push({ id: 131, name: "CI", sha, at: START + 131 * MINUTE, conclusion: "failure" });
    assert.deepEqual(changes(await pull()), [1, 0, 0]);
  });

  it("are read one by one for a webhook, and null when they did not fail after all", async () => {
    const { fake, config, shelf, sha, pull } = await repository(["checks"]);
    await using _ = fake;
    fake.runs.push({ id: 1, name: "CI", sha, at: START, conclusion: "failure" });
    await pull();
    const read = () => github.read?.(config, shelf.io(), "github:check:shop#1");

    assert.deepEqual((await read())?.record, shelf.records.get("github:check:shop#1"));
    Object.assign(fake.runs[0] ?? {}, { conclusion: "success" });
    assert.equal(await read(), null);
  });

  it("and deployments have a line in doctor, with what is missing", async () => {
    const { fake, config, shelf } = await repository(["checks", "deployments"]);
    await using _ = fake;
    fake.troubles.push(() => null, sample("github-403-fine-grained"), {
      status: 200,
      headers: { "content-type": "application/json" },
      body: '{"data":null,"errors":[{"type":"FORBIDDEN","message":"Resource not accessible by personal access token"}]}',
    });

    const checks = await github.check(config, shelf.io());

    assert.deepEqual(
      checks.map(({ name, ok }) => `${name} ${ok}`),
      ["github acme/shop true", "github acme/shop checks false", "github acme/shop deployments false"],
    );
    assert.match(checks[2]?.detail ?? "", /Resource not accessible/);
  });
});

describe("display names", () => {
  it("are looked up once for all accounts of a page, and kept for later pulls", async () => {
    const { fake, shelf, pull } = await repository(["pulls", "issues"]);
    await using _ = fake;
    fake.accounts.set("miyer", "Meera Iyer");
    fake.ticket(150, true);
    fake.ticket(10, false);

    await pull();

    assert.match(shelf.records.get("github:pull:shop#3")?.body ?? "", /\nAuthor: Meera Iyer \(@miyer\)\n/);
    assert.deepEqual(shelf.records.get("github:issue:shop#155")?.fields.reporter, { name: "Meera Iyer", login: "miyer" });
    assert.equal(fake.take().filter(({ path }) => path === "/graphql").length, 1);
    Object.assign(fake.tickets[5] ?? {}, { updated: Date.UTC(2026, 5, 1), title: "Edited" });
    await pull();
    assert.equal(shelf.records.get("github:pull:shop#6")?.author?.name, "Meera Iyer");
    assert.equal(fake.take().filter(({ path }) => path === "/graphql").length, 0);
  });

  it("are left away where the token may not ask, or the account is gone", async () => {
    const { fake, shelf, pull } = await repository(["pulls"]);
    await using _ = fake;
    fake.ticket(2, true);
    await pull();
    assert.deepEqual(shelf.records.get("github:pull:shop#1")?.author, { login: "miyer" });

    fake.hasGraphql = false;
    fake.ticket(1, true, 3);
    await pull();
    assert.equal(shelf.records.size, 3);
  });
});
