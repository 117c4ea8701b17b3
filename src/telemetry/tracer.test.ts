import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { ContextError } from "../core/errors.ts";
import type { Spans } from "../core/spans.ts";
import { parseTraceparent } from "./traceparent.ts";
import { createTracer, type EndedSpan } from "./tracer.ts";

function recorder(): { readonly spans: Spans; readonly ended: EndedSpan[]; tick(ms: number): void } {
  const ended: EndedSpan[] = [];
  let clock = 500;
  let ids = 0;
  const spans = createTracer({
    content: false,
    now: () => new Date("2026-01-01T00:00:00Z"),
    clock: () => clock,
    randomHex: (bytes) => (++ids).toString(16).padStart(bytes * 2, "0"),
    ended: (span) => void ended.push(span),
  });
  const tick = (ms: number): void => {
    clock += ms;
  };
  return { spans, ended, tick };
}

function parentOf(ended: readonly EndedSpan[], name: string): string | null {
  const span = ended.find((one) => one.name === name);
  return ended.find(({ spanId }) => spanId === span?.parentId)?.name ?? null;
}

async function drain<Event, Result>(work: AsyncGenerator<Event, Result>): Promise<Result> {
  for (;;) {
    const step = await work.next();
    if (step.done === true) return step.value;
    await nextTurn();
  }
}

describe("spans", () => {
  it("hang under the work they run in, through awaits, parallel calls and generators in generators", async () => {
    const { spans, ended } = recorder();
    const leaf = (name: string): Promise<void> =>
      spans.during(name, {}, async () => {
        await nextTurn();
      });

    await drain(
      spans.steps("question", {}, async function* () {
        yield "asked";
        await nextTurn();
        yield* spans.steps("gather", {}, async function* () {
          await Promise.all([leaf("tool a"), leaf("tool b")]);
          yield "called";
          await leaf("tool c");
        });
        yield* spans.steps("write", {}, async function* () {
          yield "token";
          await leaf("chat");
        });
      }),
    );

    assert.deepEqual(
      ["gather", "write", "tool a", "tool b", "tool c", "chat", "question"].map((name) => parentOf(ended, name)),
      ["question", "question", "gather", "gather", "gather", "write", null],
    );
    assert.equal(new Set(ended.map(({ traceId }) => traceId)).size, 1);
  });

  it("of two questions at once do not mix", async () => {
    const { spans, ended } = recorder();
    const question = (name: string) =>
      drain(
        spans.steps(name, {}, async function* () {
          yield 1;
          await nextTurn();
          await spans.during(`tool of ${name}`, {}, () => nextTurn());
          yield 2;
        }),
      );

    await Promise.all([question("a"), question("b")]);

    assert.equal(parentOf(ended, "tool of a"), "a");
    assert.equal(parentOf(ended, "tool of b"), "b");
    assert.equal(new Set(ended.map(({ traceId }) => traceId)).size, 2);
  });

  it("measure with the steady clock, from the wall clock's start of the trace", async () => {
    const { spans, ended, tick } = recorder();

    await spans.during("outer", {}, async () => {
      tick(7);
      await spans.during("inner", {}, async () => tick(5.5));
    });

    const start = Date.parse("2026-01-01T00:00:00Z");
    assert.deepEqual(
      ended.map(({ name, start: from, end }) => [name, from - start, end - start]),
      [
        ["inner", 7, 12.5],
        ["outer", 0, 12.5],
      ],
    );
  });

  it("say what they failed with, and let it through", async () => {
    const { spans, ended } = recorder();
    const broken = spans.steps("run", {}, async function* () {
      yield 1;
      throw new ContextError("LLM_UNAVAILABLE", "away");
    });

    await assert.rejects(drain(broken), { code: "LLM_UNAVAILABLE" });

    assert.equal(ended[0]?.error, "LLM_UNAVAILABLE");
    assert.equal(ended[0]?.attributes["error.type"], "LLM_UNAVAILABLE");
  });

  it("end, and let their work clean up, when nobody listens any more", async () => {
    const { spans, ended } = recorder();
    const done: string[] = [];
    const work = spans.steps("run", {}, async function* () {
      try {
        yield 1;
        yield 2;
      } finally {
        done.push("cleaned up");
      }
    });

    await work.next();
    await work.return(undefined as never);

    assert.deepEqual(done, ["cleaned up"]);
    assert.equal(ended[0]?.name, "run");
    assert.equal(ended[0]?.error, null);
  });

  it("take a caller's trace on, and are not recorded where the caller does not record its own", async () => {
    const { spans, ended } = recorder();
    const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
    const run = (flags: string) =>
      spans.during("question", { traceparent: `00-${traceId}-00f067aa0ba902b7-${flags}` }, () => spans.during("tool", {}, async () => 1));

    await run("01");
    assert.deepEqual(
      ended.map((span) => [span.name, span.traceId, span.parentId === "00f067aa0ba902b7"]),
      [
        ["tool", traceId, false],
        ["question", traceId, true],
      ],
    );

    ended.length = 0;
    await run("00");
    assert.deepEqual(ended, []);
  });
});

describe("a traceparent header", () => {
  const id = "4bf92f3577b34da6a3ce929d0e0e4736";
  const span = "00f067aa0ba902b7";

  it("counts only as the standard writes it", () => {
    assert.deepEqual(parseTraceparent(`00-${id}-${span}-03`), { traceId: id, spanId: span, sampled: true });
    assert.deepEqual(parseTraceparent(`01-${id}-${span}-00-later`), { traceId: id, spanId: span, sampled: false });
    for (const wrong of [
      undefined,
      "",
      `ff-${id}-${span}-01`,
      `00-${id}-${span}-01-more`,
      `00-${"0".repeat(32)}-${span}-01`,
      `00-${id}-${"0".repeat(16)}-01`,
      `00-${id.toUpperCase()}-${span}-01`,
      `00-${id}-${span}`,
      `00-${id}${span}-01`,
    ])
      assert.equal(parseTraceparent(wrong), null, wrong);
  });
});
