import { z } from "zod";
import type { Pulled } from "../../core/connector.ts";
import type { RecordId } from "../../core/record.ts";
import { issuesOf } from "../shared/jsonl.ts";
import { redactJson } from "../shared/redact.ts";
import { isSweepDue } from "../shared/sweep.ts";
import { unfit } from "../shared/unfit.ts";
import type { Page } from "./client.ts";
import { GithubComment, GithubIssue, GithubPull, GithubRelease, GithubReview, GithubUser } from "./payload.ts";
import type { ListState, RepositoryPull } from "./progress.ts";
import { isBot, issueToRecord, pullToRecord, releaseToRecord, repositoryName } from "./to-record.ts";

const PULLS = "GET /repos/{owner}/{repo}/pulls";
const ISSUES = "GET /repos/{owner}/{repo}/issues";
const RELEASES = "GET /repos/{owner}/{repo}/releases";
/** Newest change first: what is edited meanwhile moves to pages that were read, and pushes nothing past the reader. */
const BY_CHANGE = { state: "all", sort: "updated", direction: "desc" } as const;
const MOST_ROUNDS = 5;

const Listed = z.object({ number: z.int().positive(), updated_at: z.string(), pull_request: z.unknown().optional() });

/** Pull requests, those that changed last first, until one that is known as it is. */
export async function* pullPulls(pull: RepositoryPull): AsyncGenerator<Pulled> {
  yield* pullList(pull, PULLS, pull.state.pulls, async (item) => {
    const listed = Listed.safeParse(item);
    const id: RecordId = `github:pull:${repositoryName(pull.site)}#${listed.data?.number ?? 0}`;
    if (listed.success && isKnown(pull, id, listed.data.updated_at)) return { type: "unchanged", id };
    return readPull(pull, item);
  });
}

/** Issues in the same way, and those that were deleted. */
export async function* pullIssues(pull: RepositoryPull): AsyncGenerator<Pulled> {
  const whole = yield* pullList(pull, ISSUES, pull.state.issues, async (item) => {
    const listed = Listed.safeParse(item);
    // GitHub lists pull requests as issues, too
    if (listed.data?.pull_request) return null;
    const id: RecordId = `github:issue:${repositoryName(pull.site)}#${listed.data?.number ?? 0}`;
    if (listed.success && isKnown(pull, id, listed.data.updated_at)) return { type: "unchanged", id };
    return readIssue(pull, item);
  });
  if (whole !== null) yield* goneIssues(pull, whole);
  else yield* sweepIssues(pull);
}

/** Releases; drafts are nobody's yet. One request where nothing changed. */
export async function* pullReleases(pull: RepositoryPull): AsyncGenerator<Pulled> {
  const { api, name, state, progress } = pull;
  const first = await api.firstPage(RELEASES, name, {}, state.releases);
  if (first === null) return;
  for (let page: Page | null = first; page !== null; page = page.next === null ? null : await api.pageAt(page.next)) {
    for (const item of page.items) {
      const release = GithubRelease.safeParse(item);
      if (!release.success) yield unfit(`github:release:${repositoryName({ repository: name })}`, issuesOf(release.error));
      else if (!release.data.draft) yield { type: "record", record: releaseToRecord(release.data, pull.site), raw: redactJson(item) };
    }
  }
  state.releases = first.etag;
  yield progress.checkpoint();
}

/** A pull request's payload as a record, with its reviews and files where the configuration asks for them. */
export async function readPull(
  { api, config, name, site, names }: Pick<RepositoryPull, "api" | "config" | "name" | "site" | "names">,
  payload: unknown,
): Promise<Pulled> {
  const parsed = GithubPull.safeParse(payload);
  if (!parsed.success) return unfit(`github:pull:${repositoryName({ repository: name })}`, issuesOf(parsed.error));
  const number = { pull_number: parsed.data.number };
  const reviews: GithubReview[] = [];
  const files: string[] = [];
  if (config.include.includes("reviews")) {
    for await (const page of api.pages("GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews", name, number))
      reviews.push(...fitting(GithubReview, page.items));
    for await (const page of api.pages("GET /repos/{owner}/{repo}/pulls/{pull_number}/files", name, number)) {
      files.push(...fitting(z.object({ filename: z.string() }), page.items).map((file) => file.filename));
    }
  }
  await names.learn(api, [...usersOf(parsed.data), ...(parsed.data.requested_reviewers ?? []), ...reviews.map(({ user }) => user)]);
  const raw = redactJson({ ...(payload as object), reviews, files, fingerprint: parsed.data.updated_at ?? "" });
  return { type: "record", record: pullToRecord(parsed.data, site, reviews, files), raw };
}

/** An issue's payload as a record, with its comments where the configuration asks for them. */
export async function readIssue(
  { api, config, name, site, names }: Pick<RepositoryPull, "api" | "config" | "name" | "site" | "names">,
  payload: unknown,
): Promise<Pulled> {
  const parsed = GithubIssue.safeParse(payload);
  if (!parsed.success) return unfit(`github:issue:${repositoryName({ repository: name })}`, issuesOf(parsed.error));
  const comments: GithubComment[] = [];
  if (config.include.includes("comments") && (parsed.data.comments ?? 0) > 0) {
    const route = "GET /repos/{owner}/{repo}/issues/{issue_number}/comments";
    for await (const page of api.pages(route, name, { issue_number: parsed.data.number }))
      comments.push(...fitting(GithubComment, page.items));
  }
  await names.learn(api, [...usersOf(parsed.data), ...comments.map(({ user }) => user)]);
  const raw = redactJson({ ...(payload as object), comment_list: comments, fingerprint: parsed.data.updated_at ?? "" });
  return { type: "record", record: issueToRecord(parsed.data, site, comments), raw };
}

