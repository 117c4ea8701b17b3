import { FakeServer, json, type Reply, type Seen } from "./server.ts";

export interface FakeIssue {
  id: string;
  key: string;
  summary: string;
  /** Epoch milliseconds, by the server's clock. */
  updated: number;
  comments?: readonly string[];
  /** Status names, oldest first. */
  statuses?: readonly string[];
  formerKey?: string;
}

const USER = {
  self: "https://acme.atlassian.net/rest/api/3/user?accountId=712020:1",
  accountId: "712020:1",
  displayName: "Meera Iyer",
  active: true,
  timeZone: "Etc/UTC",
  accountType: "atlassian",
};

/**
 * Jira Cloud as far as a connector needs it, after developer.atlassian.com's description of REST v3 and the samples:
 * search by JQL with page tokens, no total, a page that may be short or empty, embedded comments and changes cut at
 * `embedded`; dates in JQL are read to the minute in the zone of the token's user.
 */
export class FakeJira extends FakeServer {
  issues: FakeIssue[] = [];
  projects = ["JR"];
  zone = "Etc/UTC";
  /** Most issues in a page of whole issues, and in one of keys only. */
  pageSize = 100;
  keysPageSize = 5_000;
  embedded = 20;
  hasCount = true;
  repeatTokens = false;
  /** REST v2: positions and a total, wiki markup, nothing cut. */
  isDataCenter = false;
  /** An empty page with a token comes in between. */
  emptyPages = false;

  add(count: number, from = 1, at = Date.UTC(2026, 0, 1)): void {
    for (let number = from; number < from + count; number += 1) {
      this.issues.push({ id: String(10_000 + number), key: `JR-${number}`, summary: `Issue ${number}`, updated: at + number * 60_000 });
    }
  }

  protected answer(seen: Seen): Reply | null {
    const path = this.isDataCenter ? seen.path.replace("/rest/api/2/", "/rest/api/3/") : seen.path;
    if (this.isDataCenter && path === "/rest/api/3/search") return this.searchByPosition(seen.query);
    if (path === "/rest/api/3/field")
      return json([
        {
          id: "customfield_10050",
          key: "customfield_10050",
          name: "Severity",
          custom: true,
          orderable: true,
          navigable: true,
          searchable: true,
          clauseNames: [],
        },
      ]);
    if (path === "/rest/api/3/myself") return json({ ...USER, timeZone: this.zone });
    if (path === "/rest/api/3/search/jql") return this.search(seen.query);
    if (path === "/rest/api/3/search/approximate-count" && this.hasCount) {
      return json({ count: this.matching((JSON.parse(seen.body) as { jql: string }).jql).length });
    }
    const one = /^\/rest\/api\/3\/issue\/([^/]+)(?:\/(comment|changelog))?$/.exec(path);
    if (one) return this.issue(one[1] ?? "", one[2], seen.query);
    const project = /^\/rest\/api\/3\/project\/([^/]+)$/.exec(path)?.[1];
    if (project) {
      return this.projects.includes(project)
        ? json({ id: "1", key: project, name: project, self: `${this.url}/rest/api/3/project/1` })
        : json({ errorMessages: [`No project could be found with key '${project}'.`], errors: {} }, 404);
    }
    return null;
  }

  private search(query: URLSearchParams): Reply {
    const jql = query.get("jql") ?? "";
    if (!/project|updated|key/.test(jql)) return json({ errorMessages: ["Unbounded JQL queries are not allowed here."], errors: {} }, 400);
    const fields = query.getAll("fields");
    const isKeysOnly = fields.every((field) => field === "key" || field === "id");
    const size = Math.min(Number(query.get("maxResults") ?? 50), isKeysOnly ? this.keysPageSize : this.pageSize);
    const token = query.get("nextPageToken");
    const [from, wasEmpty] = token === null ? [0, false] : readToken(token, jql);
    if (from === null) return json({ errorMessages: ["The provided next page token is invalid or expired."], errors: {} }, 400);
    const found = this.matching(jql);
    if (this.emptyPages && token !== null && !wasEmpty)
      return json({ issues: [], nextPageToken: makeToken(from, jql, true), isLast: false });
    const page = found.slice(from, from + size);
    const next = from + size < found.length ? makeToken(this.repeatTokens ? 0 : from + size, jql, false) : undefined;
    return json({
      issues: page.map((issue) => this.payload(issue, fields)),
      ...(next ? { nextPageToken: next } : {}),
      isLast: next === undefined,
    });
  }

  private searchByPosition(query: URLSearchParams): Reply {
    const found = this.matching(query.get("jql") ?? "");
    const startAt = Number(query.get("startAt") ?? 0);
    const maxResults = Math.min(Number(query.get("maxResults") ?? 50), this.pageSize);
    const fields = (query.get("fields") ?? "*all").split(",");
    const issues = found.slice(startAt, startAt + maxResults).map((issue) => this.payload(issue, fields));
    return json({ expand: "schema,names", startAt, maxResults, total: found.length, issues });
  }

