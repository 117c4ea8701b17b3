import assert from "node:assert/strict";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it } from "node:test";
import { noticeOf, postNotice } from "./schedule-notice.ts";

const AT = "2026-03-11T02:03:00.000Z";
const failure = { source: "jira", code: "SOURCE_UNAUTHORIZED", message: "Jira <!channel> answered 401" };
const notice = noticeOf({ status: "partial", runId: "r1", failures: [failure] }, "shop & co", AT);

/** A channel that answers with these statuses, one after the other. */
async function channel(...statuses: number[]) {
  const bodies: unknown[] = [];
  const server = createServer(async (req: IncomingMessage, res) => {
    let text = "";
    for await (const part of req) text += part;
    bodies.push(JSON.parse(text));
    res.writeHead(statuses.shift() ?? 200).end("no_text");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/services/T0SECRET`;
  return { url, bodies, [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())) };
}

/** Posts, and tells what was waited and logged. */
async function post(url: string, signal = new AbortController().signal) {
  const waits: number[] = [];
  const logged: unknown[] = [];
  const log = { debug() {}, info() {}, error() {}, warn: (...given: unknown[]) => void logged.push(given) };
  const taken = await postNotice(notice, url, { fetch, wait: async (ms) => void waits.push(ms), log }, signal);
  return { taken, waits, logged: JSON.stringify(logged) };
}

describe("the notice of a failed run", () => {
  it("is small JSON whose text a channel shows, with nothing in it that mentions or links", () => {
    assert.deepEqual(notice, {
      text: "contextd (shop &amp; co): the scheduled index run ended without a part of its sources.\n• jira: Jira &lt;!channel&gt; answered 401 (SOURCE_UNAUTHORIZED)",
      event: "index.partial",
      name: "shop & co",
      runId: "r1",
      at: AT,
      failures: [failure],
    });
  });

  it("stays small, however many sources fail and however long they explain it", () => {
    const many = Array.from({ length: 80 }, () => ({ ...failure, message: "x".repeat(10_000) }));
    const large = noticeOf({ status: "failed", runId: null, failures: many }, "shop", AT);

    assert.ok(JSON.stringify(large).length < 5_000);
    assert.match(large.text, /and 75 more$/);
  });

  it("is posted once where it is taken", async () => {
    await using slack = await channel(200);

    assert.deepEqual(await post(slack.url), { taken: true, waits: [], logged: "[]" });
    assert.deepEqual(slack.bodies, [notice]);
  });

  it("is tried again where the server is at fault or asks to wait, three times at most", async () => {
    await using busy = await channel(503, 429, 200);
    await using broken = await channel(500, 500, 500, 200);

    assert.deepEqual((await post(busy.url)).taken, true);
    const { taken, waits } = await post(broken.url);
    assert.deepEqual([taken, waits.length, broken.bodies.length], [false, 2, 3]);
  });

  it("is not tried again where the channel refuses it", async () => {
    await using gone = await channel(404);

    const { taken, waits } = await post(gone.url);

    assert.deepEqual([taken, waits, gone.bodies.length], [false, [], 1]);
  });

  it("never shows its address, which is a secret", async () => {
    await using gone = await channel(403);

    for (const url of [gone.url, "http://127.0.0.1:1/services/T0SECRET"]) {
      const { taken, logged } = await post(url);
      assert.equal(taken, false);
      assert.match(logged, /was not taken/);
      assert.doesNotMatch(logged, /SECRET|127/);
    }
  });

  it("gives up when the daemon stops", async () => {
    assert.equal((await post("http://127.0.0.1:1/", AbortSignal.abort())).taken, false);
  });
});
