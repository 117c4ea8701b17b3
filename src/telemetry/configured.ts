import type { Log } from "../core/connector.ts";
import { ContextError } from "../core/errors.ts";
import { noSpans, type SpanAttributes, type Spans } from "../core/spans.ts";
import { createExporter } from "./exporter.ts";
import { createTracer } from "./tracer.ts";

/** The manifest's block. */
export interface TelemetryConfig {
  readonly otlpEndpoint?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: boolean;
}

export interface Telemetry extends AsyncDisposable {
  readonly spans: Spans;
}

const off: Telemetry = { spans: noSpans, async [Symbol.asyncDispose]() {} };

/**
 * Tracing as the environment and the manifest say; the environment wins, and without an endpoint there is none.
 * Of OpenTelemetry's variables it reads OTEL_SDK_DISABLED, OTEL_EXPORTER_OTLP_[TRACES_]ENDPOINT, OTEL_EXPORTER_OTLP_[TRACES_]HEADERS,
 * OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES.
 * @throws ContextError CONFIG_INVALID for an address that is none, or headers that would travel in the clear
 */
export function configuredTelemetry(
  config: TelemetryConfig,
  env: Readonly<Record<string, string | undefined>>,
  parts: {
    readonly fetch: typeof fetch;
    readonly log: Log;
    readonly version: string;
    readonly now: () => Date;
    readonly clock: () => number;
    readonly randomHex: (bytes: number) => string;
  },
): Telemetry {
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT || config.otlpEndpoint || null;
  const address = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || (base === null ? null : `${base.replace(/\/+$/, "")}/v1/traces`);
  if (address === null || env.OTEL_SDK_DISABLED?.trim().toLowerCase() === "true") return off;
  const headers = {
    ...config.headers,
    ...pairs(env.OTEL_EXPORTER_OTLP_HEADERS),
    ...pairs(env.OTEL_EXPORTER_OTLP_TRACES_HEADERS),
  };
  const exporter = createExporter({
    url: checked(address, Object.keys(headers).length > 0),
    headers,
    resource: resourceOf(env, parts.version),
    version: parts.version,
    fetch: parts.fetch,
    log: parts.log,
  });
  const { now, clock, randomHex } = parts;
  return {
    spans: createTracer({ content: config.content, now, clock, randomHex, ended: (span) => exporter.add(span) }),
    [Symbol.asyncDispose]: () => exporter[Symbol.asyncDispose](),
  };
}

function resourceOf(env: Readonly<Record<string, string | undefined>>, version: string): SpanAttributes {
  const named = env.OTEL_SERVICE_NAME ? { "service.name": env.OTEL_SERVICE_NAME } : {};
  return { "service.name": "contextd", "service.version": version, ...pairs(env.OTEL_RESOURCE_ATTRIBUTES), ...named };
}

/** "a=1,b=2", values percent-encoded. @see https://opentelemetry.io/docs/specs/otel/protocol/exporter/ */
function pairs(text: string | undefined): Record<string, string> {
  const found: Record<string, string> = {};
  for (const part of (text ?? "").split(",")) {
    const at = part.indexOf("=");
    const key = part.slice(0, Math.max(0, at)).trim();
    if (key !== "") found[key] = decoded(part.slice(at + 1).trim());
  }
  return found;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function checked(address: string, secret: boolean): string {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !["http:", "https:"].includes(url.protocol)) {
    throw new ContextError("CONFIG_INVALID", "The address of the trace collector is no http or https URL.", {
      remedy: "Set OTEL_EXPORTER_OTLP_ENDPOINT (or telemetry.otlpEndpoint) to one such as http://127.0.0.1:4318.",
    });
  }
  const loopback = url.hostname === "localhost" || url.hostname === "[::1]" || /^127\./.test(url.hostname);
  if (secret && url.protocol === "http:" && !loopback) {
    throw new ContextError("CONFIG_INVALID", "Headers for the trace collector would travel in the clear.", {
      remedy: "Use https, or a collector on this machine.",
    });
  }
  return url.href;
}
