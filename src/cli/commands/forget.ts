import { ContextError } from "../../core/errors.ts";
import type { Command } from "../command.ts";
import { drain } from "../drain.ts";
import { reportText } from "../render.ts";

export const forgetCommand: Command = {
  name: "forget",
  usage: "forget [PATH…]",
  about: "Takes what was ingested from a path out of every index (the files stay); without a path, lists what was ingested.",
  options: {},
  async run({ args, json, io, signal, open, change, path }) {
    if (args.length === 0) {
      const paths = (await open()).ingested();
      io.out(
        json ? JSON.stringify({ paths }) : paths.length === 0 ? "Nothing was ingested besides the manifest's sources." : paths.join("\n"),
      );
      return 0;
    }
    if (args.some((one) => one === "")) throw new ContextError("USAGE", "forget needs paths as `contextd forget` lists them.");
    const paths = args.map(path);
    const report = await drain((await change()).forget(paths, signal), io);
    const { records, chunks, failures, durationMs } = report;
    io.out(json ? JSON.stringify({ forgotten: paths, files: records, chunks: chunks.total, failures, durationMs }) : reportText(report));
    return failures.length > 0 ? 3 : 0;
  },
};
