import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { agentOver, harbour, harbourNow as now, quickWorld } from "../../test/support/quick-world.ts";
import { sharedPath } from "../../test/support/shared.ts";
import { findOwner, getActiveIncidents, getDependencies, getRecentChanges, parseArguments, toolSpecs, tools } from "../agent/tools.ts";
import { readLogs, View } from "../agent/view.ts";
import type { Gathered } from "../core/answer.ts";
import { AgentQuestion, judge, namesOf } from "./agent-verdict.ts";
import type { AgentWorld } from "./agent-world.ts";

const signal = new AbortController().signal;

function questionsOf(folder: string): AgentQuestion[] {
  const text = readFileSync(join(folder, "truth", "questions.jsonl"), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => AgentQuestion.parse(JSON.parse(line)));
}

describe("the agent over a small world, words only", () => {
  let world: AgentWorld;
  before(async () => {
    world = await quickWorld(harbour);
  });
  after(() => world[Symbol.dispose]());

  for (const question of questionsOf(harbour)) {
    it(`${question.answer === "refuse" ? "refuses" : "answers"} "${question.question}"`, async () => {
      const answer = await world.answer(question.question, new Date(question.now ?? now));

      const { verdict, missing, unexpected } = judge(question, answer, namesOf([], world.graph));
      assert.ok(["correct", "refusedRightly"].includes(verdict), `${verdict}: ${[...missing, ...unexpected].join("; ")}\n${answer.answer}`);
      assert.ok(answer.toolCalls.length <= 7);
      assert.ok(answer.answer.split("\n").length <= 25);
    });
  }

  it("cites every sentence of an answer", async () => {
    const { answer, claims } = await world.answer("Why is intake down, who owns it and what changed today?", now);

    assert.ok(claims.length >= 5);
    for (const claim of claims) assert.ok(claim.citations.length > 0, claim.text);
    assert.match(answer, /\[1\]/);
  });

  it("answers as of an earlier instant from what held then", async () => {
    const early = await world.answer("Why is intake-api broken?", new Date("2027-02-18T20:30:00Z"));
    const opened = await world.answer("Why is intake-api broken?", new Date("2027-02-18T20:50:00Z"));

    assert.doesNotMatch(early.answer, /OPS-31/);
    assert.match(opened.answer, /OPS-31/);
    assert.match(opened.answer, /status Open/);
  });

  it("says that nothing changed only as far as the source is known", async () => {
    const { answer, lookedFor } = await world.answer("What changed in ledger in the last 48 hours?", now);

    assert.match(
      answer,
      /No commit modified ledger from 2027-02-16 22:15 UTC to 2027-02-18 22:15 UTC; the newest before that is commit 7a9c2e4f5/,
    );
    assert.deepEqual(lookedFor, [{ what: "commits that modified ledger", window: "48 hours", found: 0 }]);
  });

  it("qualifies that by how far the source is synced, and says nothing of a window it was not synced for", async () => {
    const asked = async (syncedUntil: string): Promise<Gathered> => {
      const agent = agentOver(world, { coverage: () => [{ source: "github", syncedUntil, stale: true }], clock: () => 0 });
      const run = agent({
        question: "What changed in ledger in the last 48 hours?",
        query: "",
        attempt: 0,
        now,
        corpus: "all",
        llm: false,
        signal,
      });
      for (;;) {
        const step = await run.next();
        if (step.done === true) return step.value;
      }
    };

    const partly = await asked("2027-02-18T10:00:00Z");
    const never = await asked("2027-02-10T10:00:00Z");

    assert.match(partly.statements[0]?.text ?? "", /as far as github is synced, until 2027-02-18 10:00 UTC/);
    assert.deepEqual(never.statements, []);
    assert.ok(never.notes.some((note) => /not synced for this window/.test(note)));
  });

  it("gives a stated cause with its reasons, and other changes as derived and less certain", async () => {
    const { hypotheses } = await world.answer("Why is intake-api down?", now);

    const [first, ...rest] = hypotheses;
    assert.equal(first?.basis, "stated");
    assert.match(first?.cause ?? "", /^commit:9d41c7e2b/);
    assert.ok((first?.confidence ?? 0) > Math.max(0, ...rest.map(({ confidence }) => confidence)));
    // it came after the first symptom
    assert.ok(!rest.some(({ cause }) => cause.startsWith("commit:5c0e9f7b2")));
  });

  it("names both people that an ambiguous name may mean", async () => {
    const { answer } = await world.answer("What is Berg working on?", now);

    assert.match(answer, /may mean Jonas Berg or Marta Berg|may mean Marta Berg or Jonas Berg/);
  });

  it("sends a short definition to vector search without a tool call", async () => {
    const answer = await world.answer("What is a waybill?", now);

    assert.equal(answer.route, "vector");
    assert.deepEqual(answer.toolCalls, []);
    assert.match(answer.trace.routeReason ?? "", /simple question/);
  });

  it("keeps a short question for an owner or a state with the graph", async () => {
    assert.equal((await world.answer("What is broken?", now)).route, "agent");
    assert.equal((await world.answer("What are ledger's dependencies?", now)).route, "agent");
  });
});

