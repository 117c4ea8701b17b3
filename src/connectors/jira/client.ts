import { z } from "zod";
import type { Io } from "../../core/connector.ts";
import { ContextError } from "../../core/errors.ts";
import type { Instant } from "../../core/record.ts";
import { type AtlassianClient, atlassianClient } from "../shared/atlassian.ts";
import { issuesOf } from "../shared/jsonl.ts";
import { isZone, localMinute } from "../shared/local-time.ts";
import { toInstant } from "../shared/time.ts";
import type { JiraConfig } from "./config.ts";
import { JiraComment, JiraFields, JiraHistory, type JiraIssue } from "./payload.ts";

const PAGE_SIZE = 100;
/** As many as the search gives where only keys are asked for. */
const KEYS_PAGE_SIZE = 5_000;

/** Fields that are asked for by name; custom ones come by their ids. */
export const issueFields = [
  ...["summary", "description", "environment", "issuetype", "project", "status", "priority", "resolution", "resolutiondate", "created"],
  ...["updated", "labels", "components", "fixVersions", "assignee", "reporter", "creator", "issuelinks", "parent", "comment"],
] as const;

/** Where the user's zone is unknown, JQL's dates may be off by as much as zones differ. */
const WIDEST_ZONE_MS = 14 * 3_600_000;

const SearchPage = z.object({
  issues: z.array(z.unknown()),
  nextPageToken: z.string().min(1).nullish(),
});

/** What a search is asked for. */
export interface SearchQuery {
  readonly jql: string;
  readonly fields: readonly string[];
  readonly expand?: string;
  readonly maxResults: number;
}

const CommentPage = z.object({ comments: z.array(z.unknown()), total: z.number() });
const HistoryPage = z.object({ values: z.array(z.unknown()), total: z.number(), isLast: z.boolean().nullish() });
const Count = z.object({ count: z.number() });
export const Myself = z.object({ timeZone: z.string().nullish(), displayName: z.string().nullish() });

/** The calls that the connector makes, over the endpoint functions of jira.js. */
export class JiraApi {
  readonly client: AtlassianClient;
  private zone: string | null | undefined = undefined;

  constructor(config: JiraConfig, io: Io, tries?: number) {
    this.client = atlassianClient("Jira", "read:jira-work", config, io, tries);
  }

  /** Names of all fields; none where the site does not list them. */
  async fields(): Promise<JiraFields> {
    const { getFields } = await cloud();
    try {
      return this.shaped(JiraFields, await getFields(this.client), "/rest/api/3/field");
    } catch (error) {
      if (error instanceof ContextError && error.code === "SOURCE_NOT_FOUND") return [];
      throw error;
    }
  }

  /** Who the token belongs to; null zone where it is not told. */
  async myself(): Promise<{ readonly name: string | null; readonly zone: string | null }> {
    const { getCurrentUser } = await cloud();
    const { displayName, timeZone } = this.shaped(Myself, await getCurrentUser(this.client), "/rest/api/3/myself");
    return { name: displayName ?? null, zone: timeZone && isZone(timeZone) ? timeZone : null };
  }

  /** When the issue that changed last was changed; null when there is none. */
  async newest(filter: string): Promise<Instant | null> {
    const shape = z.object({ fields: z.object({ updated: z.string() }) });
    for await (const page of this.pages({ jql: `${filter} ORDER BY updated DESC`, fields: ["updated"], maxResults: 1 })) {
      if (page.length > 0) return toInstant(this.shaped(shape, page[0], "/rest/api/3/search/jql").fields.updated);
    }
    return null;
  }

  /** A moment as JQL reads it: to the minute, in the zone of the token's user; so much earlier as the overlap says. */
  async localMinute(at: Instant, overlapMs: number): Promise<string> {
    if (this.zone === undefined) {
      try {
        this.zone = (await this.myself()).zone;
      } catch (error) {
        // a token may read issues and not its own account
        if (!(error instanceof ContextError) || !["SOURCE_FORBIDDEN", "SOURCE_NOT_FOUND", "SOURCE_UNAUTHORIZED"].includes(error.code))
          throw error;
        this.zone = null;
      }
    }
    const widest = this.zone === null ? WIDEST_ZONE_MS : 0;
    return localMinute(new Date(Date.parse(at) - overlapMs - widest), this.zone ?? "UTC");
  }

  /** Pages of whole issues, as they came; each is still to be checked. */
  async *search(jql: string, customFields: readonly string[]): AsyncGenerator<readonly unknown[]> {
    yield* this.pages({ jql, fields: [...issueFields, ...customFields], expand: "changelog", maxResults: PAGE_SIZE });
  }

  /** Pages of all keys, for finding out which issues are gone. */
  async *keys(jql: string): AsyncGenerator<readonly string[]> {
    const shape = z.array(z.object({ key: z.string() }));
    // most per answer are given when only keys are asked for; some sites then leave the keys out
    let fields = ["key"];
    for await (const page of this.pages({ jql, fields, maxResults: KEYS_PAGE_SIZE })) {
      const keyed = shape.safeParse(page);
      if (!keyed.success) {
        fields = ["summary"];
        break;
      }
      yield keyed.data.map((issue) => issue.key);
    }
    if (fields[0] === "key") return;
    for await (const page of this.pages({ jql, fields, maxResults: KEYS_PAGE_SIZE })) {
      yield this.shaped(shape, page, "/rest/api/3/search/jql").map((issue) => issue.key);
    }
  }

