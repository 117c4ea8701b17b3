import { Buffer } from "node:buffer";
import { cleanText } from "../../core/body.ts";
import { labels } from "../../core/labels.ts";
import type { Instant, Person, SourceRecord } from "../../core/record.ts";
import { type Assembled, assemble } from "../shared/blocks.ts";
import { statedOnly, toRecord } from "../shared/draft.ts";
import { outlineMarkdown } from "../shared/markdown.ts";
import { distinctPeople, isBotName, person, personText } from "../shared/people.ts";
import { toInstant } from "../shared/time.ts";
import type {
  GithubComment,
  GithubCommit,
  GithubContent,
  GithubIssue,
  GithubPull,
  GithubRelease,
  GithubReview,
  GithubUser,
} from "./payload.ts";

/** What the mappers must know beside the payload. All pure: the same payload gives the same record. */
export interface GithubSite {
  /** "acme/shop"; payloads that carry a link of their own may differ after a rename. */
  readonly repository: string;
  /** Display names by login, as far as they are known. */
  readonly names: ReadonlyMap<string, string>;
}

/** For payloads that state no time. */
export const EPOCH: Instant = "1970-01-01T00:00:00Z";

/** A commit with its message, its files and who wrote it; dated when it came in. */
export function commitToRecord(payload: GithubCommit, site: GithubSite): SourceRecord {
  const { message, author: signed, committer } = payload.commit;
  const author = person({
    name: signed?.name ?? nameOf(payload.author?.login, site),
    login: payload.author?.login,
    email: signed?.email,
  });
  // the author date is when it was written; a rebase or squash sets the committer's to when it came in
  const at = toInstant(committer?.date) ?? toInstant(signed?.date) ?? EPOCH;
  const files = [
    ...new Set((payload.files ?? []).flatMap((file) => [file.filename, ...(file.previous_filename ? [file.previous_filename] : [])])),
  ];
  return toRecord({
    id: `github:commit:${payload.sha.toLowerCase()}`,
    source: "github",
    kind: "commit",
    title: cleanText(message).split("\n", 1)[0] ?? "",
    url: payload.html_url ?? null,
    author,
    bot: isBotCommit(payload),
    createdAt: toInstant(signed?.date) ?? at,
    updatedAt: at,
    prose: markdown(message),
    footer: [
      { label: labels.commit, value: payload.sha.toLowerCase() },
      { label: labels.author, value: personText(author) },
      { label: labels.date, value: at },
      { label: labels.repository, value: site.repository },
      { label: labels.changedFiles, value: files },
    ],
    fields: statedOnly({
      repository: site.repository,
      sha: payload.sha.toLowerCase(),
      parents: (payload.parents ?? []).map((parent) => parent.sha),
      files,
      people: distinctPeople([author]),
    }),
  });
}

/** Whether a machine wrote it, by GitHub's mark or by its name. */
export function isBotCommit(payload: Pick<GithubCommit, "author" | "commit">): boolean {
  return isBot(payload.author) || isBotName(payload.commit.author?.name);
}

