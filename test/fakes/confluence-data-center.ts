import { FakeConfluence, type FakeFile, type FakePage, iso, labelsOf, type PlacedComment, spaces } from "./confluence.ts";
import { json, type Reply, type Seen } from "./server.ts";

const USER = { type: "known", username: "miyer", userKey: "2c9d8a81", displayName: "Meera Iyer" };

/**
 * Confluence Data Center's REST v1 over the same pages, after docs.atlassian.com/ConfluenceServer/rest: pages by start
 * and limit with a relative next link, fields that are only there when expanded, CQL with one condition a kind of thing.
 */
export class FakeConfluenceDataCenter extends FakeConfluence {
  protected override answer(seen: Seen): Reply | null {
    const { path, query } = seen;
    if (path === "/rest/api/space") return this.page(this.spaceList(query), path, query);
    if (path === "/rest/api/content/search") return this.page(this.found(query.get("cql") ?? "", query), path, query);
    if (path === "/rest/api/search" && this.hasSearch) {
      const found = this.found(query.get("cql") ?? "", query);
      return json({ results: [], start: 0, limit: 1, size: 0, totalSize: found.length, cqlQuery: query.get("cql"), searchDuration: 1 });
    }
    if (path === "/rest/api/user") {
      return query.get("key") === USER.userKey || query.get("username") === USER.username ? json(USER) : missing("No user found");
    }
    const one = /^\/rest\/api\/content\/([^/]+)(?:\/child\/(comment|attachment))?$/.exec(path);
    if (one?.[2]) {
      const page = this.visible().find(({ id }) => String(id) === one[1]);
      if (!page) return missing("No content found");
      const items =
        one[2] === "comment"
          ? this.commentsOf(page).map((comment) => this.commentPayload(comment, query))
          : (page.files ?? []).map((file) => this.attachmentPayload(page, file, query));
      return this.page(items, path, query);
    }
    if (one) return this.content(one[1] ?? "", query);
    const download = /^\/download\/attachments\/(\d+)\/(.+)$/.exec(path);
    const file = this.visible()
      .find(({ id }) => String(id) === download?.[1])
      ?.files?.find(({ title }) => title === download?.[2]);
    if (file) return { status: 200, headers: { "content-type": "application/octet-stream" }, body: file.text };
    return null;
  }

  private spaceList(query: URLSearchParams): readonly object[] {
    return Object.entries(spaces)
      .filter(([key]) => !this.hidden.includes(key) && (query.get("spaceKey") ?? key) === key)
      .map(([key, id]) => ({ id, key, name: `Space ${key}`, type: "global", status: "current" }));
  }

