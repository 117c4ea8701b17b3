import type { Octokit } from "@octokit/rest";
import { z } from "zod";
import type { Io } from "../../core/connector.ts";
import { ContextError, type ErrorCode } from "../../core/errors.ts";
import { issuesOf } from "../shared/jsonl.ts";
import { Transport } from "../shared/transport.ts";
import { explain, filesOf, isEmpty, isMissing, nextOf, ownerAndRepo } from "./answers.ts";
import { authorizer } from "./auth.ts";
import type { GithubConfig } from "./config.ts";
import { DEPLOYMENTS, DeploymentPage, Named, namesQuery } from "./graphql.ts";
import { GithubCommit, GithubContent } from "./payload.ts";

const PAGE_SIZE = 100;

export interface Page {
  readonly items: readonly unknown[];
  /** Where the next page is; null on the last. */
  readonly next: string | null;
  readonly etag: string | null;
}

const Repository = z.object({ full_name: z.string(), default_branch: z.string() });
export const TreeEntry = z.object({ path: z.string(), type: z.string(), sha: z.string(), size: z.number().nullish() });
export type TreeEntry = z.infer<typeof TreeEntry>;
const Tree = z.object({ tree: z.array(z.unknown()), truncated: z.boolean().nullish() });
const Compared = z.object({ status: z.string(), commits: z.array(z.unknown()) });

const Items = z.array(z.unknown());
const Member = z.object({ login: z.string().regex(/^[\w-]+$/) });

/** What octokit throws for an answer of GraphQL that names errors. */
const GraphqlErrors = z.object({
  name: z.literal("GraphqlResponseError"),
  data: z.unknown().optional(),
  errors: z.array(z.object({ message: z.string(), type: z.string().optional() })),
});

/** An error of another type is a query that GitHub did not come to the end of. */
const graphqlCodes: Readonly<Record<string, ErrorCode>> = {
  RATE_LIMITED: "SOURCE_RATE_LIMITED",
  FORBIDDEN: "SOURCE_FORBIDDEN",
  INSUFFICIENT_SCOPES: "SOURCE_FORBIDDEN",
};

type Parameters = Readonly<Record<string, string | number>>;

/** The calls that the connector makes, over octokit's endpoints and our transport. */
export class GithubApi {
  readonly transport: Transport;
  private readonly config: GithubConfig;
  private readonly io: Io;
  private octokit: Promise<Octokit> | null = null;

  constructor(config: GithubConfig, io: Io, tries?: number) {
    this.config = config;
    this.io = io;
    const options = {
      io,
      product: "GitHub",
      baseUrl: config.baseUrl,
      headers: {},
      limits: config,
      explain,
      ...(tries === undefined ? {} : { tries }),
    };
    // tokens are fetched beside the requests that wait for them, which may take up all places
    this.transport = new Transport({ ...options, authorize: authorizer(config, new Transport(options)) });
  }

  note(fields: object, message: string): void {
    this.io.log.warn(fields, message);
  }

  async repository(name: string): Promise<{ readonly name: string; readonly defaultBranch: string }> {
    const { data } = await this.call((octokit) => octokit.request("GET /repos/{owner}/{repo}", ownerAndRepo(name)));
    const { full_name, default_branch } = this.shaped(Repository, data, `/repos/${name}`);
    return { name: full_name, defaultBranch: default_branch };
  }

  /** Names of all branches. */
  async branches(name: string): Promise<readonly string[]> {
    const found: string[] = [];
    for await (const page of this.pages("GET /repos/{owner}/{repo}/branches", name, {})) {
      for (const branch of page.items) found.push(this.shaped(z.object({ name: z.string() }), branch, `/repos/${name}/branches`).name);
    }
    return found;
  }

  /** Pages of a list, as their Link headers lead; from `from` on where it is given. */
  async *pages(
    route: string,
    name: string,
    parameters: Parameters,
    from: string | null = null,
    shape: z.ZodType<readonly unknown[]> = Items,
  ): AsyncGenerator<Page> {
    const seen = new Set<string>();
    for (let next = from; ; ) {
      const page = next === null ? await this.firstPage(route, name, parameters, null, shape) : await this.pageAt(next, shape);
      if (page === null) return;
      yield page;
      if (page.next === null) return;
      if (seen.has(page.next)) throw new ContextError("SOURCE_BAD_REPLY", `GitHub repeats a page of ${route}; the pull would not end.`);
      seen.add(page.next);
      next = page.next;
    }
  }

  /**
   * The first page of a list; null when it is the one with this ETag, which costs nothing of the quota.
   * @param shape where the items are, in a list that is not bare
   */
  async firstPage(
    route: string,
    name: string,
    parameters: Parameters,
    etag: string | null,
    shape: z.ZodType<readonly unknown[]> = Items,
  ): Promise<Page | null> {
    return this.page(
      (octokit) =>
        octokit.request(route, {
          ...ownerAndRepo(name),
          per_page: PAGE_SIZE,
          ...parameters,
          ...(etag === null ? {} : { headers: { "if-none-match": etag } }),
        }),
      shape,
    );
  }

