import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { ConfluencePage, ConfluenceSpace } from "../connectors/confluence/payload.ts";
import { pageToRecord } from "../connectors/confluence/to-record.ts";
import { GithubCommit, GithubUser } from "../connectors/github/payload.ts";
import { commitToRecord } from "../connectors/github/to-record.ts";
import { JiraFields, JiraIssue, JiraUser } from "../connectors/jira/payload.ts";
import { issueToRecord } from "../connectors/jira/to-record.ts";
import type { RecordId, SourceRecord } from "../core/record.ts";

const Edge = z.object({ kind: z.string(), source: z.string(), target: z.string() });
const Event = z.object({
  at: z.string(),
  op: z.string(),
  id: z.string(),
  expect: z.object({ added: z.array(Edge), removed: z.array(Edge) }),
  payload: z.unknown(),
});

export interface SinceEvent {
  readonly at: string;
  readonly op: string;
  readonly id: RecordId;
  /** Null: the record is gone. Its id may differ from the event's where a ticket moved. */
  readonly record: SourceRecord | null;
  readonly added: readonly z.infer<typeof Edge>[];
  readonly removed: readonly z.infer<typeof Edge>[];
}

/** Later changes of a world, each payload through the mapper of its source; empty where the world has none. */
export async function readSince(folder: string): Promise<SinceEvent[]> {
  const events = await parsed(join(folder, "since", "events.jsonl"), Event);
  if (events.length === 0) return [];
  const people = new Map<string, string>();
  for (const user of await parsed(join(folder, "jira", "users.jsonl"), JiraUser))
    if (user.accountId && user.displayName) people.set(user.accountId, user.displayName);
  const logins = new Map<string, string>();
  for (const user of await parsed(join(folder, "github", "users.jsonl"), GithubUser)) if (user.name) logins.set(user.login, user.name);
  const fields = await whole(join(folder, "jira", "fields.json"), JiraFields);
  const spaces = await whole(join(folder, "confluence", "spaces.json"), z.object({ results: z.array(ConfluenceSpace) }));
  const site = {
    baseUrl: null,
    names: people,
    spaces: new Map((spaces?.results ?? []).map((space) => [space.id, space])),
    titles: new Map<string, string>(),
  };
  return events.map((event) => ({
    at: event.at,
    op: event.op,
    id: event.id as RecordId,
    added: event.expect.added,
    removed: event.expect.removed,
    record:
      event.payload === null || event.payload === undefined
        ? null
        : recordOf(event.id, event.payload, { fields: fields ?? [], site, logins }),
  }));
}

function recordOf(
  id: string,
  payload: unknown,
  known: {
    readonly fields: z.infer<typeof JiraFields>;
    readonly site: Parameters<typeof pageToRecord>[1];
    readonly logins: ReadonlyMap<string, string>;
  },
): SourceRecord | null {
  if (id.startsWith("jira:")) return issueToRecord(JiraIssue.parse(payload), { baseUrl: null, fields: known.fields });
  if (id.startsWith("confluence:")) return pageToRecord(ConfluencePage.parse(payload), known.site);
  if (id.startsWith("github:commit:")) {
    const commit = GithubCommit.parse(payload);
    return commitToRecord(commit, {
      repository: /^https?:\/\/[^/]+\/([^/]+\/[^/]+)\//.exec(commit.html_url ?? "")?.[1] ?? "unknown/unknown",
      names: known.logins,
    });
  }
  return null;
}

async function parsed<T>(path: string, shape: z.ZodType<T>): Promise<T[]> {
  const content = await readFile(path, "utf8").catch(() => "");
  return content.split("\n").flatMap((line) => {
    if (line.trim() === "") return [];
    const result = shape.safeParse(JSON.parse(line));
    return result.success ? [result.data] : [];
  });
}

async function whole<T>(path: string, shape: z.ZodType<T>): Promise<T | null> {
  const content = await readFile(path, "utf8").catch(() => null);
  return content === null ? null : shape.parse(JSON.parse(content));
}
