import { z } from "zod";
import type { Pulled } from "../../core/connector.ts";
import type { RecordId } from "../../core/record.ts";
import { issuesOf } from "../shared/jsonl.ts";
import { redactJson } from "../shared/redact.ts";
import { unfit } from "../shared/unfit.ts";
import { deploymentMark, deploymentToRecord, isSettled, runToRecord } from "./event-records.ts";
import { readListed } from "./graphql.ts";
import { GithubDeployment, GithubRun } from "./payload.ts";
import type { RepositoryPull } from "./progress.ts";
import { repositoryName } from "./to-record.ts";

/** A deployment that waits longer for its end than this has none: GitHub lets a job wait for 30 days. */
const OPEN_MS = 31 * 86_400_000;

/** Not a bare list, as others are. */
export const Runs = z.object({ workflow_runs: z.array(z.unknown()) }).transform((page): readonly unknown[] => page.workflow_runs);
/** Runs of workflows, the newest first. */
export const RUNS = "GET /repos/{owner}/{repo}/actions/runs";
const RunAt = z.object({ id: z.number(), created_at: z.string() });

/**
 * Deployments with their states, the newest first: until one that was settled before. One request in a pull without
 * news; a first pull costs one for each 50 of them.
 */
export async function* pullDeployments(pull: RepositoryPull): AsyncGenerator<Pulled> {
  const { api, io, config, name, site, names, state, progress } = pull;
  const list = state.deployments;
  const since = config.since === undefined ? "" : `${config.since}T00:00:00Z`;
  const tooOld = new Date(api.transport.now().getTime() - OPEN_MS).toISOString();
  for (;;) {
    const page = await api.deployments(name, list.next);
    let isOld = false;
    for (const node of page.items) {
      const parsed = readListed(node);
      if (!parsed.success) {
        yield unfit(`github:deployment:${repositoryName(site)}`, issuesOf(parsed.error));
        continue;
      }
      const deployment = parsed.data;
      const at = deployment.created_at ?? "";
      if (at < since || (list.settledUntil !== null && at < list.settledUntil)) {
        isOld = true;
        break;
      }
      list.newest = later(list.newest, at);
      if (!isSettled(deployment) && at > tooOld && (list.openSince === null || at < list.openSince)) list.openSince = at;
      await names.learn(api, [deployment.creator]);
      const id: RecordId = `github:deployment:${repositoryName(site)}#${deployment.id}`;
      const mark = deploymentMark(deployment);
      if (io.known?.(id)?.fingerprint === mark) yield { type: "unchanged", id };
      else {
        const raw = redactJson({ ...deployment, fingerprint: mark });
        yield { type: "record", record: deploymentToRecord(deployment, site), raw };
      }
    }
    if (isOld || page.next === null) break;
    list.next = page.next;
    yield progress.checkpoint();
  }
  // the next pull reads as far back as something may still change
  state.deployments = { settledUntil: list.openSince ?? list.newest, newest: list.newest, openSince: null, next: null };
  yield progress.checkpoint();
}

/**
 * Runs of workflows that failed, the newest first. One that is run again and succeeds leaves the list and is gone;
 * beyond the first hundred that is seen by a full pull. A pull without news costs one request, which is free.
 */
export async function* pullChecks(pull: RepositoryPull): AsyncGenerator<Pulled> {
  const { api, io, config, name, site, names, state, progress } = pull;
  const query = { status: "failure", ...(config.since === undefined ? {} : { created: `>=${config.since}` }) };
  const first = await api.firstPage(RUNS, name, query, state.checks?.etag ?? null, Runs);
  if (first === null) return;
  const listed = first.items.flatMap((item) => RunAt.safeParse(item).data ?? []);
  const reaches = first.next === null ? "" : (listed.at(-1)?.created_at ?? "");
  const there = new Set(listed.map(({ id }) => id));
  for (const [known, at] of Object.entries(state.checks?.recent ?? {})) {
    if (at >= reaches && !there.has(Number(known))) yield { type: "gone", id: runId(site, known) };
  }
  for (let page: typeof first | null = first; page !== null; ) {
    await names.learn(
      api,
      page.items.map((item) => GithubRun.safeParse(item).data?.actor),
    );
    let fresh = 0;
    for (const item of page.items) {
      const pulled = readRun(pull, item);
      const isKnown = pulled.type === "record" && io.known?.(pulled.record.id)?.fingerprint === fingerprintOf(pulled.raw);
      if (!isKnown) fresh += 1;
      yield isKnown ? { type: "unchanged", id: pulled.record.id } : pulled;
    }
    // what follows a page of known ones was read by the pull that left its state
    if (page.next === null || (fresh === 0 && state.checks !== null)) break;
    page = await api.pageAt(page.next, Runs);
  }
  state.checks = { etag: first.etag, recent: Object.fromEntries(listed.map(({ id, created_at }) => [id, created_at])) };
  yield progress.checkpoint();
}

/** A deployment by its number, over REST; null when it is gone. */
export async function readDeployment(
  { api, name, site }: Pick<RepositoryPull, "api" | "name" | "site">,
  id: number,
): Promise<Pulled | null> {
  const payload = await api.one("GET /repos/{owner}/{repo}/deployments/{deployment_id}", name, { deployment_id: id });
  if (payload === null) return null;
  const statuses: unknown[] = [];
  const route = "GET /repos/{owner}/{repo}/deployments/{deployment_id}/statuses";
  for await (const page of api.pages(route, name, { deployment_id: id })) statuses.push(...page.items);
  const parsed = GithubDeployment.safeParse({ ...(payload as object), statuses });
  if (!parsed.success) return unfit(`github:deployment:${repositoryName(site)}#${id}`, issuesOf(parsed.error));
  const { creator, ...rest } = parsed.data;
  // GraphQL names bots without the brackets that REST puts behind them
  const deployment = { ...rest, creator: creator ? { ...creator, login: creator.login.replace(/\[bot\]$/, "") } : null };
  return {
    type: "record",
    record: deploymentToRecord(deployment, site),
    raw: redactJson({ ...deployment, fingerprint: deploymentMark(deployment) }),
  };
}

/** A failed run by its number; null when it is gone or did not fail after all. */
export async function readCheck(pull: Pick<RepositoryPull, "api" | "name" | "site">, id: number): Promise<Pulled | null> {
  const payload = await pull.api.one("GET /repos/{owner}/{repo}/actions/runs/{run_id}", pull.name, { run_id: id });
  const run = GithubRun.safeParse(payload);
  return run.success && run.data.conclusion !== "failure" ? null : payload === null ? null : readRun(pull, payload);
}

function readRun({ site }: Pick<RepositoryPull, "site">, payload: unknown): Pulled {
  const parsed = GithubRun.safeParse(payload);
  if (!parsed.success) return unfit(`github:check:${repositoryName(site)}`, issuesOf(parsed.error));
  const run = parsed.data;
  const raw = redactJson({ ...run, fingerprint: `${run.run_attempt ?? 1} ${run.updated_at ?? ""}` });
  return { type: "record", record: runToRecord(run, site), raw };
}

function runId(site: RepositoryPull["site"], id: string | number): RecordId {
  return `github:check:${repositoryName(site)}#${id}`;
}

function fingerprintOf(raw: unknown): string | undefined {
  return z.object({ fingerprint: z.string() }).safeParse(raw).data?.fingerprint;
}

function later(a: string | null, b: string): string {
  return a !== null && a > b ? a : b;
}
