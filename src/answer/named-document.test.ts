import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { chunkOf, passageOf } from "../../test/support/shapes.ts";
import type { Passage } from "../core/chunk.ts";
import { documentNamed, documentOpening } from "./named-document.ts";
import { quote } from "./quote.ts";

function page(record: string, title: string, text: string): Passage {
  return passageOf(chunkOf(record, text, { title }));
}

async function said(question: string, ...passages: readonly Passage[]): Promise<string[]> {
  return (await quote(question, passages, { embedder: null, signal: new AbortController().signal })).map(({ text }) => text);
}

const vault = page("confluence:page:7", "Vault runbook", "# Vault runbook\n\nUnseal the three nodes in turn. Then call the desk.\n");
const harbour = page("jira:OPS-7", "Cranes stand still", "The cranes of the harbour stand still.\n\nStatus: Open\n");

describe("a document that is asked for as a whole", () => {
  it("is told by its first sentences, called by its name or its key", async () => {
    assert.deepEqual(await said("What does the vault runbook say?", harbour, vault), [
      "Unseal the three nodes in turn.",
      "Then call the desk.",
    ]);
    assert.deepEqual(await said("What is OPS-7 about?", vault, harbour), ["The cranes of the harbour stand still."]);
  });

  it("is the one that is called just so, and is not guessed between two, from another name or from that of a thing", () => {
    const opening = (called: string, ...passages: readonly Passage[]): string[] =>
      documentOpening(called, passages).map(({ text }) => text);
    const night = page("confluence:page:8", "Vault runbook of the night", "Ring the night desk.");
    const day = page("confluence:page:9", "Vault runbook of the day", "Ring the day desk.");

    assert.equal(opening("vault runbook", night, vault).length, 2);
    assert.deepEqual(opening("vault runbook", night, day), []);
    assert.deepEqual(opening("ferry runbook", vault), []);
    assert.deepEqual(opening("OPS-8", harbour), []);
    const file = page("documents:docs/runbook-ops-7.md", "runbook-ops-7.md", "# Cranes\n\nStop the cranes first.\n");
    assert.deepEqual(opening("OPS-7", file), ["Stop the cranes first."]);
    assert.deepEqual(opening("OPS-77", file), []);
    assert.deepEqual(opening("PS-7", file), []);
    assert.deepEqual(opening("vault", vault), []);
    assert.equal(documentNamed("What does the vault say about the ferry?"), null);
  });
});
