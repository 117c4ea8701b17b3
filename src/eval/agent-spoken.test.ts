import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { quickWorld } from "../../test/support/quick-world.ts";
import { createConversations } from "../agent/conversation.ts";
import type { AgentWorld } from "./agent-world.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A question as somebody on call typed it, in a world, with what an answer says and does not say. */
const Spoken = z.strictObject({
  world: z.string(),
  now: z.string(),
  question: z.string(),
  /** What was asked before in the session. */
  after: z.array(z.string()).default([]),
  /** Patterns that an answer fits; none: it is to be refused. */
  says: z.array(z.string()).default([]),
  not: z.array(z.string()).default([]),
  /** A refusal is as good. */
  mayRefuse: z.boolean().default(false),
});
type Spoken = z.infer<typeof Spoken>;

const all = readFileSync(join(root, "test/worlds/spoken.jsonl"), "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => Spoken.parse(JSON.parse(line)));

for (const folder of new Set(all.map(({ world }) => world))) {
  describe(`questions as they are typed on call, about ${folder}, words only`, () => {
    let world: AgentWorld;
    before(async () => {
      world = await quickWorld(join(root, folder));
    });
    after(() => world[Symbol.dispose]());

    for (const one of all.filter((spoken) => spoken.world === folder)) {
      it(`${one.says.length === 0 ? "refuses" : "answers"} "${[...one.after, one.question].join(" / ")}"`, async () => {
        const { answer, status } = await world.answer(standing(one, world), new Date(one.now));

        if (one.says.length === 0 || (one.mayRefuse && status === "refused")) assert.equal(status, "refused", answer);
        else for (const pattern of one.says) assert.match(answer, new RegExp(pattern, "i"));
        for (const pattern of one.not) assert.doesNotMatch(answer, new RegExp(pattern, "i"));
      });
    }
  });
}

/** The question as it reads on its own after those that were asked before it. */
function standing({ question, after: earlier, now }: Spoken, { graph }: AgentWorld): string {
  const conversations = createConversations({ graph, clock: () => 0 });
  for (const one of earlier) conversations.resolve("s", one, new Date(now));
  return conversations.resolve("s", question, new Date(now));
}
