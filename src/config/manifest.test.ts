import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "zod";
import { ContextError } from "../core/errors.ts";
import { manifestJsonSchema, parseManifest } from "./manifest.ts";

const Source = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("records"), path: z.string() }),
  z.strictObject({ kind: z.literal("jira"), baseUrl: z.url(), token: z.string() }),
]);

function parse(manifest: unknown, env: Record<string, string> = {}) {
  return parseManifest(typeof manifest === "string" ? manifest : JSON.stringify(manifest), Source, env, "manifest.json");
}

function problem(run: () => unknown): ContextError {
  try {
    run();
  } catch (error) {
    if (error instanceof ContextError) return error;
    throw error;
  }
  throw new assert.AssertionError({ message: "no error was thrown" });
}

describe("parseManifest", () => {
  it("fills in the defaults of a small manifest", () => {
    const manifest = parse({ name: "shop", sources: [{ kind: "records", path: "records.jsonl" }] });

    assert.deepEqual(manifest.schedule, { cron: "0 2 * * *", timezone: "UTC", jitterSeconds: 0 });
    assert.deepEqual(manifest.retention, { runDays: 365, answerDays: 365, replyDays: 180 });
    assert.deepEqual(manifest.models, { embedding: "bundled", reranker: "bundled" });
    assert.deepEqual(manifest.engines, { lexical: "sqlite", vector: "embedded" });
    assert.equal(manifest.llm, undefined);
  });

  it("replaces references from the environment, also inside a longer text", () => {
    const manifest = parse(
      { name: "shop", sources: [{ kind: "jira", baseUrl: "https://${SITE}.example", token: "${TOKEN}" }] },
      { SITE: "acme", TOKEN: "t" },
    );

    assert.deepEqual(manifest.sources[0], { kind: "jira", baseUrl: "https://acme.example", token: "t" });
  });

  it("takes the secret address of a failure notice from the environment, and none that goes in the clear", () => {
    const parsed = (url: string) =>
      parse({ name: "shop", sources: [], schedule: { failureWebhook: "${HOOK}" } }, { HOOK: url }).schedule.failureWebhook;

    assert.equal(parsed("https://hooks.example/services/T0/B0?x=1"), "https://hooks.example/services/T0/B0?x=1");
    assert.equal(parsed("http://127.0.0.1:9/hook"), "http://127.0.0.1:9/hook");
    assert.match(problem(() => parsed("http://hooks.example/services/T0")).message, /schedule\.failureWebhook: must begin with https/);
  });

  it("names every variable that is missing, with its key, at once", () => {
    const error = problem(() => parse({ name: "${NAME}", sources: [{ kind: "jira", baseUrl: "${URL}", token: "${TOKEN}" }] }));

    assert.equal(error.code, "CONFIG_ENV_MISSING");
    for (const part of ["name: ${NAME}", "sources[0].baseUrl: ${URL}", "sources[0].token: ${TOKEN}"])
      assert.ok(error.message.includes(part), part);
    assert.equal(error.exit, 2);
  });

  it("names every wrong key with its problem, at once", () => {
    const error = problem(() =>
      parse({ sources: [{ kind: "records", path: 7 }, { kind: "fax" }], nmae: "shop", schedule: { timezone: "Mars/Olympus" } }),
    );

    assert.equal(error.code, "CONFIG_INVALID");
    for (const part of [
      "name:",
      "nmae: is not a known key",
      "sources[0].path:",
      "it is 7",
      "sources[1].kind:",
      "schedule.timezone: is no known time zone",
    ]) {
      assert.ok(error.message.includes(part), `${part} in ${error.message}`);
    }
  });

  it("says what is allowed, in words of its own", () => {
    const { message } = problem(() =>
      parse({ now: "yesterday", sources: [{ kind: "fax" }], retention: { runDays: 0 }, llm: { cheap: 3 } }),
    );

    for (const line of [
      "  name: is missing; it must be text in quotation marks",
      "  now: must be a time such as 2026-01-31T09:00:00Z",
      "  retention.runDays: must be at least 1",
      "  llm.cheap: must be text in quotation marks (it is 3)",
      "  llm.frontier: is missing; it must be text in quotation marks",
    ])
      assert.ok(message.includes(line), `${line} in ${message}`);
    assert.match(message, /sources\[0\]\.kind: must be one of "[^\n]*"records"[^\n]*\(it is "fax"\)|sources\[0\]\.kind: must be one of "/);
    assert.doesNotMatch(message, /Invalid|expected|received/);
  });

  it("tells where the JSON breaks off instead of showing a stack", () => {
    const error = problem(() => parse('{"name": "shop", "sources": ['));

    assert.equal(error.code, "CONFIG_INVALID");
    assert.match(error.message, /^manifest\.json is not valid JSON: /);
  });

  it("gives a JSON Schema that requires what the parser requires", () => {
    const schema = manifestJsonSchema(Source) as { required: string[]; additionalProperties: boolean; properties: Record<string, unknown> };

    assert.deepEqual(schema.required, ["name", "sources"]);
    assert.equal(schema.additionalProperties, false);
    assert.ok("schedule" in schema.properties);
  });
});
