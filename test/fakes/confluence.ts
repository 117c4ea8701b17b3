import { FakeServer, json, type Reply, type Seen } from "./server.ts";

export interface FakePage {
  id: number;
  title: string;
  body: string;
  space: string;
  /** Epoch milliseconds of the current version. */
  updated: number;
  kind: "page" | "blogpost";
  status?: "current" | "trashed" | "archived";
  parent?: number;
  comments?: readonly (string | FakeComment)[];
  files?: readonly FakeFile[];
  /** "runbook" when left out. */
  labels?: readonly string[];
}

export interface FakeFile {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly version?: number;
  /** Epoch milliseconds; the page's when left out. */
  readonly at?: number;
}

export interface FakeComment {
  readonly text: string;
  readonly inline?: boolean;
  /** Epoch milliseconds; the page's when left out. */
  readonly at?: number;
  readonly replies?: readonly FakeComment[];
}

export interface PlacedComment {
  readonly id: string;
  readonly page: FakePage;
  readonly parent: string | null;
  readonly inline: boolean;
  readonly text: string;
  readonly at: number;
}

export const spaces: Readonly<Record<string, number>> = { OPS: 101, SRE: 102 };
const USER = "712020:1";

/**
 * Confluence Cloud's API v2 as far as a connector needs it, after developer.atlassian.com and the samples: cursors in
 * `_links.next`, relative with /wiki, not the last parameter; no total; users by account id only; and the search of v1.
 */
export class FakeConfluence extends FakeServer {
  pages: FakePage[] = [];
  hidden: readonly string[] = [];
  hasSearch = true;
  hasUsers = true;
  hasLabels = true;
  /** Host that downloads are redirected to. */
  filesAt: string | null = null;
  repeatCursors = false;
  /** Most pages in one answer, whatever is asked for. */
  pageSize = 250;
  private readonly labelNames: string[] = [];
  /** Lists come by id, whatever order is asked for. */
  ignoresSort = false;

  add(count: number, space = "OPS", kind: FakePage["kind"] = "page"): void {
    for (let index = 0; index < count; index += 1) {
      const id = 1_000 + this.pages.length;
      const body = `<p>About ${id}, see <ac:link><ri:user ri:account-id="${USER}" /></ac:link>.</p>`;
      this.pages.push({ id, title: `Page ${id}`, body, space, updated: Date.UTC(2026, 0, 1) + id * 60_000, kind });
    }
  }

  protected answer(seen: Seen): Reply | null {
    const { path, query } = seen;
    if (path === "/wiki/api/v2/spaces") return this.spaces(query);
    const list = /^\/wiki\/api\/v2\/(pages|blogposts)$/.exec(path)?.[1];
    if (list) return this.list(list === "pages" ? "page" : "blogpost", path, query);
    const labelsOf = /^\/wiki\/api\/v2\/spaces\/(\d+)\/content\/labels$/.exec(path)?.[1];
    if (labelsOf)
      return this.hasLabels ? this.labels(Number(labelsOf)) : json({ errors: [{ status: 403, code: "FORBIDDEN", title: "x" }] }, 403);
    const labelled = /^\/wiki\/api\/v2\/labels\/(\d+)\/(pages|blogposts)$/.exec(path);
    if (labelled) return this.labelled(Number(labelled[1]), labelled[2] === "pages" ? "page" : "blogpost", path, query);
    const download = /^\/wiki\/rest\/api\/content\/(\d+)\/child\/attachment\/([^/]+)\/download$/.exec(path);
    if (download) return this.download(Number(download[1]), download[2] ?? "");
    const attached = /^\/wiki\/api\/v2\/attachments(?:\/([^/]+))?$/.exec(path);
    if (attached?.[1]) return this.attachment(attached[1]);
    if (attached) return this.attachments(this.visible(), query);
    const ofPage = /^\/wiki\/api\/v2\/(pages|blogposts)\/(\d+)\/attachments$/.exec(path);
    if (ofPage)
      return this.attachments(
        this.visible().filter((page) => page.id === Number(ofPage[2])),
        query,
      );
    const comments = /^\/wiki\/api\/v2\/(footer|inline)-comments(?:\/(\d+)\/children)?$/.exec(path);
    if (comments?.[2]) return this.replies(comments[1] === "inline", comments[2]);
    if (comments) return this.allComments(comments[1] === "inline", query);
    const one = /^\/wiki\/api\/v2\/(pages|blogposts)\/(\d+)(?:\/(footer|inline)-comments)?$/.exec(path);
    if (one) return this.one(one[1] === "pages" ? "page" : "blogpost", Number(one[2]), one[3]);
    if (path === "/wiki/api/v2/users-bulk" && this.hasUsers) return this.users(JSON.parse(seen.body) as { accountIds: readonly string[] });
    if (path === "/wiki/rest/api/search" && this.hasSearch) {
      const found = this.visible().filter((page) => page.status !== "trashed" && (query.get("cql") ?? "").includes(`"${page.space}"`));
      return json({
        results: [],
        start: 0,
        limit: 1,
        size: 0,
        totalSize: found.length,
        cqlQuery: query.get("cql"),
        searchDuration: 1,
        _links: { base: `${this.url}/wiki`, context: "/wiki" },
      });
    }
    return json({ errors: [{ status: 404, code: "NOT_FOUND", title: "Not Found", detail: null }] }, 404);
  }

