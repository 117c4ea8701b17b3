import type { Instant } from "../../core/record.ts";

/**
 * Any time stamp a source writes, as UTC to the second or finer: "2026-03-12T01:32:00.000+0100" is "2026-03-12T00:32:00Z".
 * Null for what is no time. A stamp without a zone is read as UTC, never as the machine's own zone.
 */
export function toInstant(stamp: string | number | null | undefined): Instant | null {
  if (stamp === null || stamp === undefined || stamp === "") return null;
  const date = new Date(typeof stamp === "number" ? stamp : withZone(stamp.trim()));
  if (Number.isNaN(date.getTime())) return null;
  return date.toISOString().replace(/\.000Z$/, "Z");
}

/** Jira writes "+0000"; ISO wants "+00:00". Dates alone are UTC in ECMAScript already, date-times without a zone are not. */
function withZone(stamp: string): string {
  const iso = stamp.replace(/^(\d{4}-\d{2}-\d{2}) (?=\d)/, "$1T").replace(/([+-]\d{2})(\d{2})$/, "$1:$2");
  return /T\d/.test(iso) && !/(?:Z|[+-]\d{2}:\d{2})$/i.test(iso) ? `${iso}Z` : iso;
}
