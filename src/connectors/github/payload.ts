import { z } from "zod";

/**
 * The parts of GitHub's payloads that are read, leniently: one odd field must not lose the record.
 * @see https://docs.github.com/en/rest
 */
const text = z.string().nullish().catch(null);

export const GithubUser = z.object({ login: z.string(), type: text, name: text });
export type GithubUser = z.infer<typeof GithubUser>;

const user = GithubUser.nullish().catch(null);
const signature = z.object({ name: text, email: text, date: text }).nullish().catch(null);

export const GithubCommit = z.object({
  sha: z.string().regex(/^[0-9a-f]{7,64}$/i),
  html_url: text,
  commit: z.object({ message: z.string(), author: signature, committer: signature }),
  author: user,
  committer: user,
  parents: z
    .array(z.object({ sha: z.string() }))
    .nullish()
    .catch(null),
  files: z
    .array(z.object({ filename: z.string(), previous_filename: text, status: text }))
    .nullish()
    .catch(null),
});
export type GithubCommit = z.infer<typeof GithubCommit>;

const labelled = z
  .array(z.union([z.string(), z.object({ name: text })]))
  .nullish()
  .catch(null);
const users = z.array(GithubUser).nullish().catch(null);

export const GithubReview = z.object({ user, state: text, body: text, submitted_at: text });
export type GithubReview = z.infer<typeof GithubReview>;

export const GithubComment = z.object({ user, body: text, created_at: text });
export type GithubComment = z.infer<typeof GithubComment>;

export const GithubPull = z.object({
  number: z.int().positive(),
  title: z.string(),
  state: text,
  draft: z.boolean().nullish().catch(null),
  body: text,
  html_url: text,
  user,
  labels: labelled,
  assignees: users,
  requested_reviewers: users,
  created_at: text,
  updated_at: text,
  closed_at: text,
  merged_at: text,
  merge_commit_sha: text,
});
export type GithubPull = z.infer<typeof GithubPull>;

export const GithubIssue = z.object({
  number: z.int().positive(),
  title: z.string(),
  state: text,
  state_reason: text,
  body: text,
  html_url: text,
  user,
  labels: labelled,
  assignees: users,
  created_at: text,
  updated_at: text,
  closed_at: text,
  comments: z.number().nullish().catch(null),
  /** Set when it is a pull request that the issues list mixes in. */
  pull_request: z.unknown().optional(),
});
export type GithubIssue = z.infer<typeof GithubIssue>;

export const GithubContent = z.object({
  type: z.literal("file"),
  path: z.string(),
  name: text,
  sha: text,
  size: z.number().nullish().catch(null),
  encoding: text,
  content: text,
  html_url: text,
});
export type GithubContent = z.infer<typeof GithubContent>;

export const GithubRelease = z.object({
  id: z.number(),
  tag_name: z.string(),
  name: text,
  body: text,
  html_url: text,
  draft: z.boolean().nullish().catch(null),
  author: user,
  created_at: text,
  published_at: text,
});
export type GithubRelease = z.infer<typeof GithubRelease>;

const DeploymentStatus = z.object({ state: z.string(), description: text, log_url: text, created_at: text });

export const GithubDeployment = z.object({
  id: z.number(),
  sha: z.string().regex(/^[0-9a-f]{7,64}$/i),
  ref: text,
  task: text,
  environment: text,
  description: text,
  creator: user,
  created_at: text,
  /** What became of it, the newest first; a list of its own at REST. */
  statuses: z.array(DeploymentStatus).catch([]),
});
export type GithubDeployment = z.infer<typeof GithubDeployment>;

/** A run of a workflow of GitHub Actions. */
export const GithubRun = z.object({
  id: z.number(),
  name: text,
  display_title: text,
  event: text,
  status: text,
  conclusion: text,
  head_branch: text,
  head_sha: z.string().regex(/^[0-9a-f]{7,64}$/i),
  run_attempt: z.number().nullish().catch(null),
  actor: user,
  html_url: text,
  created_at: text,
  updated_at: text,
});
export type GithubRun = z.infer<typeof GithubRun>;
