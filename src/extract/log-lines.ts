import type { NodeId } from "../core/fact.ts";
import { titleSpan } from "./declare.ts";
import { authorities, type Findings, only, type Place } from "./facts.ts";
import { judge } from "./guards.ts";
import { classes, type Mention, maskSentence, mentionAt } from "./mask.ts";
import type { NameBook } from "./names.ts";
import { marksOf } from "./tickets.ts";

const S = `([${classes.S}])`;
const failure =
  "(?:refused|rejected|unreachable|unavailable|not reachable|not responding|unresponsive|overloaded|timed out|timeout|did not (?:respond|answer)|dropped the|closed the connection|connection (?:refused|reset|closed|timed out|blocked|lost)|blocked|no such host|i/o timeout|deadline exceeded|no route to host)";
/** How a line names the other service that failed it. */
const rules: readonly { readonly name: string; readonly confidence: number; readonly pattern: RegExp }[] = [
  { name: "caused by", confidence: 0.9, pattern: new RegExp(`\\b(?:caused by|because of|because|due to|triggered by):? ${S}`, "gi") },
  {
    name: "other refused",
    confidence: 0.85,
    pattern: new RegExp(
      `${S}(?::\\d{2,5})?(?:/\\S{0,80})?:? (?:is |are |was |has |returned |answered |responded |replied |said |says |gave |sent |threw |connect: |connection )?(?:currently |with |an? |status |code |http |error )?(?:${failure}|[45]\\d\\d\\b|5xx\\b)`,
      "gi",
    ),
  },
  {
    name: "failed to reach",
    confidence: 0.85,
    pattern: new RegExp(
      `\\b(?:fail(?:ed|ure|s)?|unable|could not|cannot|can't|couldn't|error|timeout|timed out|refused)(?: while| when)? ?(?:to )?(?:connect(?:ing)?|reach(?:ing)?|call(?:ing)?|contact(?:ing)?|fetch(?:ing)?|dial(?:ing)?|quer(?:y|ying)|resolv(?:e|ing)|publish(?:ing)?|writ(?:e|ing)|send(?:ing)?|talk(?:ing)?|export(?:ing)?|read(?:ing)?|request(?:ing)?|get|getting|load(?:ing)?)(?: [\\w-]{1,20}){0,3}? (?:to |from |with |on |at |via )?${S}`,
      "gi",
    ),
  },
  {
    name: "call failed",
    confidence: 0.8,
    pattern: new RegExp(
      `\\b(?:connections?|requests?|calls?|rpc|upstream|lookup|dial tcp|connect|host|client|producer|consumer)(?: error)?(?: (?:to|from|on|with|of|for))?:? ${S}(?::\\d{2,5})?(?: on [\\d.:]{3,40})?[: ]{1,2}(?:has |was |is )?(?:failed|fails|aborted|lost|${failure})`,
      "gi",
    ),
  },
  {
    name: "no answer",
    confidence: 0.8,
    pattern: new RegExp(
      `\\b(?:no (?:response|answer|reply) from|circuit (?:breaker )?(?:for|to|of)|giving up on|lost connection to|(?:E(?:CONNREFUSED|TIMEDOUT|HOSTUNREACH|CONNRESET|AI_AGAIN)|ENOTFOUND|waiting (?:for|on)|connection refused|connection reset|connect timed out|unknown host|unknownhostexception|no route to host)(?: by| to)?[:,]?) (?:the )?${S}`,
      "gi",
    ),
  },
  {
    name: "what was done to it failed",
    confidence: 0.75,
    pattern: new RegExp(
      `\\b[a-z][\\w-]{2,20} (?:to|from|on|with|of|against|at|in|via) ${S}(?::\\d{2,5})? (?:has |was |is |has been )?(?:failed|fails|aborted|lost|${failure})`,
      "gi",
    ),
  },
  {
    name: "its client gave up",
    confidence: 0.75,
    pattern: new RegExp(
      `${S}(?: (?:is|was))?(?: (?:not available|down|gone|offline|not ready|read[- ]only|full)\\b|: [^:\\uE000-\\uF8FF]{0,60}(?:run out of|no (?:available|more|reachable|live)|exhausted|not available|${failure}))`,
      "gi",
    ),
  },
];

const failedCall =
  /timed? ?out|timeout|refused|reset|unreachable|unavailable|connection ?error|max retries|failed|failure|could not|cannot|can't|unable|closed|\bEOF\b|\b50[0-9]\b|no route|no such host|broken pipe|aborted|rejected|exceeded|hang ?up|\bECONN|\bhung\b/i;

