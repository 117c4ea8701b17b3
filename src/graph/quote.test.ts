import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { SourceRecord, Span } from "../core/record.ts";
import { quoteOf } from "./quote.ts";

function record(kind: SourceRecord["kind"], prose: string, fields = ""): Pick<SourceRecord, "kind" | "body" | "proseEnd"> {
  return { kind, body: prose + fields, proseEnd: prose.length };
}

function span({ body }: { readonly body: string }, part: string): Span {
  const start = body.indexOf(part);
  return { record: "jira:AB-1", start, end: start + part.length };
}

describe("a quote of evidence", () => {
  it("is the whole sentence where a rule read half of a conjunction", () => {
    const page = record("page", "Billing is old. Checkout depends on redis and on the\nledger, e.g. for refunds. It is slow.");

    assert.equal(quoteOf(page, span(page, "Checkout depends on redis")), "Checkout depends on redis and on the\nledger, e.g. for refunds.");
    assert.equal(
      quoteOf(page, span(page, "old. Checkout")),
      "Billing is old. Checkout depends on redis and on the\nledger, e.g. for refunds.",
    );
  });

  it("is the whole line of a file and of a stated field", () => {
    const file = record("file", "/src/pay @ann\n/src/checkout @bob @eve\n");
    const ticket = record("ticket", "Checkout is slow.", "\n\nComponents: checkout, redis\nStatus: Open");

    assert.equal(quoteOf(file, span(file, "/src/checkout @bob")), "/src/checkout @bob @eve");
    assert.equal(quoteOf(ticket, span(ticket, "redis")), "Components: checkout, redis");
  });

  it("is no more than what was read where a sentence does not end", () => {
    const page = record("page", `Checkout depends on redis ${"and so on ".repeat(100)}`);

    assert.equal(quoteOf(page, span(page, "Checkout depends on redis")), "Checkout depends on redis");
  });

  it("is empty where the place is no longer there", () => {
    assert.equal(quoteOf(record("page", ""), { record: "jira:AB-1", start: 3, end: 9 }), "");
  });
});
