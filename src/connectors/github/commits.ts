import type { Pulled } from "../../core/connector.ts";
import type { RecordId } from "../../core/record.ts";
import { issuesOf } from "../shared/jsonl.ts";
import { redactJson } from "../shared/redact.ts";
import { unfit } from "../shared/unfit.ts";
import { isEmpty, isMissing } from "./answers.ts";
import { GithubCommit } from "./payload.ts";
import type { BranchState, RepositoryPull } from "./progress.ts";
import { commitToRecord, isBotCommit } from "./to-record.ts";

const LIST = "GET /repos/{owner}/{repo}/commits";
/** Commits whose files are read together; no more than these are held at once. */
const TOGETHER = 20;

/** Whether all went well, or the history was rewritten in a way that only a new listing can tell. */
export type CommitsOutcome = "read" | "rewritten";

/**
 * The commits of the default branch and of those that the configuration names, each with its changed files.
 * A first listing is pinned to the commit that the branch had when it began, so that its pages stay what they are.
 * Later the comparison of old and new head tells exactly what came, also by a merge of old commits, and what a
 * force-push took away.
 */
export async function* pullCommits(pull: RepositoryPull): AsyncGenerator<Pulled, CommitsOutcome> {
  let outcome: CommitsOutcome = "read";
  for (const branch of await branchesOf(pull)) {
    if ((yield* pullBranch(pull, branch)) === "rewritten") outcome = "rewritten";
  }
  return outcome;
}

async function branchesOf({ api, config, name, defaultBranch }: RepositoryPull): Promise<readonly string[]> {
  const named = config.branches.filter((branch) => !branch.includes("*"));
  const patterns = config.branches.filter((branch) => branch.includes("*")).map(globPattern);
  const matching =
    patterns.length === 0 ? [] : (await api.branches(name)).filter((branch) => patterns.some((pattern) => pattern.test(branch)));
  return [...new Set([defaultBranch, ...named, ...matching])];
}

/** "release/*" to a pattern; * stands for anything, the rest for itself. */
function globPattern(glob: string): RegExp {
  return new RegExp(`^${glob.split("*").map(escaped).join(".*")}$`);
}

function escaped(text: string): string {
  return text.replace(/[.+?^${}()|[\]\\/-]/g, "\\$&");
}

async function* pullBranch(pull: RepositoryPull, branch: string): AsyncGenerator<Pulled, CommitsOutcome> {
  const { api, name, state, progress } = pull;
  const known: BranchState = state.branches[branch] ?? { head: null, etag: null, listing: null };
  state.branches[branch] = known;
  let etag = known.etag;
  if (known.listing === null) {
    const newest = await newestCommit(pull, branch, etag);
    if (newest === "unchanged" || newest === "empty") return "read";
    ({ etag } = newest);
    if (newest.head === known.head) {
      known.etag = etag;
      return "read";
    }
    const compared = known.head === null ? null : await api.compare(name, known.head, newest.head);
    if (known.head !== null && compared !== null && (compared.isAhead || state.branches[branch] === onlyBranch(pull))) {
      yield* commitRecords(pull, compared.commits);
      if (!compared.isAhead) yield* lostCommits(pull, newest.head, known.head);
      Object.assign(known, { head: newest.head, etag });
      yield progress.checkpoint();
      return "read";
    }
    known.listing = { head: newest.head, next: null };
  }

  const { listing } = known;
  let metOldHead = known.head === null;
  const since = sinceOf(pull);
  for await (const page of api.pages(LIST, name, { sha: listing.head, ...since }, listing.next)) {
    yield* commitRecords(pull, page.items);
    if (page.items.some((item) => shaOf(item) === known.head)) metOldHead = true;
    listing.next = page.next;
    if (page.next !== null) yield progress.checkpoint();
  }
  Object.assign(known, { head: listing.head, etag, listing: null });
  yield progress.checkpoint();
  return metOldHead ? "read" : "rewritten";
}

/** The branch's state when it is the only one: then a commit that left it is in no other. */
function onlyBranch({ state, defaultBranch, config }: RepositoryPull): BranchState | undefined {
  return config.branches.length === 0 ? state.branches[defaultBranch] : undefined;
}

async function newestCommit(pull: RepositoryPull, branch: string, etag: string | null) {
  try {
    const page = await pull.api.firstPage(LIST, pull.name, { sha: branch, ...sinceOf(pull) }, etag);
    if (page === null) return "unchanged" as const;
    const head = shaOf(page.items[0]);
    return head === null ? ("empty" as const) : { head, etag: page.etag };
  } catch (error) {
    if (isEmpty(error)) return "empty" as const;
    throw error;
  }
}

function sinceOf({ config }: RepositoryPull): { readonly since?: string } {
  return config.since === undefined ? {} : { since: `${config.since}T00:00:00Z` };
}

/** Records of listed commits, in their order. A list holds no files, so each new commit costs one more request. */
async function* commitRecords(pull: RepositoryPull, listed: readonly unknown[]): AsyncGenerator<Pulled> {
  for (let from = 0; from < listed.length; from += TOGETHER) {
    const wanted = listed.slice(from, from + TOGETHER).filter((item) => pull.config.bots === "mark" || !isOfBot(item));
    yield* await Promise.all(wanted.map((item) => commitRecord(pull, item)));
  }
}

async function commitRecord(pull: RepositoryPull, item: unknown): Promise<Pulled> {
  const sha = shaOf(item);
  if (sha === null) return unfit("github:commit:unknown", "it has no sha.");
  const id: RecordId = `github:commit:${sha}`;
  // a commit never changes: its sha is its fingerprint
  if (pull.io.known?.(id)?.fingerprint === sha) return { type: "unchanged", id };
  return (await readCommit(pull, sha)) ?? unfit(id, "GitHub lists it and does not find it.");
}

/** One commit; null when the repository does not hold it. */
export async function readCommit({ api, name, site }: Pick<RepositoryPull, "api" | "name" | "site">, sha: string): Promise<Pulled | null> {
  const id: RecordId = `github:commit:${sha}`;
  try {
    const payload = await api.commit(name, sha);
    const parsed = GithubCommit.safeParse(payload);
    if (!parsed.success) return unfit(id, issuesOf(parsed.error));
    return { type: "record", record: commitToRecord(parsed.data, site), raw: redactJson({ ...(payload as object), fingerprint: sha }) };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Commits of the old head that the new one does not hold. Where GitHub no longer knows them they stay until a full pull. */
async function* lostCommits({ api, name }: RepositoryPull, head: string, oldHead: string): AsyncGenerator<Pulled> {
  const lost = await api.compare(name, head, oldHead);
  for (const item of lost?.commits ?? []) {
    const sha = shaOf(item);
    if (sha !== null) yield { type: "gone", id: `github:commit:${sha}` };
  }
}

function isOfBot(item: unknown): boolean {
  const commit = GithubCommit.safeParse(item);
  return commit.success && isBotCommit(commit.data);
}

function shaOf(item: unknown): string | null {
  const sha = (item as { sha?: unknown } | null | undefined)?.sha;
  return typeof sha === "string" ? sha : null;
}
