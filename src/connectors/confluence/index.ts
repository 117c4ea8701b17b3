import { z } from "zod";
import { type Check, defineConnector, type Io, type Pulled } from "../../core/connector.ts";
import { ContextError, toContextError } from "../../core/errors.ts";
import { readCursor } from "../shared/cursor.ts";
import { isSweepDue } from "../shared/sweep.ts";
import { AttachmentReader } from "./attachments.ts";
import { type Addition, ConfluenceApi, type ContentKind, siteUrl } from "./client.ts";
import { ConfluenceConfig } from "./config.ts";
import { ConfluenceDataCenterApi } from "./data-center.ts";
import type { ConfluenceSpace } from "./payload.ts";
import { latest, Reader } from "./reader.ts";

/** Pages that are listed whole in every pull, two answers' worth; more are listed when the count differs, or after sweepHours. */
const CHEAP_PAGES = 500;

const KindState = z.object({
  /** Newest change that was known when the last listing began. */
  updated: z.string().nullable(),
  /** The next page of a first or full listing; "" before its first, null when it has come to its end. */
  next: z.string().nullable(),
});

const Cursor = z.object({
  version: z.literal(1),
  scope: z.string(),
  full: z.boolean(),
  kinds: z.object({ page: KindState, blogpost: KindState }),
  /** Newest comment and attachment that was known when the last listing began; null of none, absent when not asked for. */
  added: z
    .object({ footer: z.string().nullable(), inline: z.string().nullable(), attachments: z.string().nullable() })
    .partial()
    .default({}),
  known: z.number(),
  sweptAt: z.string().nullable(),
  /** When labels, comments and attachments were last listed whole. */
  lookedAroundAt: z.string().nullable().default(null),
});
type Cursor = z.infer<typeof Cursor>;

/**
 * Confluence Cloud over its v2 API, Data Center over v1. A first pull lists all pages with their bodies by id. Later pulls list them without
 * bodies, the last change first, as far as the last pull, and read what changed one by one; the whole list, which also
 * shows what is gone, is read where it is short, when the number of pages is not what it should be, and every sweepHours.
 * A new comment changes no page, and neither does an attachment, so these are listed by their last change, too, and
 * lead to their pages. What was deleted of them, and labels, are found by listing all of them every sweepHours; another
 * title or place of a page above by every whole list.
 */
export const confluence = defineConnector<ConfluenceConfig>({
  kind: "confluence",
  config: ConfluenceConfig,
  label: (config) => `confluence ${siteUrl(config)} ${config.spaces.join(",")}`,

  async *pull(config, io, since) {
    const api = openApi(config, io);
    await using files = new AttachmentReader(config, io, api);
    const reader = new Reader(config, io, api, await readableSpaces(api, config), files);
    const { spaceIds } = reader;
    for (const failure of reader.missing()) yield failure;
    const kinds = kindsOf(config);
    const cursor = openCursor(config, since);

    const additions = additionsOf(config);
    for (const what of additions) if (cursor.added[what] === undefined) cursor.added[what] = await newestAddition(api, what);

    if (cursor.full) await reader.learnLabels(kinds.filter((kind) => cursor.kinds[kind].next !== null));
    for (const kind of cursor.full ? kinds : []) {
      const state = cursor.kinds[kind];
      if (state.next === null) continue;
      // edits made from here on are found by the pass after this one
      state.updated ??= await newest(api, kind, spaceIds);
      for await (const page of bodiesFrom(api, kind, spaceIds, state.next)) {
        yield* reader.records(kind, page.items);
        cursor.known += page.items.length;
        state.next = page.next;
        yield checkpoint(cursor);
      }
      state.next = null;
    }

    const now = api.client.transport.now();
    const isSweep = !cursor.full && (await isSweepWanted(api, cursor, config, now));
    const isWhole = cursor.full || isSweep;
    const isAroundDue = isSweep && isSweepDue(cursor.lookedAroundAt, config.sweepHours, now);
    const around = isAroundDue ? await reader.surroundings(kinds, additions) : null;
    // a page deleted meanwhile moves others past the reader where lists go by position
    const isByPosition = cursor.full && config.deployment === "datacenter";
    let known = 0;
    let fresh = 0;
    for (const kind of kinds) {
      const state = cursor.kinds[kind];
      const outcome = yield* reader.changed(kind, state.updated, isSweep || isByPosition, around);
      known += outcome.listed;
      fresh += outcome.fresh;
      state.updated = outcome.newest ?? state.updated;
    }
    for (const what of additions) cursor.added[what] = yield* reader.added(what, cursor.added[what] ?? null, kinds);
    cursor.known = isSweep ? known : cursor.known + fresh;
    cursor.full = false;
    if (isWhole) cursor.sweptAt = now.toISOString();
    if (cursor.lookedAroundAt === null || isAroundDue) cursor.lookedAroundAt = now.toISOString();
    // what lies in a space that is hidden for now must not be taken for deleted
    const scan = isWhole && reader.missing().length === 0 ? "full" : "delta";
    yield { type: "end", scan, cursor: JSON.stringify(cursor) };
  },

  async check(config, io) {
    const api = openApi(config, io, 1);
    const name = `confluence ${siteUrl(config)}`;
    const checks: Check[] = [];
    for (const key of config.spaces) {
      try {
        const [space] = await api.spaces([key]);
        checks.push(
          space
            ? { name: `${name} space ${key}`, ok: true, detail: `readable, ${space.name ?? key}`, remedy: null }
            : {
                name: `${name} space ${key}`,
                ok: false,
                detail: "not there, or hidden from the token",
                remedy: "Check the key, and that the account may see the space.",
              },
        );
      } catch (error) {
        const { message, remedy } = toContextError(error);
        checks.push({ name: `${name} space ${key}`, ok: false, detail: message, remedy });
      }
    }
    for (const what of additionsOf(config)) {
      const part = `${name} ${what === "attachments" ? what : `${what} comments`}`;
      try {
        await newestAddition(api, what);
        checks.push({ name: part, ok: true, detail: "readable", remedy: null });
      } catch (error) {
        const { message } = toContextError(error);
        const scope = what === "attachments" ? "read:attachment:confluence" : "read:comment:confluence";
        checks.push({
          name: part,
          ok: false,
          detail: message,
          remedy: `Give the token the scope ${scope}, or take the part out of include.`,
        });
      }
    }
    return checks;
  },

  async read(config, io, id) {
    const [, kind, itsId] = /^confluence:(page|blogpost|attachment):([\w-]+)$/.exec(id) ?? [];
    if (kind === undefined || itsId === undefined) return null;
    // what is asked for is read, whatever is known of it
    const api = openApi(config, io);
    await using files = new AttachmentReader(config, { ...io, known: () => null }, api);
    const reader = new Reader(config, io, api, await readableSpaces(api, config), files);
    if (kind !== "attachment") {
      const read = await reader.one(kind === "page" ? "page" : "blogpost", itsId);
      return read === null ? null : { record: read.record, raw: read.raw };
    }
    const pulled = await reader.attachment(itsId);
    if (pulled?.type === "failed") throw pulled.error;
    return pulled?.type === "record" ? { record: pulled.record, raw: pulled.raw } : null;
  },
});

