import type { Command } from "../command.ts";
import { drain } from "../drain.ts";
import { reportText } from "../render.ts";

export const indexCommand: Command = {
  name: "index",
  usage: "index [--source KIND] [--full] [--dry-run]",
  about: "Pulls what changed at the sources and brings graph and index up to date.",
  options: { source: { type: "string" }, full: { type: "boolean" }, "dry-run": { type: "boolean" } },
  async run({ values, json, io, signal, open, change }) {
    const dryRun = values["dry-run"] === true;
    const app = dryRun ? await open() : await change();
    const source = values.source;
    const report = await drain(
      app.index({
        ...(typeof source === "string" ? { source } : {}),
        full: values.full === true,
        dryRun,
        trigger: "cli",
        signal,
      }),
      io,
    );
    io.out(json ? JSON.stringify(report) : reportText(report, { dryRun, failuresTold: true }));
    return report.failures.length > 0 ? 3 : 0;
  },
};
