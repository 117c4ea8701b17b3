import { z } from "zod";
import { accountEmail } from "../shared/atlassian.ts";
import { BaseUrl } from "../shared/base-url.ts";
import { pullLimits } from "../shared/limits.ts";

export const ConfluenceConfig = z
  .strictObject({
    kind: z.literal("confluence"),
    baseUrl: BaseUrl.describe(
      "The site, https://acme.atlassian.net (a trailing /wiki is accepted), or https://api.atlassian.com/ex/confluence/{cloudId}.",
    ),
    deployment: z.enum(["cloud", "datacenter"]).default("cloud").describe("Data Center speaks the older API, REST v1."),
    email: accountEmail,
    token: z.string().min(1).describe("API token, OAuth access token, or personal access token of Data Center."),
    spaces: z.array(z.string().min(1)).min(1).describe("Keys of the spaces to pull."),
    include: z
      .array(z.enum(["pages", "blogposts", "comments", "attachments"]))
      .min(1)
      .default(["pages", "blogposts"])
      .describe("Comments cost two requests for each changed page and one for each comment; attachments one, and one for each document."),
    maxFileMb: z.number().positive().default(20).describe("Bigger attachments are left out with an error."),
    ...pullLimits,
  })
  .describe("Confluence Cloud or Data Center");
export type ConfluenceConfig = z.infer<typeof ConfluenceConfig>;
