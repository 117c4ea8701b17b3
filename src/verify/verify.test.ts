import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { chunkOf, passageOf } from "../../test/support/shapes.ts";
import type { CheckedClaim, Statement, Verify } from "../core/answer.ts";
import type { Embedder, Passage } from "../core/chunk.ts";
import { ContextError } from "../core/errors.ts";
import type { Complete } from "../core/llm.ts";
import { stem } from "../core/stem.ts";
import { createVerify } from "./verify.ts";

/** Vectors of word stems by hashed position: equal words give equal parts, which is all that these tests need of similarity. */
const embedder: Embedder = {
  id: "words",
  dimensions: 256,
  embed: async (texts) =>
    texts.map((text) => {
      const vector = new Float32Array(256);
      for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
        let hash = 7;
        for (const letter of stem(word)) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 251;
        vector[hash] = (vector[hash] ?? 0) + 1;
      }
      const length = Math.hypot(...vector) || 1;
      return vector.map((value) => value / length);
    }),
};

function passage(text: string, title = "", id = "records:1"): Passage {
  return passageOf(chunkOf(id, text, { title }));
}

const verify: Verify = createVerify({ embedder });

async function check(
  draft: string,
  sources: readonly (string | Passage)[],
  statements: readonly Statement[] = [],
): Promise<readonly CheckedClaim[]> {
  const passages = sources.map((source) => (typeof source === "string" ? passage(source) : source));
  return verify({ question: "?", draft, passages, statements, signal: new AbortController().signal });
}

async function labelOf(claim: string, source: string | Passage): Promise<string> {
  const [first] = await check(`${claim.replace(/\.$/, "")} [1].`, [source]);
  return first?.label ?? "none";
}

async function reasonOf(claim: string, source: string | Passage): Promise<string> {
  const [first] = await check(`${claim.replace(/\.$/, "")} [1].`, [source]);
  assert.equal(first?.label, "UNSUPPORTED", first?.reason);
  return first?.reason ?? "";
}

const ticket = passage(
  "Checkout requests failed with HTTP 503 between 09:12 and 09:48 UTC on 11 March 2026. Rahul Sharma rolled back release v2.4.1 of checkout-api. " +
    "The cause was commit a3f8c2d, which lowered the Redis pool from 50 to 5 connections. 1,240 orders were delayed; no order was lost.",
  "JR-441 Checkout fails under load",
  "jira:JR-441",
);
const runbook = passage(
  "Redis handles session caching with a 30-minute TTL. checkout-api depends on payment-gateway and calls it over gRPC. " +
    "Do not restart the primary during a failover. Only the Payments team may drain the queue. Failover usually takes less than 90 seconds.",
  "Checkout runbook",
  "confluence:77",
);

before(async () => {
  // the tagger is loaded once, outside the cases
  await check("Warm up [1].", ["Warm up."]);
});

describe("verification lets through what a source states", () => {
  for (const [name, claim, source] of [
    ["a sentence quoted word for word", "Redis handles session caching with a 30-minute TTL.", runbook],
    ["a quote with other white space, quotation marks and case", "redis  handles session caching with a 30-minute TTL", runbook],
    ["a unit that is written otherwise", "Redis handles session caching with a TTL of 30 min.", runbook],
    ["a duration in another unit", "Redis handles session caching with a TTL of half an hour, that is 1,800 seconds.", runbook],
    ["clauses in another order", "On 11 March 2026 checkout requests failed with HTTP 503.", ticket],
    ["a date in another form", "Checkout requests failed with HTTP 503 on 2026-03-11.", ticket],
    ["a number without its separator", "1240 orders were delayed.", ticket],
    ["the short form of a version", "Rahul Sharma rolled back release 2.4.1 of checkout-api.", ticket],
    ["a last name alone", "Sharma rolled back checkout-api.", ticket],
    ["passive voice with the same ends", "payment-gateway is called by checkout-api over gRPC.", runbook],
    ["a negation that the source has too", "No order was lost.", ticket],
    ["an instruction with its negation", "Never restart the primary during a failover.", runbook],
    ["a bound that the source's value meets", "More than 1,000 orders were delayed.", ticket],
    ["a name that the title gives", "JR-441: checkout requests failed with HTTP 503.", ticket],
  ] as const) {
    it(name, async () => {
      const [first] = await check(`${claim.replace(/\.$/, "")} [1].`, [source]);

      assert.equal(first?.label, "SUPPORTED", first?.reason);
      assert.ok((first?.confidence ?? 0) >= 0.65);
    });
  }
});

