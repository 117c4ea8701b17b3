import { fieldSpan } from "../core/body.ts";
import type { NodeId } from "../core/fact.ts";
import { labels } from "../core/labels.ts";
import type { Person, SourceRecord } from "../core/record.ts";
import { repositoryService } from "./code.ts";
import { listedIn, titleSpan } from "./declare.ts";
import { authorities, type Findings, only } from "./facts.ts";
import { judge } from "./guards.ts";
import { classes, maskSentence, mentionAt } from "./mask.ts";
import type { NameBook } from "./names.ts";
import { attributesOf, isOpenStatus, statedLines } from "./stated-lines.ts";

/** The node of a ticket record (Jira issue, GitHub issue); null for records that are none. */
export function ticketOf(findings: Findings): NodeId | null {
  const { record } = findings;
  if (record.kind !== "ticket" && record.kind !== "issue") return null;
  const key = record.fields.key ?? record.id.slice(record.id.lastIndexOf(":") + 1);
  return `ticket:${/#/.test(key) ? key : key.toUpperCase()}`;
}

/** Whether a ticket is over, by its fields or by what its text says of its status. */
export function isDone(record: SourceRecord): boolean {
  if (record.fields.open !== undefined) return !record.fields.open;
  const status = statedLines(record).find((line) => line.field === "status");
  return status !== undefined && isOpenStatus(status.value) === false;
}

/** What a ticket states in its fields: its state, what it affects, which other ticket caused it. */
export function readTicket(findings: Findings, ticket: NodeId, names: NameBook): void {
  const { record } = findings;
  const { fields } = record;
  const title = titleSpan(record);
  const opened = record.createdAt ?? record.updatedAt;
  findings.node(ticket, fieldSpan(record, labels.status) ?? title, {
    label: record.title,
    ...(fields.status === undefined ? {} : { status: fields.status }),
    ...(fields.open === undefined ? {} : { open: fields.open }),
    ...(fields.ticketType === undefined ? {} : { ticketType: fields.ticketType }),
    ...(fields.severity === undefined ? {} : { severity: fields.severity }),
    ...(fields.priority === undefined ? {} : { priority: fields.priority }),
    ...(fields.startedAt === undefined ? {} : { startedAt: fields.startedAt }),
    ...marksOf(findings.prose),
    ...(fields.resolvedAt === undefined ? {} : { resolvedAt: fields.resolvedAt }),
    ...(record.url === null ? {} : { url: record.url }),
    at: opened,
    ...engineer("assignee", fields.assignee, names),
    ...engineer("author", fields.reporter ?? record.author, names),
  });
  for (const line of statedLines(record)) {
    const named =
      line.field === "assignee" || line.field === "author" ? engineer(line.field, { name: line.value }, names) : attributesOf(line);
    if (Object.keys(named).length > 0) findings.node(ticket, line.place, named);
  }
  for (const label of [labels.components, labels.affected] as const) {
    const { values, place } = listedIn(record, label, label === labels.components ? fields.components : fields.affected);
    if (place === null) continue;
    for (const value of values) {
      const service = only(names.service(value));
      if (service !== null) {
        findings.fact("affects", ticket, service, place, label === labels.components ? "component" : "affected services", {
          confidence: 0.95,
          authority: authorities.field,
          at: opened,
        });
      }
    }
  }
  readLinks(findings, ticket, names, opened);
  readTitle(findings, ticket, opened);
}

const mostMarks = 12;

/** Trace ids (16 or 32 hex digits) and exception names of a text, by which log lines are found. */
export function marksOf(text: string): { readonly marks?: readonly string[] } {
  const marks = new Set<string>();
  if (!text.includes("Exception") && !text.includes("Error") && !/[0-9a-f]{16}/.test(text)) return {};
  for (const match of text.matchAll(/(?<![\w-])(?:[0-9a-f]{32}|[0-9a-f]{16}|[A-Z][A-Za-z0-9]{2,60}(?:Exception|Error))(?![\w-])/g)) {
    if (marks.size < mostMarks && (/\d/.test(match[0]) || /Exception|Error/.test(match[0]))) marks.add(match[0]);
  }
  return marks.size === 0 ? {} : { marks: [...marks] };
}

