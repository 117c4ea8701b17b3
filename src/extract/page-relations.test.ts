import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { namesFor, recordFor } from "./testing.ts";
import { createTier1 } from "./tier1.ts";

const tier1 = createTier1();
const names = namesFor({
  services: { alpha: [], beta: [], delta: [], "gamma-api": [] },
  engineers: { "Ada Lovelace": "ada" },
  projects: ["AB"],
});

function edgesOf(text: string, title = "Runbook: alpha"): string[] {
  const page = recordFor({ id: "confluence:page:1", prose: `${title}\n\n${text}` });
  return tier1
    .extract(page, names)
    .facts.map(({ source, kind, target }) => `${source.split(":")[1]} ${kind} ${target.split(":")[1]}`)
    .sort();
}

describe("other services on the page of one", () => {
  it("are needed by it where its things are in, at or with them, in whatever words", () => {
    for (const text of [
      "Sign-in is done against beta.",
      "It knows members through beta.",
      "Fines are collected by beta.",
      "Rooms arrive every night as a file from beta.",
      "It tells beta about each new student.",
      "beta only holds the history.",
    ])
      assert.deepEqual(edgesOf(text), ["alpha depends_on beta"], text);
  });

  it("need it where they are the ones who act", () => {
    for (const text of [
      "It is polled by beta every minute.",
      "Rows are read by beta.",
      "The first call is made by beta.",
      "beta is its only customer.",
    ])
      assert.deepEqual(edgesOf(text), ["beta depends_on alpha"], text);
  });

  it("have nothing to do with it in steps, comparisons, commands, denials, questions, the past or other services' doings", () => {
    for (const text of [
      "Steps\n\nThen the queue is emptied on beta.",
      "It behaves like beta.",
      "Look at the lag in beta first.",
      "Nothing is kept in beta.",
      "Is anything kept in beta?",
      "It was split off from beta.",
      "gamma-api is checked against beta.",
      "You will find examples in beta.",
      "It is exposed through beta.",
      "If it is registered with beta, remove it.",
      "This is a process that is also done by beta.",
      "Labels are added by the beta library which made the block.",
      "Its format is compatible with beta.",
      "The current number of calls is shown in beta.",
      "Rooms are kept in the beta 2.0 format.",
      "Queries are run on many workers when those in beta fill up.",
    ])
      assert.deepEqual(
        edgesOf(text).filter((edge) => edge.startsWith("alpha ") || edge.endsWith(" alpha")),
        [],
        text,
      );
  });

  it("are read so on a page that describes the service, not on one that only has to do with it", () => {
    const text = "Fines are collected by beta.";
    for (const title of [
      "alpha",
      "About alpha",
      "alpha service: overview",
      "How the alpha works",
      "Betriebshandbuch alpha",
      "alpha (rooms)",
    ])
      assert.deepEqual(edgesOf(text, title), ["alpha depends_on beta"], title);
    for (const title of [
      "Moving rooms from alpha to the new cluster",
      "Query logs in alpha",
      "alpha is down",
      "Postmortem: alpha",
      "Technical support rota for everybody in alpha",
    ])
      assert.deepEqual(edgesOf(text, title), [], title);
  });
});
