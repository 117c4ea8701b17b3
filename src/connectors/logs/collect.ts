import { labels } from "../../core/labels.ts";
import type { Json, RecordId, SourceRecord } from "../../core/record.ts";
import { statedOnly, toRecord } from "../shared/draft.ts";
import { redactJson } from "../shared/redact.ts";
import { type Cluster, Drain, mask } from "./drain.ts";
import type { Entry } from "./entry.ts";
import { atLeast, type Level } from "./level.ts";

/** A file with at most so many entries is kept whole. */
const SMALL = 50;
/** Entries of one template that become records of their own: of warnings and worse, and of the rest. */
const KEPT_NOTABLE = 10;
const KEPT_ORDINARY = 1;
/** Further notable entries with another wording (another host, another service) are kept, too, up to so many. */
const KEPT_VARIANTS = 20;
/** Lines that name a revision (rollouts) are kept up to so many in a file. */
const KEPT_REVISIONS = 200;
const MOST_TRACES = 40;
const LONGEST_TITLE = 120;

export interface CollectOptions {
  /** Name in ids: `log:<name>:<line>`. */
  readonly name: string;
  /** Path as people know it, stated in the record. */
  readonly path: string;
  /** Time of records whose lines have none, ISO. */
  readonly fallback: string;
  /** Entries below it are passed over. */
  readonly level?: Level | undefined;
  /** Entries before it (ms since 1970) are passed over. */
  readonly since?: number | undefined;
}

interface TemplateState {
  readonly first: Entry;
  firstMs: number | null;
  lastMs: number | null;
  kept: number;
  readonly variants: string[];
  /** Trace ids of notable entries that got no record of their own. */
  readonly traces: string[];
  /** Changed since it was last handed out. */
  fresh: boolean;
}

/** All that must be remembered of a file to go on with it; plain JSON. */
export interface CollectState {
  readonly entries: number;
  readonly revisions: number;
  readonly small: readonly Entry[];
  readonly clusters: readonly {
    readonly context: string;
    readonly tokens: readonly string[];
    readonly count: number;
    readonly data: TemplateState;
  }[];
}

export interface LogRecord {
  readonly record: SourceRecord;
  readonly raw: Json;
}

/**
 * Chooses which entries of a file become records and folds the rest into their templates (Drain).
 *
 * A small file is kept whole. In a bigger one each template's first entry is a record that carries the count and the
 * time of the last; beside it stand the next few entries: more of warnings and errors, and every wording of theirs
 * that is new. Lines that name a revision are kept, since they tell what was rolled out. So a record's id is always
 * the place of a real line, and a million lines become some hundred records.
 */
export class Collector {
  readonly #options: CollectOptions;
  readonly #drain = new Drain<TemplateState>();
  #entries = 0;
  #revisions = 0;
  /** Entries of a file that may still turn out small, as far as they are not kept anyway. */
  #small: Entry[] = [];

  constructor(options: CollectOptions, state?: CollectState) {
    this.#options = options;
    if (!state) return;
    this.#entries = state.entries;
    this.#revisions = state.revisions;
    this.#small = [...state.small];
    for (const { tokens, data, ...rest } of structuredClone(state.clusters)) {
      this.#drain.restore({ ...rest, tokens: [...tokens], data: { ...data, fresh: false } } as Cluster<TemplateState>);
    }
  }

