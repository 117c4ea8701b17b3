import { dirname, join, resolve } from "node:path";
import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import type { App, Changing } from "../core/app.ts";
import { ContextError, codes, toContextError } from "../core/errors.ts";
import type { CliIo, Command, CommandContext } from "./command.ts";
import { runningDaemon } from "./daemon-client.ts";

/** What every command takes. */
export const COMMON = {
  manifest: { type: "string" },
  "data-dir": { type: "string" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} satisfies ParseArgsOptionsConfig;

export interface Cli {
  readonly commands: readonly Command[];
  readonly version: string;
  readonly cwd: string;
  readonly io: CliIo;
  readonly signal: AbortSignal;
  openApp(paths: { readonly manifest: string; readonly dataDir: string; readonly write: boolean }): Promise<App>;
}

/**
 * Runs one command line. Never throws: every problem becomes a message with its remedy on standard error.
 * @returns exit code: 0 done, 1 failed, 2 wrong usage or configuration, 3 partly done
 */
export async function runCli(argv: readonly string[], cli: Cli): Promise<number> {
  const { io } = cli;
  const [name, ...rest] = argv[0] === "help" && argv.length > 1 ? [...argv.slice(1, 2), "--help"] : argv;
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    io.out(overview(cli));
    return name === undefined ? 2 : 0;
  }
  if (name === "--version" || name === "-v" || name === "version") {
    io.out(cli.version);
    return 0;
  }
  let app: App | null = null;
  let json = rest.includes("--json");
  const command = cli.commands.find((one) => one.name === name);
  try {
    if (name.startsWith("-"))
      throw new ContextError("USAGE", `The command is missing before "${name}".`, {
        remedy: "Usage: contextd <command> [options]. Run `contextd --help` for the commands.",
      });
    if (command === undefined) throw new ContextError("USAGE", `There is no command "${name}".${nearest(name, cli.commands)}`);
    const { values, positionals } = parse(command, rest);
    json = values.json === true;
    if (values.help === true) {
      io.out(commandHelp(command));
      return 0;
    }
    const manifest = resolve(cli.cwd, typeof values.manifest === "string" ? values.manifest : "manifest.json");
    // beside the manifest: in the data of another one, all its records would count as gone
    const dataDir = typeof values["data-dir"] === "string" ? resolve(cli.cwd, values["data-dir"]) : join(dirname(manifest), "data");
    const open: CommandContext["open"] = async (options) => {
      app ??= await cli.openApp({ manifest, dataDir, write: options?.write === true });
      return app;
    };
    return await command.run({
      args: positionals,
      values,
      json,
      io,
      signal: cli.signal,
      dataDir,
      path: (given) => resolve(cli.cwd, given),
      open,
      change: () => open({ write: true }).catch((error: unknown) => daemonInstead(error, dataDir, io)),
    });
  } catch (thrown) {
    io.status?.("");
    const error = toContextError(thrown);
    const remedy = command !== undefined && error.remedy === codes.USAGE.remedy ? `Usage: contextd ${command.usage}` : error.remedy;
    if (json) io.out(JSON.stringify({ error: { code: error.code, message: error.message, remedy } }));
    io.note(`contextd: ${error.message}`);
    io.note(`  → ${remedy} (${error.code})`);
    return error.exit;
  } finally {
    await (app as App | null)?.[Symbol.asyncDispose]();
  }
}

/** The daemon that holds the store. @throws what kept the store from being opened, where none is running */
async function daemonInstead(error: unknown, dataDir: string, io: CliIo): Promise<Changing> {
  if (!(error instanceof ContextError) || error.code !== "STORE_LOCKED") throw error;
  const daemon = await runningDaemon(dataDir, (url) => io.note(`The daemon at ${url} does this.`));
  if (daemon === null) throw error;
  return daemon;
}

function parse(command: Command, args: readonly string[]): { values: Record<string, string | boolean | undefined>; positionals: string[] } {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { ...COMMON, ...command.options },
      allowPositionals: true,
      strict: true,
    });
    return { values: values as Record<string, string | boolean | undefined>, positionals };
  } catch (error) {
    throw new ContextError("USAGE", (error as Error).message.split(". To specify")[0] ?? "Wrong usage.", {
      cause: error,
      remedy: `Usage: contextd ${command.usage}`,
    });
  }
}

function overview({ commands, version }: Cli): string {
  const width = Math.max(...commands.map((command) => command.name.length));
  return [
    `contextd ${version}: what is broken, who owns it, what changed, which ticket is open.`,
    "",
    "Usage: contextd <command> [options]",
    "",
    ...commands.map((command) => `  ${command.name.padEnd(width)}  ${command.about}`),
    "",
    "Every command takes --manifest FILE, --data-dir DIR, --json, --help.",
    "Exit codes: 0 done, 1 failed, 2 wrong usage or configuration, 3 partly done.",
  ].join("\n");
}

function commandHelp(command: Command): string {
  return [`Usage: contextd ${command.usage}`, "", command.about, "", "Also: --manifest FILE, --data-dir DIR, --json, --help."].join("\n");
}

/** " Did you mean …?" when a command starts alike. */
function nearest(name: string, commands: readonly Command[]): string {
  const close = commands.find((command) => command.name.startsWith(name.slice(0, 2)));
  return close === undefined ? "" : ` Did you mean "${close.name}"?`;
}
