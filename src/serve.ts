import { join } from "node:path";
import type { CliIo } from "./cli/command.ts";
import { drain } from "./cli/drain.ts";
import { confluenceWebhook } from "./connectors/confluence/webhook.ts";
import { githubWebhook } from "./connectors/github/webhook.ts";
import { jiraWebhook } from "./connectors/jira/webhook.ts";
import type { App } from "./core/app.ts";
import type { Log } from "./core/connector.ts";
import { toContextError } from "./core/errors.ts";
import type { Graph } from "./core/graph.ts";
import type { ConfiguredHook, HookName, Webhook } from "./http/hooks.ts";
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
  const server = createServer(app, {
    host: options.host,
    port: options.port,
    token: env.CONTEXTD_TOKEN || null,
    tokens,
    oidc: app.oidc === null ? null : oidcVerifier(app.oidc, { fetch, now: () => new Date() }),
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
  io.note(`contextd serves ${app.name} at ${url}`);
  try {
    if (options.index) await firstRun(app, io, signal, log);
    const { nodes, edges } = app.graph.size;
    if (!signal.aborted) io.note(`Ready: ${nodes} nodes, ${edges} edges. Try: ${url}/#q=${encodeURIComponent(exampleQuestion(app.graph))}`);
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

/** A question that this graph can answer: about what an open ticket affects, else about any service. */
export function exampleQuestion(graph: Graph): string {
  let first: string | null = null;
  for (const { id, label } of graph.nodes("service")) {
    const [worst] = graph.edgesOf(id, { kinds: ["affects"], direction: "in", fanOut: 1 });
    if (worst?.validTo === null) return `Why is ${label} broken?`;
    first ??= `What changed in ${label}?`;
  }
  return first ?? "What is broken?";
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
