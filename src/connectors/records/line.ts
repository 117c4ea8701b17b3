import { z } from "zod";
import { cleanText } from "../../core/body.ts";
import { labels } from "../../core/labels.ts";
import type { Person, RecordFields, RecordId, RecordKind, SourceKind, SourceRecord } from "../../core/record.ts";
import type { Assembled } from "../shared/blocks.ts";
import { statedOnly, toRecord } from "../shared/draft.ts";
import { outlineMarkdown } from "../shared/markdown.ts";
import { isBotName, person, personText } from "../shared/people.ts";
import { toInstant } from "../shared/time.ts";

/**
 * One line of a records file. Further fields are kept in the raw payload and read by no rule.
 * `author` is a name, a login, or a name as a slug.
 */
export const RecordLine = z.looseObject({
  id: z.string().trim().min(1, "is empty"),
  source: z.string(),
  kind: z.string(),
  title: z.string(),
  text: z.string(),
  author: z
    .union([z.string(), z.object({ name: z.string().optional(), login: z.string().optional(), email: z.string().optional() })])
    .nullish(),
  createdAt: z.string().nullish(),
  updatedAt: z.string().nullish(),
  url: z.string().nullish(),
  file: z.string().nullish(),
  bot: z.boolean().nullish(),
});
export type RecordLine = z.infer<typeof RecordLine>;

/** What the text of a log line says: the parts that the logs connector reads out of it. */
export type LogFields = Pick<RecordFields, "level" | "service" | "pod" | "traceId" | "exception" | "revision">;

/**
 * A line as a record, in our kinds and UTC. Pure.
 * @param log what a log line's text says; left out for other kinds
 */
export function lineToRecord(line: RecordLine, log: LogFields = {}): SourceRecord {
  const kind = kindOf(line);
  const source = sourceOf(line, kind);
  const author = authorOf(line.author);
  const createdAt = toInstant(line.createdAt);
  const updatedAt = toInstant(line.updatedAt) ?? createdAt;
  const id = idOf(line, source);
  const named = namedById(id, line.url ?? null);
  const ticketType = kind === "ticket" && !isTicketWord(line.kind) ? capitalised(line.kind) : null;
  return toRecord({
    id,
    source,
    kind,
    title: line.title,
    url: webUrl(line.url),
    author,
    bot: line.bot ?? isBotName(typeof line.author === "string" ? line.author : line.author?.login),
    createdAt,
    updatedAt: updatedAt ?? "1970-01-01T00:00:00Z",
    prose: proseOf(line, kind),
    footer: [
      { label: labels.key, value: named.key },
      { label: labels.commit, value: named.sha },
      { label: labels.type, value: ticketType },
      { label: labels.author, value: personText(author) },
      { label: labels.date, value: kind === "log" ? (createdAt ?? updatedAt) : updatedAt },
      { label: labels.repository, value: named.repository },
      { label: labels.path, value: named.path },
      { label: labels.level, value: log.level },
      { label: labels.service, value: log.service },
      { label: labels.pod, value: log.pod },
      { label: labels.trace, value: log.traceId },
      { label: labels.exception, value: log.exception },
      { label: labels.revision, value: log.revision },
    ],
    fields: statedOnly({ ...named, ...log, ticketType, people: author ? [author] : [] }),
  });
}

const sources: Readonly<Record<string, SourceKind>> = {
  jira: "jira",
  github: "github",
  gitlab: "github",
  git: "github",
  confluence: "confluence",
  wiki: "confluence",
  logs: "logs",
  log: "logs",
  documents: "documents",
  document: "documents",
  docs: "documents",
  web: "web",
};

const sourceOfKind: Readonly<Record<RecordKind, SourceKind>> = {
  ticket: "jira",
  commit: "github",
  pull: "github",
  issue: "github",
  page: "confluence",
  log: "logs",
  file: "documents",
};

const kinds: Readonly<Record<string, RecordKind>> = {
  ticket: "ticket",
  commit: "commit",
  pull: "pull",
  pullrequest: "pull",
  pr: "pull",
  issue: "issue",
  page: "page",
  blogpost: "page",
  log: "log",
  logline: "log",
  file: "file",
  document: "file",
};

