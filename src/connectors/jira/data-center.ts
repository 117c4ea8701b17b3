import { z } from "zod";
import { ContextError } from "../../core/errors.ts";
import { isZone } from "../shared/local-time.ts";
import { issueFields, JiraApi, Myself, type SearchQuery } from "./client.ts";
import { JiraFields } from "./payload.ts";

/** The most that a search gives, where the administrator did not lower it. */
const LARGEST_PAGE = 1_000;

const SearchPage = z.object({ issues: z.array(z.unknown()), startAt: z.number(), total: z.number() });

/**
 * The same calls over REST v2, as Jira Data Center has them: pages by position with a total, wiki markup in place of
 * ADF, all comments and changes with the issue. jira.js knows the Cloud only, so the requests are built here.
 */
export class JiraDataCenterApi extends JiraApi {
  override async fields(): Promise<JiraFields> {
    return this.shaped(JiraFields, await this.get("/rest/api/2/field"), "/rest/api/2/field");
  }

  override async myself(): Promise<{ readonly name: string | null; readonly zone: string | null }> {
    const { displayName, timeZone } = this.shaped(Myself, await this.get("/rest/api/2/myself"), "/rest/api/2/myself");
    return { name: displayName ?? null, zone: timeZone && isZone(timeZone) ? timeZone : null };
  }

  override async count(jql: string): Promise<number | null> {
    const page = await this.get("/rest/api/2/search", { jql, maxResults: 0, fields: "key" });
    return this.shaped(SearchPage, page, "/rest/api/2/search").total;
  }

  override async project(key: string): Promise<void> {
    await this.get(`/rest/api/2/project/${encodeURIComponent(key)}`);
  }

  override async issue(key: string, customFields: readonly string[]): Promise<unknown> {
    try {
      const fields = [...issueFields, ...customFields].join(",");
      return await this.get(`/rest/api/2/issue/${encodeURIComponent(key)}`, { fields, expand: "changelog" });
    } catch (error) {
      if (error instanceof ContextError && error.code === "SOURCE_NOT_FOUND") return null;
      throw error;
    }
  }

  /** By position: the order by creation keeps what was read in its place, and a listing of keys finds what slipped past. */
  protected override async *pages({ jql, fields, expand, maxResults }: SearchQuery): AsyncGenerator<readonly unknown[]> {
    const size = Math.min(maxResults, LARGEST_PAGE);
    for (let startAt = 0; ; ) {
      const query = { jql, startAt, maxResults: size, fields: fields.join(","), ...(expand === undefined ? {} : { expand }) };
      const page = this.shaped(SearchPage, await this.get("/rest/api/2/search", query), "/rest/api/2/search");
      if (page.startAt !== startAt) {
        throw new ContextError(
          "SOURCE_BAD_REPLY",
          `Jira answered with issue ${page.startAt} on where ${startAt} on was asked for; the pull would not end.`,
        );
      }
      yield page.issues;
      startAt += page.issues.length;
      if (page.issues.length === 0 || startAt >= page.total) return;
    }
  }

  private get(url: string, searchParams: Readonly<Record<string, string | number>> = {}): Promise<unknown> {
    return this.client.sendRequest({ url, method: "GET", searchParams });
  }
}
