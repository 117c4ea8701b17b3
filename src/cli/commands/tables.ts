import { ContextError } from "../../core/errors.ts";
import type { Command } from "../command.ts";
import { runText, tableText } from "../render.ts";

export const manifestCommand: Command = {
  name: "manifest",
  usage: "manifest",
  about: "Lists every indexed record with its content hash, extractor version and tier.",
  options: {},
  async run({ json, io, open }) {
    const rows = [...(await open()).manifest()];
    if (json) io.out(JSON.stringify(rows));
    else
      io.out(
        tableText([
          ["record", "hash", "extractor", "tier", "indexed"],
          ...rows.map((row) => [row.recordId, row.contentHash.slice(0, 12), row.extractorVersion, String(row.tier), row.indexedAt]),
        ]),
      );
    return 0;
  },
};

export const runsCommand: Command = {
  name: "runs",
  usage: "runs [ID]",
  about: "Lists past index runs, newest first; with an id, what one of them changed.",
  options: {},
  async run({ args, json, io, open }) {
    if (args.length > 1) throw new ContextError("USAGE", "runs takes one id.");
    if (args[0] !== undefined) {
      const run = (await open()).run(args[0]);
      if (run === null) throw new ContextError("NOT_FOUND", `There is no run "${args[0]}".`, { remedy: "`contextd runs` lists them." });
      io.out(json ? JSON.stringify(run) : runText(run));
      return 0;
    }
    const rows = (await open()).runs();
    if (json) io.out(JSON.stringify(rows));
    else if (rows.length === 0) io.out("No run yet.");
    else
      io.out(
        tableText([
          ["run", "started", "by", "status", "seen", "added", "changed", "deleted", "failed"],
          ...rows.map(({ id, startedAt, trigger, status, report }) => {
            const records = report?.records;
            return [
              id,
              startedAt,
              trigger,
              status,
              ...[records?.seen, records?.added, records?.changed, records?.deleted, records?.failed].map((n) =>
                n === undefined ? "–" : String(n),
              ),
            ];
          }),
        ]),
      );
    return 0;
  },
};

export const costCommand: Command = {
  name: "cost",
  usage: "cost",
  about: "What models cost, by day, purpose and model.",
  options: {},
  async run({ json, io, open }) {
    const rows = (await open()).spend();
    const total = rows.reduce((sum, row) => sum + row.costUsd, 0);
    if (json) io.out(JSON.stringify({ totalUsd: total, rows }));
    else if (rows.length === 0) io.out("Nothing was spent: $0.00.");
    else
      io.out(
        `${tableText([["day", "purpose", "model", "calls", "in", "out", "usd"], ...rows.map((row) => [row.day, row.purpose, row.model, String(row.calls), String(row.inputTokens), String(row.outputTokens), row.costUsd.toFixed(4)])])}\ntotal $${total.toFixed(4)}`,
      );
    return 0;
  },
};

export const doctorCommand: Command = {
  name: "doctor",
  usage: "doctor",
  about: "Checks configuration, tokens, reachability, models, engines and disk, with a remedy for each failure.",
  options: {},
  async run({ json, io, signal, open }) {
    const checks = await (await open()).doctor(signal);
    if (json) io.out(JSON.stringify(checks));
    else
      for (const check of checks)
        io.out(
          `${check.ok ? "ok    " : "FAILED"} ${check.name}: ${check.detail}${check.remedy === null ? "" : `\n       → ${check.remedy}`}`,
        );
    return checks.every((check) => check.ok) ? 0 : 1;
  },
};

export const verifyCommand: Command = {
  name: "verify",
  usage: "verify [--deep]",
  about: "Checks that everything derived agrees with the records; --deep derives all again and compares.",
  options: { deep: { type: "boolean" } },
  async run({ values, json, io, signal, open }) {
    const found = await (await open()).verify(values.deep === true, signal);
    if (json) io.out(JSON.stringify({ consistent: found.length === 0, inconsistencies: found }));
    else if (found.length === 0) io.out("Consistent.");
    else for (const one of found) io.out(`${one.what}: ${one.id}`);
    return found.length === 0 ? 0 : 1;
  },
};
