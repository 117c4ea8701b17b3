import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ContextError } from "../src/core/errors.ts";
import { appDouble } from "./support/app-double.ts";
import { ask, eventsOf, lastOf, serve } from "./support/http.ts";
import { testServer } from "./support/server.ts";

describe("the daemon's start and stop", () => {
  it("names a port that is taken, and what to do", async () => {
    const { port, server } = await serve();
    const second = testServer(appDouble(), { port });

    await assert.rejects(second.start(), (error: ContextError) => error.code === "PORT_IN_USE" && /--port/.test(error.remedy));
    await server.stop();
  });

  it("tells why it is not ready", async () => {
    const reason = new ContextError("MODEL_MISSING", "The embedding model is not loaded yet.");
    const { url, server } = await serve(appDouble({ notReady: [reason] }));
    const reply = await fetch(`${url}/readyz`);

    assert.equal(reply.status, 503);
    assert.deepEqual(await reply.json(), {
      ready: false,
      reasons: [{ code: "MODEL_MISSING", message: reason.message, remedy: reason.remedy }],
    });
    await server.stop();
  });

  it("lets an open question end before it stops", async () => {
    const gate = Promise.withResolvers<void>();
    const { url, server } = await serve(appDouble({ pause: () => gate.promise }));
    const reply = await ask(url, { question: "Why is checkout broken?" }, { accept: "text/event-stream" });

    const stopped = server.stop();
    gate.resolve();
    const events = eventsOf(await reply.text());

    assert.equal(events.at(-1)?.event, "answer");
    await stopped;
  });

  it("cuts what does not end in time", async () => {
    const app = appDouble({
      pause: (signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
        }),
    });
    const { url, server } = await serve(app, { drainMs: 20 });
    const reply = await ask(url, { question: "Why is checkout broken?" }, { accept: "text/event-stream" });

    await server.stop();

    const events = eventsOf(await reply.text());
    assert.equal(lastOf(events).code, "CANCELLED");
  });

  it("logs one line a request without paths, queries or tokens", async () => {
    const lines: string[] = [];
    const note = (fields: object, message: string): void => void lines.push(JSON.stringify({ ...fields, message }));
    const { url, server } = await serve(appDouble(), { token: "s3cret", log: { debug: note, info: note, warn: note, error: note } });
    await fetch(`${url}/api/search?q=private-word`, { headers: { authorization: "Bearer s3cret", "x-request-id": "abc-1" } });
    await server.stop();

    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? "", /"requestId":"abc-1","method":"GET","route":"\/api\/search","status":200/);
    assert.doesNotMatch(lines.join(), /private-word|s3cret/);
  });
});
