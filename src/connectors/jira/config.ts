import { z } from "zod";
import { accountEmail } from "../shared/atlassian.ts";
import { BaseUrl } from "../shared/base-url.ts";
import { pullLimits } from "../shared/limits.ts";

export const JiraConfig = z
  .strictObject({
    kind: z.literal("jira"),
    baseUrl: BaseUrl.describe(
      "The site, https://acme.atlassian.net, or for OAuth and scoped tokens https://api.atlassian.com/ex/jira/{cloudId}.",
    ),
    deployment: z.enum(["cloud", "datacenter"]).default("cloud").describe("Data Center speaks another version of the API."),
    email: accountEmail,
    token: z.string().min(1).describe("API token or OAuth access token."),
    projects: z
      .array(z.string().regex(/^[A-Za-z][A-Za-z0-9_]*$/, "must be a project key"))
      .min(1)
      .describe("Keys of the projects to pull."),
    jql: z.string().min(1).optional().describe("A further filter, joined by AND; without ORDER BY."),
    fields: z
      .array(z.string().trim().min(1))
      .default(["Root cause", "Workaround"])
      .describe("Custom fields that are read as part of the text, by their names."),
    ...pullLimits,
  })
  .describe("Jira Cloud or Data Center");
export type JiraConfig = z.infer<typeof JiraConfig>;