  get state(): CollectState {
    const clusters = [...this.#drain.clusters()].map(({ context, tokens, count, data }) => ({ context, tokens, count, data }));
    return structuredClone({ entries: this.#entries, revisions: this.#revisions, small: this.#small, clusters });
  }

  /** Takes an entry; hands out its record when it gets one of its own and can be made at once. */
  add(entry: Entry): LogRecord | null {
    const { level, since } = this.#options;
    if (level !== undefined && !atLeast(entry.level, level)) return null;
    if (since !== undefined && entry.ms !== null && entry.ms < since) return null;
    this.#entries += 1;
    if (this.#entries > SMALL) this.#small = [];
    const masked = mask(entry.message === "" ? entry.text : entry.message);
    const context = `${entry.level ?? ""}|${entry.service ?? ""}|${entry.exceptions[0] ?? ""}`;
    const cluster = this.#drain.add(context, masked, () => newTemplate(entry));
    const template = cluster.data;
    template.fresh = true;
    if (entry.ms !== null) {
      if (template.firstMs === null || entry.ms < template.firstMs) template.firstMs = entry.ms;
      if (template.lastMs === null || entry.ms > template.lastMs) template.lastMs = entry.ms;
    }
    if (template.first === entry) return null;
    if (this.#keeps(entry, template, masked)) {
      template.kept += 1;
      return toLogRecord(entry, this.#options, null);
    }
    if (this.#entries <= SMALL) this.#small.push(entry);
    else if (entry.traceId && atLeast(entry.level, "warn") && template.traces.length < MOST_TRACES) template.traces.push(entry.traceId);
    return null;
  }

  /** The records that had to wait for the end: each template's first entry, and a small file's rest. */
  *end(): Generator<LogRecord> {
    for (const cluster of this.#drain.clusters()) {
      if (!cluster.data.fresh) continue;
      cluster.data.fresh = false;
      yield toLogRecord(cluster.data.first, this.#options, cluster);
    }
    for (const entry of this.#small) yield toLogRecord(entry, this.#options, null);
  }

  #keeps(entry: Entry, template: TemplateState, masked: string): boolean {
    if (entry.revision !== null && this.#revisions < KEPT_REVISIONS) {
      this.#revisions += 1;
      return true;
    }
    if (!atLeast(entry.level, "warn")) return template.kept < KEPT_ORDINARY;
    if (template.kept < KEPT_NOTABLE) {
      if (template.variants.length < KEPT_VARIANTS && !template.variants.includes(masked)) template.variants.push(masked);
      return true;
    }
    if (template.variants.length >= KEPT_VARIANTS || template.variants.includes(masked)) return false;
    template.variants.push(masked);
    return true;
  }
}

function newTemplate(first: Entry): TemplateState {
  return { first, firstMs: null, lastMs: null, kept: 1, variants: [], traces: [], fresh: true };
}

/** `log:<file>:<line>`; several entries in one line are told apart by ".2", ".3". */
export function logId(name: string, entry: Pick<Entry, "line" | "part">): RecordId {
  return `log:${name}:${entry.line}${entry.part === 1 ? "" : `.${entry.part}`}`;
}

function toLogRecord(entry: Entry, options: CollectOptions, cluster: Cluster<TemplateState> | null): LogRecord {
  const folded = cluster !== null && cluster.count > 1 ? cluster : null;
  const at = instant(entry.ms);
  const firstAt = folded ? instant(folded.data.firstMs) : null;
  const lastAt = folded ? instant(folded.data.lastMs) : null;
  const [head = ""] = entry.text.split("\n", 1);
  const title = head.length > LONGEST_TITLE ? `${head.slice(0, LONGEST_TITLE - 1)}…` : head;
  const text = entry.text.trim();
  const lead = entry.text.indexOf(text);
  const record = toRecord({
    id: logId(options.name, entry),
    source: "logs",
    kind: "log",
    title,
    url: null,
    author: null,
    bot: false,
    createdAt: at,
    updatedAt: lastAt ?? at ?? options.fallback,
    prose: {
      text,
      // a stack trace quotes code; what it says is not a statement about services
      ...(entry.stackStart === null ? {} : { code: [{ start: Math.max(0, entry.stackStart - lead), end: text.length }] }),
    },
    footer: [
      { label: labels.level, value: entry.level },
      { label: labels.service, value: entry.service },
      { label: labels.pod, value: entry.pod },
      { label: labels.trace, value: entry.traceId },
      { label: labels.exception, value: entry.exceptions },
      { label: labels.revision, value: entry.revision },
      { label: labels.count, value: folded ? String(folded.count) : null },
      { label: labels.firstSeen, value: firstAt },
      { label: labels.lastSeen, value: lastAt },
      { label: labels.laterTraces, value: folded?.data.traces },
      { label: labels.path, value: options.path },
    ],
    fields: statedOnly({
      level: entry.level,
      service: entry.service,
      pod: entry.pod,
      traceId: entry.traceId,
      exception: entry.exceptions[0],
      revision: entry.revision,
      path: options.path,
      template: folded?.tokens.join(" "),
      count: folded?.count,
      firstAt,
      lastAt,
    }),
  });
  return { record, raw: redactJson({ path: options.path, line: entry.line, format: entry.format, text: entry.text }) };
}

function instant(ms: number | null): string | null {
  if (ms === null || Math.abs(ms) > 8.64e15) return null;
  return new Date(ms).toISOString().replace(/\.000Z$/, "Z");
}
