import { z } from "zod";
import { BaseUrl } from "../shared/base-url.ts";
import { pullLimits } from "../shared/limits.ts";

export const githubParts = [
  "commits",
  "pulls",
  "reviews",
  "issues",
  "comments",
  "releases",
  "codeowners",
  "teams",
  "docs",
  "deployments",
  "checks",
] as const;

const App = z
  .strictObject({
    id: z
      .union([z.string().regex(/^[\w.-]+$/), z.int()])
      .transform(String)
      .describe("The app's id or client id."),
    installationId: z
      .union([z.string().regex(/^\d+$/), z.int()])
      .transform(String)
      .describe("Its installation in the organisation."),
    privateKey: z.string().min(1).describe("The app's private key, PEM; line ends may be written as \\n."),
  })
  .describe("A GitHub App in place of a token: its installation tokens are fetched and renewed as needed.");

export const GithubConfig = z
  .strictObject({
    kind: z.literal("github"),
    token: z.string().min(1).optional().describe("Fine-grained or classic personal access token; app takes its place."),
    app: App.optional(),
    baseUrl: BaseUrl.default("https://api.github.com").describe("For GitHub Enterprise: https://github.acme.example/api/v3."),
    repositories: z
      .array(z.string().regex(/^[A-Za-z0-9-]+\/[A-Za-z0-9._-]+$/, "must be owner/name"))
      .min(1)
      .describe("Repositories to pull, owner/name."),
    include: z
      .array(z.enum(githubParts))
      .min(1)
      .default(["commits", "pulls", "issues", "codeowners", "teams", "docs"])
      .describe(
        "What to pull. Reviews and comments cost one more request for each changed pull request or issue; deployments and failed checks one in every pull.",
      ),
    branches: z
      .array(z.string().min(1))
      .default([])
      .describe("Branches beside the default one, for example release branches; * stands for any name."),
    bots: z
      .enum(["mark", "skip"])
      .default("mark")
      .describe("Commits, pull requests and issues of bots: marked as such, or left out. What they comment is left out always."),
    since: z.iso.date().optional().describe("Commits, pull requests and issues older than this day are left out."),
    ...pullLimits,
  })
  .refine(({ token, app }) => (token === undefined) !== (app === undefined), { error: "needs either token or app", path: ["token"] })
  .describe("GitHub or GitHub Enterprise");
export type GithubConfig = z.infer<typeof GithubConfig>;