/** Hosts of other services in a line that tells of a failed call: "http://till:8080/v1", "till:8080", "host='till'", "@till/". */
function readHosts(
  services: readonly Mention[],
  own: NodeId | null,
  line: string,
  start: number,
  blame: (node: NodeId, place: Place) => void,
): void {
  if (!failedCall.test(line)) return;
  for (const mention of services) {
    const node = only(mention.nodes);
    const [before, after] = [line.slice(0, mention.start - start), line.slice(mention.end - start)];
    const host =
      /(?:\/\/(?:[^\s/@]{1,80}@)?|@|\b(?:host|server|upstream|target|peer|address)["']?\s?[=:]\s?["']?)$/i.test(before) ||
      /^(?:\.[\w-]{1,40}){0,5}:\d{2,5}\b/.test(after);
    if (host && node !== null && node !== own) blame(node, { start: mention.start, end: mention.end });
  }
}

/** The log's own node, and which other service it blames. Lines below a warning blame nobody. */
export function readLog(findings: Findings, names: NameBook): void {
  const { record } = findings;
  const { fields } = record;
  const log: NodeId = `log:${record.id.replace(/^log:/, "")}`;
  const at = fields.firstAt ?? record.createdAt ?? record.updatedAt;
  const prose = record.body.slice(0, Math.min(record.proseEnd, 4000));
  // a deployment or a check of a repository is that of the service which is called so
  const home = fields.repository?.slice(fields.repository.lastIndexOf("/") + 1);
  const self = [fields.service, fields.pod, home].map((name) => only(names.service(name ?? ""))).find((node) => node !== null) ?? null;
  const marks = new Set([
    ...(fields.traceId === undefined ? [] : [fields.traceId]),
    ...(fields.exception === undefined ? [] : [fields.exception.split(".").at(-1) ?? ""]),
    ...(marksOf(prose).marks ?? []),
  ]);
  findings.node(log, titleSpan(record), {
    label: record.title,
    at,
    ...(fields.level === undefined ? {} : { level: fields.level }),
    ...(self === null ? {} : { service: self }),
    ...(marks.size === 0 ? {} : { marks: [...marks] }),
  });
  if (/^(?:info|debug|trace|notice)/i.test(fields.level ?? /\b(INFO|DEBUG|TRACE)\b/.exec(prose.slice(0, 80))?.[1] ?? "")) return;
  if (
    !/caus|because|due to|trigger|refus|reject|unreach|unavail|respond|overload|wait|down|gone|available|run out|exhaust|full|tim(?:ed|e)|drop|clos|connect|host|deadline|route|\b[45]\d\d\b|5xx|fail|unable|could not|cannot|can't|couldn't|error|lost|abort|giving up|no (?:response|answer|reply)|circuit|econn|etimed|enotfound|unknown host/i.test(
      prose,
    )
  )
    return;
  for (let start = 0; start < prose.length; ) {
    const newline = prose.indexOf("\n", start);
    const end = newline < 0 ? prose.length : newline;
    // a frame's "Caused by: java.net…" names an exception, not a service; the names in it are hosts of the same chain
    if (end - start < 2000 && !/^\s*(?:at [\w$.]+\(|Caused by: |\.\.\. \d+ more)/.test(prose.slice(start, start + 200))) {
      readLine(findings, log, self, at, start, end);
    }
    start = end + 1;
  }
}

function readLine(findings: Findings, log: NodeId, self: NodeId | null, at: string, start: number, end: number): void {
  const { record } = findings;
  const blame = (node: NodeId, place: Place, rule: string, confidence: number): void => {
    if (findings.facts.some((fact) => fact.target === node && fact.source === log)) return;
    findings.fact("caused_by", log, node, place, `log: ${rule}`, { confidence, authority: authorities.remark, at });
  };
  const mentions = findings.mentions({ start, end });
  const services = mentions.filter((mention) => mention.kind === "service");
  if (services.length === 0) return;
  // without a stated service, the first pod named is where the line comes from
  const own = self ?? podOf(record.body, services);
  const masked = maskSentence(record.body, start, end, services);
  for (const rule of rules) {
    rule.pattern.lastIndex = 0;
    for (let match = rule.pattern.exec(masked.text); match !== null; match = rule.pattern.exec(masked.text)) {
      const mention = mentionAt(masked, match[1]);
      const node = mention === null ? null : only(mention.nodes);
      if (node === null || node === own || !judgeLog(masked.text, match.index, match.index + match[0].length)) continue;
      const from = masked.offsets[match.index] ?? start;
      const to = masked.offsets[match.index + match[0].length] ?? end;
      blame(node, { start: from, end: to }, rule.name, rule.confidence);
    }
  }
  readHosts(services, own, record.body.slice(start, end), start, (node, place) => blame(node, place, "host of a failed call", 0.75));
}

function podOf(
  body: string,
  services: readonly { readonly nodes: readonly NodeId[]; readonly start: number; readonly end: number }[],
): NodeId | null {
  for (const mention of services)
    if (/-\w{1,10}$/.test(body.slice(mention.start, mention.end)) && /\d/.test(body.slice(mention.start, mention.end)))
      return only(mention.nodes);
  return null;
}

function judgeLog(text: string, start: number, end: number): boolean {
  const verdict = judge(text, start, end);
  // "could not", "cannot", "did not respond" are the failure itself; quotes are how loggers write messages
  return (
    verdict.stated ||
    verdict.why === "quoted" ||
    (verdict.why !== "question" &&
      !/\b(?:not (?:caused|because|due)|unrelated|recovered|retry succeeded|if|would)\b/i.test(text.slice(Math.max(0, start - 40), end)))
  );
}
