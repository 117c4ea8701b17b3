import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { quickWorld } from "../test/support/quick-world.ts";
import { documentsAbout } from "./app-documents.ts";
import type { AgentWorld } from "./eval/agent-world.ts";

function line(id: string, source: string, kind: string, title: string, text: string): string {
  const at = "2026-05-04T08:20:00Z";
  return JSON.stringify({ id, source, kind, title, text, author: "Ada King", createdAt: at, updatedAt: at, url: null });
}

const lines = [
  line("confluence:1", "confluence", "page", "Service catalogue", "Service | Owner\nbilling-core | Ada King\nemail | Ada King\n"),
  line("confluence:2", "confluence", "page", "Runbook: billing-core", "Restart the pods one after the other, never two at once."),
  line("confluence:3", "confluence", "page", "Money", "Every invoice starts in billing-core. When billing-core is slow, invoices wait."),
  line("confluence:4", "confluence", "page", "Holidays", "Ask before you leave. The team of billing-core has its own list."),
  line("confluence:5", "confluence", "page", "Asking for help", "Keep the email. Whoever gets the email replies within a day."),
  line("confluence:6", "confluence", "page", "Email setup", "The email service reads its queue from billing-core."),
  line("confluence:7", "confluence", "page", "Email habits", "Answer within a day."),
  line("github:file:acme/shop/src/billing-core/README.md", "github", "file", "acme/shop/src/billing-core/README.md", "Needs Node 24."),
  line("jira:BIL-1", "jira", "bug", "billing-core is slow", "BIL-1 affects billing-core. billing-core needs a minute."),
];

describe("documents about a service", () => {
  const folder = mkdtempSync(join(tmpdir(), "contextd-about-"));
  let world: AgentWorld;

  before(async () => {
    writeFileSync(join(folder, "records.jsonl"), `${lines.join("\n")}\n`);
    writeFileSync(
      join(folder, "manifest-fragment.json"),
      JSON.stringify({ aliases: { "billing-core": ["billing"], email: ["email service"] } }),
    );
    world = await quickWorld(folder);
  });
  after(() => {
    world[Symbol.dispose]();
    rmSync(folder, { recursive: true });
  });

  function titlesAbout(id: `service:${string}`): string[] {
    const service = world.graph.node(id);
    assert.ok(service !== null);
    return documentsAbout(world.store, world.graph, service).map(({ record, titled }) =>
      titled ? `titled ${record.title}` : record.title,
    );
  }

  it("are those whose title or folder names it, then those that speak of it more than once, whether they state a fact or not", () => {
    const titles = titlesAbout("service:billing-core");

    assert.deepEqual(titles, ["titled Runbook: billing-core", "titled acme/shop/src/billing-core/README.md", "Money"]);
  });

  it("are not those that use an everyday word which is a service's name too", () => {
    assert.deepEqual(titlesAbout("service:email"), ["titled Email setup"]);
  });
});
