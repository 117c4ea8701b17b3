import { z } from "zod";
import type { Io } from "../../core/connector.ts";
import { ContextError } from "../../core/errors.ts";
import { mayBeDocument } from "../documents/walk.ts";
import { type AtlassianClient, atlassianClient } from "../shared/atlassian.ts";
import { issuesOf } from "../shared/jsonl.ts";
import type { ConfluenceConfig } from "./config.ts";
import { ConfluenceAttachment, ConfluenceComment, ConfluenceSpace, ConfluenceUser } from "./payload.ts";

/** Pages with their bodies in one answer, and without; the API allows 250. */
const BODIES = 100;
const LISTED = 250;
const USERS = 200;

export type ContentKind = "page" | "blogpost";

const List = z.object({
  results: z.array(z.unknown()),
  _links: z.object({ next: z.string().nullish() }).nullish(),
});

const id = z.union([z.string(), z.number()]).transform(String);
const Listed = z.object({
  id,
  title: z.string().catch(""),
  parentId: id.nullish().catch(null),
  version: z.object({ createdAt: z.string() }),
});
const ListedLabel = z.object({ id, name: z.string() });
export type ListedLabel = z.infer<typeof ListedLabel>;
const Found = z.object({ totalSize: z.number() });

/** A page as a list without bodies shows it. */
export interface ListedPage {
  readonly id: string;
  readonly title: string;
  readonly parent: string | null;
  /** When its current version was made: the same stamp means the same content. */
  readonly stamp: string;
  /** Where the list shows them. */
  readonly labels?: readonly string[];
}

/** Where comments are: below the text, or at a passage of it. */
export type CommentPlace = "footer" | "inline";

/** What is added to a page without changing it. */
export type Addition = CommentPlace | "attachments";

/** A comment or attachment as the list of all of them shows it. */
export interface ListedAddition {
  readonly kind: ContentKind;
  readonly pageId: string;
  /** When it was made or last changed. */
  readonly stamp: string;
  /** Of an attachment: which version of which one. */
  readonly file: string | null;
  /** Of a comment: it answers another one. */
  readonly isReply: boolean;
}

export interface ListPage<T> {
  readonly items: readonly T[];
  /** Cursor of the next page; null on the last. */
  readonly next: string | null;
}

/** The calls that the connector makes, over the endpoint functions of confluence.js. */
export class ConfluenceApi {
  readonly client: AtlassianClient;
  protected readonly baseUrl: string;

  constructor(config: ConfluenceConfig, io: Io, tries?: number) {
    const baseUrl = siteUrl(config);
    this.baseUrl = baseUrl;
    this.client = atlassianClient(
      "Confluence",
      "read:page:confluence, read:space:confluence and read:user:confluence",
      { ...config, baseUrl },
      io,
      tries,
    );
  }

  async spaces(keys: readonly string[]): Promise<readonly ConfluenceSpace[]> {
    const { getSpaces } = await v2();
    const found: ConfluenceSpace[] = [];
    for await (const page of this.follow("/wiki/api/v2/spaces", null, (cursor) =>
      getSpaces(this.client, { keys: [...keys], limit: LISTED, ...cursor }),
    )) {
      for (const item of page.items) found.push(this.shaped(ConfluenceSpace, item, "/wiki/api/v2/spaces"));
    }
    return found.filter((space) => keys.includes(space.key));
  }

  /** All pages of the spaces with their bodies, by id: an order that no edit changes. As they came, still to be checked. */
  async *bodies(kind: ContentKind, spaces: readonly string[], from: string | null): AsyncGenerator<ListPage<unknown>> {
    yield* this.list(kind, { spaceId: spaces.map(asId), bodyFormat: "storage", sort: "id", status: ["current"], limit: BODIES }, from);
  }

