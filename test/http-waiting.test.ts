import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { appDouble } from "./support/app-double.ts";
import { active, ask, eventsOf, lastOf, serve } from "./support/http.ts";

describe("index runs over HTTP", () => {
  it("start at once, show progress, refuse a second, and end with a report", async () => {
    const gate = Promise.withResolvers<void>();
    const { url, server } = await serve(appDouble({ pause: () => gate.promise }));
    const start = (): Promise<Response> => fetch(`${url}/api/index`, { method: "POST" });

    const first = await start();
    const { runId, url: place } = (await first.json()) as { runId: string; url: string };
    assert.equal(first.status, 202);
    assert.equal(first.headers.get("location"), place);
    assert.equal((await start()).status, 409);
    const running = (await (await fetch(`${url}${place}`)).json()) as { status: string; progress: { done: number } };
    assert.equal(running.status, "running");
    assert.equal(running.progress.done, 0);

    const stream = fetch(`${url}${place}`, { headers: { accept: "text/event-stream" } });
    gate.resolve();
    const events = eventsOf(await (await stream).text());
    assert.equal(events.at(-1)?.event, "run");
    assert.equal(lastOf(events).status, "done");
    const list = (await (await fetch(`${url}/api/index/runs`)).json()) as { runs: { id: string }[]; running: null };
    assert.deepEqual([list.runs.map((run) => run.id), list.running], [[runId], null]);
    assert.equal((await fetch(`${url}/api/index/runs/none`)).status, 404);
    await server.stop();
  });
});

describe("work that nobody waits for", () => {
  it("is stopped when the client goes away", async () => {
    const stopped = Promise.withResolvers<void>();
    const app = appDouble({
      pause: (signal) =>
        new Promise((_resolve, reject) => {
          const stop = (): void => {
            stopped.resolve();
            reject(signal.reason);
          };
          // the client may have gone between two steps
          if (signal.aborted) stop();
          else signal.addEventListener("abort", stop);
        }),
    });
    const { url, server } = await serve(app, { graceMs: 0 });
    const leave = new AbortController();
    const reply = await fetch(`${url}/api/ask`, {
      method: "POST",
      signal: leave.signal,
      headers: { "content-type": "application/json", accept: "text/event-stream" },
      body: JSON.stringify({ question: "Why is checkout broken?" }),
    });
    await reply.body?.getReader().read();

    leave.abort();

    await stopped.promise;
    assert.deepEqual(app.aborted, ["Why is checkout broken?"]);
    await server.stop();
  });

  it("goes on for a client that comes back, which gets each event once", async () => {
    let steps = 0;
    const gate = Promise.withResolvers<void>();
    const app = appDouble({
      pause: async () => {
        steps += 1;
        if (steps > 5) await gate.promise;
      },
    });
    const { url, server } = await serve(app);
    const leave = new AbortController();
    const body = JSON.stringify({ question: "Why is checkout broken?" });
    const headers = { "content-type": "application/json", accept: "text/event-stream" };
    const first = await fetch(`${url}/api/ask`, { method: "POST", signal: leave.signal, headers, body });
    let text = "";
    for await (const part of first.body ?? []) {
      text += Buffer.from(part).toString();
      if (eventsOf(text).some((one) => one.event === "token")) break;
    }
    leave.abort();
    const before = eventsOf(text.slice(0, text.lastIndexOf("\n\n")));

    const again = fetch(`${url}/api/ask`, { method: "POST", headers: { ...headers, "last-event-id": before.at(-1)?.id ?? "" }, body });
    gate.resolve();
    const after = eventsOf(await (await again).text());

    const places = [...before, ...after].map((one) => Number(one.id?.split(".").at(-1)));
    assert.deepEqual(
      places,
      places.map((_, at) => at),
    );
    assert.equal(after.at(-1)?.event, "answer");
    assert.deepEqual(app.aborted, []);
    await server.stop();
  });

  it("is refused with Retry-After when too much waits, and goes on in turn", async () => {
    const gate = Promise.withResolvers<void>();
    const { url, server } = await serve(appDouble({ pause: () => gate.promise }), { limits: { concurrency: 1, queue: 1 } });
    const question = { question: "Why is checkout broken?" };
    const running = ask(url, question, { accept: "text/event-stream" });
    await (await running).body?.getReader().read();
    const waiting = ask(url, question);
    await active(url, "contextd_questions_waiting 1");

    const refused = await ask(url, question);
    const search = await fetch(`${url}/api/search?q=redis`);
    gate.resolve();

    assert.equal(refused.status, 503);
    assert.equal(refused.headers.get("retry-after"), "2");
    assert.equal(((await refused.json()) as { code: string }).code, "OVERLOADED");
    assert.equal(search.status, 200);
    assert.equal((await waiting).status, 200);
    await server.stop();
  });

  it("is refused with 429 when one caller sends too many a minute", async () => {
    const { url, server } = await serve(appDouble(), { limits: { perMinute: 2 } });
    const statuses: number[] = [];
    for (let n = 0; n < 3; n += 1) statuses.push((await ask(url, { question: "checkout" })).status);

    assert.deepEqual(statuses, [200, 200, 429]);
    await server.stop();
  });
});
