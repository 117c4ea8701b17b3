import type { Level } from "./level.ts";

export const formats = [
  "otlp-json",
  "otel-json",
  "pino",
  "ecs",
  "json",
  "go",
  "logfmt",
  "syslog-3164",
  "syslog-5424",
  "nginx-access",
  "nginx-error",
  "envoy-access",
  "klog",
  "zap",
  "java",
  "python",
  "plain-iso",
  "plain",
  "cri",
  "docker-json",
] as const;
export type Format = (typeof formats)[number];

/** What the first line of an entry says. */
export interface Header {
  readonly format: Format;
  /** Milliseconds since 1970 in UTC; null when the line has no time, or one that fits two dates. */
  readonly ms: number | null;
  /** The zone or year was not in the line. */
  readonly timeAssumed: boolean;
  readonly level: Level | null;
  /** What was said, without time, level and names: the part that templates are made of. */
  readonly message: string;
  readonly service: string | null;
  readonly pod: string | null;
  readonly host: string | null;
  readonly traceId: string | null;
  readonly revision: string | null;
  /** HTTP status of an access log. */
  readonly status: number | null;
  /** Makes the readable form of a structured line, for the few that become records; null: the line itself is readable. */
  readonly shown: (() => string) | null;
  /** A stack trace that came inside a structured line. */
  readonly stack: string | null;
}

/** A whole entry: its first line and what was folded into it. Plain data, so that it can be kept in a cursor. */
export interface Entry extends Omit<Header, "shown" | "stack"> {
  /** 1-based number of its first physical line. */
  readonly line: number;
  /** 1 unless several entries stand in one line. */
  readonly part: number;
  /** Its text, folded lines included, cut at a limit. */
  readonly text: string;
  /** Where the folded lines (stack trace) begin in the text; null when there are none. */
  readonly stackStart: number | null;
  /** Exception types, the one that was raised first. */
  readonly exceptions: readonly string[];
}

/** A line that states nothing but its text. */
export const bareHeader: Header = {
  format: "plain",
  ms: null,
  timeAssumed: true,
  level: null,
  message: "",
  service: null,
  pod: null,
  host: null,
  traceId: null,
  revision: null,
  status: null,
  shown: null,
  stack: null,
};