describe("verification stops", () => {
  it("another number, and names those of the source", async () => {
    assert.match(await reasonOf("1,420 orders were delayed.", ticket), /1,420 is not in the source.*1,240/);
  });

  it("a number with another unit", async () => {
    assert.match(await reasonOf("Redis handles session caching with a 30-second TTL.", runbook), /30-second is not in the source/);
  });

  it("a number with another magnitude", async () => {
    assert.equal(await labelOf("The cache holds 5 GB.", "The cache holds 5 MB."), "UNSUPPORTED");
  });

  it("another year, and names those of the source", async () => {
    const source = "The Aurora service was started in 2018 and rewritten in 2020.";

    assert.match(await reasonOf("The Aurora service was rewritten in 2019.", source), /2019 is not in the source: 2018, 2020/);
  });

  it("another day of the month", async () => {
    assert.match(await reasonOf("Checkout requests failed with HTTP 503 on 12 March 2026.", ticket), /12 March 2026 is not in the source/);
  });

  it("another time of day", async () => {
    assert.match(await reasonOf("Checkout requests failed between 09:12 and 09:58 UTC.", ticket), /09:58 is not in the source/);
  });

  it("another version, commit or ticket", async () => {
    assert.match(await reasonOf("Rahul Sharma rolled back release v2.4.2 of checkout-api.", ticket), /v2\.4\.2 is not in the source/);
    assert.match(await reasonOf("The cause was commit b3f8c2d.", ticket), /b3f8c2d is not in the source/);
    assert.match(await reasonOf("JR-414: checkout requests failed with HTTP 503.", ticket), /JR-414 is not in the source/);
  });

  it("another percentage, ordinal or spelled number", async () => {
    assert.equal(await labelOf("Error rate rose to 15 percent.", "The error rate rose to 50 %."), "UNSUPPORTED");
    assert.equal(await labelOf("It was the third outage in a week.", "It was the second outage in a week."), "UNSUPPORTED");
    assert.equal(await labelOf("Three pods crashed.", "Two pods crashed."), "UNSUPPORTED");
  });

  it("a person whom the source does not name", async () => {
    assert.match(
      await reasonOf("Priya Patel rolled back release v2.4.1 of checkout-api.", ticket),
      /Priya Patel is not in the source: .*Rahul Sharma/,
    );
  });

  it("a service whose name is put together from two others", async () => {
    assert.match(await reasonOf("checkout-gateway depends on payment-gateway.", runbook), /checkout-gateway is not in the source/);
  });

  it("a negation that the source does not have", async () => {
    assert.match(await reasonOf("Rahul Sharma did not roll back release v2.4.1 of checkout-api.", ticket), /does not deny/);
  });

  it("a statement that the source denies", async () => {
    assert.match(await reasonOf("Restart the primary during a failover.", runbook), /the source denies/);
    assert.equal(await labelOf("The orders were lost.", "No orders were lost."), "UNSUPPORTED");
    assert.equal(await labelOf("The job succeeded to write the file.", "The job failed to write the file."), "UNSUPPORTED");
    assert.equal(await labelOf("The queue has been migrated.", "The queue has yet to be migrated."), "UNSUPPORTED");
    assert.equal(await labelOf("Ledger supports retries.", "Ledger no longer supports retries."), "UNSUPPORTED");
  });

  it("a quantifier that is stronger than the source's", async () => {
    assert.match(await reasonOf("Failover always takes less than 90 seconds.", runbook), /"always" is not in the source/);
    assert.equal(await labelOf("Only checkout-api depends on payment-gateway.", "checkout-api depends on payment-gateway."), "UNSUPPORTED");
  });

  it("a relation with its ends exchanged", async () => {
    assert.match(await reasonOf("payment-gateway depends on checkout-api.", runbook), /the other way round/);
    assert.equal(await labelOf("Priya reported Rahul.", "Rahul reported Priya."), "UNSUPPORTED");
  });

  it("a person of the same sentence who did something else", async () => {
    const source = "Rahul fixed JR-1 and Priya fixed JR-2.";

    assert.equal(await labelOf("Priya fixed JR-1.", source), "UNSUPPORTED");
    assert.equal(await labelOf("Rahul fixed JR-1.", source), "SUPPORTED");
  });

  it("a name whose initials are a word of the source", async () => {
    assert.equal(await labelOf("The relay is run by Ingrid Sorbo.", "The relay is run by its owner."), "UNSUPPORTED");
    assert.equal(
      await labelOf(
        "The relay of the northern port was built and is still run by Harbour Data Works.",
        "The relay of the northern port was built and is still run by HDW.",
      ),
      "SUPPORTED",
    );
  });

  it("another number at the very end of a sentence", async () => {
    assert.match(await reasonOf("See the workbook, Chapter 1.", "See the workbook, Chapter 5."), /"1" is not in the source/);
  });

  it("a lead-in that names another source than the one it cites", async () => {
    const said = 'According to "JR-441 Checkout fails under load", 1,240 orders were delayed.';
    assert.equal(await labelOf(said, ticket), "SUPPORTED");
    assert.match(
      await reasonOf('According to "Rahul Sharma", 1,240 orders were delayed.', ticket),
      /"Rahul Sharma" is not the title of what it cites/,
    );
    // a title of which something was taken out before the model saw it
    assert.equal(await labelOf('According to "Checkout [redacted] under load", 1,240 orders were delayed.', ticket), "SUPPORTED");
    assert.match(
      await reasonOf('According to "Payments [redacted] under load", 1,240 orders were delayed.', ticket),
      /is not the title of what it cites/,
    );
  });

  it("what is put into the mouth of somebody whom the source names elsewhere", async () => {
    const source = "Priya Patel wrote the page.\n\nRahul Sharma says that the pool was too small for the load.\n\nIt was closed in May.";
    assert.equal(await labelOf("According to Rahul Sharma, the pool was too small for the load.", source), "SUPPORTED");
    assert.match(await reasonOf("According to Priya Patel, the pool was too small for the load.", source), /not say this of Priya Patel/);
  });

  it("the opposite of a word", async () => {
    assert.match(
      await reasonOf("The commit raised the Redis pool limit.", "The commit lowered the Redis pool limit."),
      /which says "lowered"/,
    );
    assert.equal(await labelOf("The primary was disabled.", "The primary was enabled."), "UNSUPPORTED");
  });

  it("a true sentence that cites another source, and says where it stands", async () => {
    const [first] = await check("Redis handles session caching with a 30-minute TTL [1].", [ticket, runbook]);

    assert.equal(first?.label, "UNSUPPORTED");
    assert.match(first?.reason ?? "", /it stands in Checkout runbook, which is not cited/);
  });

  it("the false half of a sentence whose other half is true", async () => {
    const draft = "Redis handles session caching with a 30-minute TTL, and it was replaced by Kafka in 2019 [1].";
    const claims = await check(draft, [runbook]);

    assert.ok(claims.some(({ label }) => label !== "SUPPORTED"));
    assert.ok(claims.every(({ start, end }) => start === 0 && end === draft.length));
  });

  it("a summary that no source gives", async () => {
    assert.notEqual(await labelOf("Overall, the engineers consider this platform mature and pleasant.", runbook), "SUPPORTED");
  });

  it("a sentence that cites nothing", async () => {
    const [first] = await check("Redis handles session caching.", [runbook]);

    assert.equal(first?.label, "UNSUPPORTED");
    assert.equal(first?.reason, "it cites no source");
  });

  it("a quote that the source takes back", async () => {
    assert.notEqual(
      await labelOf("the cache is shared between regions", "It is not true that the cache is shared between regions."),
      "SUPPORTED",
    );
  });
});