  protected visible(): readonly FakePage[] {
    return this.pages.filter((page) => !this.hidden.includes(page.space));
  }

  private spaces(query: URLSearchParams): Reply {
    const keys = query.getAll("keys").filter((key) => spaces[key] !== undefined && !this.hidden.includes(key));
    const results = keys.map((key) => ({
      id: String(spaces[key]),
      key,
      name: `Space ${key}`,
      type: "global",
      status: "current",
      authorId: USER,
      createdAt: iso(0),
      homepageId: "1",
      description: null,
      icon: null,
      _links: { webui: `/spaces/${key}` },
    }));
    return json({ results, _links: { base: `${this.url}/wiki` } });
  }

  private list(kind: FakePage["kind"], path: string, query: URLSearchParams): Reply {
    const asked = query.getAll("space-id").map(Number);
    const status = query.getAll("status");
    const found = this.visible().filter(
      (page) =>
        page.kind === kind && asked.includes(spaces[page.space] ?? 0) && (status.length === 0 || status.includes(page.status ?? "current")),
    );
    const byChange = query.get("sort") === "-modified-date" && !this.ignoresSort;
    found.sort((a, b) => (byChange ? b.updated - a.updated || b.id - a.id : a.id - b.id));
    const size = Math.min(Number(query.get("limit") ?? 25), this.pageSize);
    const cursor = query.get("cursor");
    const from = cursor === null ? 0 : readCursor(cursor);
    if (from === null)
      return json(
        {
          errors: [
            { status: 400, code: "INVALID_REQUEST_PARAMETER", title: "Provided value for 'cursor' is not the correct type.", detail: null },
          ],
        },
        400,
      );
    // keyset paging by id, as the samples' cursors show; by position where the order is another
    const start = from === 0 ? 0 : byChange ? from : found.findIndex((page) => page.id > from);
    const page = start < 0 ? [] : found.slice(start, start + size);
    const last = page.at(-1);
    const isMore = start >= 0 && start + size < found.length && last !== undefined;
    const to = new URLSearchParams({
      cursor: makeCursor(this.repeatCursors ? 1 : byChange ? start + size : (last?.id ?? 0)),
      limit: String(size),
    });
    const next = isMore ? { next: `${path}?${to}&sort=${query.get("sort") ?? "id"}` } : {};
    return json({
      results: page.map((one) => this.payload(one, query.get("body-format") !== null)),
      _links: { ...next, base: `${this.url}/wiki` },
    });
  }

