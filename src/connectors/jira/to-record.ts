import { labels } from "../../core/labels.ts";
import type { FieldChange, IssueLink, Person, SourceRecord } from "../../core/record.ts";
import { assemble, type Block } from "../shared/blocks.ts";
import { statedOnly, toRecord } from "../shared/draft.ts";
import { distinctPeople, isBotName, person, personText } from "../shared/people.ts";
import { toInstant } from "../shared/time.ts";
import { readAdf } from "./adf.ts";
import type { JiraFields, JiraHistory, JiraIssue, JiraUser } from "./payload.ts";

/** What the mapper must know beside the issue: names of custom fields, and where the site is. */
export interface JiraSite {
  /** "https://acme.atlassian.net"; taken from the issue's own link where null. */
  readonly baseUrl: string | null;
  readonly fields: JiraFields;
  /** Names of further custom fields that are read as part of the text. */
  readonly texts?: readonly string[];
}

/** Custom fields by what they are called, since their ids differ from site to site. */
const severityName = /^severity$|^incident severity$/i;
const affectedName = /^affected (?:services?|components?|systems?)$|^impacted services?$/i;
const startedName = /^(?:impact|incident|outage) start(?:ed)?(?: time| date)?$|^start(?:ed)? (?:of|at) (?:impact|incident)$/i;

const sprintName = /^sprint$/i;

/** Ids of the custom fields that a record states, or that are part of its text. */
export function statedFields({ fields, texts = [] }: Pick<JiraSite, "fields" | "texts">): string[] {
  const stated = [severityName, affectedName, startedName, sprintName];
  return fields
    .filter(({ name }) => stated.some((one) => one.test(name.trim())) || texts.some((text) => isCalled(name, text)))
    .map(({ id }) => id);
}

function isCalled(name: string, asked: string): boolean {
  return name.trim().toLowerCase() === asked.trim().toLowerCase();
}

interface Said {
  readonly blocks: readonly Block[];
  readonly mentions: readonly Person[];
  /** Who wrote the comments; null where an account is gone. */
  readonly writers: readonly (Person | null)[];
}

/** What people wrote in an issue: summary, description, environment, the text fields that are asked for, comments, links. */
function saidIn({ fields }: JiraIssue, site: JiraSite, links: readonly IssueLink[]): Said {
  const description = readAdf(fields.description);
  const environment = readAdf(fields.environment);
  const blocks: Block[] = [{ kind: "text", text: fields.summary }, ...description.blocks, ...environment.blocks];
  const mentions: Person[] = [...description.mentions, ...environment.mentions];
  for (const { name, id } of site.fields) {
    if (!site.texts?.some((text) => isCalled(name, text))) continue;
    const said = readField(fields[id]);
    mentions.push(...said.mentions);
    blocks.push(...headed(name.trim(), said.blocks));
  }
  const writers: (Person | null)[] = [];
  for (const comment of fields.comment?.comments ?? []) {
    const said = readAdf(comment.body);
    const author = toPerson(comment.author);
    writers.push(author);
    mentions.push(...said.mentions);
    blocks.push(...signed(author, said.blocks));
  }
  for (const link of links) blocks.push({ kind: "text", text: `[link] ${link.phrase} ${link.key}` });
  return { blocks, mentions, writers };
}

/** One issue, with its comments and links, as a record. Pure: the same payload gives the same record. */
export function issueToRecord(issue: JiraIssue, site: JiraSite): SourceRecord {
  const { fields } = issue;
  const links = linksOf(issue);
  const { blocks, mentions, writers } = saidIn(issue, site, links);
  const assignee = toPerson(fields.assignee);
  const reporter = toPerson(fields.reporter ?? fields.creator);
  const category = fields.status?.statusCategory?.key;
  const severity = severityOf(issue, site.fields);
  const affected = customField(issue, site.fields, affectedName);
  const startedAt = toInstant(customField(issue, site.fields, startedName)[0]);
  const changes = changesOf(issue.changelog?.histories ?? []);
  const formerKeys = formerKeysOf(changes, issue.key);
  const components = (fields.components ?? []).map((component) => component.name);
  const createdAt = toInstant(fields.created);
  const resolvedAt = toInstant(fields.resolutiondate);
  const fixVersions = (fields.fixVersions ?? []).map((version) => version.name);

  return toRecord({
    id: `jira:${issue.key}`,
    source: "jira",
    kind: "ticket",
    title: fields.summary,
    url: browseUrl(issue, site.baseUrl),
    author: reporter,
    bot: (fields.reporter ?? fields.creator)?.accountType === "app" || isBotName(reporter?.name),
    createdAt,
    updatedAt: toInstant(fields.updated) ?? createdAt ?? "1970-01-01T00:00:00Z",
    prose: assemble(blocks),
    footer: [
      { label: labels.key, value: issue.key },
      { label: labels.formerKeys, value: formerKeys },
      { label: labels.type, value: fields.issuetype?.name },
      { label: labels.status, value: fields.status?.name },
      { label: labels.priority, value: fields.priority?.name },
      { label: labels.severity, value: severity },
      { label: labels.components, value: components },
      { label: labels.affected, value: affected },
      { label: labels.labels, value: fields.labels },
      { label: labels.assignee, value: personText(assignee) },
      { label: labels.reporter, value: personText(reporter) },
      { label: labels.resolution, value: fields.resolution?.name },
      { label: labels.opened, value: createdAt },
      { label: labels.started, value: startedAt },
      { label: labels.resolved, value: resolvedAt },
      { label: labels.fixVersions, value: fixVersions },
      { label: labels.sprint, value: sprintsOf(issue, site.fields) },
      { label: labels.links, value: links.map((link) => `${link.phrase} ${link.key}`) },
    ],
    fields: statedOnly({
      key: issue.key,
      formerKeys,
      ticketType: fields.issuetype?.name,
      status: fields.status?.name,
      open: category ? category !== "done" : resolvedAt === null && !fields.resolution,
      priority: fields.priority?.name,
      severity,
      resolution: fields.resolution?.name,
      resolvedAt,
      startedAt,
      components,
      affected,
      labels: fields.labels,
      assignee,
      reporter,
      links,
      changes,
      people: distinctPeople([reporter, assignee, ...writers, ...mentions]),
    }),
  });
}

