import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { openStore } from "../src/store/open.ts";
import { FakeConfluence } from "./fakes/confluence.ts";
import { FakeGithub } from "./fakes/github.ts";
import { FakeJira } from "./fakes/jira.ts";
import { snapshot } from "./support/indexing.ts";
import { pullAll } from "./support/killed-pull.ts";

/** Deaths in one test. */
const KILLS = 20;

const script = join(import.meta.dirname, "support", "killed-pull.ts");

describe("a pull over HTTP that is killed again and again", () => {
  it(`loses and doubles nothing, at ${KILLS} random moments with edits in between`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "contextd-killed-pull-"));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    await using jira = await new FakeJira().start();
    await using github = await new FakeGithub().start();
    await using confluence = await new FakeConfluence().start();
    const servers = [jira, github, confluence];
    const at = { jira: jira.url, github: github.url, confluence: confluence.url };
    // small, so that twenty deaths take seconds, and in pages small enough for each source to have many
    jira.pageSize = 10;
    jira.add(60);
    github.commit(50);
    github.ticket(12, true);
    github.ticket(12, false);
    const sha = github.commit(1);
    for (let id = 1; id <= 60; id += 1)
      github.deployments.push({ id, sha, environment: "production", at: Date.now() - id * 60_000, states: [{ state: "SUCCESS", at: id }] });
    github.runs.push({ id: 1, name: "CI", sha, at: Date.now(), conclusion: "failure" });
    for (let n = 0; n < 6; n += 1) github.files.set(`docs/${n}.md`, `# Runbook ${n}\n\nRestart worker ${n}.\n`);
    confluence.pageSize = 10;
    confluence.add(45);
    const path = join(folder, "contextd.db");
    const moments: number[] = [];

    let next = start();
    t.after(() => next.kill());
    for (let death = 0; death < KILLS; death += 1) {
      moments.push(randomInt(1, 110));
      const child = next;
      next = start();
      await runToItsDeath(child, moments[death] ?? 1);
      edit(death);
    }
    for (const server of servers) server.beforeEach = null;
    using store = openStore(path);
    const { report, graph } = await pullAll(store, at);

    using cleanStore = openStore(":memory:");
    const clean = await pullAll(cleanStore, at);
    const where = `killed after ${moments.join(", ")} requests`;
    assert.deepEqual(report.failures, [], where);
    const ids = [...store.records.ids()];
    assert.deepEqual(ids.toSorted(), [...cleanStore.records.ids()].toSorted(), where);
    assert.equal(new Set(ids).size, ids.length, where);
    const cleanRecords = new Map([...cleanStore.records.all()].map((record) => [record.id, record]));
    const different = [...store.records.all()].filter((record) => !isDeepStrictEqual(record, cleanRecords.get(record.id)));
    assert.deepEqual(
      different.map((record) => record.id),
      [],
      where,
    );
    assert.ok(isDeepStrictEqual(snapshot(store, graph), snapshot(cleanStore, clean.graph)), where);
    assert.deepEqual(
      servers.flatMap((server) => server.unexpected),
      [],
    );

    /** A process that waits for its turn. */
    function start(): ChildProcess {
      return fork(script, [path, at.jira, at.github, at.confluence], {
        stdio: ["ignore", "ignore", "inherit", "ipc"],
        env: { ...process.env, NODE_COMPILE_CACHE: join(folder, "compiled") },
      });
    }

    /** Kills the pull when the servers have seen so many requests; a shorter one comes to its end. */
    async function runToItsDeath(child: ChildProcess, requests: number): Promise<void> {
      const ended = once(child, "exit");
      let left = requests;
      for (const server of servers) {
        server.beforeEach = () => {
          left -= 1;
          if (left === 0) child.kill("SIGKILL");
        };
      }
      child.send("begin");
      const [code, signal] = (await ended) as [number | null, string | null];
      assert.ok(signal === "SIGKILL" || code === 0, `it ended by itself with ${code}`);
    }

    /** What people do meanwhile, in every source. */
    function edit(round: number): void {
      const later = Date.UTC(2026, 5, 1) + round * 60_000;
      Object.assign(jira.issues[(round * 3) % jira.issues.length] ?? {}, { summary: `Edited ${round}`, updated: later });
      jira.issues.splice(jira.issues.length - 1 - round, 1);
      Object.assign(confluence.pages[(round * 5) % confluence.pages.length] ?? {}, { title: `Edited ${round}`, updated: later });
      confluence.pages.splice(confluence.pages.length - 1 - round, 1);
      Object.assign(confluence.pages[(round * 5 + 1) % confluence.pages.length] ?? {}, {
        comments: [{ text: `Comment ${round}`, at: later }],
      });
      const sha = github.commit(2);
      github.deployments.push({ id: 100 + round, sha, environment: "staging", at: Date.now(), states: [{ state: "FAILURE", at: later }] });
      github.runs.push({ id: 100 + round, name: "CI", sha, at: Date.now(), conclusion: "failure" });
      Object.assign(github.tickets[round] ?? {}, { title: `Edited ${round}`, updated: later });
      github.files.set("docs/0.md", `# Runbook\n\nRestart worker ${round}.\n`);
    }
  });
});
