import { z } from "zod";
import { type Check, defineConnector, type Io, type Pulled } from "../../core/connector.ts";
import { ContextError } from "../../core/errors.ts";
import type { Instant, RecordId } from "../../core/record.ts";
import { checked } from "../shared/checked.ts";
import { readCursor } from "../shared/cursor.ts";
import { issuesOf } from "../shared/jsonl.ts";
import { redactJson } from "../shared/redact.ts";
import { isSweepDue } from "../shared/sweep.ts";
import { toInstant } from "../shared/time.ts";
import { JiraApi } from "./client.ts";
import { JiraConfig } from "./config.ts";
import { JiraDataCenterApi } from "./data-center.ts";
import { JiraIssue } from "./payload.ts";
import { issueToRecord, type JiraSite, statedFields } from "./to-record.ts";

/** Changes this much older than the newest known one are asked for again: the search index lags behind. */
const OVERLAP_MS = 5 * 60_000;
/** Pages of keys that are listed in every pull; more are listed when the count differs, or after sweepHours. */
const CHEAP_PAGES = 2;
const SEARCH_PAGE = 100;

const Cursor = z.object({
  version: z.literal(1),
  filter: z.string(),
  /** Newest change that was known when the last listing began: everything up to it was read, or will be by that listing. */
  updated: z.string().nullable(),
  /** A first or full pull that has not come to its end, and the creation time up to which it has come. */
  full: z.boolean(),
  created: z.string().nullable(),
  /** Issues known at the last end, and how many keys came in one page. */
  known: z.number(),
  keysPerPage: z.number(),
  sweptAt: z.string().nullable(),
});
type Cursor = z.infer<typeof Cursor>;

/**
 * Jira Cloud and Data Center. Issues are listed by creation, an order that no edit changes, so that nothing moves from a page to come
 * to one that was read; then what changed since the listing began is read again. An incremental pull is that second
 * half alone. What was deleted or moved away is found by listing all keys: always where that takes a page or two,
 * else when the number of issues is not what it should be, and every `sweepHours`.
 */
export const jira = defineConnector<JiraConfig>({
  kind: "jira",
  config: JiraConfig,
  label: (config) => `jira ${config.baseUrl} ${config.projects.join(",")}`,

  async *pull(config, io, since) {
    const api = openApi(config, io);
    const filter = filterOf(config);
    const site: JiraSite = { baseUrl: siteUrl(config), fields: await api.fields(), texts: config.fields };
    const custom = statedFields(site);
    const saved = readCursor(Cursor, since);
    let cursor: Cursor =
      saved?.filter === filter
        ? saved
        : { version: 1, filter, updated: await api.newest(filter), full: true, created: null, known: 0, keysPerPage: 0, sweptAt: null };

    // keys met in this run: whatever a listing of all keys does not show any more was deleted meanwhile
    const met = new Set<string>();
    if (cursor.full) {
      const rest = cursor.created === null ? "" : ` AND created >= "${await api.localMinute(cursor.created, 0)}"`;
      for await (const page of api.search(`${filter}${rest} ORDER BY created ASC, key ASC`, custom)) {
        let { created } = cursor;
        for (const payload of page) {
          const issue = await readIssue(api, io, site, payload);
          created = issue.created ?? created;
          if (issue.key !== null) met.add(issue.key);
          yield* issue.items;
        }
        cursor = { ...cursor, created, known: cursor.known + page.length };
        yield { type: "checkpoint", cursor: JSON.stringify(cursor) };
      }
    }

    let fresh = 0;
    let newest = cursor.updated;
    const changed = cursor.updated === null ? "" : ` AND updated >= "${await api.localMinute(cursor.updated, OVERLAP_MS)}"`;
    for await (const page of api.search(`${filter}${changed} ORDER BY created ASC, key ASC`, custom)) {
      for (const payload of page) {
        const issue = await readIssue(api, io, site, payload);
        if (issue.isNew && issue.key !== null && !met.has(issue.key)) fresh += 1;
        if (issue.key !== null && cursor.full) met.add(issue.key);
        if (issue.updated !== null && (newest === null || issue.updated > newest)) newest = issue.updated;
        yield* issue.items;
      }
      // a listing that is cut off here begins again from the same change
      yield { type: "checkpoint", cursor: JSON.stringify(cursor) };
    }

    const now = api.client.transport.now();
    const expected = cursor.known + fresh;
    const scan = cursor.full ? "full" : "delta";
    const done: Cursor = { ...cursor, updated: newest, full: false, created: null, known: expected };
    if (!(await isSweepWanted(api, cursor, config, expected, now))) {
      yield end(cursor.full ? { ...done, sweptAt: now.toISOString() } : done, scan);
      return;
    }
    let known = 0;
    let keysPerPage = 0;
    for await (const keys of api.keys(`${filter} ORDER BY created ASC, key ASC`)) {
      known += keys.length;
      keysPerPage = Math.max(keysPerPage, keys.length);
      for (const key of keys) {
        // in a full pull nothing counts as known, but what it read it need not read again
        if (met.delete(key)) yield { type: "unchanged", id: `jira:${key}` };
        else yield* stillThere(api, io, site, key);
      }
    }
    for (const key of met) yield { type: "gone", id: `jira:${key}` };
    if (known === 0 && expected > 0) await assertVisible(api, config);
    yield end({ ...done, known, keysPerPage, sweptAt: now.toISOString() }, "full");
  },

  async check(config, io) {
    const api = openApi(config, io, 1);
    const name = `jira ${config.baseUrl}`;
    const checks: Check[] = [];
    checks.push(
      await checked(`${name} token`, async () => {
        const { name: who } = await api.myself();
        return who === null ? "accepted" : `accepted, as ${who}`;
      }),
    );
    if (!checks[0]?.ok) return checks;
    for (const key of config.projects) {
      checks.push(await checked(`${name} project ${key}`, async () => api.project(key).then(() => "readable")));
    }
    return checks;
  },

  async read(config, io, id) {
    const api = openApi(config, io);
    const key = id.slice("jira:".length);
    const site: JiraSite = { baseUrl: siteUrl(config), fields: await api.fields(), texts: config.fields };
    const payload = await api.issue(key, statedFields(site));
    if (payload === null) return null;
    const parsed = JiraIssue.safeParse(payload);
    if (!parsed.success) throw new ContextError("RECORD_INVALID", `${id} does not fit: ${issuesOf(parsed.error)}`);
    const issue = parsed.data;
    // an old key still leads to a moved issue, which is another record now; so is one outside the projects
    if (issue.key !== key || !config.projects.some((project) => key.toUpperCase().startsWith(`${project.toUpperCase()}-`))) return null;
    const whole = await api.complete(issue);
    return { record: issueToRecord(whole, site), raw: rawOf(payload, whole) };
  },
});

