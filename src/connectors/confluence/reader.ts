import { z } from "zod";
import type { Io, Pulled } from "../../core/connector.ts";
import { ContextError } from "../../core/errors.ts";
import type { Json, Person, RecordId, SourceRecord } from "../../core/record.ts";
import { issuesOf } from "../shared/jsonl.ts";
import { person } from "../shared/people.ts";
import { redactJson } from "../shared/redact.ts";
import { unfit } from "../shared/unfit.ts";
import { type AttachmentReader, attachmentId, type Container } from "./attachments.ts";
import { type Addition, type ConfluenceApi, type ContentKind, type ListedPage, markOf, siteUrl } from "./client.ts";
import type { ConfluenceConfig } from "./config.ts";
import { fileOf, hashOf, readMark, writeMark } from "./marks.ts";
import { type ConfluenceAttachment, type ConfluenceComment, ConfluencePage, type ConfluenceSpace } from "./payload.ts";
import { Places } from "./places.ts";
import { readStorage } from "./storage.ts";
import { ancestorsOf, type ConfluenceSite, pageToRecord } from "./to-record.ts";

/** Changes this much older than the newest known one are looked at again. */
const OVERLAP_MS = 5 * 60_000;
/** Changed pages that are read together. */
const TOGETHER = 20;

/** A page that was read, and what is attached to it and still to be read. */
export interface ReadPage {
  readonly record: SourceRecord;
  readonly raw: Json;
  readonly files: readonly ConfluenceAttachment[];
  readonly container: Container;
}

interface Listed {
  /** What is to be said of the page when it was not read. */
  readonly pulled: readonly Pulled[];
  readonly read: ReadPage | null;
  readonly isFresh: boolean;
}

/** What no version of a page tells, listed whole; null of a kind that is not read. */
export interface Surroundings {
  readonly labels: ReadonlyMap<RecordId, readonly string[]> | null;
  readonly comments: ReadonlyMap<RecordId, number> | null;
  readonly files: ReadonlySet<string> | null;
}

function goneWith(id: RecordId, files: readonly string[]): readonly Pulled[] {
  return [{ type: "gone", id }, ...files.map((file): Pulled => ({ type: "gone", id: attachmentId(fileOf(file)) }))];
}

/** Reads pages of the given spaces as records, with the names of those who wrote and are mentioned. */
export class Reader {
  readonly spaceIds: readonly string[];
  private readonly config: ConfluenceConfig;
  private readonly io: Io;
  private readonly api: ConfluenceApi;
  private readonly files: AttachmentReader;
  private readonly spaces: ReadonlyMap<string, ConfluenceSpace>;
  private readonly names = new Map<string, string>();
  private readonly unnamed = new Set<string>();
  private readonly places: Places;
  /** Names of labels by the record that carries them: lists of pages leave them out. */
  private readonly labels = new Map<RecordId, string[]>();
  /** Newest comment, and version, of each page that this run has read. */
  private readonly heard = new Map<RecordId, string>();
  private readonly stamps = new Map<RecordId, string>();
  /** Attachments that led to their page in this run. */
  private readonly seenFiles = new Set<string>();

  constructor(config: ConfluenceConfig, io: Io, api: ConfluenceApi, spaces: readonly ConfluenceSpace[], files: AttachmentReader) {
    this.files = files;
    this.config = config;
    this.io = io;
    this.api = api;
    this.places = new Places(api);
    this.spaces = new Map(spaces.map((space) => [space.id, space]));
    this.spaceIds = spaces.map((space) => space.id);
  }

  /** Configured spaces that are not shown to the token. */
  missing(): readonly Pulled[] {
    const shown = new Set([...this.spaces.values()].map((space) => space.key));
    return this.config.spaces
      .filter((key) => !shown.has(key))
      .map((key) => ({
        type: "failed",
        id: `confluence:space:${key}`,
        error: new ContextError("SOURCE_NOT_FOUND", `The space ${key} is not there, or hidden from the token.`),
      }));
  }

  /**
   * Reads which pages carry which labels: some requests for each label, where each page would cost one.
   * @returns false where the token may not, and where lists show the labels themselves
   */
  async learnLabels(kinds: readonly ContentKind[]): Promise<boolean> {
    if (kinds.length === 0) return true;
    this.labels.clear();
    try {
      const named = new Map<string, string>();
      for (const spaceId of this.spaceIds) {
        const labels = await this.api.labels(spaceId);
        if (labels === null) return false;
        for (const label of labels) named.set(label.id, label.name);
      }
      for (const [labelId, name] of named) {
        for (const kind of kinds) {
          for (const pageId of await this.api.labelled(kind, labelId, this.spaceIds)) {
            const id: RecordId = `confluence:${kind}:${pageId}`;
            this.labels.set(id, [...(this.labels.get(id) ?? []), name]);
          }
        }
      }
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.io.log.warn({ code: error.code }, "the token may not read labels; pages show them once they change");
      return false;
    }
    return true;
  }

