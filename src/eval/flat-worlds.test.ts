import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { quickWorld } from "../../test/support/quick-world.ts";
import { silent } from "../core/connector.ts";
import { AgentQuestion, judge, NamedEntity, namesOf } from "./agent-verdict.ts";
import type { AgentWorld } from "./agent-world.ts";
import { buildOf, measure } from "./extraction-measure.ts";
import { readWorld } from "./ground-truth.ts";

/**
 * Flat worlds in other wordings than the sample's: "parcels" and "kegs" without a manifest, "kontor" terse and half German with
 * one, "velo" with one that names a single service of five.
 */
const signal = new AbortController().signal;

for (const name of ["parcels", "kontor", "kegs", "velo"]) {
  const folder = fileURLToPath(new URL(`../../test/worlds/${name}`, import.meta.url));
  const questions = readFileSync(join(folder, "truth", "questions.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => AgentQuestion.parse(JSON.parse(line)));
  const entities = NamedEntity.array().parse(JSON.parse(readFileSync(join(folder, "truth", "entities.json"), "utf8")));

  describe(`the flat world ${name}`, () => {
    let world: AgentWorld;
    before(async () => {
      world = await quickWorld(folder);
    });
    after(() => world[Symbol.dispose]());

    it("gives the edges and services that its records state, and no others", async () => {
      const read = await readWorld(folder, silent, signal);

      const { edges, entities: found, drawnNonEdges, lines } = measure(read, buildOf(read, read.hints));

      assert.deepEqual(lines, []);
      assert.deepEqual(drawnNonEdges, []);
      for (const [kind, { precision, recall }] of Object.entries(edges)) assert.deepEqual([kind, precision, recall], [kind, 1, 1]);
      assert.deepEqual([found.service?.precision, found.service?.recall], [1, 1]);
    });

    for (const question of questions) {
      it(`${question.answer === "refuse" ? "refuses" : "answers"} "${question.question}"`, async () => {
        const answer = await world.answer(question.question, new Date(question.now ?? 0));

        const { verdict, missing, unexpected } = judge(question, answer, namesOf(entities, world.graph));
        assert.ok(
          ["correct", "refusedRightly"].includes(verdict),
          `${verdict}: ${[...missing, ...unexpected].join("; ")}\n${answer.answer}`,
        );
      });
    }
  });
}
