import { z } from "zod";

/**
 * The parts of Confluence's v2 payloads that are read, leniently: one odd field must not lose the page.
 * @see https://developer.atlassian.com/cloud/confluence/rest/v2/
 */
const text = z.string().nullish().catch(null);
const id = z.union([z.string(), z.number()]).transform(String);

export const ConfluencePage = z.object({
  id,
  status: text,
  title: z.string(),
  spaceId: id.nullish().catch(null),
  parentId: id.nullish().catch(null),
  authorId: text,
  ownerId: text,
  createdAt: text,
  version: z
    .object({ createdAt: text, number: z.number().nullish().catch(null), authorId: text })
    .nullish()
    .catch(null),
  body: z
    .object({ storage: z.object({ value: z.string() }).nullish().catch(null) })
    .nullish()
    .catch(null),
  labels: z
    .object({ results: z.array(z.object({ name: z.string() })).catch([]) })
    .nullish()
    .catch(null),
  _links: z.object({ webui: text, base: text }).nullish().catch(null),
});
export type ConfluencePage = z.infer<typeof ConfluencePage>;

export const ConfluenceComment = z.object({
  id,
  status: text,
  pageId: id.nullish().catch(null),
  blogPostId: id.nullish().catch(null),
  /** What a reply answers. */
  parentCommentId: id.nullish().catch(null),
  version: z.object({ createdAt: text, authorId: text }).nullish().catch(null),
  body: z
    .object({ storage: z.object({ value: z.string() }).nullish().catch(null) })
    .nullish()
    .catch(null),
});
export type ConfluenceComment = z.infer<typeof ConfluenceComment>;

export const ConfluenceAttachment = z.object({
  /** "att4102". */
  id: z.string().regex(/^[\w-]+$/),
  title: z.string(),
  pageId: id.nullish().catch(null),
  blogPostId: id.nullish().catch(null),
  fileSize: z.number().nullish().catch(null),
  webuiLink: text,
  version: z.object({ number: z.number(), createdAt: z.string(), authorId: text }),
});
export type ConfluenceAttachment = z.infer<typeof ConfluenceAttachment>;

export const ConfluenceSpace = z.object({ id, key: z.string(), name: text, homepageId: id.nullish().catch(null) });
export type ConfluenceSpace = z.infer<typeof ConfluenceSpace>;

export const ConfluenceUser = z.object({ accountId: z.string(), displayName: text, publicName: text, accountType: text });
export type ConfluenceUser = z.infer<typeof ConfluenceUser>;