/** A comment reads "Rohan Sharma: Not caused by payments." */
function signed(author: Person | null, blocks: readonly Block[]): readonly Block[] {
  return headed(personText(author) ?? "Unknown", blocks);
}

function headed(name: string, blocks: readonly Block[]): readonly Block[] {
  const [first, ...rest] = blocks;
  if (first === undefined) return [];
  if (first.kind === "text") return [{ kind: "text", text: `${name}: ${first.text.trimStart()}` }, ...rest];
  return [{ kind: "text", text: `${name}:` }, ...blocks];
}

function toPerson(user: JiraUser | null | undefined): Person | null {
  return user ? person({ name: user.displayName, login: user.name, email: user.emailAddress, accountId: user.accountId }) : null;
}

function linksOf(issue: JiraIssue): IssueLink[] {
  const links: IssueLink[] = [];
  for (const link of issue.fields.issuelinks ?? []) {
    // an outward issue is read with the outward phrase: "this issue duplicates that one"
    if (link.outwardIssue) links.push({ phrase: link.type?.outward ?? link.type?.name ?? "relates to", key: link.outwardIssue.key });
    if (link.inwardIssue) links.push({ phrase: link.type?.inward ?? link.type?.name ?? "relates to", key: link.inwardIssue.key });
  }
  return links;
}

function severityOf(issue: JiraIssue, fields: JiraFields): string | null {
  const stated = customField(issue, fields, severityName)[0];
  if (stated) return normalSeverity(stated);
  const label = issue.fields.labels?.find((one) => /^(?:sev|severity)[-_ ]?[0-5]$/i.test(one));
  return label ? normalSeverity(label) : null;
}

/** "sev-1", "Severity 1", "SEV1 - critical" are SEV1; other words stay as they are. */
function normalSeverity(text: string): string {
  const number = /^(?:sev|severity|s)[-_ ]?([0-5])(?![0-9])/i.exec(text.trim())?.[1];
  return number === undefined ? text.trim() : `SEV${number}`;
}

/** A custom field as text: rich text, or the values of options, people and numbers. */
function readField(value: unknown): ReturnType<typeof readAdf> {
  const isRich = typeof value === "string" || (value !== null && typeof value === "object" && "content" in value);
  if (isRich) return readAdf(value);
  const values = valueTexts(value);
  return { blocks: values.length === 0 ? [] : [{ kind: "text", text: values.join(", ") }], mentions: [] };
}

/** Names of the sprints. Data Center gives each as "…Sprint@1a[id=1,state=ACTIVE,name=Sprint 7,goal=…]". */
function sprintsOf(issue: JiraIssue, fields: JiraFields): string[] {
  return customField(issue, fields, sprintName).map((text) => /^[\w.]+@[0-9a-f]+\[.*?\bname=([^,\]]*)/.exec(text)?.[1] ?? text);
}

/** Values of the first custom field of that name that has any, as plain texts. */
function customField(issue: JiraIssue, fields: JiraFields, name: RegExp): string[] {
  for (const field of fields) {
    if (!name.test(field.name.trim())) continue;
    const values = valueTexts(issue.fields[field.id]);
    if (values.length > 0) return values;
  }
  return [];
}

/** Options are {value}, versions and services {name}, users {displayName}; lists of them; or plain values. */
function valueTexts(value: unknown): string[] {
  if (typeof value === "string") return value.trim() === "" ? [] : [value.trim()];
  if (typeof value === "number") return [String(value)];
  if (Array.isArray(value)) return value.flatMap(valueTexts);
  if (value === null || typeof value !== "object") return [];
  const { value: option, name, displayName } = value as { value?: unknown; name?: unknown; displayName?: unknown };
  return [option, name, displayName].filter((one): one is string => typeof one === "string" && one !== "").slice(0, 1);
}

/** Every change of every field, oldest first. */
function changesOf(histories: readonly JiraHistory[]): FieldChange[] {
  const changes: FieldChange[] = [];
  for (const history of histories) {
    const at = toInstant(history.created);
    for (const item of at === null ? [] : history.items) {
      const field = item.field;
      if (at !== null && typeof field === "string")
        changes.push({ at, field, from: ownText(item, "fromString"), to: ownText(item, "toString") });
    }
  }
  return changes.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

/** `toString` is inherited by every object: only an own property is the payload's. */
function ownText(item: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = Object.hasOwn(item, name) ? item[name] : null;
  return typeof value === "string" && value !== "" ? value : null;
}

/** Keys that the issue had before it was moved; each still leads to it. */
function formerKeysOf(changes: readonly FieldChange[], key: string): string[] {
  const keys = changes.filter((change) => change.field === "Key").flatMap((change) => [change.from, change.to]);
  return [...new Set(keys)].filter((one): one is string => one !== null && one !== key);
}

function browseUrl(issue: JiraIssue, baseUrl: string | null): string | null {
  const base = baseUrl ?? (issue.self ? URL.parse(issue.self)?.origin : null);
  return base ? `${base.replace(/\/+$/, "")}/browse/${encodeURIComponent(issue.key)}` : null;
}