describe("sentences worded from edges", () => {
  const statement = (text: string): Statement => ({
    text,
    spans: [{ record: "confluence:77", start: 0, end: 10 }],
    confidence: 0.9,
    from: "edges",
  });

  it("need no words of their sources but the names", async () => {
    const text = "2 services stand behind checkout-api: payment-gateway.";
    const [first] = await check(`${text.replace(/\.$/, "")} [1].`, [runbook], [statement(text)]);

    assert.equal(first?.label, "SUPPORTED", first?.reason);
  });

  it("fail when an identifier is not in the places they cite", async () => {
    const text = "checkout-api is affected by JR-999.";
    const [first] = await check(`${text.replace(/\.$/, "")} [1].`, [runbook], [statement(text)]);

    assert.equal(first?.label, "UNSUPPORTED");
  });
});

describe("a second opinion", () => {
  const reply = (text: string): Complete => {
    return async () => ({ text, toolRequests: [], usage: { model: "m", inputTokens: 1, outputTokens: 1, costUsd: 0 } });
  };
  const ask = async (text: string, claim: string): Promise<CheckedClaim | undefined> => {
    const signal = new AbortController().signal;
    return (await verify({ question: "?", draft: `${claim} [1].`, passages: [runbook], statements: [], second: reply(text), signal }))[0];
  };

  it("lowers a label when it says contradicted, and keeps it when it rambles", async () => {
    const claim = "Session caching is handled by Redis with a 30-minute TTL";

    assert.equal((await ask('{"verdict":"contradicted","why":"x"}', claim))?.label, "UNSUPPORTED");
    assert.equal((await ask('{"verdict":"unknown","why":"x"}', claim))?.label, "UNCERTAIN");
    assert.equal((await ask("Well, I think it is fine.", claim))?.label, "SUPPORTED");
  });

  it("is not asked for again once it failed: the rules have judged", async () => {
    let asked = 0;
    const second: Complete = async () => {
      asked += 1;
      throw new ContextError("LLM_UNAVAILABLE", "no reply");
    };
    const draft = "Session caching is handled by Redis with a 30-minute TTL [1]. Redis is what handles the caching of sessions [1].";

    const claims = await verify({
      question: "?",
      draft,
      passages: [runbook],
      statements: [],
      second,
      signal: new AbortController().signal,
    });

    assert.equal(asked, 1);
    assert.ok(claims.every(({ label }) => label === "SUPPORTED"));
  });

  it("never lifts a mismatch", async () => {
    assert.equal(
      (await ask('{"verdict":"supported","why":"x"}', "Session caching is handled by Redis with a 40-minute TTL"))?.label,
      "UNSUPPORTED",
    );
  });
});
