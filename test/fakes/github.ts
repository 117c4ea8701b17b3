import { createHash } from "node:crypto";
import { FakeServer, json, type Reply, type Seen } from "./server.ts";

export interface FakeCommit {
  readonly sha: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly at: number;
  readonly files: readonly string[];
  readonly isBot?: boolean;
}

export interface FakeTicket {
  number: number;
  title: string;
  updated: number;
  isPull: boolean;
  comments?: readonly string[];
  isBot?: boolean;
}

export interface FakeDeployment {
  readonly id: number;
  readonly sha: string;
  readonly environment: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly description?: string;
  /** As GraphQL spells them, the newest first. */
  states: readonly { readonly state: string; readonly at: number; readonly description?: string }[];
}

/** A run of a workflow. */
export interface FakeRun {
  readonly id: number;
  readonly name: string;
  readonly sha: string;
  readonly at: number;
  conclusion: string;
  attempt?: number;
}

const BOT = { login: "dependabot[bot]", id: 49699333, type: "Bot" };

/**
 * One repository of GitHub's REST API as far as a connector needs it, after docs.github.com and the samples: Link
 * headers by repository id, ETags and 304, commits without files in lists, pull requests among the issues, comparison
 * of commits, trees and contents.
 */
export class FakeGithub extends FakeServer {
  repository = "acme/shop";
  defaultBranch = "main";
  readonly branches = new Map<string, string>();
  readonly commits = new Map<string, FakeCommit>();
  tickets: FakeTicket[] = [];
  readonly files = new Map<string, string>();
  /** Logins by "acme/payments"; another team is not there, or hidden from the token. */
  readonly teams = new Map<string, readonly string[]>();
  deployments: FakeDeployment[] = [];
  runs: FakeRun[] = [];
  /** Display names by login; another account is not there. */
  readonly accounts = new Map<string, string | null>();
  hasGraphql = true;
  releases: readonly { readonly id: number; readonly tag_name: string; readonly body: string }[] = [];
  hasCompare = true;
  hasTrees = true;
  filesPerPage = 300;
  private readonly walks = new Map<string, readonly FakeCommit[]>();

  /** Appends commits to a branch, one a minute; returns the new head. */
  commit(count: number, branch = "main", more: Partial<FakeCommit> = {}): string {
    for (let index = 0; index < count; index += 1) {
      const head = this.branches.get(branch);
      const number = this.commits.size + 1;
      const sha = createHash("sha1")
        .update(`${branch} ${number} ${more.message ?? ""}`)
        .digest("hex");
      const at = Date.UTC(2026, 0, 1) + number * 60_000;
      this.commits.set(sha, {
        sha,
        parents: head ? [head] : [],
        message: `Commit ${number}`,
        at,
        files: [`src/file-${number}.ts`],
        ...more,
      });
      this.branches.set(branch, sha);
    }
    this.walks.clear();
    return this.branches.get(branch) ?? "";
  }

  ticket(count: number, isPull: boolean, from = this.tickets.length + 1): void {
    for (let number = from; number < from + count; number += 1) {
      this.tickets.push({
        number,
        title: `${isPull ? "Pull" : "Issue"} ${number}`,
        updated: Date.UTC(2026, 0, 1) + number * 60_000,
        isPull,
      });
    }
  }

  protected answer(seen: Seen): Reply | null {
    const path = seen.path.replace(/^\/repositories\/1(?=\/|$)/, `/repos/${this.repository}`);
    const [, org, team] = /^\/orgs\/([^/]+)\/teams\/([^/]+)\/members$/.exec(seen.path) ?? [];
    const members = this.teams.get(`${org}/${team}`);
    if (members) return this.tagged(seen, json(members.map((login, index) => ({ login, id: index + 1, type: "User" }))));
    const root = `/repos/${this.repository}`;
    if (path === "/graphql" && this.hasGraphql) return this.graphql(JSON.parse(seen.body) as GraphqlRequest);
    if (path !== root && !path.startsWith(`${root}/`)) return json({ message: "Not Found", status: "404" }, 404);
    return this.tagged(seen, this.route(path.slice(root.length), seen));
  }

  /** ETags are of the body; one that the client has is answered 304. */
  private tagged(seen: Seen, reply: Reply | null): Reply | null {
    if (reply === null || reply.status !== 200) return reply;
    const etag = `W/"${createHash("sha1").update(reply.body).digest("hex")}"`;
    const headers = {
      ...reply.headers,
      etag,
      "x-ratelimit-limit": "5000",
      "x-ratelimit-remaining": "4900",
      "x-ratelimit-reset": "1787270400",
    };
    return seen.headers["if-none-match"] === etag ? { status: 304, headers: { etag }, body: "" } : { ...reply, headers };
  }