  /** All pages of the spaces without their bodies, the one that changed last first. */
  async *byChange(kind: ContentKind, spaces: readonly string[]): AsyncGenerator<ListPage<ListedPage>> {
    const query = { spaceId: spaces.map(asId), sort: "-modified-date", status: ["current"], limit: LISTED };
    for await (const { items, next } of this.list(kind, query, null)) {
      const listed = items.map((item) => this.shaped(Listed, item, pathOf(kind)));
      yield {
        items: listed.map(({ id: pageId, title, parentId, version }) => ({
          id: pageId,
          title,
          parent: parentId ?? null,
          stamp: version.createdAt,
        })),
        next,
      };
    }
  }

  /** One page with its body and labels; null when it is gone, in the trash or hidden. */
  async page(kind: ContentKind, pageId: string): Promise<unknown> {
    const { getPageById, getBlogPostById } = await v2();
    const query = { id: asId(pageId), bodyFormat: "storage", includeLabels: true };
    try {
      const payload = await (kind === "page" ? getPageById(this.client, query) : getBlogPostById(this.client, query));
      const status = z.object({ status: z.string() }).safeParse(payload);
      return status.success && status.data.status !== "current" ? null : payload;
    } catch (error) {
      if (error instanceof ContextError && error.code === "SOURCE_NOT_FOUND") return null;
      throw error;
    }
  }

  /** All comments of a page with the replies to them, each after what it answers. */
  async comments(kind: ContentKind, pageId: string): Promise<readonly ConfluenceComment[]> {
    const { getPageFooterComments, getPageInlineComments, getBlogPostFooterComments, getBlogPostInlineComments } = await v2();
    const readers =
      kind === "page"
        ? { footer: getPageFooterComments, inline: getPageInlineComments }
        : { footer: getBlogPostFooterComments, inline: getBlogPostInlineComments };
    const found: ConfluenceComment[] = [];
    for (const place of ["footer", "inline"] as const) {
      const query = { id: asId(pageId), bodyFormat: "storage", limit: BODIES };
      const roots = await this.commentList(`${pathOf(kind)}/${pageId}/comments`, (cursor) =>
        readers[place](this.client, { ...query, ...cursor }),
      );
      for (const comment of roots) found.push(comment, ...(await this.replies(place, comment.id)));
    }
    return found;
  }

  /** Comments or attachments of the whole site, the one that changed last first: the API knows no list of a space's. */
  async *additionsByChange(what: Addition): AsyncGenerator<readonly ListedAddition[]> {
    const { getFooterComments, getInlineComments, getAttachments } = await v2();
    const lists = { footer: getFooterComments, inline: getInlineComments, attachments: getAttachments };
    const path = what === "attachments" ? "/wiki/api/v2/attachments" : `/wiki/api/v2/${what}-comments`;
    const query = { sort: "-modified-date", limit: BODIES };
    for await (const { items } of this.follow(path, null, (cursor) => lists[what](this.client, { ...query, ...cursor }))) {
      yield items.flatMap((item) => listedAddition(what, item) ?? []);
    }
  }

  /** What is attached to a page. */
  async attachments(kind: ContentKind, pageId: string): Promise<readonly ConfluenceAttachment[]> {
    const { getPageAttachments, getBlogpostAttachments } = await v2();
    const read = kind === "page" ? getPageAttachments : getBlogpostAttachments;
    const query = { id: asId(pageId), status: ["current"], limit: LISTED };
    const found: ConfluenceAttachment[] = [];
    for await (const { items } of this.follow(`${pathOf(kind)}/${pageId}/attachments`, null, (cursor) =>
      read(this.client, { ...query, ...cursor }),
    )) {
      for (const item of items) {
        const attachment = ConfluenceAttachment.safeParse(item);
        if (attachment.success) found.push(attachment.data);
      }
    }
    return found;
  }

  /** One attachment; null when it is gone or hidden. */
  async attachment(attachmentId: string): Promise<ConfluenceAttachment | null> {
    const { getAttachmentById } = await v2();
    try {
      const payload = await getAttachmentById(this.client, { id: attachmentId });
      const status = z.object({ status: z.string() }).safeParse(payload);
      if (status.success && status.data.status !== "current") return null;
      return this.shaped(ConfluenceAttachment, payload, `/wiki/api/v2/attachments/${attachmentId}`);
    } catch (error) {
      if (error instanceof ContextError && error.code === "SOURCE_NOT_FOUND") return null;
      throw error;
    }
  }