  async pageAt(url: string, shape: z.ZodType<readonly unknown[]> = Items): Promise<Page | null> {
    return this.page((octokit) => octokit.request({ method: "GET", url }), shape);
  }

  /** A page of deployments with their states, the newest first; the first where `after` is null. */
  async deployments(
    name: string,
    after: string | null,
    size = 50,
  ): Promise<{ readonly items: readonly unknown[]; readonly next: string | null }> {
    const data = await this.graphql(DEPLOYMENTS, { ...ownerAndRepo(name), size, after });
    const { nodes, pageInfo } = this.shaped(DeploymentPage, data, "/graphql").repository.deployments;
    return { items: nodes, next: pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null };
  }

  /** Display names by login; null for accounts that have none, or are gone. */
  async displayNames(logins: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
    const variables = Object.fromEntries(logins.map((login, index) => [`l${index}`, login]));
    const named = this.shaped(Named, await this.graphql(namesQuery(logins.length), variables), "/graphql");
    return new Map(logins.map((login, index) => [login, named[`u${index}`]?.name || null]));
  }

  /** Data of a query. What it could not find is null in it; an answer without data is an error. */
  private async graphql(query: string, variables: Readonly<Record<string, unknown>>): Promise<unknown> {
    try {
      return await this.call((octokit) => octokit.graphql(query, variables));
    } catch (error) {
      const reply = GraphqlErrors.safeParse(error);
      if (!reply.success) throw error;
      const { data, errors } = reply.data;
      const refused = errors.find(({ type }) => type !== "NOT_FOUND");
      if (refused === undefined && data) return data;
      const code = refused === undefined ? "SOURCE_NOT_FOUND" : (graphqlCodes[refused.type ?? ""] ?? "SOURCE_UNAVAILABLE");
      throw new ContextError(code, `GitHub refuses a query at /graphql: ${errors.map(({ message }) => message).join(" ")}`.slice(0, 300));
    }
  }

  /** A commit with all its files, which come in pages of 300. */
  async commit(name: string, sha: string): Promise<unknown> {
    const route = "GET /repos/{owner}/{repo}/commits/{ref}";
    const { data, headers } = await this.call((octokit) => octokit.request(route, { ...ownerAndRepo(name), ref: sha }));
    let next = nextOf(headers.link);
    const files = [...filesOf(data)];
    while (next !== null) {
      const url = next;
      const more = await this.call((octokit) => octokit.request({ method: "GET", url }));
      files.push(...filesOf(more.data));
      next = nextOf(more.headers.link);
    }
    // patches are long and nobody reads them
    return { ...(data as object), files: files.map(({ patch: _, ...file }) => file) };
  }

