/** Log levels, lowest first; every spelling of the formats we read becomes one of them. */
export const levels = ["trace", "debug", "info", "warn", "error", "fatal"] as const;
export type Level = (typeof levels)[number];

const spellings: Readonly<Record<string, Level>> = {
  trace: "trace",
  finest: "trace",
  verbose: "trace",
  debug: "debug",
  fine: "debug",
  dbg: "debug",
  info: "info",
  information: "info",
  informational: "info",
  notice: "info",
  log: "info",
  i: "info",
  warn: "warn",
  warning: "warn",
  w: "warn",
  error: "error",
  err: "error",
  severe: "error",
  e: "error",
  fatal: "fatal",
  critical: "fatal",
  crit: "fatal",
  alert: "fatal",
  emerg: "fatal",
  emergency: "fatal",
  panic: "fatal",
  f: "fatal",
};

/** The level that a word spells, null for any other word. */
export function levelOf(word: string): Level | null {
  // OpenTelemetry numbers its texts: ERROR2
  return word.length > 13 ? null : (spellings[word.toLowerCase().replace(/[1-4]$/, "")] ?? null);
}

/** As levelOf, for a word that stands in running text: one letter, or "log", means nothing there. */
export function levelWord(word: string): Level | null {
  return word.length < 3 || word === "log" || word === "Log" ? null : levelOf(word);
}

/** pino and bunyan: 10 trace to 60 fatal. */
export function levelOfPino(number: number): Level | null {
  const index = Math.floor(number / 10) - 1;
  return levels[index] ?? null;
}

/** OpenTelemetry's SeverityNumber: 1 to 4 trace, … 21 to 24 fatal. */
export function levelOfOtel(number: number): Level | null {
  return number >= 1 && number <= 24 ? (levels[Math.floor((number - 1) / 4)] ?? null) : null;
}

/** The severity in a syslog PRI (RFC 5424, 6.2.1): 0 to 2 fatal, 3 error, 4 warn, 5 and 6 info, 7 debug. */
export function levelOfPri(pri: number): Level {
  const severity = pri & 7;
  if (severity <= 2) return "fatal";
  if (severity === 3) return "error";
  if (severity === 4) return "warn";
  return severity === 7 ? "debug" : "info";
}

/** Whether a level is at least another; an unknown one counts as info. */
export function atLeast(level: Level | null, least: Level): boolean {
  return levels.indexOf(level ?? "info") >= levels.indexOf(least);
}
