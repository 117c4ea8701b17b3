import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { everyPath } from "../../test/support/paths.ts";
import { diagram, stageNames } from "./diagram.ts";

const paths = everyPath();

describe("the life of a question", () => {
  it("ends on every path, the longest within 30 stages", () => {
    assert.ok(paths.length > 20);
    assert.ok(Math.max(...paths.map(({ steps }) => steps.length)) <= 30);
  });

  it("is answered only straight after verify and judge both said yes", () => {
    for (const { steps, end } of paths) {
      const last = steps.slice(-2).map(([stage, ok]) => `${stage} ${ok}`);
      assert.equal(end === "answered", last.join() === "verify true,judge true", JSON.stringify(steps));
    }
  });

  it("is replayed only straight after the guard let it through and the cache had it", () => {
    const replayed = paths.filter(({ end }) => end === "replayed");
    assert.deepEqual(
      replayed.map(({ steps }) => steps),
      [
        [
          ["guard", true],
          ["cache", true],
        ],
      ],
    );
  });

  it("is refused as unverified exactly when a second round failed, and the planner's sentences, too, where it had any", () => {
    for (const { steps, end } of paths) {
      if (end !== "refused") continue;
      const [at] = steps.at(-1) ?? [];
      assert.ok(at !== undefined);
      // a round: a draft that cite, verify or judge did not let through
      const failed = steps.filter(([stage, ok]) => (stage === "cite" || stage === "verify" || stage === "judge") && !ok).length;
      const planned = steps.some(([stage, ok]) => stage === "planner" && ok);
      if (diagram[at].refusal === "unverified") assert.equal(failed, planned ? 3 : 2, JSON.stringify(steps));
      else assert.ok(failed <= (planned ? 3 : 2), JSON.stringify(steps));
    }
  });

  it("never writes without having searched, and never goes on after the guard said no", () => {
    for (const { steps } of paths) {
      const names = steps.map(([stage]) => stage);
      if (names.includes("generate")) assert.ok(names.indexOf("retrieve") < names.indexOf("generate"));
      if (steps[0]?.[1] === false) assert.equal(steps.length, 1);
    }
  });

  it("names every stage in the table and reaches all of them", () => {
    assert.deepEqual(Object.keys(diagram).sort(), [...stageNames].sort());
    assert.deepEqual([...new Set(paths.flatMap(({ steps }) => steps.map(([stage]) => stage)))].sort(), [...stageNames].sort());
  });
});
