import { z } from "zod";
import { GithubDeployment } from "./payload.ts";

/**
 * The two questions that GraphQL answers in one request where REST takes one for each thing. Lists that REST answers 304
 * while nothing changes stay with REST, and so do commits, whose changed files GraphQL does not know.
 * @see https://docs.github.com/en/graphql/reference/objects#deployment
 */
export const DEPLOYMENTS = `query deployments($owner: String!, $repo: String!, $size: Int!, $after: String) {
  repository(owner: $owner, name: $repo) {
    deployments(first: $size, after: $after, orderBy: {field: CREATED_AT, direction: DESC}) {
      pageInfo { hasNextPage endCursor }
      nodes {
        databaseId commitOid task environment description createdAt
        ref { name }
        creator { __typename login }
        statuses(first: 10) { nodes { state description logUrl createdAt } }
      }
    }
  }
}`;

/** Each of the statuses' ten is enough: a deployment goes through three or four states. */
const Listed = z.object({
  databaseId: z.number(),
  commitOid: z.string(),
  task: z.string().nullish(),
  environment: z.string().nullish(),
  description: z.string().nullish(),
  createdAt: z.string(),
  ref: z.object({ name: z.string() }).nullish(),
  creator: z.object({ __typename: z.string(), login: z.string() }).nullish(),
  statuses: z
    .object({
      nodes: z.array(
        z.object({ state: z.string(), description: z.string().nullish(), logUrl: z.string().nullish(), createdAt: z.string() }),
      ),
    })
    .nullish(),
});

export const DeploymentPage = z.object({
  repository: z.object({
    deployments: z.object({
      nodes: z.array(z.unknown()),
      pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }),
    }),
  }),
});

/** A deployment of a GraphQL list as REST gives it. */
export function readListed(node: unknown): z.ZodSafeParseResult<GithubDeployment> {
  const listed = Listed.safeParse(node);
  if (!listed.success) return GithubDeployment.safeParse(node);
  const { databaseId, commitOid, ref, creator, statuses, createdAt, ...rest } = listed.data;
  return GithubDeployment.safeParse({
    ...rest,
    id: databaseId,
    sha: commitOid,
    ref: ref?.name,
    created_at: createdAt,
    creator: creator ? { login: creator.login, type: creator.__typename } : null,
    statuses: (statuses?.nodes ?? []).map(({ state, description, logUrl, createdAt: at }) => ({
      state: state.toLowerCase(),
      description,
      log_url: logUrl,
      created_at: at,
    })),
  });
}

/** Display names of accounts, as many as are asked for in one request. */
export function namesQuery(count: number): string {
  const numbers = Array.from({ length: count }, (_, index) => index);
  const parameters = numbers.map((index) => `$l${index}: String!`).join(", ");
  return `query names(${parameters}) { ${numbers.map((index) => `u${index}: user(login: $l${index}) { name }`).join(" ")} }`;
}

/** Reply to `namesQuery`: accounts by their number there; null for one that is gone. */
export const Named = z.record(z.string(), z.object({ name: z.string().nullish() }).nullable());
