import { z } from "zod";
import { ContextError } from "../../core/errors.ts";
import {
  type Addition,
  ConfluenceApi,
  type ContentKind,
  type ListedAddition,
  type ListedLabel,
  type ListedPage,
  type ListPage,
  listedAddition,
} from "./client.ts";
import { ConfluenceAttachment, ConfluenceComment, ConfluenceSpace } from "./payload.ts";

/** Pages with their bodies in one answer, and without. */
const BODIES = 50;
const LISTED = 200;

const BODY = "body.storage,version,ancestors,history,space,metadata.labels";
const PLACE = "version,ancestors,metadata.labels";

const text = z.string().nullish().catch(null);
const id = z.union([z.string(), z.number()]).transform(String);
const User = z.object({ userKey: text, username: text, displayName: text }).nullish().catch(null);
type User = z.infer<typeof User>;

/** Content of any type as REST v1 gives it, with what was expanded. */
const Content = z.object({
  id,
  type: z.string(),
  status: text,
  title: z.string().catch(""),
  space: z.object({ id, key: z.string() }).nullish().catch(null),
  version: z
    .object({ number: z.number().catch(1), when: z.string(), by: User })
    .nullish()
    .catch(null),
  history: z.object({ createdDate: text, createdBy: User }).nullish().catch(null),
  ancestors: z.array(z.object({ id, type: text })).catch([]),
  body: z
    .object({ storage: z.object({ value: z.string() }) })
    .nullish()
    .catch(null),
  metadata: z
    .object({ labels: z.object({ results: z.array(z.object({ name: z.string() })) }) })
    .nullish()
    .catch(null),
  container: z.object({ id, type: text }).nullish().catch(null),
  extensions: z.object({ fileSize: z.number().nullish(), location: text }).nullish().catch(null),
  _links: z.object({ webui: text }).nullish().catch(null),
});
type Content = z.infer<typeof Content>;

const List = z.object({
  results: z.array(z.unknown()),
  _links: z.object({ next: z.string().nullish() }).nullish(),
});
const Found = z.object({ totalSize: z.number() });

type Query = Readonly<Record<string, string | number>>;

/**
 * The same calls over REST v1, as Confluence Data Center has them: pages by position, one list by CQL for everything,
 * labels and the pages above with each page, people by key. Its payloads are turned into those of v2, so that one reader
 * reads both. confluence.js knows the Cloud's addresses only, so the requests are built here.
 * @see https://docs.atlassian.com/ConfluenceServer/rest/
 */
export class ConfluenceDataCenterApi extends ConfluenceApi {
  private readonly keys = new Map<string, string>();
  private readonly people = new Map<string, string>();

  override async spaces(keys: readonly string[]): Promise<readonly ConfluenceSpace[]> {
    const found: ConfluenceSpace[] = [];
    const query = { ...(keys.length === 1 ? { spaceKey: keys[0] ?? "" } : {}), limit: LISTED };
    for await (const { items } of this.byPosition("/rest/api/space", query, null)) {
      for (const item of items) {
        const space = this.shaped(ConfluenceSpace, item, "/rest/api/space");
        if (!keys.includes(space.key)) continue;
        this.keys.set(space.id, space.key);
        found.push(space);
      }
    }
    return found;
  }

  override async *bodies(kind: ContentKind, spaces: readonly string[], from: string | null): AsyncGenerator<ListPage<unknown>> {
    const query = { cql: `${this.within(spaces)} and type = ${kind} order by created asc`, expand: BODY, limit: BODIES };
    for await (const { items, next } of this.byPosition("/rest/api/content/search", query, from)) {
      // one that does not fit stays as it is, and is reported where it is read
      yield { items: items.map((item) => this.asPage(item) ?? item), next };
    }
  }

