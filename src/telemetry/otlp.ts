import type { SpanAttributes } from "../core/spans.ts";
import type { EndedSpan } from "./tracer.ts";

/** Numbers of the protocol's enums. */
const KINDS = { internal: 1, client: 3 } as const;
const STATUS_ERROR = 2;

/**
 * Spans as the body of an OTLP/HTTP request in JSON: ids in hex, 64-bit integers as strings.
 * @see https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
 */
export function otlpBody(spans: readonly EndedSpan[], resource: SpanAttributes, version: string): object {
  return {
    resourceSpans: [
      {
        resource: { attributes: keyValues(resource) },
        scopeSpans: [{ scope: { name: "contextd", version }, spans: spans.map(otlpSpan) }],
      },
    ],
  };
}

function otlpSpan({ traceId, spanId, parentId, name, kind, start, end, attributes, error }: EndedSpan): object {
  return {
    traceId,
    spanId,
    ...(parentId === null ? {} : { parentSpanId: parentId }),
    name,
    kind: KINDS[kind],
    startTimeUnixNano: nanos(start),
    endTimeUnixNano: nanos(end),
    attributes: keyValues(attributes),
    status: error === null ? {} : { code: STATUS_ERROR, message: error },
  };
}

/** A double holds no nanoseconds since 1970: the fraction is turned by itself. */
function nanos(ms: number): string {
  const whole = Math.floor(ms);
  return String(BigInt(whole) * 1_000_000n + BigInt(Math.round((ms - whole) * 1_000_000)));
}

function keyValues(attributes: SpanAttributes): object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));
}

function anyValue(value: SpanAttributes[string]): object {
  switch (typeof value) {
    case "string":
      return { stringValue: value };
    case "boolean":
      return { boolValue: value };
    case "number":
      return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
    default:
      return { arrayValue: { values: value.map((one) => ({ stringValue: one })) } };
  }
}
