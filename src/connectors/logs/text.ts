import { bareHeader, type Format, type Header } from "./entry.ts";
import { fieldsHeader } from "./json.ts";
import { type Level, levelOf, levelOfPri, levelWord } from "./level.ts";
import { workloadOfPod } from "./pod.ts";
import { type Clock, klogStamp, stampAt } from "./time.ts";

/** What some programs write before the time: Ruby's severity ("I, ["), Redis' process and role ("1:M "). */
const leads = /^(?:[DIWEFA], \[|\d{1,7}:[MSCX] )/;

/** Words looked at after the time stamp for a level and a pod. */
const LOOK_AHEAD = 300;

/** The header that a line of text states, null when it begins no entry: no time, no level, no known shape. */
export function textHeader(line: string, clock: Clock): Header | null {
  const first = line.charCodeAt(0);
  const lead = leads.exec(line.slice(0, 20))?.[0];
  if (lead !== undefined) {
    const header = stamped(line, lead.length, clock);
    if (header) return header;
  }
  if (first === 60) return syslog(line, clock);
  if (first === 91) return bracketed(line, clock);
  if (first >= 65 && first <= 90) return klog(line, clock) ?? stamped(line, 0, clock) ?? levelled(line, clock);
  if (first >= 48 && first <= 57) return stamped(line, 0, clock) ?? access(line, clock);
  if (first >= 97 && first <= 122) return logfmt(line, clock) ?? access(line, clock);
  return first === 58 || first === 45 ? access(line, clock) : null;
}

function stamped(line: string, at: number, clock: Clock): Header | null {
  const stamp = stampAt(line, at, clock);
  if (!stamp) return null;
  let from = stamp.end;
  if (line[from] === "]") from += 1;
  const nginx = /^ \[(\w+)\] \d+#\d+: (?:\*\d+ )?/.exec(line.slice(from, from + 80));
  const base = { ...bareHeader, ms: stamp.ms, timeAssumed: stamp.assumed };
  if (nginx) return { ...base, format: "nginx-error", level: levelOf(nginx[1] ?? ""), message: line.slice(from + nginx[0].length) };
  const process = syslogProcess.exec(line.slice(from, from + 200));
  if (process) {
    const message = line.slice(from + process[0].length);
    const { pod, service } = takeNames(message);
    const host = process[1] ?? null;
    return {
      ...base,
      format: "syslog-3164",
      message,
      level: takeLevel(message).level,
      host,
      service: service ?? process[2] ?? null,
      pod,
      traceId: traceIn(line),
    };
  }
  const { level, rest } = takeLevel(line.slice(from));
  const { pod, service, rest: message } = takeNames(rest);
  return {
    ...base,
    format: formatOf(line.slice(from, from + LOOK_AHEAD), stamp.iso),
    level,
    message: message,
    service: service,
    pod,
    traceId: traceIn(line),
    revision: revisionIn(line),
  };
}

/** Syslog as files keep it, without its priority: host, process[id]: */
const syslogProcess = /^ ([A-Za-z0-9][\w.-]{0,100}) ([A-Za-z_][\w./-]{0,60})\[\d{1,8}\]: /;

function formatOf(rest: string, iso: boolean): Format {
  if (/^\t\w+\t/.test(rest)) return "zap";
  if (rest.includes(".py:") && /\.py:\d/.test(rest)) return "python";
  if (/^ +[A-Z]+ +\[[^\]]{1,100}\] [\w$.]+ +[-:] |^ +[A-Z]+ +\d+ --- \[/.test(rest)) return "java";
  return iso ? "plain-iso" : "plain";
}

/** The level is the first of the next three words that spells one; brackets and colons around it do not matter. */
function takeLevel(rest: string): { readonly level: Level | null; readonly rest: string } {
  const words = /[^\s[\]():|,<>"]+/g;
  const head = rest.slice(0, 120);
  for (let i = 0; i < 3; i++) {
    const word = words.exec(head);
    if (!word) break;
    const level = levelWord(word[0]);
    if (level) return { level, rest: rest.slice(words.lastIndex).replace(/^[\s\]):|,>"-]+/, "") };
  }
  return { level: null, rest: rest.replace(/^[\s\]):|,-]+/, "") };
}

/** A pod as the first word, and names that are stated as key=value. */
function takeNames(rest: string): { readonly pod: string | null; readonly service: string | null; readonly rest: string } {
  const head = rest.slice(0, LOOK_AHEAD);
  const stated = /\b(?:resource\.)?service(?:\.name|_name)?[=:]"?([A-Za-z0-9][\w.-]*)/.exec(head)?.[1] ?? null;
  const statedPod = /\bpod(?:_name|Name)?[=:]"?([\w./-]+)/.exec(head)?.[1]?.replace(/^.*\//, "") ?? null;
  const word = /^\[?([a-z0-9][a-z0-9.-]*[a-z0-9])[\]:,]?(?=\s|$)/.exec(head);
  const leading = word?.[1] && !threadBeforeLogger.test(head) && workloadOfPod(word[1]) !== null ? word[1] : null;
  const pod = statedPod ?? leading;
  const service = stated ?? (pod === null ? null : workloadOfPod(pod));
  return { pod, service, rest: leading && word ? rest.slice(word[0].length).trimStart() : rest };
}

/** "[http-nio-8080-exec-1] c.e.App - …": what stands in brackets before a logger's name is a thread, however much it looks like a pod. */
const threadBeforeLogger = /^\[[^\]]{1,100}\] +(?:[\w$]+\.[\w$.]+(?= )|[\w$]+ +[-:] )/;