function openApi(config: ConfluenceConfig, io: Io, tries?: number): ConfluenceApi {
  return config.deployment === "cloud" ? new ConfluenceApi(config, io, tries) : new ConfluenceDataCenterApi(config, io, tries);
}

function kindsOf(config: ConfluenceConfig): readonly ContentKind[] {
  return [
    ...(config.include.includes("pages") ? (["page"] as const) : []),
    ...(config.include.includes("blogposts") ? (["blogpost"] as const) : []),
  ];
}

function additionsOf(config: ConfluenceConfig): readonly Addition[] {
  return [
    ...(config.include.includes("comments") ? (["footer", "inline"] as const) : []),
    ...(config.include.includes("attachments") ? (["attachments"] as const) : []),
  ];
}

function openCursor(config: ConfluenceConfig, since: string | null): Cursor {
  const scope = JSON.stringify([[...config.spaces].sort(), [...config.include].sort()]);
  const saved = readCursor(Cursor, since);
  if (saved?.scope === scope) return saved;
  const state = () => ({ updated: null, next: "" });
  return {
    version: 1,
    scope,
    full: true,
    kinds: { page: state(), blogpost: state() },
    added: {},
    known: 0,
    sweptAt: null,
    lookedAroundAt: null,
  };
}

/** The configured spaces that the token may see; none at all is an error. */
async function readableSpaces(api: ConfluenceApi, config: ConfluenceConfig): Promise<readonly ConfluenceSpace[]> {
  const spaces = await api.spaces(config.spaces);
  if (spaces.length > 0) return spaces;
  throw new ContextError("SOURCE_NOT_FOUND", `Confluence shows none of the spaces ${config.spaces.join(", ")} to this token.`, {
    remedy: "Check the keys in the manifest, and that the account may see the spaces.",
  });
}

/** From a saved cursor on; from the start where Confluence no longer takes it. */
async function* bodiesFrom(api: ConfluenceApi, kind: ContentKind, spaceIds: readonly string[], from: string) {
  let isFirst = true;
  try {
    for await (const page of api.bodies(kind, spaceIds, from === "" ? null : from)) {
      isFirst = false;
      yield page;
    }
  } catch (error) {
    if (!isFirst || from === "" || !(error instanceof ContextError) || error.code !== "SOURCE_REFUSED") throw error;
    yield* api.bodies(kind, spaceIds, null);
  }
}

async function newest(api: ConfluenceApi, kind: ContentKind, spaceIds: readonly string[]): Promise<string | null> {
  for await (const { items } of api.byChange(kind, spaceIds)) return latest(items.map((item) => item.stamp));
  return null;
}

async function newestAddition(api: ConfluenceApi, what: Addition): Promise<string | null> {
  for await (const items of api.additionsByChange(what)) return latest(items.map((item) => item.stamp));
  return null;
}

async function isSweepWanted(api: ConfluenceApi, cursor: Cursor, config: ConfluenceConfig, now: Date): Promise<boolean> {
  if (cursor.known <= CHEAP_PAGES) return true;
  if (isSweepDue(cursor.sweptAt, config.sweepHours, now)) return true;
  const count = await api.count(kindsOf(config), config.spaces);
  return count !== null && count !== cursor.known;
}

function checkpoint(cursor: Cursor): Pulled {
  return { type: "checkpoint", cursor: JSON.stringify(cursor) };
}