  /** Lists all labels, comments and attachments, to find those that were set, taken away or deleted. */
  async surroundings(kinds: readonly ContentKind[], additions: readonly Addition[]): Promise<Surroundings> {
    const labels = (await this.learnLabels(kinds)) ? this.labels : null;
    const comments = additions.includes("footer") ? new Map<RecordId, number>() : null;
    const files = additions.includes("attachments") ? new Set<string>() : null;
    for (const what of additions) {
      for await (const items of this.api.additionsByChange(what)) {
        for (const { kind, pageId, file, isReply } of items) {
          const id: RecordId = `confluence:${kind}:${pageId}`;
          if (file !== null) files?.add(file);
          else if (!isReply) comments?.set(id, (comments.get(id) ?? 0) + 1);
        }
      }
    }
    return { labels, comments, files };
  }

  /** A listed payload with the labels that a single page comes with. */
  private labelled(kind: ContentKind, payload: unknown): unknown {
    const named = z.looseObject({ id: z.union([z.string(), z.number()]), labels: z.unknown().optional() }).safeParse(payload);
    if (!named.success || named.data.labels) return payload;
    const names = this.labels.get(`confluence:${kind}:${named.data.id}`) ?? [];
    return names.length === 0 ? payload : { ...named.data, labels: { results: names.map((name) => ({ name })) } };
  }

  /** Listed payloads with their bodies as records. */
  async *records(kind: ContentKind, payloads: readonly unknown[]): AsyncGenerator<Pulled> {
    const pages = payloads
      .map((payload) => this.labelled(kind, payload))
      .map((payload) => ({ payload, page: ConfluencePage.safeParse(payload) }));
    for (const { page } of pages) if (page.success) this.places.learn(page.data.id, page.data.title, page.data.parentId);
    await this.learnNames(pages.flatMap(({ page }) => (page.success ? [page.data] : [])));
    for (const { payload, page } of pages) {
      if (page.success) {
        yield* this.items(await this.record(kind, payload, page.data));
        continue;
      }
      const named = z.object({ id: z.union([z.string(), z.number()]) }).safeParse(payload);
      yield unfit(`confluence:${kind}:${named.success ? named.data.id : "unknown"}`, issuesOf(page.error));
    }
  }

  /**
   * Pages that changed since the last pull, or that no pull has met.
   * @param all list to the end and say of every unchanged page that it is there
   * @param around with it pages are read again whose labels, comments or attachments are other ones
   */
  async *changed(
    kind: ContentKind,
    updated: string | null,
    all: boolean,
    around: Surroundings | null = null,
  ): AsyncGenerator<Pulled, { readonly listed: number; readonly fresh: number; readonly newest: string | null }> {
    const oldest = updated === null ? null : new Date(Date.parse(updated) - OVERLAP_MS).toISOString();
    let listed = 0;
    let fresh = 0;
    let newestStamp: string | null = null;
    const quiet: ListedPage[] = [];
    for await (const { items } of this.api.byChange(kind, this.spaceIds)) {
      listed += items.length;
      newestStamp = latest([...items.map((item) => item.stamp), ...(newestStamp === null ? [] : [newestStamp])]);
      for (const item of items) this.places.learn(item.id, item.title, item.parent);
      const looked = all || oldest === null ? items : items.filter((item) => item.stamp >= oldest);
      for (let from = 0; from < looked.length; from += TOGETHER) {
        const read = await Promise.all(looked.slice(from, from + TOGETHER).map((item) => this.listed(kind, item)));
        fresh += read.filter((one) => one.isFresh).length;
        for (const [index, one] of read.entries()) {
          const item = looked[from + index];
          if (one.read !== null) yield* this.items(one.read);
          else yield* one.pulled;
          if (all && item && one.pulled[0]?.type === "unchanged") quiet.push(item);
        }
      }
      // newest first: once one is old, all that follow are, unless the server does not sort
      if (!all && looked.length < items.length && isSorted(items)) break;
    }
    // only now are all pages above known
    for (const item of quiet) {
      if (!this.isOther(kind, item, around)) continue;
      const read = await this.one(kind, item.id);
      if (read !== null) yield* this.items(read);
    }
    return { listed, fresh, newest: newestStamp };
  }

