import { z } from "zod";
import type { Io, Pulled } from "../../core/connector.ts";
import type { RecordId } from "../../core/record.ts";
import { readCursor } from "../shared/cursor.ts";
import { pullLimits } from "../shared/limits.ts";
import { Collector, type CollectState, type LogRecord, logId } from "./collect.ts";
import type { Entry } from "./entry.ts";
import { Folder } from "./fold.ts";
import { type Level, levelOf, levels } from "./level.ts";
import { workloadOfPod } from "./pod.ts";
import { Recent } from "./recent.ts";

/** Lines between two checkpoints. */
const CHECKPOINT_LINES = 50_000;
/** An entry may go on with lines that are so much later: stores take lines with such a delay. */
const MAY_GO_ON_MS = 60_000;

/** What every source of queried lines is configured by. */
export const queriedOptions = {
  level: z.enum(levels).optional().describe("Entries below it are left out; without it all are read."),
  windowHours: z.number().positive().max(720).default(24).describe("How far back the first pull looks."),
  timezone: z.string().default("UTC").describe("IANA zone of time stamps in the lines that name none."),
  maxRequests: pullLimits.maxRequests,
  timeoutSeconds: pullLimits.timeoutSeconds,
} as const;

/** A line of a log store, with what the store knows of it. */
export interface QueriedLine {
  /** The same whenever the line is asked for. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly ms: number;
  /** Whose lines follow each other: one pod's output. */
  readonly stream: string;
  readonly service: string | null;
  readonly pod: string | null;
  readonly level: string | null;
  readonly text: string;
}

export interface QueriedPull {
  /** Begins the names of records: "loki". */
  readonly source: string;
  readonly config: { readonly level?: Level | undefined; readonly windowHours: number; readonly timezone: string };
  /** Another value makes all that was read void. */
  readonly scope: string;
  readonly io: Io;
  /** The store's own clock. */
  now(): Date;
  /** Pages of lines from one time to another, in milliseconds, the oldest first. */
  pages(from: number, until: number): AsyncIterable<readonly QueriedLine[]>;
}

const GroupState = z.object({
  lines: z.number(),
  small: z.array(z.string()),
  collected: z.custom<CollectState>((value) => typeof value === "object" && value !== null),
});
type GroupState = z.infer<typeof GroupState>;

/** An entry that may go on, as the lines that it has so far, each with its number. */
const OpenState = z.object({
  line: z.object({
    ms: z.number(),
    stream: z.string(),
    service: z.string().nullable(),
    pod: z.string().nullable(),
    level: z.string().nullable(),
  }),
  pending: z.array(z.tuple([z.number(), z.string()])),
});
type OpenState = z.infer<typeof OpenState>;

const Cursor = z.object({
  version: z.literal(1),
  scope: z.string(),
  full: z.boolean(),
  last: z.number(),
  from: z.number(),
  recent: z.array(z.tuple([z.string(), z.number()])),
  groups: z.record(z.string(), GroupState),
  open: z.array(OpenState).default([]),
  /** Records that the pull before made of entries that may go on. */
  unfinished: z
    .array(z.custom<RecordId>((value) => typeof value === "string"))
    .readonly()
    .default([]),
});

type StreamsState = Pick<z.infer<typeof Cursor>, "groups" | "open" | "unfinished">;

/**
 * Pulls lines that a log store is asked for through the same formats, entries and templates as those of files. Each
 * service's lines are numbered as they come, which makes the ids of their records; the templates found so far stand in
 * the cursor. Lines of the last minutes are asked for again and known by their ids, since stores take lines late.
 * An entry that may go on where a pull ends (a stack trace half written) is a record now, and is made again from the same
 * lines and those that follow by the next pull.
 */
export async function* pullQueried(pull: QueriedPull, since: string | null): AsyncGenerator<Pulled> {
  const { config, scope } = pull;
  const until = pull.now().getTime() + 1;
  const earliest = until - config.windowHours * 3_600_000;
  const saved = readCursor(Cursor, since);
  const cursor = saved?.scope === scope ? saved : null;
  const recent = new Recent(cursor?.recent ?? [], cursor?.last ?? earliest);
  const streams = new QueriedStreams(pull, cursor ?? { groups: {}, open: [], unfinished: [] });
  const isFull = cursor?.full ?? true;
  const cursorAt = (full: boolean, state: StreamsState): string => {
    const { last, from } = recent;
    return JSON.stringify({ version: 1, scope, full, last, from, recent: recent.state, ...state });
  };
  let lines = 0;
  for await (const page of pull.pages(Math.max(earliest, cursor?.from ?? earliest), until)) {
    for (const line of page) {
      if (!recent.add(line.id, line.ms)) continue;
      lines += 1;
      yield* streams.add(line);
    }
    if (lines < CHECKPOINT_LINES) continue;
    lines = 0;
    yield* streams.settle(recent.last - MAY_GO_ON_MS);
    yield { type: "checkpoint", cursor: cursorAt(isFull, streams.state()) };
  }
  yield* streams.settle(until - MAY_GO_ON_MS);
  // as it is without the entries that may go on: they are read again from their first line
  const before = streams.state();
  const unfinished = yield* streams.finish();
  yield { type: "end", scan: isFull ? "full" : "delta", cursor: cursorAt(false, { ...before, unfinished }) };
}

/** A service's lines: their templates, and the records that only a small number of entries has. */
interface Group {
  readonly collector: Collector;
  readonly prefix: string;
  readonly service: string | null;
  lines: number;
  small: string[];
}