  private route(path: string, seen: Seen): Reply | null {
    const { query } = seen;
    if (path === "") return json({ id: 1, full_name: this.repository, default_branch: this.defaultBranch, private: true });
    if (path === "/branches")
      return this.page(
        [...this.branches.keys()].map((name) => ({ name })),
        path,
        query,
      );
    if (path === "/commits") return this.listCommits(path, query);
    if (path === "/pulls")
      return this.page(
        this.listed(query)
          .filter((one) => one.isPull)
          .map((one) => this.ticketPayload(one, true)),
        path,
        query,
      );
    if (path === "/issues")
      return this.page(
        this.listed(query).map((one) => this.ticketPayload(one, false)),
        path,
        query,
      );
    if (path === "/releases")
      return this.page(
        this.releases.map((one) => ({ ...one, draft: false, created_at: "2026-01-01T00:00:00Z" })),
        path,
        query,
      );
    const run = /^\/actions\/runs(?:\/(\d+))?$/.exec(path);
    if (run) return this.workflowRuns(run[1], path, query);
    const deployment = /^\/deployments\/(\d+)(\/statuses)?$/.exec(path);
    if (deployment) return this.oneDeployment(Number(deployment[1]), deployment[2] !== undefined, path, query);
    const commit = /^\/commits\/([0-9a-f]{40})$/.exec(path)?.[1];
    if (commit) return this.oneCommit(commit, path, query);
    const compared = /^\/compare\/([0-9a-f]+)\.\.\.([0-9a-f]+)$/.exec(path);
    if (compared && this.hasCompare) return this.compare(compared[1] ?? "", compared[2] ?? "", path, query);
    const ticket = /^\/(pulls|issues)\/(\d+)(?:\/(comments|reviews|files))?$/.exec(path);
    if (ticket) return this.oneTicket(Number(ticket[2]), ticket[1] === "pulls", ticket[3], path, query);
    if (/^\/git\/trees\//.test(path) && this.hasTrees) return this.tree();
    const file = /^\/contents\/(.+)$/.exec(path)?.[1];
    if (file) return this.content(file);
    return json({ message: "Not Found", status: "404" }, 404);
  }

  /** The two queries that the connector sends, after docs.github.com/en/graphql: partial data beside errors, cursors. */
  private graphql({ query, variables }: GraphqlRequest): Reply {
    if (query.startsWith("query names(")) {
      const logins = Object.entries(variables).map(([key, login]) => [key.replace("l", "u"), String(login)] as const);
      const data = logins.map(([alias, login]) => [alias, this.accounts.has(login) ? { name: this.accounts.get(login) } : null] as const);
      const missing = logins.filter(([, login]) => !this.accounts.has(login));
      const errors = missing.map(([alias, login]) => ({
        type: "NOT_FOUND",
        path: [alias],
        message: `Could not resolve to a User with the login of '${login}'.`,
      }));
      return json({ data: Object.fromEntries(data), ...(errors.length > 0 ? { errors } : {}) });
    }
    if (`${variables.owner}/${variables.repo}` !== this.repository) {
      const message = `Could not resolve to a Repository with the name '${variables.owner}/${variables.repo}'.`;
      return json({ data: { repository: null }, errors: [{ type: "NOT_FOUND", path: ["repository"], message }] });
    }
    const newest = this.deployments.toSorted((a, b) => b.at - a.at);
    // a cursor names the item after which the page begins
    const from = variables.after ? newest.findIndex(({ id }) => `after-${id}` === variables.after) + 1 : 0;
    const page = newest.slice(from, from + Number(variables.size));
    const isMore = from + page.length < newest.length;
    const nodes = page.map(({ id, sha, environment, at, description = null, states }) => ({
      databaseId: id,
      commitOid: sha,
      task: "deploy",
      environment,
      description,
      createdAt: utc(at),
      ref: { name: this.defaultBranch },
      creator: { __typename: "Bot", login: "github-actions" },
      statuses: {
        nodes: states.map((one) => ({
          state: one.state,
          description: one.description ?? "",
          logUrl: `https://github.com/${this.repository}/actions/runs/${id}`,
          createdAt: utc(one.at),
        })),
      },
    }));
    const pageInfo = { hasNextPage: isMore, endCursor: page.length > 0 ? `after-${page.at(-1)?.id}` : null };
    return json({ data: { repository: { deployments: { pageInfo, nodes } } } });
  }

  private oneDeployment(id: number, statuses: boolean, path: string, query: URLSearchParams): Reply {
    const found = this.deployments.find((one) => one.id === id);
    if (!found) return json({ message: "Not Found", status: "404" }, 404);
    const { sha, environment, at, description = null, states } = found;
    if (!statuses) {
      const creator = { login: "github-actions[bot]", id: 41898282, type: "Bot" };
      return json({
        id,
        sha,
        ref: this.defaultBranch,
        task: "deploy",
        environment,
        description,
        creator,
        created_at: utc(at),
        payload: {},
      });
    }
    const log_url = `https://github.com/${this.repository}/actions/runs/${id}`;
    const items = states.map((one) => ({
      state: one.state.toLowerCase(),
      description: one.description ?? "",
      log_url,
      created_at: utc(one.at),
    }));
    return this.page(items, path, query);
  }

  private workflowRuns(id: string | undefined, path: string, query: URLSearchParams): Reply {
    const status = query.get("status");
    const found = this.runs.filter((one) => (id === undefined ? status === null || one.conclusion === status : one.id === Number(id)));
    const payloads = found
      .toSorted((a, b) => b.at - a.at)
      .map(({ id: number, name, sha, at, conclusion, attempt = 1 }) => ({
        id: number,
        name,
        display_title: `Commit ${sha.slice(0, 3)}`,
        event: "push",
        status: "completed",
        conclusion,
        head_branch: this.defaultBranch,
        head_sha: sha,
        run_attempt: attempt,
        actor: { login: "rsharma", id: 1, type: "User" },
        html_url: `https://github.com/${this.repository}/actions/runs/${number}`,
        created_at: utc(at),
        updated_at: utc(at + attempt * 60_000),
      }));
    if (id !== undefined) return payloads[0] ? json(payloads[0]) : json({ message: "Not Found", status: "404" }, 404);
    const page = this.page(payloads, path, query);
    return { ...page, body: `{"total_count":${payloads.length},"workflow_runs":${page.body}}` };
  }

  private page(items: readonly unknown[], path: string, query: URLSearchParams): Reply {
    const size = Math.min(Number(query.get("per_page") ?? 30), 100);
    const number = Number(query.get("page") ?? 1);
    const from = (number - 1) * size;
    return json(items.slice(from, from + size), 200, this.link(path, query, from + size < items.length ? number + 1 : null));
  }

  private link(path: string, query: URLSearchParams, next: number | null): Readonly<Record<string, string>> {
    if (next === null) return {};
    const to = new URLSearchParams(query);
    to.set("page", String(next));
    return { link: `<${this.url}/repositories/1${path}?${to}>; rel="next", <${this.url}/repositories/1${path}?page=99>; rel="last"` };
  }

  private listCommits(path: string, query: URLSearchParams): Reply {
    if (this.branches.size === 0) return json({ message: "Git Repository is empty.", status: "409" }, 409);
    const asked = query.get("sha") ?? this.defaultBranch;
    const head = this.branches.get(asked) ?? asked;
    if (!this.commits.has(head)) return json({ message: `No commit found for SHA: ${asked}`, status: "404" }, 404);
    const since = query.get("since");
    const file = query.get("path");
    const found = this.walk(head).filter(
      (one) => (since === null || one.at >= Date.parse(since)) && (file === null || one.files.includes(file)),
    );
    const size = Math.min(Number(query.get("per_page") ?? 30), 100);
    const from = (Number(query.get("page") ?? 1) - 1) * size;
    const page = found.slice(from, from + size).map((one) => this.commitPayload(one));
    return json(page, 200, this.link(path, query, from + size < found.length ? from / size + 2 : null));
  }

  /** All that a commit descends from, itself first, newest first. */
  private walk(head: string): readonly FakeCommit[] {
    const cached = this.walks.get(head);
    if (cached) return cached;
    const seen = new Map<string, FakeCommit>();
    for (const open = [head]; open.length > 0; ) {
      const commit = this.commits.get(open.pop() ?? "");
      if (!commit || seen.has(commit.sha)) continue;
      seen.set(commit.sha, commit);
      open.push(...commit.parents);
    }
    const sorted = [...seen.values()].sort((a, b) => b.at - a.at);
    this.walks.set(head, sorted);
    return sorted;
  }

  private oneCommit(sha: string, path: string, query: URLSearchParams): Reply {
    const commit = this.commits.get(sha);
    if (!commit) return json({ message: `No commit found for SHA: ${sha}`, status: "422" }, 422);
    const page = Number(query.get("page") ?? 1);
    const from = (page - 1) * this.filesPerPage;
    const files = commit.files.slice(from, from + this.filesPerPage);
    const body = {
      ...this.commitPayload(commit),
      files: files.map((filename) => ({ sha, filename, status: "modified", patch: "@@ -1 +1 @@" })),
    };
    return json(body, 200, this.link(path, query, from + this.filesPerPage < commit.files.length ? page + 1 : null));
  }

  private compare(base: string, head: string, path: string, query: URLSearchParams): Reply {
    if (!this.commits.has(base) || !this.commits.has(head)) return json({ message: "Not Found", status: "404" }, 404);
    const old = new Set(this.walk(base).map(({ sha }) => sha));
    const fresh = new Set(this.walk(head).map(({ sha }) => sha));
    const ahead = [...this.walk(head)].filter(({ sha }) => !old.has(sha)).reverse();
    const isBehind = [...old].some((sha) => !fresh.has(sha));
    const status = isBehind ? (ahead.length > 0 ? "diverged" : "behind") : ahead.length > 0 ? "ahead" : "identical";
    const size = Math.min(Number(query.get("per_page") ?? 250), 250);
    const number = Number(query.get("page") ?? 1);
    const from = (number - 1) * size;
    const commits = ahead.slice(from, from + size).map((one) => this.commitPayload(one));
    return json(
      { status, total_commits: ahead.length, commits, files: [] },
      200,
      this.link(path, query, from + size < ahead.length ? number + 1 : null),
    );
  }

  private commitPayload({ sha, parents, message, at, isBot = false }: FakeCommit): object {
    const date = utc(at);
    const signed = { name: isBot ? BOT.login : "Rahul Sharma", email: "rsharma@users.example", date };
    return {
      sha,
      html_url: `https://github.com/${this.repository}/commit/${sha}`,
      commit: { message, author: signed, committer: signed },
      author: isBot ? BOT : { login: "rsharma", id: 1, type: "User" },
      committer: { login: "web-flow", id: 2, type: "User" },
      parents: parents.map((parent) => ({ sha: parent })),
    };
  }

  private listed(query: URLSearchParams): readonly FakeTicket[] {
    const since = query.get("since");
    const by = query.get("sort") === "updated" ? (one: FakeTicket) => one.updated : (one: FakeTicket) => one.number;
    const sorted = this.tickets.filter((one) => since === null || one.updated >= Date.parse(since)).sort((a, b) => by(a) - by(b));
    return query.get("direction") === "asc" ? sorted : sorted.reverse();
  }

  private ticketPayload({ number, title, updated, isPull, comments = [], isBot = false }: FakeTicket, asPull: boolean): object {
    const at = utc(updated);
    const url = `https://github.com/${this.repository}/${isPull ? "pull" : "issues"}/${number}`;
    return {
      id: number,
      number,
      title,
      state: "open",
      body: `About ${number}.`,
      html_url: url,
      user: isBot ? BOT : { login: "miyer", id: 3, type: "User" },
      labels: [],
      assignees: [],
      created_at: "2026-01-01T00:00:00Z",
      updated_at: at,
      closed_at: null,
      ...(asPull ? { merged_at: null, merge_commit_sha: null, draft: false, requested_reviewers: [] } : { comments: comments.length }),
      ...(isPull && !asPull ? { pull_request: { html_url: url, merged_at: null } } : {}),
    };
  }

  private oneTicket(number: number, asPull: boolean, part: string | undefined, path: string, query: URLSearchParams): Reply {
    const ticket = this.tickets.find((one) => one.number === number && (!asPull || one.isPull));
    if (!ticket) return json({ message: "Not Found", status: "404" }, 404);
    const user = { login: "rsharma", type: "User" };
    if (part === "comments")
      return this.page(
        (ticket.comments ?? []).map((body) => ({ body, user, created_at: "2026-01-02T00:00:00Z" })),
        path,
        query,
      );
    if (part === "reviews")
      return this.page([{ user, state: "APPROVED", body: "Fine.", submitted_at: "2026-01-02T00:00:00Z" }], path, query);
    if (part === "files") return this.page([{ filename: "src/a.ts", status: "modified" }], path, query);
    return json(this.ticketPayload(ticket, asPull));
  }

  private tree(): Reply {
    if (this.branches.size === 0) return json({ message: "Git Repository is empty.", status: "409" }, 409);
    const blobs = [...this.files].map(([path, text]) => ({ path, mode: "100644", type: "blob", sha: blobSha(text), size: text.length }));
    return json({ sha: "t", truncated: false, tree: [{ path: "docs", type: "tree", sha: "d" }, ...blobs] });
  }

  private content(path: string): Reply {
    const text = this.files.get(path);
    if (text === undefined) return json({ message: "Not Found", status: "404" }, 404);
    const content = Buffer.from(text)
      .toString("base64")
      .replace(/(.{60})/g, "$1\n");
    const html_url = `https://github.com/${this.repository}/blob/${this.defaultBranch}/${path}`;
    return json({
      type: "file",
      encoding: "base64",
      size: text.length,
      name: path.split("/").at(-1),
      path,
      content,
      sha: blobSha(text),
      html_url,
    });
  }
}

interface GraphqlRequest {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

function utc(at: number): string {
  return new Date(at).toISOString().replace(".000Z", "Z");
}

function blobSha(text: string): string {
  return createHash("sha1").update(`blob ${text.length}\0${text}`).digest("hex");
}