  override async *byChange(kind: ContentKind, spaces: readonly string[]): AsyncGenerator<ListPage<ListedPage>> {
    const query = { cql: `${this.within(spaces)} and type = ${kind} order by lastmodified desc`, expand: PLACE, limit: LISTED };
    for await (const { items, next } of this.byPosition("/rest/api/content/search", query, null)) {
      const listed = items.flatMap((item): ListedPage[] => {
        const content = Content.safeParse(item).data;
        if (!content?.version) return [];
        const labels = content.metadata?.labels.results.map(({ name }) => name) ?? [];
        return [{ id: content.id, title: content.title, parent: parentOf(content), stamp: instant(content.version.when), labels }];
      });
      yield { items: listed, next };
    }
  }

  override async page(kind: ContentKind, pageId: string): Promise<unknown> {
    const payload = await this.content(pageId, BODY);
    const content = Content.safeParse(payload);
    if (payload === null || (content.success && (content.data.type !== kind || (content.data.status ?? "current") !== "current")))
      return null;
    return this.asPage(payload) ?? payload;
  }

  override async comments(_kind: ContentKind, pageId: string): Promise<readonly ConfluenceComment[]> {
    const found: ConfluenceComment[] = [];
    const path = `/rest/api/content/${encodeURIComponent(pageId)}/child/comment`;
    const query = { depth: "all", expand: "body.storage,version,ancestors,extensions", limit: BODIES };
    for await (const { items } of this.byPosition(path, query, null)) {
      for (const item of items) {
        const comment = ConfluenceComment.safeParse(this.asAddition(item, null));
        if (comment.success) found.push(comment.data);
      }
    }
    return found;
  }

  override async *additionsByChange(what: Addition): AsyncGenerator<readonly ListedAddition[]> {
    // comments of both places come in one list, which is that of the first place
    if (what === "inline") return;
    const type = what === "attachments" ? "attachment" : "comment";
    const query = { cql: `${this.within([...this.keys.keys()])} and type = ${type} order by lastmodified desc`, limit: LISTED };
    for await (const { items } of this.byPosition(
      "/rest/api/content/search",
      { ...query, expand: "version,container,ancestors,extensions" },
      null,
    ))
      yield items.flatMap((item) => listedAddition(what, this.asAddition(item, null)) ?? []);
  }

  override async attachments(kind: ContentKind, pageId: string): Promise<readonly ConfluenceAttachment[]> {
    const found: ConfluenceAttachment[] = [];
    const path = `/rest/api/content/${encodeURIComponent(pageId)}/child/attachment`;
    for await (const { items } of this.byPosition(path, { expand: "version,extensions", limit: LISTED }, null)) {
      for (const item of items) {
        const attachment = ConfluenceAttachment.safeParse(this.asAddition(item, { id: pageId, type: kind }));
        if (attachment.success) found.push(attachment.data);
      }
    }
    return found;
  }

  override async attachment(attachmentId: string): Promise<ConfluenceAttachment | null> {
    const payload = await this.content(attachmentId, "version,container,extensions");
    return ConfluenceAttachment.safeParse(this.asAddition(payload, null)).data ?? null;
  }

  override async download(pageId: string, file: ConfluenceAttachment): Promise<Uint8Array> {
    const path = `/download/attachments/${encodeURIComponent(pageId)}/${encodeURIComponent(file.title)}?version=${file.version.number}`;
    return this.client.transport.download(`${this.baseUrl}${path}`);
  }

  override async labels(): Promise<readonly ListedLabel[] | null> {
    return null;
  }

  /** By key, which storage format holds, or by user name, which its older versions hold. */
  override async names(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const names = new Map<string, string>();
    for (const one of ids) {
      const name = this.people.get(one) ?? (await this.user({ key: one })) ?? (await this.user({ username: one }));
      if (name) names.set(one, name);
    }
    return names;
  }

  override async count(kinds: readonly ContentKind[], spaceKeys: readonly string[]): Promise<number | null> {
    try {
      const cql = `space in (${spaceKeys.map(quoted).join(", ")}) and type in (${kinds.join(", ")})`;
      return this.shaped(Found, await this.get("/rest/api/search", { cql, limit: 1 }), "/rest/api/search").totalSize;
    } catch (error) {
      if (error instanceof ContextError && error.code.startsWith("SOURCE_") && error.code !== "SOURCE_UNAVAILABLE") return null;
      throw error;
    }
  }