function engineer(
  property: "assignee" | "author",
  person: Person | null | undefined,
  names: NameBook,
): Partial<Record<"assignee" | "author", NodeId>> {
  for (const name of [person?.accountId, person?.login === undefined ? undefined : `@${person.login}`, person?.email, person?.name]) {
    const node = name === undefined ? null : only(names.find(name, "engineer"));
    if (node !== null) return { [property]: node };
  }
  return {};
}

function readLinks(findings: Findings, ticket: NodeId, names: NameBook, at: string): void {
  const { record } = findings;
  const place = fieldSpan(record, labels.links) ?? titleSpan(record);
  for (const link of record.fields.links ?? []) {
    const other = names.ticket(link.key) ?? (`ticket:${link.key}` as NodeId);
    const options = { confidence: 0.95, authority: authorities.field, at };
    if (/^(?:is |was )?(?:caused|introduced|triggered) by$/i.test(link.phrase))
      findings.fact("caused_by", ticket, other, place, "issue link", options);
    else if (/^(?:causes|caused|introduces|triggers)$/i.test(link.phrase))
      findings.fact("caused_by", other, ticket, place, "issue link", options);
  }
}

const symptom =
  "(?:returns?|returned|throws?|crash(?:es|ed|ing)?|fail(?:s|ed|ing)?|hang(?:s|ing)?|leak(?:s|ing)?|refuses?|rejects?|drops?|loses?|restart(?:s|ing)?|exits?|dies|died|stop(?:s|ped)?|cannot|can't|does not|doesn't|do not|did not|won't|will not|times? out|timed out|timing out|not (?:ready|working|responding|starting|reachable|available)|(?:is|are|was|were|goes|went|gets|becomes) (?:very |too |partly |completely )?(?:down|slow|broken|unavailable|unreachable|oomkilled|oom-killed|flapping|stuck|offline|degraded|overloaded|unhealthy|failing|crashing|unresponsive|out of memory|empty|wrong|killed|throttled|refusing|dropping|timing out)|slow(?:ly|er)?|down|broken|unavailable|unreachable|unresponsive|unhealthy|degraded|offline|overloaded|out of (?:memory|disk|connections|sync)|oomkilled|[45]\\d\\d|[45]xx|outage|downtime|errors?|latency|timeouts?|ignores?|inserts?|falls? back|eats?|consumes? too|grows?|shows?|sends?|writes?|misses|missing|duplicates?|double[sd]?|keeps?|blocks?|deadlocks?|spins?|answers?|accepts?|charges?|books?|forgets?|swallows?|logs?|breaks?|wedges?|panics?|segfaults?|stalls?|lags?|emits?|displays?|renders?|needs? more|runs? out)";
const service = `[${classes.S}]`;
const titleRules: readonly { readonly name: string; readonly confidence: number; readonly pattern: RegExp }[] = [
  // "checkout: …", "[checkout] …", "checkout - …", "cart, payments: …"
  {
    name: "title label",
    confidence: 0.85,
    pattern: new RegExp(
      `^\\W{0,3}(?:(?:bug|incident|fix|feat|outage|alert|sev\\d|p\\d)(?:\\([^)]{0,30}\\))?[:\\]-] ?)?\\[?(${service})((?:(?:, | and | & |/)${service}){0,6})(?:\\]|:| [-–—|] )`,
      "i",
    ),
  },
  { name: "title scope", confidence: 0.8, pattern: new RegExp(`\\((${service})((?:(?:, | and | & |/)${service}){0,6})\\)\\W{0,3}$`, "i") },
  {
    name: "title symptom",
    confidence: 0.75,
    pattern: new RegExp(
      `^\\W{0,3}(?:(?:bug|incident|outage|alert|sev\\d|p\\d|high|low|elevated)[:\\]]? )?(${service})((?:(?:, | and | & |/)${service}){0,6}) (?:again |often |sometimes |randomly |occasionally |still |silently |constantly |partly )?${symptom}\\b`,
      "i",
    ),
  },
  {
    name: "title trouble",
    confidence: 0.7,
    pattern: new RegExp(
      `\\b(?:outage|downtime|errors?|failures?|crash(?:es)?|latency|timeouts?|[45]\\d\\ds?|[45]xx|regression|memory leak|degradation|alerts?|problems?|trouble|issues?) (?:of|in|on|at|for|from|with) (${service})((?:(?:, | and | & |/)${service}){0,6})(?=$|[ .,;:!)])`,
      "i",
    ),
  },
];

