import { ContextError } from "../../core/errors.ts";
import type { Command } from "../command.ts";
import { drain } from "../drain.ts";
import { reportText } from "../render.ts";

export const ingestCommand: Command = {
  name: "ingest",
  usage: "ingest PATH…",
  about: "Indexes files or folders of documents besides those named in the manifest.",
  options: {},
  async run({ args, json, io, signal, change, path }) {
    if (args.length === 0) throw new ContextError("USAGE", "ingest needs at least one file or folder.");
    const report = await drain((await change()).ingest(args.map(path), signal), io);
    const { records, chunks, failures, durationMs } = report;
    io.out(
      json ? JSON.stringify({ files: records, chunks: chunks.total, failures, durationMs }) : reportText(report, { failuresTold: true }),
    );
    return failures.length > 0 ? 3 : 0;
  },
};
