import { z } from "zod";
import type { Io, Pulled } from "../../core/connector.ts";
import { readCursor } from "../shared/cursor.ts";
import { pullLimits } from "../shared/limits.ts";
import { Collector, type CollectState, type LogRecord } from "./collect.ts";
import type { Entry } from "./entry.ts";
import { Folder } from "./fold.ts";
import { type Level, levelOf, levels } from "./level.ts";
import { workloadOfPod } from "./pod.ts";
import { Recent } from "./recent.ts";

/** Lines between two checkpoints. An entry of several lines is cut where one falls into it. */
const CHECKPOINT_LINES = 50_000;

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

const Cursor = z.object({
  version: z.literal(1),
  scope: z.string(),
  full: z.boolean(),
  last: z.number(),
  from: z.number(),
  recent: z.array(z.tuple([z.string(), z.number()])),
  groups: z.record(z.string(), GroupState),
});

/**
 * Pulls lines that a log store is asked for through the same formats, entries and templates as those of files. Each
 * service's lines are numbered as they come, which makes the ids of their records; the templates found so far stand in
 * the cursor. Lines of the last minutes are asked for again and known by their ids, since stores take lines late.
 */
export async function* pullQueried(pull: QueriedPull, since: string | null): AsyncGenerator<Pulled> {
  const { config, scope } = pull;
  const until = pull.now().getTime() + 1;
  const earliest = until - config.windowHours * 3_600_000;
  const saved = readCursor(Cursor, since);
  const cursor = saved?.scope === scope ? saved : null;
  const recent = new Recent(cursor?.recent ?? [], cursor?.last ?? earliest);
  const streams = new QueriedStreams(pull, cursor?.groups ?? {});
  const isFull = cursor?.full ?? true;
  const state = (full: boolean) =>
    JSON.stringify({
      version: 1,
      scope,
      full,
      last: recent.last,
      from: recent.from,
      recent: [...recent.state].map((pair) => [...pair]),
      groups: streams.state(),
    });
  let lines = 0;
  for await (const page of pull.pages(Math.max(earliest, cursor?.from ?? earliest), until)) {
    for (const line of page) {
      if (!recent.add(line.id, line.ms)) continue;
      lines += 1;
      yield* streams.add(line);
    }
    if (lines < CHECKPOINT_LINES) continue;
    lines = 0;
    yield* streams.flush();
    yield { type: "checkpoint", cursor: state(isFull) };
  }
  yield* streams.flush();
  yield { type: "end", scan: isFull ? "full" : "delta", cursor: state(false) };
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
  readonly line: QueriedLine;
}

class QueriedStreams {
  private readonly pull: QueriedPull;
  private readonly groups = new Map<string, Group>();
  private readonly streams = new Map<string, Stream>();

  constructor(pull: QueriedPull, groups: Readonly<Record<string, GroupState>>) {
    this.pull = pull;
    for (const [name, state] of Object.entries(groups)) this.groups.set(name, this.open(name, state));
  }

  *add(line: QueriedLine): Generator<Pulled> {
    const stream = this.streamOf(line);
    const time = new Date(line.ms).toISOString();
    for (const part of line.text.split("\n")) {
      stream.group.lines += 1;
      // as containerd writes a line: each is a message of its own, and has the time that the store gave it
      yield* this.entries(stream, stream.folder.push(`${time} stdout F ${part}`, stream.group.lines));
    }
  }

  /** What was waiting for further lines. */
  *flush(): Generator<Pulled> {
    for (const stream of this.streams.values()) yield* this.entries(stream, stream.folder.end());
    this.streams.clear();
    for (const group of this.groups.values()) {
      for (const made of group.collector.end()) yield toPulled(made);
      const small = group.collector.state.small.map(({ line, part }) => (part === 1 ? String(line) : `${line}.${part}`));
      // a service that outgrew "small" is no longer kept whole
      if (small.length === 0) for (const lost of group.small) yield { type: "gone", id: `log:${group.prefix}:${lost}` };
      group.small = small;
    }
  }

  state(): Readonly<Record<string, GroupState>> {
    const states = [...this.groups].map(([name, { lines, small, collector }]) => [name, { lines, small, collected: collector.state }]);
    return Object.fromEntries(states);
  }

  private *entries({ group, line }: Stream, entries: readonly Entry[]): Generator<Pulled> {
    for (const entry of entries) {
      const made = group.collector.add(stated(entry, line, group.service));
      if (made) yield toPulled(made);
    }
  }

  private streamOf(line: QueriedLine): Stream {
    const known = this.streams.get(line.stream);
    if (known) return known;
    const service = line.service ?? (line.pod === null ? null : workloadOfPod(line.pod));
    const name = service ?? "unnamed";
    const group = this.groups.get(name) ?? this.open(name, null);
    this.groups.set(name, group);
    const folder = new Folder({ zone: this.pull.config.timezone, reference: this.pull.now() });
    const stream = { folder, group, line };
    this.streams.set(line.stream, stream);
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
function stated(entry: Entry, { pod, level }: QueriedLine, service: string | null): Entry {
  if (entry.service !== null && entry.pod !== null && entry.level !== null) return entry;
  return {
    ...entry,
    service: entry.service ?? service,
    pod: entry.pod ?? pod,
    level: entry.level ?? (level === null ? null : levelOf(level)),
  };
}

function toPulled({ record, raw }: LogRecord): Pulled {
  return { type: "record", record, raw };
}
