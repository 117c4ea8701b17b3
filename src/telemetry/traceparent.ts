/** Version 00, and what a later one is sure to begin with. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-|$)/;

/**
 * A caller's place in its trace; null for none, or one that breaks the rules (it is then as if there were none).
 * @see https://www.w3.org/TR/trace-context/#traceparent-header
 */
export function parseTraceparent(
  header: string | undefined,
): { readonly traceId: string; readonly spanId: string; readonly sampled: boolean } | null {
  const [, version, traceId, spanId, flags, more] = TRACEPARENT.exec(header?.trim() ?? "") ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  if (version === "ff" || (version === "00" && more !== "")) return null;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}
