import { type CollectOptions, Collector, type LogRecord } from "./collect.ts";
import { Folder } from "./fold.ts";
import type { Clock } from "./time.ts";

export interface LogRecordsOptions extends Omit<CollectOptions, "name" | "path"> {
  /** IANA zone of stamps that name none; UTC unless told. */
  readonly zone?: string;
  /** Path to state in the records, when it differs from the name in their ids. */
  readonly path?: string;
}

/**
 * The records of one log file: pure, streaming, in flat memory.
 * @param name what stands in the ids: `log:<name>:<line>`
 * @param lines without their line ends, the first one is line 1
 */
export async function* logRecords(
  name: string,
  lines: Iterable<string> | AsyncIterable<string>,
  options: LogRecordsOptions,
): AsyncGenerator<LogRecord> {
  const { zone = "UTC", path = name, ...rest } = options;
  const clock: Clock = { zone, reference: new Date(options.fallback) };
  const folder = new Folder(clock);
  const collector = new Collector({ ...rest, name, path });
  let number = 0;
  for await (const line of lines) {
    number += 1;
    for (const entry of folder.push(line, number)) {
      const made = collector.add(entry);
      if (made) yield made;
    }
  }
  for (const entry of folder.end()) {
    const made = collector.add(entry);
    if (made) yield made;
  }
  yield* collector.end();
}