describe("the six tools", () => {
  let world: AgentWorld;
  let view: View;
  before(async () => {
    world = await quickWorld(harbour);
    const logs = readLogs(world.graph, world.store.records);
    view = new View(world.graph, world.store.records, world.store.chunks, "2027-02-18T22:15:00Z", () => logs);
  });
  after(() => world[Symbol.dispose]());
  const context = () => ({ view, search: world.search, signal });

  it("are described by strict schemas: every property required, nothing else allowed", () => {
    for (const { name, parameters } of toolSpecs()) {
      assert.equal(parameters.additionalProperties, false, name);
      assert.deepEqual([...(parameters.required as string[])].sort(), Object.keys(parameters.properties as object).sort(), name);
    }
    assert.deepEqual(
      tools.map(({ name }) => name),
      ["semantic_search", "get_service_context", "find_owner", "get_recent_changes", "get_active_incidents", "get_dependencies"],
    );
  });

  it("take arguments that leave optional ones out, and refuse others", () => {
    assert.ok(parseArguments(findOwner, { service: "tariff" }).success);
    assert.ok(!parseArguments(findOwner, { service: 7 }).success);
    assert.ok(!parseArguments(findOwner, { service: "tariff", verbose: true }).success);
    assert.ok(!parseArguments(getDependencies, { service: "tariff", direction: "downstream", hops: 3 }).success);
  });

  it("answer an unknown name with the nearest ones", async () => {
    const found = await findOwner.run({ service: "tarif", at: null }, context());

    assert.equal(found.value, null);
    assert.deepEqual((found.summary as { nearest: unknown }).nearest, [{ id: "service:tariff", name: "tariff" }]);
  });

  it("find the owner at a time and the former ones", async () => {
    const today = await findOwner.run({ service: "price service", at: null }, context());
    const january = await findOwner.run({ service: "tariff", at: "2027-01-20" }, context());

    assert.ok(today.value?.owners.some(({ node }) => node.id === "engineer:elif-kaya"));
    assert.ok(today.value?.former.some(({ node }) => node.id === "engineer:jonas-berg"));
    assert.ok(january.value?.owners.some(({ node }) => node.id === "engineer:jonas-berg"));
    assert.ok(!january.value?.owners.some(({ node }) => node.id === "engineer:elif-kaya"));
  });

  it("find the changes of a window, of dependencies as well", async () => {
    const own = await getRecentChanges.run({ service: "intake", since: "24h", until: null, includeDependencies: null }, context());
    const all = await getRecentChanges.run({ service: "intake", since: "24h", until: null, includeDependencies: true }, context());

    assert.deepEqual(own.value?.changes, []);
    assert.equal(own.value?.before?.node.label.startsWith("intake-api: validate"), true);
    assert.deepEqual(
      all.value?.changes.map(({ node }) => node.id.slice(0, 16)),
      ["commit:9d41c7e2b"],
    );
  });

  it("find open tickets at a time, incidents first", async () => {
    const open = await getActiveIncidents.run({ service: null, at: null }, context());
    const earlier = await getActiveIncidents.run({ service: "gateway", at: "2027-01-30T00:00:00Z" }, context());

    assert.deepEqual(
      open.value?.open.slice(0, 3).map(({ node }) => node.id),
      ["ticket:OPS-31", "ticket:OPS-27", "ticket:OPS-30"],
    );
    assert.deepEqual(earlier.value?.open, []);
  });

  it("bound what a model sees and say how many more there are", async () => {
    const { summary } = await getRecentChanges.run(
      { service: null, since: "2026-01-01", until: null, includeDependencies: null },
      context(),
    );

    assert.ok(JSON.stringify(summary).length < 6_000);
  });

  it("stop when they are told to", async () => {
    const stopped = AbortSignal.abort();
    const run = world.agent({ question: "Who owns tariff?", query: "", attempt: 0, now, corpus: "all", llm: false, signal: stopped });

    await assert.rejects(run.next(), { name: "AbortError" });
  });
});

describe("the agent over the sample worlds", () => {
  for (const name of ["tiny-18", "world-otel-demo"]) {
    it(`states nothing wrong about ${name}, words only`, async (t) => {
      const folder = sharedPath("data", name);
      if (folder === null) {
        if (process.env.CI) assert.fail("shared data is absent");
        return t.skip("shared data is absent");
      }
      using world = await quickWorld(folder);
      const names = namesOf([], world.graph);
      const verdicts: string[] = [];
      for (const question of questionsOf(folder)) {
        const answer = await world.answer(question.question, new Date(question.now ?? now));
        const { verdict } = judge(question, answer, names);
        assert.notEqual(verdict, "wrong", `${question.id}: ${answer.answer}`);
        verdicts.push(verdict);
      }
      const right = verdicts.filter((verdict) => verdict === "correct" || verdict === "refusedRightly").length;
      assert.ok(right / verdicts.length >= 0.9, `${right} of ${verdicts.length}`);
    });
  }
});
