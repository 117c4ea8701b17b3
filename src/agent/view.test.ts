import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { SourceRecord } from "../core/record.ts";
import { messageOf } from "./view.ts";

function line(body: string): SourceRecord {
  return {
    id: "log:a.log:1",
    source: "log",
    kind: "log",
    body,
    proseEnd: body.length,
    updatedAt: "2026-01-01T00:00:00Z",
    fields: {},
  } as unknown as SourceRecord;
}

describe("messageOf", () => {
  it("leaves out the fields behind the words", () => {
    assert.equal(messageOf(line("2026-01-01T00:00:00Z ERROR cannot reach the store traceId=ab12 spanId=34")), "cannot reach the store");
    assert.equal(messageOf(line('ERROR cannot reach the store err="no route to host" spanId=34')), "cannot reach the store");
  });

  it("keeps the words that follow fields", () => {
    assert.equal(
      messageOf(line("ERROR till-7d9f8b6c5-x2x9p trace=ab12 span=34 cart store gone: caused by memcached")),
      "cart store gone: caused by memcached",
    );
    assert.equal(messageOf(line("ERROR retry attempt=3 of 5 failed")), "retry attempt=3 of 5 failed");
  });
});
