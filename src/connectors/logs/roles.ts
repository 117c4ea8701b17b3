import { type Level, levelOf, levelOfOtel, levelOfPino, levelOfPri } from "./level.ts";
import { type Clock, timeValue } from "./time.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** Names under which libraries write each thing, the most telling first; dotted ones are written flat or nested. */
const names = {
  time: "timestamp @timestamp time ts t @t timeUnixNano observedTimestamp datetime date eventTime asctime",
  level: "level @l severityText severity log.level levelname lvl loglevel severity_text severityNumber",
  message: "message msg @m @mt body short_message textPayload jsonPayload.message event error.message err.message exception.message name",
  service:
    "service.name service resource.service.name resource.attributes.service.name service_name app application kubernetes.labels.app kubernetes.container_name kubernetes.container.name k8s.container.name resource.labels.container_name",
  pod: "kubernetes.pod.name k8s.pod.name resource.k8s.pod.name resource.attributes.k8s.pod.name kubernetes.pod_name pod_name resource.labels.pod_name pod",
  host: "hostname host.name host k8s.node.name",
  trace: "trace.id traceId trace_id traceID trace dd.trace_id otelTraceID",
  stack: "error.stack_trace exception.stacktrace stack_trace stacktrace err.stack error.stack stack exc_info exception @x full_message",
  revision: "revision commit git.commit git_sha sha vcs.ref.head.revision",
} as const;
type Role = keyof typeof names;

const none: readonly { readonly role: Role; readonly rank: number }[] = [];
const roles = new Map<string, readonly { readonly role: Role; readonly rank: number }[]>();
/** Objects worth looking into: "resource", "resource.labels". */
const prefixes = new Set<string>();
/** The same in small letters, for libraries that write "Timestamp" and "TraceId". */
const folded = new Map<string, (typeof none)[number][]>();
for (const [role, list] of Object.entries(names) as [Role, string][]) {
  for (const [rank, name] of list.split(" ").entries()) {
    roles.set(name, [...(roles.get(name) ?? []), { role, rank }]);
    const small = name.toLowerCase();
    folded.set(small, [...(folded.get(small) ?? []), { role, rank }]);
    for (let dot = name.indexOf("."); dot > 0; dot = name.indexOf(".", dot + 1)) prefixes.add(name.slice(0, dot));
  }
}

/** Names that the readable form of a line does not repeat, since it begins with what they hold. */
export const statedNames: ReadonlySet<string> = new Set(
  [names.time, names.level, names.message, names.stack, "ecs.version v pid"]
    .flatMap((list) => list.split(" "))
    .filter((name) => name !== "name"),
);

export interface Stated {
  readonly time: { readonly ms: number | null; readonly assumed: boolean } | null;
  readonly level: Level | null;
  readonly message: string | null;
  readonly service: string | null;
  readonly pod: string | null;
  readonly host: string | null;
  readonly trace: string | null;
  readonly stack: string | null;
  readonly revision: string | null;
}

/** What a structured line states, found in one pass over its keys. */
export function statedIn(fields: Fields, clock: Clock): Stated {
  const found = {
    time: null,
    level: null,
    message: null,
    service: null,
    pod: null,
    host: null,
    trace: null,
    stack: null,
    revision: null,
  } as Record<Role, unknown>;
  const ranks = { time: 99, level: 99, message: 99, service: 99, pod: 99, host: 99, trace: 99, stack: 99, revision: 99 } as Record<
    Role,
    number
  >;
  visit(fields, "", clock, found, ranks);
  return found as unknown as Stated;
}

function visit(fields: Fields, prefix: string, clock: Clock, found: Record<Role, unknown>, ranks: Record<Role, number>): void {
  for (const key in fields) {
    const name = prefix + key;
    const value = fields[key];
    if (value === null || value === "") continue;
    for (const { role, rank } of roles.get(name) ?? folded.get(name.toLowerCase()) ?? none) {
      if (rank >= ranks[role]) continue;
      const read = role === "time" ? timeValue(value, clock) : role === "level" ? levelIn(value, name) : textIn(value);
      if (read === null) continue;
      found[role] = read;
      ranks[role] = rank;
    }
    if (typeof value === "object" && prefixes.has(name)) visit(value as Fields, `${name}.`, clock, found, ranks);
  }
}

/** Numbers: OpenTelemetry's severity; GELF's and journald's, which count as syslog from 0 (worst) to 7; pino's from 10 on. */
function levelIn(value: unknown, name: string): Level | null {
  if (typeof value === "string") return levelOf(value);
  if (typeof value !== "number") return null;
  if (name === "severityNumber") return levelOfOtel(value);
  return value < 8 ? levelOfPri(value) : levelOfPino(value);
}

function textIn(value: unknown): string | null {
  if (typeof value === "string") return value;
  const inner = typeof value === "object" && value !== null ? (value as Fields).stringValue : null;
  return typeof inner === "string" && inner !== "" ? inner : null;
}