/** Lines of one stream that may still be joined into an entry. */
interface Stream {
  readonly folder: Folder;
  readonly group: Group;
  readonly line: OpenState["line"];
  /** Those of the entry that is open, with their numbers. */
  readonly pending: [number, string][];
  lastMs: number;
}

class QueriedStreams {
  private readonly pull: QueriedPull;
  private readonly groups = new Map<string, Group>();
  private readonly streams = new Map<string, Stream>();
  /** Records of unfinished entries that were not made again so far. */
  private readonly unfinished: Set<RecordId>;

  constructor(pull: QueriedPull, saved: StreamsState) {
    this.pull = pull;
    this.unfinished = new Set(saved.unfinished);
    for (const [name, state] of Object.entries(saved.groups)) this.groups.set(name, this.open(name, state));
    for (const { line, pending } of saved.open) {
      const stream = this.streamOf(line);
      for (const [number, text] of pending) {
        stream.pending.push([number, text]);
        // begun anew from the first line of an entry, no entry ends here
        stream.folder.push(text, number);
      }
    }
  }

  *add(line: QueriedLine): Generator<Pulled> {
    const stream = this.streamOf(line);
    const { group, folder, pending } = stream;
    stream.lastMs = line.ms;
    const time = new Date(line.ms).toISOString();
    for (const part of line.text.split("\n")) {
      group.lines += 1;
      // as containerd writes a line: each is a message of its own, and has the time that the store gave it
      const wrapped = `${time} stdout F ${part}`;
      pending.push([group.lines, wrapped]);
      yield* this.entries(stream, folder.push(wrapped, group.lines));
      const from = folder.openLine ?? Number.POSITIVE_INFINITY;
      while (pending[0] !== undefined && pending[0][0] < from) pending.shift();
    }
  }

  /** Ends the entries of streams that were quiet since then, and hands out what waited for the end of the lines. */
  *settle(quietSince: number): Generator<Pulled> {
    for (const [name, stream] of this.streams) {
      if (stream.lastMs >= quietSince) continue;
      yield* this.entries(stream, stream.folder.end());
      this.streams.delete(name);
    }
    for (const group of this.groups.values()) {
      yield* this.waiting(group);
      const small = group.collector.state.small.map(({ line, part }) => (part === 1 ? String(line) : `${line}.${part}`));
      // a service that outgrew "small" is no longer kept whole
      if (small.length === 0) for (const lost of group.small) yield { type: "gone", id: `log:${group.prefix}:${lost}` };
      group.small = small;
    }
  }

  /** Hands out the entries that may go on as they are, and lets go what was handed out so and has become another entry. */
  *finish(): Generator<Pulled, readonly RecordId[]> {
    const open = new Set<RecordId>();
    const pulled: Pulled[] = [];
    for (const stream of this.streams.values()) {
      const entries = stream.folder.end();
      for (const entry of entries) open.add(logId(stream.group.prefix, entry));
      pulled.push(...this.entries(stream, entries));
    }
    for (const group of this.groups.values()) pulled.push(...this.waiting(group));
    yield* pulled;
    for (const id of this.unfinished) yield { type: "gone", id };
    return pulled.flatMap((one) => (one.type === "record" && open.has(one.record.id) ? [one.record.id] : []));
  }

  state(): StreamsState {
    const groups = [...this.groups].map(([name, { lines, small, collector }]) => [name, { lines, small, collected: collector.state }]);
    const open = [...this.streams.values()].flatMap(({ line, pending, lastMs }) =>
      pending.length === 0 ? [] : [{ line: { ...line, ms: lastMs }, pending }],
    );
    return { groups: Object.fromEntries(groups), open, unfinished: [...this.unfinished] };
  }

  private *waiting({ collector }: Group): Generator<Pulled> {
    for (const made of collector.end()) yield this.toPulled(made);
  }

  private *entries({ group, line }: Stream, entries: readonly Entry[]): Generator<Pulled> {
    for (const entry of entries) {
      const made = group.collector.add(stated(entry, line, group.service));
      if (made) yield this.toPulled(made);
    }
  }

  private toPulled({ record, raw }: LogRecord): Pulled {
    this.unfinished.delete(record.id);
    return { type: "record", record, raw };
  }

  private streamOf({ ms, stream: name, service: stated, pod, level }: OpenState["line"]): Stream {
    const known = this.streams.get(name);
    if (known) return known;
    const service = stated ?? (pod === null ? null : workloadOfPod(pod)) ?? "unnamed";
    const group = this.groups.get(service) ?? this.open(service, null);
    this.groups.set(service, group);
    const folder = new Folder({ zone: this.pull.config.timezone, reference: this.pull.now() });
    const stream: Stream = { folder, group, line: { ms, stream: name, service: stated, pod, level }, pending: [], lastMs: ms };
    this.streams.set(name, stream);
    return stream;
  }

  private open(name: string, state: GroupState | null): Group {
    const prefix = `${this.pull.source}/${name}`;
    const options = { name: prefix, path: prefix, fallback: this.pull.now().toISOString(), level: this.pull.config.level };
    return {
      collector: new Collector(options, state?.collected),
      prefix,
      service: name === "unnamed" ? null : name,
      lines: state?.lines ?? 0,
      small: [...(state?.small ?? [])],
    };
  }
}

/** An entry with what the store knows and its text does not say. */
function stated(entry: Entry, { pod, level }: OpenState["line"], service: string | null): Entry {
  if (entry.service !== null && entry.pod !== null && entry.level !== null) return entry;
  return {
    ...entry,
    service: entry.service ?? service,
    pod: entry.pod ?? pod,
    level: entry.level ?? (level === null ? null : levelOf(level)),
  };
}
