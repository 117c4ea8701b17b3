import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Changing, IndexEvent, IndexReport } from "../core/app.ts";
import { DAEMON_FILE, DaemonFile } from "../core/daemon-file.ts";
import { ContextError, codes, type ErrorCode } from "../core/errors.ts";

const PING_MS = 2_000;

const Done = z.object({ report: z.unknown() });
const Problem = z.object({ detail: z.string(), code: z.string(), remedy: z.string() });

/**
 * A running daemon that writes to this data folder, asked to do what would need its store; null where none answers.
 * @param begun told the daemon's address once it does what it is asked
 */
export async function runningDaemon(dataDir: string, begun: (url: string) => void): Promise<Changing | null> {
  try {
    const at = DaemonFile.parse(JSON.parse(readFileSync(join(dataDir, DAEMON_FILE), "utf8")));
    const reply = await fetch(`${at.url}/healthz`, { signal: AbortSignal.timeout(PING_MS) });
    await reply.body?.cancel();
    return reply.ok ? clientOf(at, () => begun(at.url)) : null;
  } catch {
    return null; // left over by one that was killed, or none of ours
  }
}

function clientOf(at: DaemonFile, begun: () => void): Changing {
  const ask = (body: object, signal: AbortSignal): AsyncGenerator<IndexEvent, unknown> => command(at, body, begun, signal);
  return {
    async *index({ source, full, signal }) {
      return reportOf(yield* ask({ do: "index", source, full }, signal));
    },
    async *ingest(paths, signal) {
      return reportOf(yield* ask({ do: "ingest", paths }, signal));
    },
    async *forget(paths, signal) {
      return reportOf(yield* ask({ do: "forget", paths }, signal));
    },
    async undoMerge(id) {
      const events = ask({ do: "undo-merge", id }, new AbortController().signal);
      while (!(await events.next()).done);
    },
  };
}

function reportOf(report: unknown): IndexReport {
  return report as IndexReport;
}

/** Events of one command as the daemon sends them; leaving off ends the work there, too. */
async function* command(
  { url, key }: DaemonFile,
  body: object,
  begun: () => void,
  signal: AbortSignal,
): AsyncGenerator<IndexEvent, unknown> {
  const reply = await fetch(`${url}/api/local`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
    signal,
  });
  if (!reply.ok || reply.body === null) throw errorOf(await reply.json());
  let rest = "";
  let first = true;
  for await (const text of reply.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + text).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const [, event, data] = /^event: (\w+)\ndata: (.*)$/m.exec(block) ?? [];
      if (event === undefined || data === undefined) continue;
      if (event === "error") throw errorOf(JSON.parse(data));
      if (first) begun();
      first = false;
      if (event === "done") return Done.parse(JSON.parse(data)).report;
      yield JSON.parse(data) as IndexEvent;
    }
  }
  throw new ContextError("INTERNAL", "The daemon stopped before it was done.", { remedy: "Run the command again." });
}

function errorOf(body: unknown): ContextError {
  const problem = Problem.safeParse(body);
  if (!problem.success) return new ContextError("INTERNAL", "The daemon gave a reply that is not understood.");
  const { code, detail, remedy } = problem.data;
  return new ContextError(Object.hasOwn(codes, code) ? (code as ErrorCode) : "INTERNAL", detail, { remedy });
}