  /** Whether something about a page changed that its version does not tell. */
  private isOther(kind: ContentKind, { id: pageId, parent, labels: shown }: ListedPage, around: Surroundings | null): boolean {
    const id: RecordId = `confluence:${kind}:${pageId}`;
    const known = this.io.known?.(id) ?? null;
    if (known === null || this.stamps.has(id)) return false;
    const mark = readMark(known.fingerprint);
    if (this.places.isPlaced(parent) && mark.place !== hashOf(ancestorsOf(parent, this.places))) return true;
    const labels = shown ?? (around?.labels ? (around.labels.get(id) ?? []) : null);
    if (labels !== null && mark.labels !== hashOf(labels.toSorted())) return true;
    if (around === null) return false;
    const { comments, files } = around;
    if (comments !== null && mark.comments !== (comments.get(id) ?? 0)) return true;
    return files !== null && mark.files.some((file) => !files.has(file));
  }

  /**
   * Pages with comments or attachments that are newer than what was read of them.
   * @returns the newest one's stamp
   */
  async *added(what: Addition, updated: string | null, kinds: readonly ContentKind[]): AsyncGenerator<Pulled, string | null> {
    const oldest = updated === null ? "" : new Date(Date.parse(updated) - OVERLAP_MS).toISOString();
    let newestStamp = updated;
    for await (const items of this.api.additionsByChange(what)) {
      for (const { kind, pageId, stamp, file } of items) {
        if (stamp < oldest) return newestStamp;
        newestStamp = latest([stamp, ...(newestStamp === null ? [] : [newestStamp])]);
        const id: RecordId = `confluence:${kind}:${pageId}`;
        const known = this.io.known?.(id) ?? null;
        // the list is of the whole site: pages that no pull has met are elsewhere, or will be met as new ones
        if (!kinds.includes(kind) || (known === null && !this.heard.has(id))) continue;
        const mark = readMark(known?.fingerprint);
        if (file !== null) {
          if (mark.files.includes(file) || this.seenFiles.has(file)) continue;
        } else if ((this.heard.get(id) ?? mark.said) >= stamp) continue;
        const read = await this.one(kind, pageId);
        if (read === null) yield* goneWith(id, mark.files);
        else yield* this.items(read);
        // what its page does not show is not asked for again in this run
        if (file !== null) this.seenFiles.add(file);
        else this.heard.set(id, latest([stamp, this.heard.get(id) ?? ""]) ?? stamp);
      }
    }
    return newestStamp;
  }

  /** One page again; null when it is gone or lies in another space. */
  async one(kind: ContentKind, pageId: string): Promise<ReadPage | null> {
    const payload = await this.api.page(kind, pageId);
    if (payload === null) return null;
    const id = `confluence:${kind}:${pageId}`;
    const page = ConfluencePage.safeParse(payload);
    if (!page.success) throw new ContextError("RECORD_INVALID", `${id} does not fit: ${issuesOf(page.error)}`);
    if (page.data.spaceId && !this.spaces.has(page.data.spaceId)) return null;
    await this.learnNames([page.data]);
    return this.record(kind, payload, page.data);
  }

  /** An attachment again, for a record that could not be read; null when it is gone or lies in another space. */
  async attachment(id: string): Promise<Pulled | null> {
    const file = await this.api.attachment(id);
    const kind = file?.pageId ? "page" : "blogpost";
    const pageId = file?.pageId ?? file?.blogPostId;
    if (!file || !pageId) return null;
    const read = await this.one(kind, pageId);
    return read === null ? null : this.files.read(file, read.container, this.account(file.version.authorId));
  }

  /** A page with what is attached to it, and what no longer is. */
  private async *items({ record, raw, files, container }: ReadPage): AsyncGenerator<Pulled> {
    const before = readMark(this.io.known?.(record.id)?.fingerprint).files;
    yield { type: "record", record, raw };
    for (const file of files) yield await this.files.read(file, container, this.account(file.version.authorId));
    const there = new Set(files.map((file) => file.id));
    for (const id of before.map(fileOf)) if (!there.has(id)) yield { type: "gone", id: attachmentId(id) };
  }

  private account(accountId: string | null | undefined): Person | null {
    return accountId ? person({ accountId, name: this.names.get(accountId) }) : null;
  }

