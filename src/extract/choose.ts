import type { Tier } from "../core/fact.ts";
import type { SourceRecord } from "../core/record.ts";

/** What tier 1 made of a record, as far as the choice of the next reader needs it. */
export interface Reading {
  /** Relations found. */
  readonly facts: number;
  /** Sentences that may relate names, of which some stand in no fact of the record. */
  readonly unread: number;
  /** Distinct nodes that the prose names. */
  readonly named: number;
  /** Relations that stand in fields rather than prose. */
  readonly stated: number;
  /** Why nothing in the text is taken for a statement, by rules or by models; null where it may state something. */
  readonly silent: string | null;
}

export interface Choice {
  readonly tier: Tier;
  readonly reason: string;
}

/** From here on a record is long prose (the contract's figure). */
export const richFrom = 800;

/**
 * The cheapest tier that suffices. Code, configuration and logs state what they state; a ticket whose fields name the
 * service is understood unless its prose relates names in a way that no rule reads. A frontier model is only worth its
 * price on pages and long prose with few entities, or with entities and no relation.
 */
export function chooseTier(record: SourceRecord, reading: Reading): Choice {
  const length = record.proseEnd;
  if (record.kind === "commit" || record.kind === "pull" || record.kind === "log")
    return { tier: 1, reason: `${record.kind}: fields and closing words say it all` };
  if (record.kind === "file" && !/\.(?:md|mdx|markdown|rst|adoc|txt|html?)$/i.test(record.fields.path ?? "") && record.source === "github")
    return { tier: 1, reason: "configuration is read by rules" };
  if (reading.silent !== null) return { tier: 1, reason: reading.silent };
  if (!/(?:\p{L}[^\p{L}]*){25}/u.test(record.body.slice(0, Math.min(length, 400)))) return { tier: 1, reason: "nothing to read" };
  const found = reading.facts + reading.stated;
  if (record.kind === "ticket" || record.kind === "issue") {
    if (found > 0 && reading.unread === 0) return { tier: 1, reason: "rules read every relation" };
    if (length > richFrom && (reading.named < 2 || found === 0))
      return { tier: 3, reason: found === 0 ? "long, with names but no relation" : "long, with fewer than two names" };
    if (found > 0) return { tier: 2, reason: `${reading.unread} sentence(s) relate names in words that no rule knows` };
    return { tier: 2, reason: "no relation found in a short text" };
  }
  if (found > 0 && reading.unread === 0) return { tier: 1, reason: "rules read every relation" };
  if (reading.named === 0 && length <= richFrom) return { tier: 1, reason: "short, without a known name" };
  if (found > 0 && (length <= richFrom || reading.unread <= found))
    return { tier: 2, reason: `${reading.unread} sentence(s) relate names in words that no rule knows` };
  if (reading.named === 0) return { tier: 3, reason: "prose without a known name" };
  return { tier: 3, reason: found === 0 ? "prose with names but no relation" : "rich prose, partly unread" };
}
