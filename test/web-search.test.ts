import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { openApp } from "../src/app.ts";
import { type Answer, FROM_THE_WEB, refusals } from "../src/core/answer.ts";
import type { App } from "../src/core/app.ts";
import { ContextError } from "../src/core/errors.ts";
import { pastAnswer } from "../src/http/views.ts";
import { braveError, FakeBrave, FakeWikipedia } from "./fakes/web-search.ts";

const folder = mkdtempSync(join(tmpdir(), "contextd-web-search-"));
const brave = new FakeBrave();
const wikipedia = new FakeWikipedia();
const signal = new AbortController().signal;
const logged: string[] = [];
const log = (fields: object, message: string): void => void logged.push(JSON.stringify({ ...fields, message }));
const options = {
  manifest: join(folder, "manifest.json"),
  dataDir: join(folder, "data"),
  write: true,
  env: { BRAVE_TOKEN: brave.token },
  version: "0",
  log: { debug: log, info: log, warn: log, error: log },
};
let app: App;

async function ask(question: string): Promise<Answer> {
  const run = app.ask(question, { signal });
  for (;;) {
    const step = await run.next();
    if (step.done === true) return step.value;
  }
}

before(async () => {
  await Promise.all([brave.start(), wikipedia.start()]);
  mkdirSync(join(folder, "docs"));
  writeFileSync(
    join(folder, "docs", "ledger.md"),
    "# Ledger\n\nThe ledger service writes its entries to the vault bucket every 15 minutes.\n",
  );
  const webSearch = {
    engines: [
      { kind: "brave", token: "${BRAVE_TOKEN}", baseUrl: brave.url },
      { kind: "wikipedia", baseUrl: wikipedia.url },
    ],
  };
  const manifest = { name: "small", sources: [{ kind: "documents", path: "docs", include: ["**/*.md"] }], webSearch };
  writeFileSync(options.manifest, JSON.stringify(manifest));
  app = await openApp(options);
  const run = app.index({ signal });
  while (!(await run.next()).done);
});
after(async () => {
  await app[Symbol.asyncDispose]();
  await Promise.all([brave[Symbol.asyncDispose](), wikipedia[Symbol.asyncDispose]()]);
  rmSync(folder, { recursive: true, force: true });
});

describe("web search in the product", () => {
  it("stays silent while the sources answer", async () => {
    const answer = await ask("To which bucket are ledger entries written?");

    assert.match(answer.answer, /vault bucket every 15 minutes \[1\]/);
    assert.notEqual(answer.route, "web");
    assert.deepEqual([...brave.take(), ...wikipedia.take()], []);
  });

  it("answers from a page where they do not, and its permanent link calls nothing changed", async () => {
    const text = "Photosynthesis is the process by which plants turn light into chemical energy.";
    wikipedia.pages = [{ title: "Photosynthesis", url: "https://en.wikipedia.org/wiki/Photosynthesis", text }];

    const answer = await ask("What is photosynthesis?");

    assert.equal(answer.answer, `${FROM_THE_WEB}${text.slice(0, -1)} [1].`);
    assert.equal(answer.route, "web");
    assert.equal(answer.citations[0]?.source, "web");
    const kept = app.answer(answer.id);
    assert.ok(kept !== null);
    assert.deepEqual(pastAnswer(kept, (id) => app.chunk(id)?.chunk ?? null).changed, []);
    assert.deepEqual(
      brave.take().map(({ query }) => query.get("q")),
      ["What is photosynthesis?"],
    );
  });

  it("refuses what the web does not answer either", async () => {
    wikipedia.pages = [
      { title: "Bread", url: "https://en.wikipedia.org/wiki/Bread", text: "Bread is baked from a dough of flour and water." },
    ];

    const answer = await ask("Who won the 1934 chess tournament of Zurich?");

    assert.equal(answer.answer, refusals.insufficient);
    assert.deepEqual(answer.citations, []);
    assert.deepEqual(
      answer.lookedFor.map(({ what, found }) => [what, found]),
      [
        ["the web, by Brave Search", 0],
        ["the web, by Wikipedia", 1],
      ],
    );
  });

  it("has a row of doctor for each engine, with the remedy and without the token", async () => {
    brave.troubles.push(braveError(422, "SUBSCRIPTION_TOKEN_INVALID", "The provided subscription token is invalid."));

    const rows = (await app.doctor(signal)).filter(({ name }) => name.startsWith("web search"));

    assert.deepEqual(
      rows.map(({ name, ok }) => [name, ok]),
      [
        ["web search by Brave Search", false],
        ["web search by Wikipedia", true],
      ],
    );
    assert.match(rows[0]?.remedy ?? "", /token/);
    assert.ok(!(JSON.stringify(rows) + logged.join("")).includes(brave.token));
  });

  it("names the variable that is missing, and takes plain http for loopback only", async () => {
    await assert.rejects(openApp({ ...options, env: {} }), (error) => error instanceof ContextError && /BRAVE_TOKEN/.test(error.message));

    const file = join(folder, "plain.json");
    const webSearch = { engines: [{ kind: "wikipedia", baseUrl: "http://wiki.example.org" }] };
    writeFileSync(file, JSON.stringify({ name: "small", sources: [], webSearch }));
    await assert.rejects(openApp({ ...options, manifest: file }), { code: "CONFIG_INVALID" });
  });
});
