import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, describe, it } from "node:test";
import { Worker } from "node:worker_threads";
import type { HttpServer } from "../src/http/server.ts";
import { appDouble } from "./support/app-double.ts";
import { testServer } from "./support/server.ts";

const USERS = 60;

/** Users with a thread of their own, each of whom asks again at their reply; ends when everybody had one. */
const crowd = `
const { Agent, request } = require("node:http");
const { parentPort, workerData } = require("node:worker_threads");
const replies = Array(workerData.users).fill(0);
const ask = (user, agent) => {
  const options = { method: "POST", agent, headers: { "content-type": "application/json" } };
  const sent = request(workerData.url + "/api/ask", options, (reply) => {
    reply.resume().on("end", () => {
      if (++replies[user] === 1 && replies.every((n) => n > 0)) {
        parentPort.postMessage([...replies]);
        process.exit();
      }
      ask(user, agent);
    });
  });
  sent.end(JSON.stringify({ question: "Who owns redis?" }));
};
for (let user = 0; user < workerData.users; user += 1) ask(user, new Agent({ keepAlive: true, maxSockets: 1 }));
`;

describe("many users at once", () => {
  let url = "";
  let server: HttpServer;

  before(async () => {
    const app = appDouble();
    const usual = app.ask;
    app.ask = async function* (question, options) {
      // as an answer by rules does: it lets nothing else run
      for (const until = performance.now() + 8; performance.now() < until; );
      return yield* usual.call(app, question, options);
    };
    server = testServer(app);
    ({ url } = await server.start());
  });
  after(() => server.stop());

  it("are served in turn, those too who had no connection yet when the daemon became busy", async () => {
    const worker = new Worker(crowd, { eval: true, workerData: { url, users: USERS } });
    const [replies] = (await once(worker, "message")) as [number[]];

    assert.equal(replies.length, USERS);
    assert.ok(Math.max(...replies) <= 3, `some had ${Math.max(...replies)} replies when the last had the first`);
  });
});