  /** CQL of the form that the connector sends. */
  private found(cql: string, query: URLSearchParams): readonly object[] {
    const keys = [...(/space in \(([^)]*)\)/.exec(cql)?.[1]?.matchAll(/"([^"]+)"/g) ?? [])].map((match) => match[1]);
    const types = /type (?:= (\w+)|in \(([^)]*)\))/.exec(cql);
    const wanted = (types?.[1] ?? types?.[2] ?? "").split(", ");
    const pages = this.visible().filter((page) => keys.includes(page.space) && (page.status ?? "current") === "current");
    const items: { readonly id: number; readonly updated: number; readonly payload: object }[] = [];
    for (const page of pages) {
      if (wanted.includes(page.kind)) items.push({ id: page.id, updated: page.updated, payload: this.pagePayload(page, query) });
      for (const comment of wanted.includes("comment") ? this.commentsOf(page) : [])
        items.push({ id: Number(comment.id), updated: comment.at, payload: this.commentPayload(comment, query) });
      for (const file of wanted.includes("attachment") ? (page.files ?? []) : [])
        items.push({ id: page.id, updated: file.at ?? page.updated, payload: this.attachmentPayload(page, file, query) });
    }
    const byChange = /order by lastmodified desc/.test(cql);
    return items.sort((a, b) => (byChange ? b.updated - a.updated || b.id - a.id : a.id - b.id)).map(({ payload }) => payload);
  }

  private page(items: readonly object[], path: string, query: URLSearchParams): Reply {
    const start = Number(query.get("start") ?? 0);
    const limit = Math.min(Number(query.get("limit") ?? 25), this.pageSize);
    const results = items.slice(start, start + limit);
    const to = new URLSearchParams(query);
    to.set("start", String(start + results.length));
    const next = start + results.length < items.length ? { next: `${path}?${to}` } : {};
    return json({ results, start, limit, size: results.length, _links: { self: this.url, ...next, base: this.url, context: "" } });
  }

  private content(id: string, query: URLSearchParams): Reply {
    for (const page of this.visible()) {
      if (String(page.id) === id) return json(this.pagePayload(page, query));
      for (const file of page.files ?? []) if (file.id === id) return json(this.attachmentPayload(page, file, query));
    }
    return missing(`No content found with id: ContentId{id=${id}}`);
  }

  private pagePayload(page: FakePage, query: URLSearchParams): object {
    const above: object[] = [];
    for (let at = page.parent; at !== undefined; at = this.pages.find(({ id }) => id === at)?.parent)
      above.unshift({ id: String(at), type: "page", title: this.pages.find(({ id }) => id === at)?.title });
    return {
      id: String(page.id),
      type: page.kind,
      status: page.status ?? "current",
      title: page.title,
      ...expanded(query, {
        space: { id: spaces[page.space], key: page.space, name: `Space ${page.space}` },
        version: { by: USER, when: local(page.updated), number: 1, minorEdit: false },
        history: { latest: true, createdBy: USER, createdDate: local(Date.UTC(2025, 0, 1)) },
        ancestors: above,
        body: { storage: { value: page.body.replace(/ri:account-id="[^"]+"/, `ri:userkey="${USER.userKey}"`), representation: "storage" } },
        metadata: { labels: { results: labelsOf(page).map((name) => ({ prefix: "global", name, id: name })), start: 0, limit: 200 } },
      }),
      _links: { webui: `/display/${page.space}/x`, self: this.url },
    };
  }

  private commentPayload(comment: PlacedComment, query: URLSearchParams): object {
    return {
      id: comment.id,
      type: "comment",
      status: "current",
      title: `Re: ${comment.page.title}`,
      ...expanded(query, {
        version: { by: USER, when: local(comment.at), number: 1 },
        body: { storage: { value: `<p>${comment.text}</p>`, representation: "storage" } },
        ancestors: comment.parent === null ? [] : [{ id: comment.parent, type: "comment" }],
        container: { id: String(comment.page.id), type: comment.page.kind, title: comment.page.title },
        extensions: { location: comment.inline ? "inline" : "footer" },
      }),
      _links: { webui: "/x" },
    };
  }

  private attachmentPayload(page: FakePage, file: FakeFile, query: URLSearchParams): object {
    return {
      id: file.id,
      type: "attachment",
      status: "current",
      title: file.title,
      ...expanded(query, {
        version: { by: USER, when: local(file.at ?? page.updated), number: file.version ?? 1 },
        container: { id: String(page.id), type: page.kind, title: page.title },
        extensions: { mediaType: "application/octet-stream", fileSize: file.text.length, comment: "" },
      }),
      _links: { webui: `/display/OPS/x?preview=${file.id}`, download: `/download/attachments/${page.id}/${file.title}` },
    };
  }
}

/** What the request expands, by the first part of each name. */
function expanded(query: URLSearchParams, parts: Readonly<Record<string, unknown>>): object {
  const asked = new Set((query.get("expand") ?? "").split(",").map((name) => name.split(".")[0] ?? ""));
  return Object.fromEntries(Object.entries(parts).filter(([name]) => asked.has(name)));
}

/** In the zone of the server, as Data Center writes it. */
function local(at: number): string {
  return `${iso(at + 2 * 3_600_000).replace("Z", "")}+02:00`;
}

function missing(message: string): Reply {
  return json({ statusCode: 404, data: { authorized: false, valid: true, errors: [] }, message, reason: "Not Found" }, 404);
}