  private async listed(kind: ContentKind, item: ListedPage): Promise<Listed> {
    const id: RecordId = `confluence:${kind}:${item.id}`;
    const known = this.io.known?.(id) ?? null;
    const mark = readMark(known?.fingerprint);
    if (this.stamps.get(id) === item.stamp) return { pulled: [{ type: "unchanged", id }], read: null, isFresh: false };
    if (known !== null && mark.stamp === item.stamp) {
      const still = mark.files.map((file): Pulled => ({ type: "unchanged", id: attachmentId(fileOf(file)) }));
      return { pulled: [{ type: "unchanged", id }, ...still], read: null, isFresh: false };
    }
    try {
      const read = await this.one(kind, item.id);
      return { pulled: read === null ? goneWith(id, mark.files) : [], read, isFresh: known === null && read !== null };
    } catch (error) {
      if (error instanceof ContextError && error.code === "RECORD_INVALID")
        return { pulled: [{ type: "failed", id, error }], read: null, isFresh: false };
      throw error;
    }
  }

  private async record(kind: ContentKind, payload: unknown, page: ConfluencePage): Promise<ReadPage> {
    const comments = this.config.include.includes("comments") ? await this.api.comments(kind, page.id) : [];
    const files = await this.files.list(kind, page.id);
    await this.learnNames(
      [],
      comments,
      files.flatMap((file) => file.version.authorId ?? []),
    );
    await this.places.learnAncestors(page.parentId ?? null);
    const { names, spaces } = this;
    const { titles, parents } = this.places;
    const site: ConfluenceSite = { baseUrl: this.webUrl(page), names, spaces, titles, parents };
    const said = latest(comments.flatMap((comment) => comment.version?.createdAt ?? [])) ?? "";
    const record = pageToRecord(page, site, comments, kind);
    const stamp = page.version?.createdAt ?? "";
    this.heard.set(record.id, said);
    this.stamps.set(record.id, stamp);
    const fingerprint = writeMark({
      stamp,
      said,
      comments: comments.filter(({ parentCommentId }) => !parentCommentId).length,
      files: files.map(markOf),
      place: hashOf(ancestorsOf(page.parentId, site)),
      labels: hashOf(record.fields.labels),
    });
    const raw = redactJson({ ...(payload as object), ...(comments.length > 0 ? { comments } : {}), fingerprint });
    const space = page.spaceId ? (spaces.get(page.spaceId)?.key ?? null) : null;
    const container: Container = { id: page.id, title: page.title, space, url: record.url, webUrl: site.baseUrl };
    return { record, raw, files, container };
  }

  /** Behind the gateway the pages themselves tell where people read them. */
  private webUrl(page: ConfluencePage): string | null {
    const site = siteUrl(this.config);
    return page._links?.base ?? (new URL(site).pathname === "/" ? `${site}/wiki` : null);
  }

  private async learnNames(
    pages: readonly ConfluencePage[],
    comments: readonly ConfluenceComment[] = [],
    others: readonly string[] = [],
  ): Promise<void> {
    const wanted = new Set<string>(others);
    for (const page of pages) {
      for (const id of [page.authorId, page.ownerId, page.version?.authorId]) if (id) wanted.add(id);
      for (const id of readStorage(page.body?.storage?.value ?? "", () => null).mentions) wanted.add(id);
    }
    for (const comment of comments) {
      if (comment.version?.authorId) wanted.add(comment.version.authorId);
      for (const id of readStorage(comment.body?.storage?.value ?? "", () => null).mentions) wanted.add(id);
    }
    const unknown = [...wanted].filter((id) => !this.names.has(id) && !this.unnamed.has(id));
    if (unknown.length === 0) return;
    try {
      for (const [id, name] of await this.api.names(unknown)) this.names.set(id, name);
    } catch (error) {
      // texts then name people by their account ids, which is poor, but no reason to have no texts
      if (!isRefusal(error)) throw error;
      this.io.log.warn({ code: error.code }, "the token may not look up users; people are named by account id");
    }
    for (const id of unknown) if (!this.names.has(id)) this.unnamed.add(id);
  }
}

function isRefusal(error: unknown): error is ContextError {
  return error instanceof ContextError && ["SOURCE_UNAUTHORIZED", "SOURCE_FORBIDDEN", "SOURCE_NOT_FOUND"].includes(error.code);
}

function isSorted(items: readonly ListedPage[]): boolean {
  return items.every((item, index) => index === 0 || item.stamp <= (items[index - 1]?.stamp ?? ""));
}

/** The newest of stamps that are written alike; null of none. */
export function latest(stamps: readonly string[]): string | null {
  return stamps.reduce<string | null>((most, stamp) => (most === null || stamp > most ? stamp : most), null);
}