  /** The bytes of an attachment, over the address that a token of any kind may use. */
  async download(pageId: string, file: ConfluenceAttachment): Promise<Uint8Array> {
    return this.client.transport.download(
      `${this.baseUrl}/wiki/rest/api/content/${encodeURIComponent(pageId)}/child/attachment/${encodeURIComponent(file.id)}/download`,
    );
  }

  private async replies(place: CommentPlace, commentId: string): Promise<readonly ConfluenceComment[]> {
    const { getFooterCommentChildren, getInlineCommentChildren } = await v2();
    const read = place === "footer" ? getFooterCommentChildren : getInlineCommentChildren;
    const query = { id: asId(commentId), bodyFormat: "storage", limit: BODIES };
    const path = `/wiki/api/v2/${place}-comments/${commentId}/children`;
    const found: ConfluenceComment[] = [];
    for (const reply of await this.commentList(path, (cursor) => read(this.client, { ...query, ...cursor }))) {
      found.push(reply, ...(await this.replies(place, reply.id)));
    }
    return found;
  }

  private async commentList(path: string, read: (cursor: { cursor?: string }) => Promise<unknown>): Promise<readonly ConfluenceComment[]> {
    const found: ConfluenceComment[] = [];
    for await (const page of this.follow(path, null, read)) {
      for (const item of page.items) {
        const comment = ConfluenceComment.safeParse(item);
        if (comment.success) found.push(comment.data);
      }
    }
    return found;
  }

  /** Labels that pages and posts of a space carry; null where each page of a list shows its own. */
  async labels(spaceId: string): Promise<readonly ListedLabel[] | null> {
    const { getSpaceContentLabels } = await v2();
    const path = `/wiki/api/v2/spaces/${spaceId}/content/labels`;
    const found: ListedLabel[] = [];
    for await (const { items } of this.follow(path, null, (cursor) =>
      getSpaceContentLabels(this.client, { id: asId(spaceId), limit: LISTED, ...cursor }),
    )) {
      for (const item of items) found.push(this.shaped(ListedLabel, item, path));
    }
    return found;
  }

  /** Ids of the pages that carry a label. */
  async labelled(kind: ContentKind, labelId: string, spaces: readonly string[]): Promise<readonly string[]> {
    const { getLabelPages, getLabelBlogPosts } = await v2();
    const path = `/wiki/api/v2/labels/${labelId}/${kind === "page" ? "pages" : "blogposts"}`;
    const query = { id: asId(labelId), spaceId: spaces.map(asId), limit: LISTED };
    const found: string[] = [];
    for await (const { items } of this.follow(path, null, (cursor) =>
      kind === "page" ? getLabelPages(this.client, { ...query, ...cursor }) : getLabelBlogPosts(this.client, { ...query, ...cursor }),
    )) {
      for (const item of items) found.push(this.shaped(z.object({ id }), item, path).id);
    }
    return found;
  }

  /** Display names of accounts; those that the token may not see are left out. */
  async names(accountIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const { createBulkUserLookup } = await v2();
    const names = new Map<string, string>();
    for (let from = 0; from < accountIds.length; from += USERS) {
      const body = { accountIds: accountIds.slice(from, from + USERS) };
      const { results } = this.shaped(List, await createBulkUserLookup(this.client, { body }), "/wiki/api/v2/users-bulk");
      for (const item of results) {
        const user = ConfluenceUser.safeParse(item);
        const name = user.data?.displayName ?? user.data?.publicName;
        if (user.success && name) names.set(user.data.accountId, name);
      }
    }
    return names;
  }

