import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { after, before, describe, it } from "node:test";
import { silent } from "../src/core/connector.ts";
import type { Run } from "../src/http/schemas.ts";
import { createServer, type HttpServer } from "../src/http/server.ts";
import { appDouble } from "./support/app-double.ts";

const gate = Promise.withResolvers<void>();
const app = appDouble({ pause: () => gate.promise });
let url = "";
let server: HttpServer;

before(async () => {
  server = createServer(app, { host: "127.0.0.1", port: 0, log: silent, version: "1.2.3", processMetrics: true });
  ({ url } = await server.start());
});
after(() => server.stop());

const json = async (path: string, init?: RequestInit): Promise<unknown> => (await fetch(`${url}${path}`, init)).json();

describe("metrics", () => {
  it("tell queues, lag of each source, and what models cost", async () => {
    const text = await (await fetch(`${url}/metrics`)).text();

    for (const line of [
      'contextd_source_lag_seconds{source="jira"} 90',
      'contextd_source_lag_seconds{source="github"} -1',
      'contextd_source_failing{source="github"} 1',
      "contextd_schedule_paused 0",
      "contextd_questions_waiting 0",
      "contextd_searches_waiting 0",
      "contextd_index_age_seconds -1",
      'contextd_llm_cost_usd_total{purpose="answer",model="cheap-1"} 0.0012',
      'contextd_llm_calls_total{purpose="answer",model="cheap-1"} 3',
    ])
      assert.ok(text.split("\n").includes(line), line);
    const again = await (await fetch(`${url}/metrics`)).text();
    assert.match(again, /^contextd_llm_calls_total\{[^}]*\} 3$/m, "a second scrape must not count twice");
  });

  if (spawnSync("promtool", ["--version"]).error === undefined) {
    it("pass Prometheus' own check", async () => {
      const text = await (await fetch(`${url}/metrics`)).text();

      const { status, stdout, stderr } = spawnSync("promtool", ["check", "metrics"], { input: text, encoding: "utf8" });

      assert.deepEqual([status, stdout, stderr], [0, "", ""]);
    });
  }
});

describe("the schedule over HTTP", () => {
  it("is shown, paused and resumed", async () => {
    const set = (paused: unknown) =>
      fetch(`${url}/api/schedule`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ paused }),
      });
    assert.deepEqual(await json("/api/schedule"), {
      cron: "0 2 * * *",
      timezone: "UTC",
      jitterSeconds: 0,
      pausedSince: null,
      nextRun: "2026-03-13T02:00:00.000Z",
      lastRun: null,
    });

    const paused = (await (await set(true)).json()) as { pausedSince: string; nextRun: null };
    assert.deepEqual([paused.pausedSince, paused.nextRun], ["2026-03-12T02:10:00.000Z", null]);
    assert.match(await (await fetch(`${url}/metrics`)).text(), /^contextd_schedule_paused 1$/m);

    const resumed = (await (await set(false)).json()) as { pausedSince: null };
    assert.equal(resumed.pausedSince, null);
    assert.equal((await set("yes")).status, 400);
  });
});

describe("a run that nobody started over HTTP", () => {
  it("shows its progress while it goes, can be followed, and its end stays", async () => {
    const events = app.index({ trigger: "schedule", signal: new AbortController().signal });
    const ended = (async () => {
      let step = await events.next();
      while (!step.done) step = await events.next();
      return step.value;
    })();
    const { runs, running } = (await json("/api/index/runs")) as { runs: Run[]; running: string };
    assert.deepEqual([runs[0]?.id, runs[0]?.trigger, runs[0]?.status], [running, "schedule", "running"]);
    assert.notEqual(runs[0]?.progress, null);

    const followed = fetch(`${url}/api/index/runs/${running}`, { headers: { accept: "text/event-stream" } });
    gate.resolve();
    const text = await (await followed).text();
    const { runId } = await ended;

    assert.match(text, /^event: progress$/m);
    assert.match(text, /"stage":"extract"/);
    assert.match(text, /^event: run$/m);
    const run = (await json(`/api/index/runs/${runId}`)) as Run;
    assert.deepEqual([run.trigger, run.status, run.progress], ["schedule", "done", null]);
  });
});
