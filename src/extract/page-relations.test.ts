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

function edgesOf(text: string): string[] {
  const page = recordFor({ id: "confluence:page:1", prose: `Runbook: alpha\n\n${text}` });
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
    for (const text of ["It is polled by beta every minute.", "The first call is made by beta.", "beta is its only customer."])
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
    ])
      assert.deepEqual(
        edgesOf(text).filter((edge) => edge.startsWith("alpha ") || edge.endsWith(" alpha")),
        [],
        text,
      );
  });
});
