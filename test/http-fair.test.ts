import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, describe, it } from "node:test";
import { Worker } from "node:worker_threads";
import type { HttpServer } from "../src/http/server.ts";
import { appDouble } from "./support/app-double.ts";
import { testServer } from "./support/server.ts";

const USERS = 60;

function busy(): void {
  for (const until = performance.now() + 8; performance.now() < until; );
}

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

/** Asks, and looks after the daemon's health as soon as the question is on its way; tells which reply came first. */
const impatient = `
const { Agent, request } = require("node:http");
const { parentPort, workerData } = require("node:worker_threads");
const told = [];
const tell = (what) => (reply) => reply.resume().on("end", () => told.push(what) === 2 && parentPort.postMessage(told));
const agent = () => new Agent({ keepAlive: true });
const sent = request(workerData.url + "/api/ask", { method: "POST", agent: agent(), headers: { "content-type": "application/json" } }, tell("answer"));
sent.end(JSON.stringify({ question: "Who owns redis, at length?" }), () => request(workerData.url + "/healthz", { agent: agent() }, tell("health")).end());
`;

describe("many users at once", () => {
  let url = "";
  let server: HttpServer;

  before(async () => {
    const app = appDouble();
    const usual = app.ask;
    app.ask = async function* (question, options) {
      // as an answer by rules does: it lets nothing else run
      busy();
      if (question.includes("at length")) {
        for (let stage = 0; stage < 60; stage += 1) {
          yield { type: "stage", name: "retrieve", ms: 8, detail: {} };
          busy();
        }
      }
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

  it("do not keep a health check waiting for the end of a question", async () => {
    const worker = new Worker(impatient, { eval: true, workerData: { url } });
    const [told] = (await once(worker, "message")) as [string[]];
    await worker.terminate();

    assert.deepEqual(told, ["health", "answer"]);
  });
});