function traceIn(line: string): string | null {
  return /\btrace(?:[._-]?id)?["']?[=:] ?"?([0-9a-f]{6,32})\b/i.exec(line.slice(0, 2000))?.[1] ?? null;
}

function revisionIn(line: string): string | null {
  return /\b(?:revision|commit|git_sha|sha)["']?[=:] ?"?([0-9a-f]{6,40})\b/i.exec(line.slice(0, 2000))?.[1] ?? null;
}

/** A line that begins with a level: "ERROR cart: …", "WARNING: …", "DEBUG 2026-08-20 …". */
function levelled(line: string, clock: Clock): Header | null {
  const word = /^\[?([A-Z]{4,11})[\s:\]]/.exec(line.slice(0, 15));
  const level = word?.[1] ? levelWord(word[1]) : null;
  return word && level ? afterLevel(line, word[0].length, level, clock) : null;
}

/** What follows a leading level: maybe a time, then names and the message. */
function afterLevel(line: string, from: number, level: Level, clock: Clock): Header {
  const start = from + (/^[\s:\][-]*/.exec(line.slice(from, from + 20))?.[0].length ?? 0);
  const stamp = stampAt(line, start, clock);
  const { pod, service, rest } = takeNames(line.slice(stamp?.end ?? start).replace(/^[\s:\]-]+/, ""));
  const time = stamp ? { ms: stamp.ms, timeAssumed: stamp.assumed } : {};
  return { ...bareHeader, ...time, level, message: rest, pod, service, traceId: traceIn(line), revision: revisionIn(line) };
}

/** Kubernetes components: severity letter, month and day, time, process, file:line] message (klog's header). */
function klog(line: string, clock: Clock): Header | null {
  const m = /^([IWEF])(\d{4} \d\d:\d\d:\d\d\.\d{1,6})\s+\d+ [^\s\]]{1,200}:\d+\] /.exec(line.slice(0, 260));
  if (!m) return null;
  const message = line.slice(m[0].length);
  const { pod, service } = takeNames(message);
  return { ...bareHeader, format: "klog", ms: klogStamp(m[2] ?? "", clock), level: levelOf(m[1] ?? ""), message, pod, service };
}