/** A pull request with its reviews and changed files, as far as they were asked for. */
export function pullToRecord(
  payload: GithubPull,
  site: GithubSite,
  reviews: readonly GithubReview[] = [],
  files: readonly string[] = [],
): SourceRecord {
  const author = toPerson(payload.user, site);
  const mergedAt = toInstant(payload.merged_at);
  const reviewers = distinctPeople([
    ...reviews.filter((review) => review.user?.login !== payload.user?.login).map((review) => toPerson(review.user, site)),
    ...(payload.requested_reviewers ?? []).map((user) => toPerson(user, site)),
  ]);
  const assignees = (payload.assignees ?? []).map((user) => toPerson(user, site));
  const labelNames = namesOf(payload.labels);
  const state = mergedAt ? "merged" : payload.draft && payload.state === "open" ? "draft" : (payload.state ?? null);
  return toRecord({
    ...commonDraft("pull", payload, site, author),
    prose: conversation(
      payload,
      site,
      reviews.filter((review) => review.body).map((review) => ({ ...review, created_at: review.submitted_at })),
    ),
    footer: [
      { label: labels.number, value: `#${payload.number}` },
      { label: labels.repository, value: site.repository },
      { label: labels.status, value: state },
      { label: labels.author, value: personText(author) },
      { label: labels.opened, value: toInstant(payload.created_at) },
      { label: labels.merged, value: mergedAt },
      { label: labels.mergeCommit, value: mergedAt ? payload.merge_commit_sha : null },
      { label: labels.assignee, value: people(assignees) },
      { label: labels.reviewers, value: people(reviewers) },
      { label: labels.labels, value: labelNames },
      { label: labels.changedFiles, value: files },
    ],
    fields: statedOnly({
      repository: site.repository,
      number: payload.number,
      status: state,
      open: payload.state === "open",
      mergedAt,
      // of an open pull request it is only GitHub's test merge
      mergeSha: mergedAt ? payload.merge_commit_sha : null,
      labels: labelNames,
      assignee: assignees[0],
      reviewers,
      files,
      people: distinctPeople([author, ...assignees, ...reviewers]),
    }),
  });
}

export function issueToRecord(payload: GithubIssue, site: GithubSite, comments: readonly GithubComment[] = []): SourceRecord {
  const author = toPerson(payload.user, site);
  const assignees = (payload.assignees ?? []).map((user) => toPerson(user, site));
  const labelNames = namesOf(payload.labels);
  const resolvedAt = toInstant(payload.closed_at);
  const severity = labelNames.map((label) => /^(?:sev|severity)[-_: ]?([0-5])$/i.exec(label)?.[1]).find((number) => number !== undefined);
  return toRecord({
    ...commonDraft("issue", payload, site, author),
    prose: conversation(payload, site, comments),
    footer: [
      { label: labels.key, value: `${repositoryName(site)}#${payload.number}` },
      { label: labels.repository, value: site.repository },
      { label: labels.status, value: payload.state },
      { label: labels.severity, value: severity === undefined ? null : `SEV${severity}` },
      { label: labels.resolution, value: payload.state_reason },
      { label: labels.reporter, value: personText(author) },
      { label: labels.assignee, value: people(assignees) },
      { label: labels.labels, value: labelNames },
      { label: labels.opened, value: toInstant(payload.created_at) },
      { label: labels.resolved, value: resolvedAt },
    ],
    fields: statedOnly({
      key: `${repositoryName(site)}#${payload.number}`,
      repository: site.repository,
      number: payload.number,
      ticketType: "issue",
      status: payload.state,
      open: payload.state !== "closed",
      severity: severity === undefined ? null : `SEV${severity}`,
      resolution: payload.state_reason,
      resolvedAt,
      labels: labelNames,
      assignee: assignees[0],
      reporter: author,
      people: distinctPeople([author, ...assignees, ...comments.map((comment) => toPerson(comment.user, site))]),
    }),
  });
}

/** A release's notes, as a file of the repository under "releases/". */
export function releaseToRecord(payload: GithubRelease, site: GithubSite): SourceRecord {
  const author = toPerson(payload.author, site);
  const at = toInstant(payload.published_at) ?? toInstant(payload.created_at) ?? EPOCH;
  const title = payload.name || payload.tag_name;
  return toRecord({
    id: `github:release:${repositoryName(site)}@${payload.tag_name}`,
    source: "github",
    kind: "file",
    title: `${site.repository} ${title}`,
    url: payload.html_url ?? null,
    author,
    bot: isBot(payload.author),
    createdAt: toInstant(payload.created_at),
    updatedAt: at,
    prose: markdown(`${title}\n\n${payload.body ?? ""}`),
    footer: [
      { label: labels.repository, value: site.repository },
      { label: labels.author, value: personText(author) },
      { label: labels.date, value: at },
    ],
    fields: statedOnly({ repository: site.repository, path: `releases/${payload.tag_name}`, people: distinctPeople([author]) }),
  });
}