/** A title that is labelled with a service, or says what is wrong with one. */
function readTitle(findings: Findings, ticket: NodeId, at: string): void {
  const { record } = findings;
  const place = titleSpan(record);
  if (place.end - place.start > 400) return;
  const mentions = findings.mentions(place);
  if (!mentions.some((mention) => mention.kind === "service")) return;
  const masked = maskSentence(record.body, place.start, place.end, mentions);
  for (const rule of titleRules) {
    const match = rule.pattern.exec(masked.text);
    if (match === null) continue;
    const trouble = rule.name !== "title label" && rule.name !== "title scope";
    if (trouble && (/\?\s*$/.test(masked.text) || /\b(?:if|what if|game day|exercise|would|could)\b/i.test(masked.text))) continue;
    if (trouble && !judge(masked.text, match.index, match.index + 1).stated) continue;
    for (const character of [match[1] ?? "", ...(match[2] ?? "")]) {
      const mention = mentionAt(masked, character);
      const node = mention?.kind === "service" ? only(mention.nodes) : null;
      if (node === null) continue;
      findings.fact(
        "affects",
        ticket,
        node,
        { start: masked.offsets[match.index] ?? 0, end: masked.offsets[match.index + match[0].length] ?? place.end },
        rule.name,
        {
          confidence: rule.confidence,
          authority: authorities.remark,
          at,
        },
      );
    }
  }
}

const trouble = new RegExp(
  `(?:^|[.:;,] )(?:currently |sometimes |now |since [^,.]{1,40}, )?(${service}) (?:again |often |sometimes |still |constantly )?(?:${symptom}|behaves?|is unusable|unusable)\\b|^(?:The |An? |Some |All |Every )?(?:[\\p{L}\\d'-]{1,20} ){1,3}(?:in|of|on|inside) (${service}) (?:again |often |sometimes |still |constantly )?(?:cannot|can't|could not|does not|doesn't|do not|don't|did not|is not|isn't|never|no longer|fails?|is broken|is wrong|is missing|crashes|hangs)\\b|\\b(?:requests?|calls?|connections?|traffic|logins?|queries|orders|users|customers) (?:to|on|from|of|in|for|against) (${service}) (?:fails?|failed|are failing|is failing|times? out|timed out|hangs?|returns? (?:an )?error|get|see|receive)\\b`,
  "iu",
);

/** How a report opens: "«S» steht", "since 08:40 «S» quotes the wrong price"; any verb will do where the first words name one service. */
const acts = new RegExp(
  `^(?:(?:[Ss]ince|[Ss]eit|[Ff]rom) [^,.\\uE000-\\uF8FF]{1,40},? |[Cc]urrently |[Nn]ow |[Tt]oday |[Hh]eute )?(${service}),? (?:only |again |still |never |no longer |hardly |always |nur |wieder |immer |sehr |zu )?(?!(?:is|was|has|needs|depends|calls|uses|docs|tests|costs|ist|war|hat)\\b)(?:\\p{Ll}{2,14}(?:s|t|ed)|langsam|kaputt|tot|down|weg|rot|slow|dead|stuck)(?![\\p{L}:-])`,
  "u",
);