  private one(kind: FakePage["kind"], id: number, comments: string | undefined): Reply {
    const page = this.visible().find((each) => each.id === id && each.kind === kind);
    if (!page) return json({ errors: [{ status: 404, code: "NOT_FOUND", title: "Not Found", detail: null }] }, 404);
    if (comments !== undefined) {
      const roots = this.commentsOf(page).filter((each) => each.parent === null && each.inline === (comments === "inline"));
      return json({ results: roots.map((each) => this.comment(each, true)), _links: { base: `${this.url}/wiki` } });
    }
    return json({
      ...this.payload(page, true),
      labels: { results: labelsOf(page).map((name) => this.label(name)), meta: { hasMore: false }, _links: { self: "" } },
    });
  }

  private attachments(pages: readonly FakePage[], query: URLSearchParams): Reply {
    const all = pages.flatMap((page) => (page.files ?? []).map((file) => ({ page, file })));
    if (query.get("sort") === "-modified-date") all.sort((a, b) => (b.file.at ?? b.page.updated) - (a.file.at ?? a.page.updated));
    const results = all.map(({ page, file }) => this.filePayload(page, file));
    return json({ results, _links: { base: `${this.url}/wiki` } });
  }

  private attachment(id: string): Reply {
    for (const page of this.visible()) for (const file of page.files ?? []) if (file.id === id) return json(this.filePayload(page, file));
    return json({ errors: [{ status: 404, code: "NOT_FOUND", title: "Not Found", detail: null }] }, 404);
  }

  /** Handed out from another host, with a token for this file in the address. */
  private download(pageId: number, id: string): Reply {
    const file = this.visible()
      .find((page) => page.id === pageId)
      ?.files?.find((each) => each.id === id);
    if (!file) return json({ statusCode: 404, message: "No attachment" }, 404);
    if (this.filesAt === null) return { status: 200, headers: { "content-type": "application/octet-stream" }, body: file.text };
    return { status: 302, headers: { location: `${this.filesAt}/${id}?token=of-the-file` }, body: "" };
  }

  private filePayload(page: FakePage, file: FakeFile): object {
    return {
      id: file.id,
      status: "current",
      title: file.title,
      createdAt: iso(page.updated),
      ...(page.kind === "page" ? { pageId: String(page.id) } : { blogPostId: String(page.id) }),
      mediaType: "application/octet-stream",
      comment: "",
      fileId: "f",
      fileSize: file.text.length,
      webuiLink: `/pages/viewpageattachments.action?pageId=${page.id}&preview=%2F${page.id}%2F${file.id}`,
      downloadLink: `/download/attachments/${page.id}/${encodeURIComponent(file.title)}`,
      version: { createdAt: iso(file.at ?? page.updated), message: "", number: file.version ?? 1, minorEdit: false, authorId: USER },
      _links: { webui: "/x", download: "/x" },
    };
  }

  private label(name: string): object {
    if (!this.labelNames.includes(name)) this.labelNames.push(name);
    return { id: String(this.labelNames.indexOf(name) + 1), name, prefix: "global" };
  }

  private labels(spaceId: number): Reply {
    const names = new Set(this.visible().flatMap((page) => (spaces[page.space] === spaceId ? labelsOf(page) : [])));
    return json({ results: [...names].map((name) => this.label(name)), _links: { base: `${this.url}/wiki` } });
  }

  private labelled(id: number, kind: FakePage["kind"], path: string, query: URLSearchParams): Reply {
    const name = this.labelNames[id - 1] ?? "";
    const asked = query.getAll("space-id").map(Number);
    const found = this.visible().filter(
      (page) => page.kind === kind && labelsOf(page).includes(name) && asked.includes(spaces[page.space] ?? 0),
    );
    const size = Math.min(Number(query.get("limit") ?? 25), 250);
    const from = readCursor(query.get("cursor") ?? makeCursor(0)) ?? 0;
    const next = from + size < found.length ? { next: `${path}?cursor=${encodeURIComponent(makeCursor(from + size))}` } : {};
    const results = found.slice(from, from + size).map((page) => this.payload(page, false));
    return json({ results, _links: { ...next, base: `${this.url}/wiki` } });
  }