  /** JQL of the form that connectors send: conditions joined by AND, then ORDER BY one field. */
  private matching(jql: string): readonly FakeIssue[] {
    const projects = /project in \(([^)]*)\)/.exec(jql)?.[1]?.match(/[A-Z][A-Z0-9_]*/g) ?? this.projects;
    const since = /updated >= "([^"]+)"/.exec(jql)?.[1];
    const createdSince = /created >= "([^"]+)"/.exec(jql)?.[1];
    const [, order, way] = /ORDER BY (\w+) (ASC|DESC)/.exec(jql) ?? [];
    const kept = this.issues.filter(
      ({ id, key, updated }) =>
        projects.some((project) => key.startsWith(`${project}-`)) &&
        (since === undefined || this.minute(updated) >= since) &&
        (createdSince === undefined || this.minute(createdAt(id)) >= createdSince),
    );
    const sorted = kept.sort((a, b) => (order === "updated" ? a.updated - b.updated : Number(a.id) - Number(b.id)));
    return way === "DESC" ? sorted.reverse() : sorted;
  }

  private minute(at: number): string {
    return new Date(at).toLocaleString("sv-SE", { timeZone: this.zone }).slice(0, 16);
  }

  private issue(key: string, part: string | undefined, query: URLSearchParams): Reply {
    const issue = this.issues.find((one) => one.key === key || one.id === key || one.formerKey === key);
    if (!issue) return json({ errorMessages: ["Issue does not exist or you do not have permission to see it."], errors: {} }, 404);
    const startAt = Number(query.get("startAt") ?? 0);
    const maxResults = Math.min(Number(query.get("maxResults") ?? 50), 100);
    if (part === "comment") {
      const comments = this.comments(issue);
      return json({ startAt, maxResults, total: comments.length, comments: comments.slice(startAt, startAt + maxResults) });
    }
    if (part === "changelog") {
      const values = this.histories(issue);
      const page = values.slice(startAt, startAt + maxResults);
      return json({ startAt, maxResults, total: values.length, isLast: startAt + page.length >= values.length, values: page });
    }
    return json(this.payload(issue, ["*all"]));
  }

  private payload(issue: FakeIssue, fields: readonly string[]): object {
    const core = { id: issue.id, self: `${this.url}/rest/api/3/issue/${issue.id}` };
    if (fields.every((field) => field === "id")) return { id: issue.id };
    if (fields.every((field) => field === "key")) return { ...core, key: issue.key };
    const comments = this.comments(issue);
    const histories = this.histories(issue);
    return {
      ...core,
      key: issue.key,
      expand: "changelog",
      fields: {
        summary: issue.summary,
        issuetype: { id: "1", name: "Task", subtask: false },
        status: {
          id: "3",
          name: issue.statuses?.at(-1) ?? "To Do",
          statusCategory: { id: 2, key: "new", name: "To Do", colorName: "blue-gray" },
        },
        created: stamp(createdAt(issue.id)),
        updated: stamp(issue.updated),
        labels: [],
        components: [],
        issuelinks: [],
        reporter: USER,
        assignee: null,
        description: this.isDataCenter
          ? `h2. About ${issue.key}\n\nSee [the runbook|https://wiki.example/x].`
          : { type: "doc", version: 1, content: [{ type: "paragraph", content: [{ type: "text", text: `About ${issue.key}.` }] }] },
        comment: {
          comments: this.isDataCenter ? comments : comments.slice(0, this.embedded),
          startAt: 0,
          maxResults: this.embedded,
          total: comments.length,
          self: "",
        },
      },
      changelog: {
        startAt: 0,
        maxResults: this.embedded,
        total: histories.length,
        histories: this.isDataCenter ? histories : histories.slice(-this.embedded),
      },
    };
  }

  private comments(issue: FakeIssue): readonly object[] {
    return (issue.comments ?? []).map((text, index) => ({
      id: String(index),
      author: USER,
      created: stamp(issue.updated),
      updated: stamp(issue.updated),
      body: { type: "doc", version: 1, content: [{ type: "paragraph", content: [{ type: "text", text }] }] },
    }));
  }

  private histories(issue: FakeIssue): readonly object[] {
    const moves = issue.formerKey
      ? [{ field: "Key", fieldtype: "jira", from: null, fromString: issue.formerKey, to: null, toString: issue.key }]
      : [];
    const changes = (issue.statuses ?? []).map((status, index, all) => ({
      field: "status",
      fieldtype: "jira",
      fieldId: "status",
      from: null,
      fromString: all[index - 1] ?? "To Do",
      to: null,
      toString: status,
    }));
    return [...moves, ...changes].map((item, index) => ({
      id: String(index),
      author: USER,
      created: stamp(Date.UTC(2026, 0, 2) + index * 60_000),
      items: [item],
    }));
  }
}

/** Issues are made one every 30 seconds, in the order of their ids. */
function createdAt(id: string): number {
  return Date.UTC(2025, 0, 1) + Number(id) * 30_000;
}

/** "2026-01-01T00:00:00.000+0000", as Jira writes it. */
function stamp(at: number): string {
  return new Date(at).toISOString().replace("Z", "+0000");
}

/** Opaque to the client and bound to its query. */
function makeToken(from: number, jql: string, wasEmpty: boolean): string {
  return Buffer.from(JSON.stringify([from, jql, wasEmpty])).toString("base64url");
}

function readToken(token: string, jql: string): readonly [number | null, boolean] {
  const [from, of, wasEmpty] = JSON.parse(Buffer.from(token, "base64url").toString("utf8")) as [number, string, boolean];
  return of === jql ? [from, wasEmpty] : [null, false];
}