function syslog(line: string, clock: Clock): Header | null {
  const pri = /^<(\d{1,3})>(1 )?/.exec(line.slice(0, 10));
  if (!pri) return null;
  const level = levelOfPri(Number(pri[1]));
  const rest = line.slice(pri[0].length);
  if (pri[2]) return syslog5424(rest, level, clock);
  const stamp = stampAt(rest, 0, clock);
  if (!stamp) return null;
  const m = /^ (\S+) ([^\s:[]+)(?:\[\d+\])?: ?/.exec(rest.slice(stamp.end, stamp.end + 300));
  const message = m ? rest.slice(stamp.end + m[0].length) : rest.slice(stamp.end).trimStart();
  const named = takeNames(message);
  return {
    ...bareHeader,
    format: "syslog-3164",
    ms: stamp.ms,
    timeAssumed: stamp.assumed,
    level,
    message,
    host: m?.[1] ?? null,
    service: named.service ?? m?.[2] ?? null,
    pod: named.pod,
    traceId: traceIn(message),
  };
}

/** RFC 5424: TIMESTAMP HOSTNAME APP-NAME PROCID MSGID STRUCTURED-DATA MSG, "-" for what is not known. */
function syslog5424(rest: string, level: Level, clock: Clock): Header | null {
  const m = /^(\S+) (\S+) (\S+) (\S+) (\S+) /.exec(rest.slice(0, 600));
  if (!m) return null;
  const stamp = stampAt(m[1] ?? "", 0, clock);
  const known = (value: string | undefined) => (value === undefined || value === "-" ? null : value);
  const message = rest.slice(structuredEnd(rest, m[0].length)).replace(/^ ?\uFEFF?/, "");
  return {
    ...bareHeader,
    format: "syslog-5424",
    ms: stamp?.ms ?? null,
    timeAssumed: stamp?.assumed ?? true,
    level,
    message,
    host: known(m[2]),
    service: known(m[3]),
    traceId: traceIn(rest),
  };
}

/** Structured data is "-" or [id name="value" …]… where values escape quote, backslash and bracket. */
function structuredEnd(text: string, at: number): number {
  if (text[at] !== "[") return at + 1;
  let quoted = false;
  for (let i = at; i < text.length; i++) {
    const char = text[i];
    if (char === "\\" && quoted) i += 1;
    else if (char === '"') quoted = !quoted;
    else if (char === "]" && !quoted && text[i + 1] !== "[") return i + 1;
  }
  return text.length;
}

/** Envoy's access log, or a line that begins with a time stamp or a level in brackets. */
function bracketed(line: string, clock: Clock): Header | null {
  const stamp = stampAt(line, 1, clock);
  if (stamp && line[stamp.end] === "]") {
    const m = /^\] "([A-Z]+) (\S+) [^"]*" (\d{3}) (.*)$/.exec(line.slice(stamp.end, stamp.end + 4000));
    if (m) {
      return { ...request("envoy-access", m[1], m[2], Number(m[3])), ms: stamp.ms, timeAssumed: stamp.assumed };
    }
  }
  if (stamp) return stamped(line, 1, clock);
  return levelled(line, clock);
}

/** The common and the combined log format of Apache and nginx. */
function access(line: string, clock: Clock): Header | null {
  const m =
    /^(\S{1,100}) \S{1,100} \S{1,100} \[([^\]]{10,40})\] "(?:([A-Z]+) ((?:[^"\\\s]|\\.)*)(?=[\s"])[^"]*|[^"]*)" (\d{3}) (?:\d+|-)/.exec(
      line.slice(0, 8000),
    );
  if (!m) return null;
  const stamp = stampAt(m[2] ?? "", 0, clock);
  if (!stamp) return null;
  return { ...request("nginx-access", m[3], m[4], Number(m[5])), ms: stamp.ms, timeAssumed: stamp.assumed };
}

/** Server errors are errors; what clients do wrong is not. The query is no part of what repeats. */
function request(format: Format, method: string | undefined, target: string | undefined, status: number): Header {
  const path = (target ?? "-").replace(/[?#].*$/, "");
  return { ...bareHeader, format, status, level: status >= 500 ? "error" : "info", message: `${method ?? "-"} ${path} ${status}` };
}

/** key=value pairs; at least two of them and one that is a time, a level or a message, so that prose is not taken for it. */
function logfmt(line: string, clock: Clock): Header | null {
  if (!/^[a-z][\w.@-]{0,60}=/.test(line.slice(0, 62))) return null;
  const fields: Record<string, string> = {};
  let count = 0;
  const pair = /([^\s=]{1,100})(?:=(?:"((?:[^"\\]|\\.)*)"|(\S*)))?/g;
  const head = line.slice(0, 16_000);
  for (let m = pair.exec(head); m !== null; m = pair.exec(head)) {
    fields[m[1] ?? ""] ??= m[2]?.replace(/\\(["\\])/g, "$1") ?? m[3] ?? "";
    count += 1;
  }
  if (count < 2 || !("time" in fields || "ts" in fields || "level" in fields || "msg" in fields || "t" in fields || "lvl" in fields))
    return null;
  const header = fieldsHeader(fields, clock, "logfmt");
  return header.message === "" ? { ...header, message: line } : header;
}