/**
 * What changed since the last pull, or everything. A listing of several pages is followed by another round for what
 * changed meanwhile, which is usually one page.
 * @returns the numbers of all items where one page held them all, else null
 */
async function* pullList(
  pull: RepositoryPull,
  route: string,
  list: ListState,
  read: (item: unknown) => Promise<Pulled | null>,
): AsyncGenerator<Pulled, ReadonlySet<number> | null> {
  const { api, name, config, progress, state } = pull;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    let page = list.next === null ? await api.firstPage(route, name, BY_CHANGE, list.etag) : await api.pageAt(list.next);
    // a page that was to come may be gone with what was deleted
    if (page === null) return null;
    const isWhole = list.next === null && page.next === null;
    const whole = isWhole ? numbersOf(page.items) : null;
    let etag = list.next === null ? page.etag : null;
    let pages = 0;
    for (;;) {
      pages += 1;
      const oldest = later(list.updated, config.since === undefined ? null : `${config.since}T00:00:00Z`);
      const fresh = page.items.filter((item) => oldest === null || (changeOf(item) ?? oldest) >= oldest);
      list.until ??= changeOf(page.items[0]);
      await learnPage(pull, route === PULLS ? "pull" : "issue", fresh);
      for (const item of fresh) {
        state.largest = Math.max(state.largest, Listed.safeParse(item).data?.number ?? 0);
        const pulled = config.bots === "skip" && isOfBot(item) ? null : await read(item);
        if (pulled !== null) yield pulled;
      }
      if (page.next === null || fresh.length < page.items.length) break;
      list.next = page.next;
      yield progress.checkpoint();
      page = await api.pageAt(page.next);
      if (page === null) break;
    }
    // only a first page that came in this round is known to be the newest
    if (pages > 1) etag = null;
    Object.assign(list, { etag, updated: later(list.updated, list.until), next: null, until: null });
    yield progress.checkpoint();
    if (pages === 1) return whole;
  }
  return null;
}

/** Lists all numbers every sweepHours, where one page does not hold them. */
async function* sweepIssues(pull: RepositoryPull): AsyncGenerator<Pulled> {
  const { api, name, config, state, progress } = pull;
  const now = api.transport.now();
  state.sweptAt ??= now.toISOString();
  if (!isSweepDue(state.sweptAt, config.sweepHours, now)) return;
  const there = new Set<number>();
  for await (const page of api.pages(ISSUES, name, { state: "all", sort: "created", direction: "asc" })) {
    for (const number of numbersOf(page.items)) there.add(number);
  }
  yield* goneIssues(pull, there);
  state.sweptAt = now.toISOString();
  yield progress.checkpoint();
}

/** Issues that were deleted: known numbers that a whole listing does not show. */
function* goneIssues({ io, name, state }: RepositoryPull, there: ReadonlySet<number>): Generator<Pulled> {
  for (let number = 1; number <= state.largest && io.known; number += 1) {
    const id: RecordId = `github:issue:${repositoryName({ repository: name })}#${number}`;
    if (!there.has(number) && io.known(id) !== null) yield { type: "gone", id };
  }
}

/** Accounts that a payload names, whatever else it holds. */
function usersOf({ user, assignees }: Pick<GithubPull, "user" | "assignees">): readonly (GithubUser | null | undefined)[] {
  return [user, ...(assignees ?? [])];
}

const Accounts = z.object({
  user: GithubUser.nullish().catch(null),
  assignees: z.array(GithubUser).nullish().catch(null),
  requested_reviewers: z.array(GithubUser).nullish().catch(null),
});

/** Names of all that a page is about, in one request rather than in one for each item. */
async function learnPage({ api, io, names, site }: RepositoryPull, kind: "pull" | "issue", items: readonly unknown[]): Promise<void> {
  const fresh = items.filter((item) => {
    const listed = Listed.safeParse(item).data;
    const id: RecordId = `github:${kind}:${repositoryName(site)}#${listed?.number ?? 0}`;
    return listed !== undefined && !(kind === "issue" && listed.pull_request) && io.known?.(id)?.fingerprint !== listed.updated_at;
  });
  await names.learn(
    api,
    fresh.flatMap((item) => {
      const { data } = Accounts.safeParse(item);
      return data ? [...usersOf(data), ...(data.requested_reviewers ?? [])] : [];
    }),
  );
}

function isOfBot(item: unknown): boolean {
  return isBot(z.object({ user: GithubUser }).safeParse(item).data?.user);
}

function numbersOf(items: readonly unknown[]): ReadonlySet<number> {
  return new Set(fitting(z.object({ number: z.number() }), items).map((item) => item.number));
}

function isKnown({ io }: RepositoryPull, id: RecordId, updated: string): boolean {
  return io.known?.(id)?.fingerprint === updated;
}

function changeOf(item: unknown): string | null {
  return Listed.safeParse(item).data?.updated_at ?? null;
}

function later(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return a > b ? a : b;
}

function fitting<T>(shape: z.ZodType<T>, items: readonly unknown[]): T[] {
  return items.flatMap((item) => {
    const parsed = shape.safeParse(item);
    return parsed.success ? [parsed.data] : [];
  });
}
