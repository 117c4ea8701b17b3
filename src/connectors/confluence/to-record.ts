import { labels } from "../../core/labels.ts";
import type { Person, SourceRecord } from "../../core/record.ts";
import { assemble, type Block } from "../shared/blocks.ts";
import { statedOnly, toRecord } from "../shared/draft.ts";
import { distinctPeople, person, personText } from "../shared/people.ts";
import { toInstant } from "../shared/time.ts";
import type { ConfluenceComment, ConfluencePage, ConfluenceSpace } from "./payload.ts";
import { readStorage } from "./storage.ts";

/** What the mapper must know beside the page. Storage format holds account and space ids only. */
export interface ConfluenceSite {
  /** "https://acme.atlassian.net/wiki"; taken from the page's own links where null. */
  readonly baseUrl: string | null;
  /** Display names by account id. */
  readonly names: ReadonlyMap<string, string>;
  readonly spaces: ReadonlyMap<string, ConfluenceSpace>;
  /** Titles by page id, for ancestors. */
  readonly titles: ReadonlyMap<string, string>;
  /** Parents by page id; without them only the parent that the page itself names is known. */
  readonly parents?: ReadonlyMap<string, string>;
}

/** One page or blog post, with its comments, as a record. Pure: the same payload gives the same record. */
export function pageToRecord(
  page: ConfluencePage,
  site: ConfluenceSite,
  comments: readonly ConfluenceComment[] = [],
  kind: "page" | "blogpost" = "page",
): SourceRecord {
  const nameOf = (accountId: string) => site.names.get(accountId) ?? null;
  const storage = readStorage(page.body?.storage?.value ?? "", nameOf);
  const blocks: Block[] = [{ kind: "text", text: page.title }, ...storage.blocks];
  const mentioned = new Set(storage.mentions);
  const writers: (Person | null)[] = [];
  for (const comment of comments) {
    const said = readStorage(comment.body?.storage?.value ?? "", nameOf);
    const author = account(comment.version?.authorId, site);
    writers.push(author);
    for (const id of said.mentions) mentioned.add(id);
    const [first, ...rest] = said.blocks;
    if (first === undefined) continue;
    blocks.push({ kind: "text", text: `${personText(author) ?? "Unknown"}: ${first.kind === "code" ? "" : first.text}` });
    blocks.push(...(first.kind === "code" ? said.blocks : rest));
  }
  const space = page.spaceId ? site.spaces.get(page.spaceId) : undefined;
  const author = account(page.authorId, site);
  const editor = account(page.version?.authorId, site);
  const owner = account(page.ownerId, site);
  const createdAt = toInstant(page.createdAt);
  const updatedAt = toInstant(page.version?.createdAt) ?? createdAt ?? "1970-01-01T00:00:00Z";
  const pageLabels = (page.labels?.results ?? []).map((label) => label.name).sort();
  const ancestors = ancestorsOf(page.parentId, site);
  return toRecord({
    id: `confluence:${kind}:${page.id}`,
    source: "confluence",
    kind: "page",
    title: page.title,
    url: pageUrl(page, site, space),
    author,
    bot: false,
    createdAt,
    updatedAt,
    prose: assemble(blocks),
    footer: [
      { label: labels.space, value: space ? `${space.name ?? space.key} (${space.key})` : null },
      { label: labels.ancestors, value: ancestors },
      { label: labels.author, value: personText(author) },
      { label: labels.updated, value: updatedAt },
      { label: labels.labels, value: pageLabels },
    ],
    fields: statedOnly({
      space: space?.key,
      version: page.version?.number,
      ancestors,
      labels: pageLabels,
      status: page.status,
      people: distinctPeople([author, editor, owner, ...writers, ...[...mentioned].map((id) => account(id, site))]),
    }),
  });
}

/** Deeper than any tree that people make; a circle must not be followed for ever. */
export const DEEPEST = 50;

/** Titles of the pages above, the topmost first. */
export function ancestorsOf(parent: string | null | undefined, site: Pick<ConfluenceSite, "titles" | "parents">): string[] {
  const titles: string[] = [];
  for (let at = parent; at && titles.length < DEEPEST; at = site.parents?.get(at) ?? null) {
    const title = site.titles.get(at);
    if (title) titles.unshift(title);
  }
  return titles;
}

function account(id: string | null | undefined, site: ConfluenceSite): Person | null {
  return id ? person({ accountId: id, name: site.names.get(id) }) : null;
}

/** The short address without the title, which changes with it. */
function pageUrl(page: ConfluencePage, site: ConfluenceSite, space: ConfluenceSpace | undefined): string | null {
  const base = site.baseUrl ?? page._links?.base ?? null;
  if (base === null) return null;
  const webui = page._links?.webui;
  // Data Center's address by number, which is all that a title does not change there
  if (webui?.startsWith("/pages/viewpage.action?")) return base.replace(/\/+$/, "") + webui;
  const path = space ? `/spaces/${encodeURIComponent(space.key)}/pages/${page.id}` : (webui?.replace(/(\/pages\/\d+)\/.*$/, "$1") ?? null);
  return path === null ? null : base.replace(/\/+$/, "") + path;
}