  /** With the ids that the comments have, in the order in which they stand; a reply names what it answers. */
  protected commentsOf(page: FakePage): readonly PlacedComment[] {
    const placed: PlacedComment[] = [];
    const place = (given: string | FakeComment, inline: boolean, parent: string | null) => {
      const comment = typeof given === "string" ? { text: given } : given;
      const id = String(page.id * 1_000 + placed.length);
      placed.push({ id, page, parent, inline, text: comment.text, at: comment.at ?? page.updated });
      for (const reply of comment.replies ?? []) place(reply, inline, id);
    };
    for (const comment of page.comments ?? []) place(comment, typeof comment !== "string" && comment.inline === true, null);
    return placed;
  }

  private replies(inline: boolean, id: string): Reply {
    const all = this.visible().flatMap((page) => this.commentsOf(page));
    const found = all.filter((each) => each.parent === id && each.inline === inline);
    return json({ results: found.map((each) => this.comment(each, true)), _links: { base: `${this.url}/wiki` } });
  }

  /** Of the whole site, replies included, whatever the space. */
  private allComments(inline: boolean, query: URLSearchParams): Reply {
    const all = this.visible().flatMap((page) => this.commentsOf(page).filter((each) => each.inline === inline));
    if (query.get("sort") === "-modified-date") all.sort((a, b) => b.at - a.at);
    const size = Math.min(Number(query.get("limit") ?? 25), 250);
    const from = readCursor(query.get("cursor") ?? makeCursor(0)) ?? 0;
    const next = from + size < all.length ? { next: `/wiki/api/v2/x?cursor=${encodeURIComponent(makeCursor(from + size))}` } : {};
    const results = all.slice(from, from + size).map((each) => this.comment(each, false));
    return json({ results, _links: { ...next, base: `${this.url}/wiki` } });
  }

  private comment({ id, page, parent, text, at }: PlacedComment, withBody: boolean): object {
    return {
      id,
      status: "current",
      title: "Re",
      ...(page.kind === "page" ? { pageId: String(page.id) } : { blogPostId: String(page.id) }),
      ...(parent === null ? {} : { parentCommentId: parent }),
      version: { createdAt: iso(at), message: "", number: 1, minorEdit: false, authorId: USER },
      body: withBody ? { storage: { representation: "storage", value: `<p>${text}</p>` } } : {},
      _links: { webui: "/x" },
    };
  }

  private payload(page: FakePage, withBody: boolean): object {
    return {
      id: String(page.id),
      status: page.status ?? "current",
      title: page.title,
      spaceId: String(spaces[page.space]),
      ...(page.kind === "page"
        ? {
            parentId: page.parent === undefined ? null : String(page.parent),
            parentType: "page",
            position: 1,
            ownerId: USER,
            lastOwnerId: null,
          }
        : {}),
      authorId: USER,
      createdAt: iso(Date.UTC(2025, 0, 1)),
      version: version(page),
      body: withBody ? { storage: { representation: "storage", value: page.body } } : {},
      _links: { editui: "/e", webui: `/spaces/${page.space}/pages/${page.id}/x`, tinyui: "/x/1" },
    };
  }

  private users({ accountIds }: { readonly accountIds: readonly string[] }): Reply {
    const results = accountIds
      .filter((id) => id === USER)
      .map((accountId) => ({
        accountId,
        displayName: "Meera Iyer",
        publicName: "meera",
        accountType: "atlassian",
        accountStatus: "active",
        email: "",
        timeZone: null,
        personalSpaceId: null,
        isExternalCollaborator: false,
        profilePicture: { path: "/p", isDefault: true },
      }));
    return json({ results });
  }
}

export function labelsOf(page: FakePage): readonly string[] {
  return page.labels ?? ["runbook"];
}

function version(page: FakePage): object {
  return { createdAt: iso(page.updated), message: "", number: 1, minorEdit: false, authorId: USER };
}

export function iso(at: number): string {
  return new Date(at).toISOString();
}

function makeCursor(from: number): string {
  return Buffer.from(JSON.stringify({ id: from })).toString("base64");
}

function readCursor(cursor: string): number | null {
  try {
    return (JSON.parse(Buffer.from(cursor, "base64").toString("utf8")) as { id: number }).id;
  } catch {
    return null;
  }
}