  /** Commits of `head` that `base` does not hold; null when GitHub no longer knows one of them. */
  async compare(
    name: string,
    base: string,
    head: string,
  ): Promise<{ readonly isAhead: boolean; readonly commits: readonly unknown[] } | null> {
    const route = "GET /repos/{owner}/{repo}/compare/{basehead}";
    const path = `/repos/${name}/compare`;
    try {
      const first = await this.call((octokit) =>
        octokit.request(route, { ...ownerAndRepo(name), basehead: `${base}...${head}`, per_page: PAGE_SIZE }),
      );
      const { status, commits } = this.shaped(Compared, first.data, path);
      const all = [...commits];
      for (let next = nextOf(first.headers.link); next !== null; ) {
        const url = next;
        const more = await this.call((octokit) => octokit.request({ method: "GET", url }));
        all.push(...this.shaped(Compared, more.data, path).commits);
        next = nextOf(more.headers.link);
      }
      return { isAhead: status === "ahead" || status === "identical", commits: all };
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  /** All files of a branch; "unchanged" by ETag; null where there is no tree, or one too large to be listed whole. */
  async tree(name: string, branch: string, etag: string | null) {
    const route = "GET /repos/{owner}/{repo}/git/trees/{tree_sha}";
    try {
      const answer = await this.conditional((octokit) =>
        octokit.request(route, {
          ...ownerAndRepo(name),
          tree_sha: branch,
          recursive: "1",
          ...(etag === null ? {} : { headers: { "if-none-match": etag } }),
        }),
      );
      if (answer === null) return "unchanged" as const;
      const { tree, truncated } = this.shaped(Tree, answer.data, `/repos/${name}/git/trees`);
      if (truncated) return null;
      const entries = tree.flatMap((entry) => {
        const parsed = TreeEntry.safeParse(entry);
        return parsed.success ? [parsed.data] : [];
      });
      return { entries, etag: answer.headers.etag ?? null };
    } catch (error) {
      if (isMissing(error) || isEmpty(error)) return null;
      throw error;
    }
  }

  /** A file's payload; null when it is not there, or is a folder, a link or a submodule. */
  async content(name: string, path: string, ref: string): Promise<{ readonly payload: unknown; readonly content: GithubContent } | null> {
    try {
      const route = "GET /repos/{owner}/{repo}/contents/{path}";
      const { data } = await this.call((octokit) => octokit.request(route, { ...ownerAndRepo(name), path, ref }));
      const parsed = GithubContent.safeParse(data);
      return parsed.success ? { payload: data, content: parsed.data } : null;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  /** The commit that touched a file last. */
  async lastCommitOf(name: string, path: string, branch: string): Promise<GithubCommit | null> {
    const page = await this.firstPage("GET /repos/{owner}/{repo}/commits", name, { sha: branch, path, per_page: 1 }, null);
    const parsed = GithubCommit.safeParse(page?.items[0]);
    return parsed.success ? parsed.data : null;
  }

  /** Logins of a team's members; "unchanged" by ETag; null where the token may not see them, or there is no such team. */
  async members(org: string, team: string, etag: string | null) {
    const route = "GET /orgs/{org}/teams/{team_slug}/members";
    try {
      const first = await this.page((octokit) =>
        octokit.request(route, {
          org,
          team_slug: team,
          per_page: PAGE_SIZE,
          ...(etag === null ? {} : { headers: { "if-none-match": etag } }),
        }),
      );
      if (first === null) return "unchanged" as const;
      const logins: string[] = [];
      for (let page: Page | null = first; page !== null; page = page.next === null ? null : await this.pageAt(page.next)) {
        for (const item of page.items) logins.push(this.shaped(Member, item, `/orgs/${org}/teams/${team}/members`).login);
      }
      // the ETag is of the first page alone
      return { logins, etag: first.next === null ? first.etag : null };
    } catch (error) {
      if (isMissing(error) || (error instanceof ContextError && error.code === "SOURCE_FORBIDDEN")) return null;
      throw error;
    }
  }

  /** One thing by its path; null when it is gone. */
  async one(route: string, name: string, parameters: Parameters): Promise<unknown> {
    try {
      return (await this.call((octokit) => octokit.request(route, { ...ownerAndRepo(name), ...parameters }))).data;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  private async page(
    request: (octokit: Octokit) => Promise<{ readonly data: unknown; readonly headers: { link?: string; etag?: string } }>,
    shape: z.ZodType<readonly unknown[]> = Items,
  ): Promise<Page | null> {
    const answer = await this.conditional(request);
    if (answer === null) return null;
    const items = this.shaped(shape, answer.data, "a list");
    return { items, next: nextOf(answer.headers.link), etag: answer.headers.etag ?? null };
  }

  /** Null for 304, which octokit throws. */
  private async conditional<T>(request: (octokit: Octokit) => Promise<T>): Promise<T | null> {
    try {
      return await this.call(request);
    } catch (error) {
      if (error instanceof Error && "status" in error && error.status === 304) return null;
      throw error;
    }
  }

  /** Octokit wraps what its fetch throws; what was thrown is what counts. */
  private async call<T>(request: (octokit: Octokit) => Promise<T>): Promise<T> {
    this.octokit ??= this.open();
    const octokit = await this.octokit;
    try {
      return await request(octokit);
    } catch (error) {
      if (
        error instanceof Error &&
        (error.cause instanceof ContextError || (error.cause instanceof Error && error.cause.name === "AbortError"))
      ) {
        throw error.cause;
      }
      throw error;
    }
  }

  /** Loaded on first use: what a command that pulls nothing need not pay. */
  private async open(): Promise<Octokit> {
    const { Octokit: Client } = await import("@octokit/rest");
    const { baseUrl } = this.config;
    const quiet = { debug() {}, info() {}, warn() {}, error() {} };
    return new Client({
      baseUrl,
      userAgent: "contextd",
      log: quiet,
      request: { fetch: (url: string, init: RequestInit) => this.fetch(url, init), log: quiet },
    });
  }

  /** As fetch, for octokit: refusals and broken bodies are thrown here, since octokit takes an HTML page for data. */
  private async fetch(url: string, { method, headers, body }: RequestInit): Promise<Response> {
    const answered = await this.transport.answer(url, { method: method ?? "GET", headers: headers ?? {}, ...(body ? { body } : {}) });
    const kept = new Headers(answered.headers);
    // the text is unpacked already
    for (const name of ["content-encoding", "content-length", "transfer-encoding"]) kept.delete(name);
    const isEmptyStatus = answered.status === 204 || answered.status === 304;
    return new Response(isEmptyStatus ? null : answered.text, { status: answered.status, headers: kept });
  }

  private shaped<T>(shape: z.ZodType<T>, value: unknown, path: string): T {
    const parsed = shape.safeParse(value);
    if (parsed.success) return parsed.data;
    throw new ContextError("SOURCE_BAD_REPLY", `GitHub's answer at ${path} does not have the expected shape: ${issuesOf(parsed.error)}`);
  }
}