/**
 * A ticket whose fields and title name no service is about the one whose trouble its text tells first.
 * Only for reports of trouble: a task may describe a service without being about a fault of it.
 */
export function readSymptoms(
  findings: Findings,
  ticket: NodeId,
  names: NameBook,
  skip: readonly { readonly start: number; readonly end: number }[],
): void {
  const { record, prose } = findings;
  if (findings.facts.some((fact) => fact.kind === "affects" && fact.source === ticket)) return;
  if (/task|story|epic|improvement|feature|request|change/i.test(record.fields.ticketType ?? "")) return;
  // the title and the sentence after it
  const title = titleSpan(record);
  const opening = title.end + (/^\s*/.exec(prose.slice(title.end))?.[0].length ?? 0);
  for (const sentence of findings.sentences) {
    if (sentence.end - sentence.start > 600 || skip.some((range) => range.start < sentence.end && range.end > sentence.start)) continue;
    const mentions = findings.mentions(sentence);
    if (!mentions.some((mention) => mention.kind === "service")) continue;
    const masked = maskSentence(record.body, sentence.start, sentence.end, mentions);
    const match = trouble.exec(masked.text) ?? (sentence.start <= opening ? acts.exec(masked.text) : null);
    if (
      match === null ||
      /\?\s*$|\b(?:if|would|could|should|might|maybe|exercise|healthy|fine)\b/i.test(masked.text) ||
      /\b(?:when|while|once)\b/i.test(masked.text.slice(0, match.index + 1)) ||
      !judge(masked.text, match.index, match.index + 1).stated
    )
      continue;
    const mention = mentionAt(masked, match[1] ?? match[2] ?? match[3]);
    const node = mention === null || (mention.bare && match.length === 2) ? null : only(mention.nodes);
    if (node === null) continue;
    const place = {
      start: masked.offsets[match.index] ?? sentence.start,
      end: masked.offsets[match.index + match[0].length] ?? sentence.end,
    };
    findings.fact("affects", ticket, node, place, "symptom in the text", {
      confidence: 0.6,
      authority: authorities.remark,
      at: record.createdAt ?? record.updatedAt,
    });
    return;
  }
  if (!readNamed(findings, ticket)) readHome(findings, ticket, names);
}

const governed = /\b(?:in|into|on|of|from|to|at|with|by|for|via|through|inside) (?:the |our )?$/i;

/** A report whose title names one service as the place of something, in whatever words, is about that one. */
function readNamed(findings: Findings, ticket: NodeId): boolean {
  const { record } = findings;
  const place = titleSpan(record);
  const services = findings.mentions(place).filter((mention) => mention.kind === "service");
  const [first] = services;
  const node = first === undefined || first.bare ? null : only(first.nodes);
  if (
    first === undefined ||
    node === null ||
    !governed.test(record.body.slice(place.start, first.start)) ||
    isQuestion(record) ||
    services.some((one) => one.nodes[0] !== node)
  )
    return false;
  const masked = maskSentence(record.body, place.start, place.end, services);
  if (!judge(masked.text, 0, masked.text.length, true).stated) return false;
  findings.fact("affects", ticket, node, place, "named in the title", {
    confidence: 0.55,
    authority: authorities.remark,
    at: record.createdAt ?? record.updatedAt,
  });
  return true;
}

/** An issue that names no service is about the one whose repository it stands in. */
function readHome(findings: Findings, ticket: NodeId, names: NameBook): void {
  const { record } = findings;
  const home = record.fields.repository === undefined ? null : repositoryService(record.fields.repository, names);
  if (record.kind !== "issue" || home === null || isQuestion(record)) return;
  findings.fact("affects", ticket, home, titleSpan(record), "issue of a service's repository", {
    confidence: 0.6,
    authority: authorities.remark,
    at: record.createdAt ?? record.updatedAt,
  });
}

function isQuestion({ title }: SourceRecord): boolean {
  return /\?\s*$|^\W*(?:question|discussion|rfc|idea)\b/i.test(title);
}
