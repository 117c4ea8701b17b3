import { z } from "zod";

/**
 * The parts of Jira's payloads that are read, leniently: one odd field must not lose the issue.
 * Only `key` and `fields.summary` must be there.
 * @see https://developer.atlassian.com/cloud/jira/platform/rest/v3/
 */
const text = z.string().nullish().catch(null);

export const JiraUser = z.object({
  accountId: text,
  displayName: text,
  emailAddress: text,
  /** Data Center. */
  name: text,
  accountType: text,
});
export type JiraUser = z.infer<typeof JiraUser>;

const named = z.object({ name: text }).nullish().catch(null);
const user = JiraUser.nullish().catch(null);

const linked = z.object({ key: z.string() }).nullish().catch(null);
const IssueLink = z.object({
  type: z.object({ name: text, inward: text, outward: text }).nullish().catch(null),
  inwardIssue: linked,
  outwardIssue: linked,
});

export const JiraComment = z.object({ id: text, author: user, body: z.unknown(), created: text, updated: text });
export type JiraComment = z.infer<typeof JiraComment>;

/** An item has a property `toString`, which every object inherits: read it with Object.hasOwn. */
const HistoryItem = z.record(z.string(), z.unknown());
export const JiraHistory = z.object({ created: text, items: z.array(HistoryItem).catch([]) });
export type JiraHistory = z.infer<typeof JiraHistory>;

const list = <T extends z.ZodType>(item: T) => z.array(item).nullish().catch(null);

export const JiraIssue = z.object({
  id: z.string(),
  key: z.string().min(1),
  self: text,
  fields: z.looseObject({
    summary: z.string(),
    description: z.unknown().optional(),
    environment: z.unknown().optional(),
    issuetype: named,
    project: z.object({ key: text, name: text }).nullish().catch(null),
    status: z
      .object({ name: text, statusCategory: z.object({ key: text }).nullish().catch(null) })
      .nullish()
      .catch(null),
    priority: named,
    resolution: named,
    resolutiondate: text,
    created: text,
    updated: text,
    labels: list(z.string()),
    components: list(z.object({ name: z.string() })),
    fixVersions: list(z.object({ name: z.string() })),
    assignee: user,
    reporter: user,
    creator: user,
    issuelinks: list(IssueLink),
    parent: z.object({ key: z.string() }).nullish().catch(null),
    comment: z
      .object({ comments: z.array(JiraComment).catch([]), total: z.number().nullish().catch(null) })
      .nullish()
      .catch(null),
  }),
  changelog: z
    .object({ histories: z.array(JiraHistory).catch([]), total: z.number().nullish().catch(null) })
    .nullish()
    .catch(null),
});
export type JiraIssue = z.infer<typeof JiraIssue>;

/** `GET /rest/api/3/field`: ids of custom fields to their names. */
export const JiraFields = z.array(z.object({ id: z.string(), name: z.string() }));
export type JiraFields = z.infer<typeof JiraFields>;
