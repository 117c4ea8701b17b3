import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { openApp, restoreStore } from "./app.ts";
import type { CliIo, Command } from "./cli/command.ts";
import { askCommand } from "./cli/commands/ask.ts";
import { backupCommand, restoreCommand } from "./cli/commands/backup.ts";
import { completionCommand } from "./cli/commands/completion.ts";
import { startCommand } from "./cli/commands/daemon.ts";
import { evalCommand } from "./cli/commands/eval.ts";
import { forgetCommand } from "./cli/commands/forget.ts";
import { graphCommand } from "./cli/commands/graph.ts";
import { indexCommand } from "./cli/commands/index-run.ts";
import { ingestCommand } from "./cli/commands/ingest.ts";
import { initCommand } from "./cli/commands/init.ts";
import { mcpCommand } from "./cli/commands/mcp.ts";
import { scheduleCommand } from "./cli/commands/schedule.ts";
import { searchCommand } from "./cli/commands/search.ts";
import { costCommand, doctorCommand, manifestCommand, runsCommand, verifyCommand } from "./cli/commands/tables.ts";
import { tokenCommand } from "./cli/commands/token.ts";
import { runCli } from "./cli/run.ts";
import { evaluate, suites } from "./eval/suites.ts";
import { TOKEN_FILE, TokenFile } from "./http/tokens.ts";
import { createLog } from "./log.ts";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };

// onnxruntime reads it from the process when the library is loaded, whichever thread does so
process.env.ORT_DISABLE_TELEMETRY ??= "1";

const stop = new AbortController();
/** One request to stop may come twice: to the whole group of processes, and passed on by bin/contextd.mjs. */
const SAME_REQUEST_MS = 500;
let asked: number | null = null;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    if (asked !== null && performance.now() - asked > SAME_REQUEST_MS) process.exit(130);
    asked ??= performance.now();
    stop.abort();
  });
}
// A reader that went away (`contextd … | head`) is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

const terminal = process.stderr.isTTY;
const io: CliIo = {
  out: (text) => process.stdout.write(`${text}\n`),
  note: (text) => process.stderr.write(`${text}\n`),
  status: terminal ? (text) => process.stderr.write(`\r\u001b[2K${text.slice(0, Math.max(0, (process.stderr.columns ?? 80) - 1))}`) : null,
};

// what a command has to say it prints; the log is for the daemon
const log = createLog(process.env.CONTEXTD_LOG ?? "error");

const commands: readonly Command[] = [
  initCommand(root),
  startCommand(async (app, options) =>
    // the HTTP side takes a moment to load, and only this command needs it
    (await import("./serve.ts")).serve(app, {
      ...options,
      env: process.env,
      version,
      log: createLog(process.env.CONTEXTD_LOG ?? (terminal ? "warn" : "info")),
    }),
  ),
  indexCommand,
  askCommand,
  searchCommand,
  ingestCommand,
  forgetCommand,
  graphCommand,
  manifestCommand,
  runsCommand,
  scheduleCommand,
  costCommand,
  evalCommand(suites, (suite, options) => evaluate(suite, { ...options, env: process.env, log })),
  mcpCommand(async (app, signal) =>
    (await import("./mcp/serve.ts")).serveMcpStdio(app, { version, input: process.stdin, output: process.stdout, signal }),
  ),
  doctorCommand,
  verifyCommand,
  tokenCommand(
    (dataDir) => new TokenFile(join(dataDir, TOKEN_FILE)),
    () => new Date(),
  ),
  backupCommand,
  restoreCommand(restoreStore),
  completionCommand(() => commands),
];

process.exitCode = await runCli(process.argv.slice(2), {
  version,
  cwd: process.cwd(),
  io,
  signal: stop.signal,
  openApp: ({ manifest, dataDir, write }) => openApp({ manifest, dataDir, write, env: process.env, version, log }),
  commands,
});