function sourceOf(line: RecordLine, kind: RecordKind): SourceKind {
  return sources[line.source.trim().toLowerCase()] ?? sourceOfKind[kind];
}

/** Tickets come under their own types (incident, bug, task …): in a ticket source every unknown kind is one. */
export function kindOf(line: RecordLine): RecordKind {
  const source = sources[line.source.trim().toLowerCase()];
  const kind = kinds[line.kind.toLowerCase().replace(/[^a-z]/g, "")];
  if (kind === "issue" && source === "jira") return "ticket";
  if (kind !== undefined) return kind;
  if (source === "confluence") return "page";
  if (source === "logs") return "log";
  if (source === "documents" || source === "web") return "file";
  return source === "github" ? "issue" : "ticket";
}

function isTicketWord(kind: string): boolean {
  return /^(?:ticket|issue)$/i.test(kind.trim());
}

function idOf(line: RecordLine, source: SourceKind): RecordId {
  return (line.id.includes(":") ? line.id : `${source}:${line.id}`) as RecordId;
}

/** What the id itself states: a key, a sha, a place in a repository. */
function namedById(id: RecordId, url: string | null): RecordFields & { key?: string; sha?: string; repository?: string; path?: string } {
  const repository = url === null ? undefined : /^https?:\/\/[^/]+\/([^/]+\/[^/]+)\/(?:commit|pull|issues|blob)\//.exec(url)?.[1];
  const ticket = /^jira:([A-Za-z][A-Za-z0-9_]*-\d+)$/.exec(id)?.[1];
  if (ticket) return { key: ticket };
  const sha = /^github:commit:([0-9a-f]{7,64})$/i.exec(id)?.[1];
  if (sha) return { sha: sha.toLowerCase(), ...(repository ? { repository } : {}) };
  const numbered = /^github:(issue|pull):([^#]+)#(\d+)$/.exec(id);
  if (numbered?.[2] && numbered[3]) {
    const key = numbered[1] === "issue" ? { key: `${numbered[2]}#${numbered[3]}` } : {};
    return { ...key, number: Number(numbered[3]), ...(repository ? { repository } : {}) };
  }
  const file = /^github:file:([^/]+\/[^/]+)\/(.+)$/.exec(id);
  if (file?.[1] && file[2]) return { repository: file[1], path: file[2] };
  return {};
}

/** The text; headed by the title where it does not hold it, as people's sentences refer to it. */
function proseOf(line: RecordLine, kind: RecordKind): Pick<Assembled, "text"> & Partial<Assembled> {
  const text = cleanText(line.text);
  if (kind === "log" || (kind === "file" && !/\.(?:md|mdx|markdown)$/i.test(line.id))) return { text };
  const title = cleanText(line.title);
  const whole =
    kind === "file" || text.startsWith(title) || text.replace(/\s+/g, " ").startsWith(title.replace(/\s+/g, " "))
      ? text
      : `${title}\n\n${text}`;
  const cleaned = cleanText(whole);
  return kind === "page" || kind === "ticket" ? { text: cleaned } : { text: cleaned, ...outlineMarkdown(cleaned) };
}

/** "rahul-sharma" is a name as a slug, "rsharma" a login, "Rahul Sharma" a name. */
function authorOf(author: RecordLine["author"]): Person | null {
  if (typeof author !== "string") return author ? person(author) : null;
  const text = author.trim();
  if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)) return person({ email: text });
  if (/\s/.test(text)) return person({ name: text });
  const slug = /^\p{Ll}+(?:-\p{Ll}+){1,3}$/u.test(text) && !isBotName(text);
  return person({ login: text, name: slug ? text.split("-").map(capitalised).join(" ") : null });
}

function capitalised(word: string): string {
  const trimmed = word.trim();
  return trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
}

/** Only web addresses become links: a "javascript:" one would run on the page that shows it. */
function webUrl(url: string | null | undefined): string | null {
  return url && /^https?:\/\//i.test(url) ? url : null;
}