  private async user(query: Query): Promise<string | null> {
    try {
      return User.parse(await this.get("/rest/api/user", query))?.displayName ?? null;
    } catch (error) {
      if (error instanceof ContextError && error.code === "SOURCE_NOT_FOUND") return null;
      throw error;
    }
  }

  private async content(contentId: string, expand: string): Promise<unknown> {
    try {
      return await this.get(`/rest/api/content/${encodeURIComponent(contentId)}`, { expand });
    } catch (error) {
      if (error instanceof ContextError && error.code === "SOURCE_NOT_FOUND") return null;
      throw error;
    }
  }

  /** Content as v2 gives a page; null when it is none. */
  private asPage(payload: unknown): object | null {
    const content = Content.safeParse(payload);
    if (!content.success || content.data.title === "") return null;
    const { version, history, space, status, title, body, metadata } = content.data;
    return {
      id: content.data.id,
      status: status ?? "current",
      title,
      spaceId: space?.id,
      parentId: parentOf(content.data),
      authorId: this.known(history?.createdBy),
      createdAt: history?.createdDate,
      version: version && { createdAt: instant(version.when), number: version.number, authorId: this.known(version.by) },
      body,
      labels: metadata?.labels,
      _links: { webui: `/pages/viewpage.action?pageId=${content.data.id}`, base: this.baseUrl },
    };
  }

  /** Content as v2 gives a comment or attachment; null when it is none. */
  private asAddition(payload: unknown, on: { readonly id: string; readonly type: string } | null): object | null {
    const content = Content.safeParse(payload);
    if (!content.success || !content.data.version) return null;
    const { version, title, body, container, ancestors, extensions, _links } = content.data;
    const at = on ?? container;
    const answered = ancestors.findLast(({ type }) => type === "comment");
    return {
      id: content.data.id,
      title,
      ...(at?.type === "blogpost" ? { blogPostId: at.id } : { pageId: at?.id }),
      ...(answered ? { parentCommentId: answered.id } : {}),
      ...(extensions?.fileSize === undefined ? {} : { fileSize: extensions.fileSize }),
      webuiLink: _links?.webui,
      version: { createdAt: instant(version.when), number: version.number, authorId: this.known(version.by) },
      body,
    };
  }

  /** The id of somebody whose name came along, which is kept. */
  private known(user: User): string | null {
    const own = user?.userKey ?? user?.username ?? null;
    if (own !== null && user?.displayName) this.people.set(own, user.displayName);
    return own;
  }

  private within(spaces: readonly string[]): string {
    return `space in (${spaces.map((space) => quoted(this.keys.get(space) ?? space)).join(", ")})`;
  }

  /** By position, as far as a next page is named. */
  private async *byPosition(path: string, query: Query, from: string | null): AsyncGenerator<ListPage<unknown>> {
    for (let start = Number(from ?? 0); ; ) {
      const { results, _links } = this.shaped(List, await this.get(path, { ...query, start }), path);
      start += results.length;
      const isMore = Boolean(_links?.next) && results.length > 0;
      yield { items: results, next: isMore ? String(start) : null };
      if (!isMore) return;
    }
  }

  private get(url: string, searchParams: Query): Promise<unknown> {
    return this.client.sendRequest({ url, method: "GET", searchParams });
  }
}

function parentOf({ ancestors }: Content): string | null {
  return ancestors.at(-1)?.id ?? null;
}

/** "2026-03-12T01:32:00.000+01:00" in UTC, so that stamps can be compared as texts. */
function instant(when: string): string {
  const at = Date.parse(when);
  return Number.isNaN(at) ? when : new Date(at).toISOString();
}

function quoted(key: string): string {
  return `"${key.replace(/["\\]/g, "")}"`;
}
