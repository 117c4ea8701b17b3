import { randomBytes } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CliIo } from "./cli/command.ts";
import { drain } from "./cli/drain.ts";
import { confluenceWebhook } from "./connectors/confluence/webhook.ts";
import { githubWebhook } from "./connectors/github/webhook.ts";
import { jiraWebhook } from "./connectors/jira/webhook.ts";
import type { App } from "./core/app.ts";
import type { Log } from "./core/connector.ts";
import { DAEMON_FILE, type DaemonFile } from "./core/daemon-file.ts";
import { toContextError } from "./core/errors.ts";
import type { Graph } from "./core/graph.ts";
import { gravity, isIncident } from "./core/incident.ts";
import type { ConfiguredHook, HookName, Webhook } from "./http/hooks.ts";
import { Login } from "./http/login.ts";
import { oidcVerifier } from "./http/oidc.ts";
import { createServer } from "./http/server.ts";
import { TOKEN_FILE, TokenFile } from "./http/tokens.ts";

const webhooks: Readonly<Record<HookName, Webhook>> = { github: githubWebhook, jira: jiraWebhook, confluence: confluenceWebhook };

export interface ServeOptions {
  readonly dataDir: string;
  readonly host: string;
  readonly port: number;
  /** Bring the index up to date at start. */
  readonly index: boolean;
  readonly io: CliIo;
  readonly signal: AbortSignal;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly log: Log;
}

/**
 * Serves until the signal aborts: first the port, so that the page is there at once, then the first index run, then the
 * schedule. Resolves when everything is closed.
 */
export async function serve(app: App, options: ServeOptions): Promise<void> {
  const { io, signal, log, env } = options;
  const tokens = new TokenFile(join(options.dataDir, TOKEN_FILE));
  const key = randomBytes(32).toString("base64url");
  const server = createServer(app, {
    host: options.host,
    port: options.port,
    token: env.CONTEXTD_TOKEN || null,
    localKey: key,
    tokens,
    oidc: app.oidc === null ? null : oidcVerifier(app.oidc, { fetch, now: () => new Date() }),
    login: app.oidc?.login === undefined ? null : new Login(app.oidc, app.oidc.login, { fetch, now: () => new Date() }),
    requireToken: env.CONTEXTD_REQUIRE_TOKEN === "1",
    allowedHosts: listOf(env.CONTEXTD_ALLOWED_HOSTS),
    frameAncestors: listOf(env.CONTEXTD_FRAME_ANCESTORS),
    hooks: configuredHooks(env),
    forwardAlertsTo: env.CONTEXTD_ALERT_FORWARD_URL ?? null,
    uploads: { root: join(options.dataDir, "documents") },
    version: options.version,
    log,
  });
  const { url } = await server.start();
  using _found = findable(options.dataDir, { url, key });
  io.note(`contextd serves ${app.name} at ${url}`);
  try {
    if (options.index) await firstRun(app, io, signal, log);
    if (!signal.aborted) io.note(readyLine(app, url));
    // models are loaded by their first use: better now than by the first question
    void app.search("ready", { k: 1 }, signal).catch(() => {});
    await using schedule = app.schedule();
    void schedule;
    await aborted(signal);
    io.note("Stopping …");
  } finally {
    await server.stop();
  }
}

/** How much can be asked about and a question to begin with, or why there is nothing. */
export function readyLine(app: Pick<App, "notReady" | "graph">, url: string): string {
  const { nodes, edges } = app.graph.size;
  const [problem] = app.notReady();
  const next =
    problem === undefined ? `Try: ${url}/#q=${encodeURIComponent(exampleQuestion(app.graph))}` : `${problem.message} ${problem.remedy}`;
  return `Ready: ${nodes} nodes, ${edges} edges. ${next}`;
}

/** Lets the command line find this daemon until disposed. A data folder that cannot hold the file is no reason not to serve. */
function findable(dataDir: string, at: DaemonFile): Disposable {
  const file = join(dataDir, DAEMON_FILE);
  try {
    rmSync(file, { force: true });
    writeFileSync(file, `${JSON.stringify(at)}\n`, { mode: 0o600 });
  } catch {
    return { [Symbol.dispose]() {} };
  }
  return { [Symbol.dispose]: () => rmSync(file, { force: true }) };
}

/** Services that are looked at for the example: in a large graph each costs reading what speaks of it. */
const LOOKED_AT = 300;

/** A question that this graph can answer: about the service with the gravest open ticket, else about any. */
export function exampleQuestion(graph: Graph): string {
  let first: string | null = null;
  let worst: { readonly label: string; readonly weight: number } | null = null;
  let looked = 0;
  for (const { id, label } of graph.nodes("service")) {
    first ??= label;
    for (const { source, validTo } of graph.edgesOf(id, { kinds: ["affects"], direction: "in", at: null })) {
      const ticket = validTo === null ? graph.node(source) : null;
      if (ticket === null || ticket.attributes.open === false) continue;
      const weight = gravity(ticket) + (isIncident(ticket) ? 10 : 0);
      if (worst === null || weight > worst.weight) worst = { label, weight };
    }
    looked += 1;
    if (looked >= LOOKED_AT) break;
  }
  if (worst !== null) return `Why is ${worst.label} broken?`;
  return first === null ? "What is broken?" : `What changed in ${first}?`;
}

function configuredHooks(env: ServeOptions["env"]): Partial<Record<HookName, ConfiguredHook>> {
  const hooks: Partial<Record<HookName, ConfiguredHook>> = {};
  for (const [name, webhook] of Object.entries(webhooks) as [HookName, Webhook][]) {
    const secret = env[`CONTEXTD_${name.toUpperCase()}_WEBHOOK_SECRET`];
    if (secret) hooks[name] = { webhook, secret };
  }
  return hooks;
}

function listOf(value: string | undefined): string[] {
  return (value ?? "")
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
}

/** A run that fails leaves what was indexed before: the daemon serves that. */
async function firstRun(app: App, io: CliIo, signal: AbortSignal, log: Log): Promise<void> {
  try {
    const report = await drain(app.index({ trigger: "start", signal }), io);
    const { seen, added, changed, deleted } = report.records;
    io.note(
      `Indexed ${seen} records in ${(report.durationMs / 1000).toFixed(1)} s (${added} new, ${changed} changed, ${deleted} deleted).`,
    );
  } catch (thrown) {
    if (signal.aborted) return;
    const error = toContextError(thrown);
    io.note(`The index could not be brought up to date: ${error.message}\n  → ${error.remedy} (${error.code})`);
    log.error({ code: error.code }, "first index run failed");
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