  /** How many pages and posts the spaces hold, by the search index; null where the token may not search. */
  async count(kinds: readonly ContentKind[], spaceKeys: readonly string[]): Promise<number | null> {
    const { searchByCQL } = await v1();
    try {
      const cql = `space in (${spaceKeys.map((key) => `"${key.replace(/["\\]/g, "")}"`).join(", ")}) and type in (${kinds.join(", ")})`;
      return this.shaped(Found, await searchByCQL(this.client, { cql, limit: 1 }), "/wiki/rest/api/search").totalSize;
    } catch (error) {
      // a token with the scopes of v2 alone may not search
      if (error instanceof ContextError && error.code.startsWith("SOURCE_") && error.code !== "SOURCE_UNAVAILABLE") return null;
      throw error;
    }
  }

  private async *list(kind: ContentKind, query: Record<string, unknown>, from: string | null): AsyncGenerator<ListPage<unknown>> {
    const { getPages, getBlogPosts } = await v2();
    try {
      yield* this.follow(pathOf(kind), from, (cursor) =>
        kind === "page" ? getPages(this.client, { ...query, ...cursor }) : getBlogPosts(this.client, { ...query, ...cursor }),
      );
    } catch (error) {
      // a site may have no blog
      if (kind === "page" || !(error instanceof ContextError) || error.code !== "SOURCE_NOT_FOUND") throw error;
    }
  }

  /**
   * Follows cursors to their absence. The cursor is a parameter somewhere in `_links.next`, which is relative in
   * another way in each version of the API. One that comes twice would go on for ever and is an error.
   */
  private async *follow(
    path: string,
    from: string | null,
    read: (cursor: { cursor?: string }) => Promise<unknown>,
  ): AsyncGenerator<ListPage<unknown>> {
    const seen = new Set<string>();
    for (let cursor = from; ; ) {
      const { results, _links } = this.shaped(List, await read(cursor === null ? {} : { cursor }), path);
      const next = _links?.next ? (URL.parse(_links.next, "https://relative.invalid/")?.searchParams.get("cursor") ?? null) : null;
      yield { items: results, next };
      if (next === null) return;
      if (seen.has(next))
        throw new ContextError(
          "SOURCE_BAD_REPLY",
          `Confluence repeats the cursor at ${path} after ${seen.size} pages; the pull would not end.`,
        );
      seen.add(next);
      cursor = next;
    }
  }

  protected shaped<T>(shape: z.ZodType<T>, value: unknown, path: string): T {
    const parsed = shape.safeParse(value);
    if (parsed.success) return parsed.data;
    throw new ContextError(
      "SOURCE_BAD_REPLY",
      `Confluence's answer at ${path} does not have the expected shape: ${issuesOf(parsed.error)}`,
    );
  }
}

/** A comment or attachment of a list; null of what is no document, and of what hangs on neither page nor post. */
export function listedAddition(what: Addition, item: unknown): ListedAddition | null {
  const added = (what === "attachments" ? ConfluenceAttachment : ConfluenceComment).safeParse(item);
  const stamp = added.data?.version?.createdAt;
  if (!added.success || !stamp) return null;
  const { pageId, blogPostId } = added.data;
  const file = "fileSize" in added.data ? added.data : null;
  if (file !== null && !mayBeDocument(file.title)) return null;
  const on = pageId ? ({ kind: "page", pageId } as const) : blogPostId ? ({ kind: "blogpost", pageId: blogPostId } as const) : null;
  const isReply = "parentCommentId" in added.data && Boolean(added.data.parentCommentId);
  return on && { ...on, stamp, file: file === null ? null : markOf(file), isReply };
}

/** "att4102@3": an attachment is the same while its mark is. */
export function markOf({ id, version }: ConfluenceAttachment): string {
  return `${id}@${version.number}`;
}

/** The address without the Cloud's /wiki, which belongs to every path there. */
export function siteUrl({ baseUrl, deployment }: ConfluenceConfig): string {
  return deployment === "cloud" ? baseUrl.replace(/\/wiki$/, "") : baseUrl;
}

/** The package wants numbers, but only puts them into the address; an id may have more digits than a number holds. */
function asId(text: string): number {
  return text as unknown as number;
}

function pathOf(kind: ContentKind): string {
  return kind === "page" ? "/wiki/api/v2/pages" : "/wiki/api/v2/blogposts";
}

/** Loaded on first use: the packages take a third of a second that only a pull should pay. */
function v2() {
  return import("confluence.js/v2");
}

function v1() {
  return import("confluence.js/v1");
}