/**
 * A text file of the tree. GitHub's contents payload holds no times and no author: they come from the caller
 * (the commit that last touched it, or the time of the pull).
 * Null when the payload holds no text: too large (encoding "none"), a picture, a program.
 */
export function contentToRecord(
  payload: GithubContent,
  site: GithubSite,
  known: { readonly updatedAt: Instant; readonly author?: Person | null },
): SourceRecord | null {
  const content = decodeContent(payload);
  if (content === null) return null;
  const isMarkdown = /\.(?:md|mdx|markdown)$/i.test(payload.path);
  const cleaned = cleanText(content);
  return toRecord({
    id: `github:file:${site.repository}/${payload.path}`,
    source: "github",
    kind: "file",
    title: `${site.repository}/${payload.path}`,
    url: payload.html_url ?? null,
    author: known.author ?? null,
    bot: false,
    createdAt: null,
    updatedAt: known.updatedAt,
    prose: isMarkdown ? { text: cleaned, ...outlineMarkdown(cleaned) } : { text: cleaned },
    footer: [
      { label: labels.repository, value: site.repository },
      { label: labels.path, value: payload.path },
      { label: labels.author, value: personText(known.author) },
    ],
    fields: statedOnly({ repository: site.repository, path: payload.path, mediaType: isMarkdown ? "text/markdown" : "text/plain" }),
  });
}

function decodeContent(payload: GithubContent): string | null {
  if (payload.encoding !== "base64" || typeof payload.content !== "string") return null;
  const bytes = Buffer.from(payload.content, "base64");
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function commonDraft(kind: "pull" | "issue", payload: GithubPull | GithubIssue, site: GithubSite, author: Person | null) {
  const createdAt = toInstant(payload.created_at);
  return {
    id: `github:${kind}:${repositoryName(site)}#${payload.number}`,
    source: "github",
    kind,
    title: payload.title,
    url: payload.html_url ?? null,
    author,
    bot: isBot(payload.user),
    createdAt,
    updatedAt: toInstant(payload.updated_at) ?? createdAt ?? EPOCH,
  } as const;
}

/** Title and body, then what others said, each signed. */
function conversation(payload: GithubPull | GithubIssue, site: GithubSite, comments: readonly GithubComment[]): Assembled {
  const said = comments
    .filter((comment) => comment.body && !isBot(comment.user))
    .map((comment) => `${personText(toPerson(comment.user, site)) ?? "Unknown"}: ${comment.body}`);
  return markdown([payload.title, payload.body ?? "", ...said].join("\n\n"));
}

function markdown(text: string): Assembled {
  const { text: cleaned } = assemble([{ kind: "text", text }]);
  return { text: cleaned, ...outlineMarkdown(cleaned) };
}

function people(list: readonly (Person | null)[]): string[] {
  return list.map(personText).filter((text) => text !== null);
}

/** An account with its display name where that is known; null for one that was deleted. */
export function toPerson(user: GithubUser | null | undefined, site: GithubSite): Person | null {
  return user ? person({ login: user.login, name: user.name ?? nameOf(user.login, site) }) : null;
}

function nameOf(login: string | null | undefined, site: GithubSite): string | undefined {
  return login ? site.names.get(login) : undefined;
}

/** By GitHub's mark or by the login. */
export function isBot(user: GithubUser | null | undefined): boolean {
  return user?.type === "Bot" || isBotName(user?.login);
}

function namesOf(list: GithubPull["labels"]): string[] {
  return (list ?? [])
    .map((label) => (typeof label === "string" ? label : label.name))
    .filter((name) => typeof name === "string" && name !== "") as string[];
}

/** Record ids name the repository without its owner: "github:pull:shop#88". */
export function repositoryName({ repository }: Pick<GithubSite, "repository">): string {
  return repository.slice(repository.lastIndexOf("/") + 1);
}
