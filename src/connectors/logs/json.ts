import { bareHeader, type Format, type Header } from "./entry.ts";
import type { Level } from "./level.ts";
import { workloadOfPod } from "./pod.ts";
import { type Fields, statedIn, statedNames } from "./roles.ts";
import type { Clock } from "./time.ts";

/** Entries in one line of JSON: one, or as many as an OTLP export holds. Null when the line is no JSON object. */
export function jsonHeaders(line: string, clock: Clock): readonly Header[] | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  if (!isFields(value)) return null;
  if (Array.isArray(value.resourceLogs)) return otlp(value.resourceLogs, clock);
  return [fieldsHeader(value, clock)];
}

/** The header that a set of named values states, whatever library wrote them. */
export function fieldsHeader(fields: Fields, clock: Clock, as?: Format): Header {
  const stated = statedIn(fields, clock);
  const { level, host, stack } = stated;
  const ms = stated.time?.ms ?? null;
  const message = stated.message ?? "";
  const pod = stated.pod?.replace(/^.*\//, "") ?? (host !== null && workloadOfPod(host) !== null ? host : null);
  // bunyan has no other name for the program
  const bunyan = typeof fields.v === "number" && typeof fields.pid === "number" && typeof fields.name === "string" ? fields.name : null;
  const service = stated.service ?? bunyan ?? (pod === null ? null : workloadOfPod(pod));
  return {
    ...bareHeader,
    format: as ?? formatOf(fields),
    ms,
    timeAssumed: stated.time?.assumed ?? true,
    level,
    message,
    service,
    pod,
    host,
    traceId: stated.trace,
    revision: stated.revision,
    shown: as === "logfmt" ? null : () => shown(fields, ms, level, service, message),
    stack: stack?.includes("\n") ? stack : null,
  };
}

function formatOf(fields: Fields): Format {
  if ("severityText" in fields || "severityNumber" in fields) return "otel-json";
  if ("ecs.version" in fields || "@timestamp" in fields || "ecs" in fields) return "ecs";
  if (typeof fields.level === "number" && fields.level >= 10) return "pino";
  if ("msg" in fields && "time" in fields && typeof fields.level === "string") return "go";
  return "json";
}

/** "time LEVEL service: message", then the other values as key=value: what a reader, and a citation, wants to see of a JSON line. */
function shown(fields: Fields, ms: number | null, level: Level | null, service: string | null, message: string): string {
  const head = [ms === null ? null : new Date(ms).toISOString(), level?.toUpperCase(), service === null ? null : `${service}:`, message];
  const rest: string[] = [];
  flatten(fields, "", rest, 0);
  return [...head.filter((part) => part), ...rest].join(" ");
}

function flatten(fields: Fields, prefix: string, into: string[], depth: number): void {
  for (const [key, value] of Object.entries(fields)) {
    const name = prefix + key;
    if (into.length >= 30) return;
    if (statedNames.has(name) || statedNames.has(name.toLowerCase())) continue;
    if (isFields(value) && !Array.isArray(value)) {
      if (depth < 3) flatten(value, `${name}.`, into, depth + 1);
      continue;
    }
    const plain = typeof value === "string" ? value : JSON.stringify(value);
    if (plain === undefined || plain === "" || plain === "null") continue;
    const cut = plain.length > 200 ? `${plain.slice(0, 200)}…` : plain;
    into.push(/[\s"=]/.test(cut) ? `${name}=${JSON.stringify(cut)}` : `${name}=${cut}`);
  }
}

interface OtlpAttribute {
  readonly key?: unknown;
  readonly value?: unknown;
}

/** opentelemetry-proto logs/v1 in its JSON form, as the collector's file exporter writes it. */
function otlp(resourceLogs: readonly unknown[], clock: Clock): Header[] {
  const headers: Header[] = [];
  for (const resourceLog of resourceLogs) {
    if (!isFields(resourceLog)) continue;
    const resource = attributes(isFields(resourceLog.resource) ? resourceLog.resource.attributes : null);
    for (const scopeLog of list(resourceLog.scopeLogs)) {
      for (const record of list(scopeLog.logRecords)) {
        const { attributes: own, body, ...rest } = record;
        const fields = { ...resource, ...rest, body: plain(body), ...attributes(own) };
        headers.push({ ...fieldsHeader(fields, clock), format: "otlp-json" });
      }
    }
  }
  return headers;
}

function list(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

function attributes(value: unknown): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const attribute of list(value) as readonly OtlpAttribute[]) {
    if (typeof attribute.key === "string") found[attribute.key] = plain(attribute.value);
  }
  return found;
}

/** OTLP's AnyValue: `{stringValue: "…"}` and its kin. */
function plain(value: unknown): unknown {
  if (!isFields(value)) return value;
  const [only] = Object.values(value);
  return typeof only === "object" && only !== null ? JSON.stringify(only) : only;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}