  /** About how many issues there are; null where the site does not tell. */
  async count(jql: string): Promise<number | null> {
    const { countIssues } = await cloud();
    try {
      return this.shaped(Count, await countIssues(this.client, { jql }), "/rest/api/3/search/approximate-count").count;
    } catch (error) {
      if (
        error instanceof ContextError &&
        ["SOURCE_NOT_FOUND", "SOURCE_REFUSED", "SOURCE_FORBIDDEN", "SOURCE_BAD_REPLY"].includes(error.code)
      ) {
        return null;
      }
      throw error;
    }
  }

  async project(key: string): Promise<void> {
    const { getProject } = await cloud();
    await getProject(this.client, { projectIdOrKey: key });
  }

  /** One issue by key; null when it is gone or hidden, which Jira does not tell apart. */
  async issue(key: string, customFields: readonly string[]): Promise<unknown> {
    const { getIssue } = await cloud();
    try {
      return await getIssue(this.client, { issueIdOrKey: key, fields: [...issueFields, ...customFields], expand: "changelog" });
    } catch (error) {
      if (error instanceof ContextError && error.code === "SOURCE_NOT_FOUND") return null;
      throw error;
    }
  }

  /** The issue with all its comments and changes: a search embeds only some of them. */
  async complete(issue: JiraIssue): Promise<JiraIssue> {
    const embedded = issue.fields.comment;
    const comments = embedded && (embedded.total ?? 0) > embedded.comments.length ? await this.comments(issue.key) : null;
    const log = issue.changelog;
    const histories = log && (log.total ?? 0) > log.histories.length ? await this.histories(issue.key) : null;
    return {
      ...issue,
      fields: comments ? { ...issue.fields, comment: { comments, total: comments.length } } : issue.fields,
      changelog: histories ? { histories, total: histories.length } : log,
    };
  }

  protected async comments(key: string): Promise<JiraComment[]> {
    const { getComments } = await cloud();
    const path = `/rest/api/3/issue/${key}/comment`;
    return this.offsets(JiraComment, async (startAt) => {
      const page = this.shaped(CommentPage, await getComments(this.client, { issueIdOrKey: key, startAt, maxResults: PAGE_SIZE }), path);
      return { items: page.comments, total: page.total };
    });
  }

  protected async histories(key: string): Promise<JiraHistory[]> {
    const { getChangeLogs } = await cloud();
    const path = `/rest/api/3/issue/${key}/changelog`;
    return this.offsets(JiraHistory, async (startAt) => {
      const page = this.shaped(HistoryPage, await getChangeLogs(this.client, { issueIdOrKey: key, startAt, maxResults: PAGE_SIZE }), path);
      return { items: page.values, total: page.total };
    });
  }

  private async offsets<T>(
    shape: z.ZodType<T>,
    read: (startAt: number) => Promise<{ items: readonly unknown[]; total: number }>,
  ): Promise<T[]> {
    const all: T[] = [];
    for (let startAt = 0; ; ) {
      const { items, total } = await read(startAt);
      for (const item of items) {
        const parsed = shape.safeParse(item);
        if (parsed.success) all.push(parsed.data);
      }
      startAt += items.length;
      if (items.length === 0 || startAt >= total) return all;
    }
  }

  /**
   * Follows page tokens to their absence: a short or empty page is not the end. A token that comes twice would go on
   * for ever and is an error.
   */
  protected async *pages(query: SearchQuery): AsyncGenerator<readonly unknown[]> {
    const { searchAndReconsileIssuesUsingJql } = await cloud();
    const path = "/rest/api/3/search/jql";
    const tokens = new Set<string>();
    for (let nextPageToken: string | undefined; ; ) {
      const parameters = { ...query, fields: [...query.fields], ...(nextPageToken === undefined ? {} : { nextPageToken }) };
      const page = this.shaped(SearchPage, await searchAndReconsileIssuesUsingJql(this.client, parameters), path);
      yield page.issues;
      if (!page.nextPageToken) return;
      if (tokens.has(page.nextPageToken)) {
        throw new ContextError(
          "SOURCE_BAD_REPLY",
          `Jira repeats the page token at ${path} after ${tokens.size} pages; the pull would not end.`,
          {
            remedy: "Run it again; when it stays so, look for a proxy that caches answers.",
          },
        );
      }
      tokens.add(page.nextPageToken);
      nextPageToken = page.nextPageToken;
    }
  }

  protected shaped<T>(shape: z.ZodType<T>, value: unknown, path: string): T {
    const parsed = shape.safeParse(value);
    if (parsed.success) return parsed.data;
    throw new ContextError("SOURCE_BAD_REPLY", `Jira's answer at ${path} does not have the expected shape: ${issuesOf(parsed.error)}`);
  }
}

/** Loaded on first use: the package takes half a second that only a pull should pay. */
function cloud() {
  return import("jira.js/cloud");
}