function openApi(config: JiraConfig, io: Io, tries?: number): JiraApi {
  return config.deployment === "cloud" ? new JiraApi(config, io, tries) : new JiraDataCenterApi(config, io, tries);
}

function filterOf(config: JiraConfig): string {
  const projects = config.projects.map((key) => `"${key}"`).join(", ");
  return `project in (${projects})${config.jql ? ` AND (${config.jql})` : ""}`;
}

/** Issues behind the gateway are linked by the site itself, which their own address does not tell. */
function siteUrl(config: JiraConfig): string | null {
  return config.deployment === "datacenter" || new URL(config.baseUrl).pathname === "/" ? config.baseUrl : null;
}

interface ReadIssue {
  readonly key: string | null;
  readonly items: readonly Pulled[];
  readonly created: Instant | null;
  readonly updated: Instant | null;
  readonly isNew: boolean;
}

/** One search result as record, old keys as gone; one that does not fit is a failed record. */
async function readIssue(api: JiraApi, io: Io, site: JiraSite, payload: unknown): Promise<ReadIssue> {
  const parsed = JiraIssue.safeParse(payload);
  if (!parsed.success) {
    const key = z.object({ key: z.string() }).safeParse(payload);
    const id = key.success ? `jira:${key.data.key}` : "jira:unknown";
    const error = new ContextError("RECORD_INVALID", `${id} does not fit: ${issuesOf(parsed.error)}`);
    return { items: [{ type: "failed", id, error }], key: key.success ? key.data.key : null, created: null, updated: null, isNew: false };
  }
  const id: RecordId = `jira:${parsed.data.key}`;
  const stamp = parsed.data.fields.updated ?? null;
  const known = io.known?.(id) ?? null;
  const updated = toInstant(stamp);
  const created = toInstant(parsed.data.fields.created);
  if (known !== null && stamp !== null && known.fingerprint === stamp)
    return { items: [{ type: "unchanged", id }], key: parsed.data.key, created, updated, isNew: false };
  const issue = await api.complete(parsed.data);
  const record = issueToRecord(issue, site);
  const gone = (record.fields.formerKeys ?? []).map((key): Pulled => ({ type: "gone", id: `jira:${key}` }));
  return {
    items: [...gone, { type: "record", record, raw: rawOf(payload, issue) }],
    key: issue.key,
    created,
    updated,
    isNew: known === null,
  };
}

/** A listed key: still there; read when no pull has met it, as an issue that moved between two pages while they were read. */
async function* stillThere(api: JiraApi, io: Io, site: JiraSite, key: string): AsyncGenerator<Pulled> {
  const id: RecordId = `jira:${key}`;
  if (io.known && io.known(id) === null) {
    const payload = await api.issue(key, statedFields(site));
    if (payload !== null) yield* (await readIssue(api, io, site, payload)).items;
  } else yield { type: "unchanged", id };
}

/** The payload with all comments, and the stamp by which the next pull knows it again. */
function rawOf(payload: unknown, issue: JiraIssue) {
  const { fields, ...rest } = payload as { fields: Record<string, unknown> };
  const comment = issue.fields.comment;
  const whole = { ...rest, fields: { ...fields, ...(comment ? { comment } : {}) }, changelog: issue.changelog };
  return redactJson({ ...whole, fingerprint: issue.fields.updated ?? "" });
}

/** After a listing of several pages always: a deletion meanwhile may have moved an issue from a page to come to one that was read. */
async function isSweepWanted(api: JiraApi, cursor: Cursor, config: JiraConfig, expected: number, now: Date): Promise<boolean> {
  if (cursor.full) return expected > SEARCH_PAGE;
  if (isSweepDue(cursor.sweptAt, config.sweepHours, now)) return true;
  // one page is known to hold so many keys, or at least as many issues as a search page does
  if (expected <= Math.max(cursor.keysPerPage, SEARCH_PAGE) * CHEAP_PAGES) return true;
  const count = await api.count(filterOf(config));
  return count !== null && count !== expected;
}

/** No issue at all any more: rather a lost permission than an emptied project, unless the projects can be read. */
async function assertVisible(api: JiraApi, config: JiraConfig): Promise<void> {
  for (const key of config.projects) await api.project(key);
}

function end(cursor: Cursor, scan: "full" | "delta"): Pulled {
  return { type: "end", scan, cursor: JSON.stringify(cursor) };
}
