import { bareHeader, type Format, type Header } from "./entry.ts";
import { type Level, levelOf, levelOfOtel, levelOfPino, levelOfPri } from "./level.ts";
import { workloadOfPod } from "./pod.ts";
import { type Clock, timeValue } from "./time.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A name that a library may write flat ("service.name") or nested. */
interface Name {
  readonly whole: string;
  readonly path: readonly string[];
}

function names(list: string): readonly Name[] {
  return list.split(" ").map((whole) => ({ whole, path: whole.split(".") }));
}

const timeKeys = names("timestamp @timestamp time ts t @t timeUnixNano observedTimestamp datetime date eventTime asctime");
const levelKeys = names("level @l severityText severity log.level levelname lvl loglevel severity_text");
const messageKeys = names(
  "message msg @m @mt body short_message textPayload jsonPayload.message event error.message err.message exception.message",
);
const serviceKeys = names(
  "service.name service resource.service.name resource.attributes.service.name service_name app application kubernetes.labels.app kubernetes.container_name kubernetes.container.name k8s.container.name resource.labels.container_name",
);
const podKeys = names(
  "kubernetes.pod.name k8s.pod.name resource.k8s.pod.name resource.attributes.k8s.pod.name kubernetes.pod_name pod_name resource.labels.pod_name pod",
);
const hostKeys = names("hostname host.name host k8s.node.name");
const traceKeys = names("trace.id traceId trace_id traceID trace dd.trace_id otelTraceID");
const stackKeys = names(
  "error.stack_trace exception.stacktrace stack_trace stacktrace err.stack error.stack stack exc_info exception @x full_message",
);
const revisionKeys = names("revision commit git.commit git_sha sha vcs.ref.head.revision");
const nameKeys = names("name");
const shownAlready = new Set([
  ...[timeKeys, levelKeys, messageKeys, stackKeys].flat().map((name) => name.whole),
  ..."severityNumber ecs.version v pid".split(" "),
]);

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
  const time = firstOf(fields, timeKeys, (value) => timeValue(value, clock));
  const pod = text(fields, podKeys)?.replace(/^.*\//, "") ?? null;
  const host = text(fields, hostKeys);
  const podOfHost = pod === null && host !== null && workloadOfPod(host) !== null ? host : null;
  const named = pod ?? podOfHost;
  const message = text(fields, messageKeys) ?? text(fields, nameKeys) ?? "";
  const bunyan = typeof fields.v === "number" && typeof fields.pid === "number" ? text(fields, nameKeys) : null;
  const stack = text(fields, stackKeys);
  const level = levelIn(fields);
  const service = text(fields, serviceKeys) ?? bunyan ?? (named === null ? null : workloadOfPod(named));
  const ms = time?.ms ?? null;
  return {
    ...bareHeader,
    format: as ?? formatOf(fields),
    ms,
    timeAssumed: time?.assumed ?? true,
    level,
    message,
    service,
    pod: named,
    host,
    traceId: text(fields, traceKeys),
    revision: text(fields, revisionKeys),
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

function levelIn(fields: Fields): Level | null {
  const number = fields.severityNumber;
  for (const key of levelKeys) {
    const value = get(fields, key);
    if (typeof value === "string") {
      const level = levelOf(value);
      if (level) return level;
    }
    // GELF and journald count as syslog does, from 0 (worst) to 7; pino and bunyan begin at 10
    if (typeof value === "number") return value < 8 ? levelOfPri(value) : levelOfPino(value);
  }
  return typeof number === "number" ? levelOfOtel(number) : null;
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
    if (shownAlready.has(name)) continue;
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

function get(fields: Fields, { whole, path }: Name): unknown {
  const flat = fields[whole];
  if (flat !== undefined || path.length === 1) return flat;
  let inner: unknown = fields;
  for (let i = 0; i < path.length; i++) {
    if (!isFields(inner)) return undefined;
    const next: unknown = inner[path[i] as string];
    // "log.level" inside {"event": {"log.level": …}}
    if (next === undefined && i > 0) return inner[path.slice(i).join(".")];
    inner = next;
  }
  return inner;
}

function firstOf<Value>(fields: Fields, keys: readonly Name[], read: (value: unknown) => Value | null): Value | null {
  for (const key of keys) {
    const value = get(fields, key);
    if (value === undefined) continue;
    const found = read(value);
    if (found !== null) return found;
  }
  return null;
}

function text(fields: Fields, keys: readonly Name[]): string | null {
  return firstOf(fields, keys, (value) => {
    const inner = isFields(value) && "stringValue" in value ? value.stringValue : value;
    if (typeof inner === "string") return inner === "" ? null : inner;
    return null;
  });
}
