import { labels } from "../../core/labels.ts";
import type { SourceRecord } from "../../core/record.ts";
import { statedOnly, toRecord } from "../shared/draft.ts";
import { distinctPeople, personText } from "../shared/people.ts";
import { toInstant } from "../shared/time.ts";
import type { GithubDeployment, GithubRun } from "./payload.ts";
import { EPOCH, type GithubSite, isBot, repositoryName, toPerson } from "./to-record.ts";

/** States that no status follows but "inactive", which a later deployment sets. */
const settled: ReadonlySet<string> = new Set(["success", "failure", "error", "inactive"]);

/** What became of a deployment so far: its newest status that is its own and not set by a later deployment. */
function outcomeOf({ statuses }: GithubDeployment): GithubDeployment["statuses"][number] | null {
  return statuses.find(({ state }) => state !== "inactive") ?? statuses[0] ?? null;
}

/** Whether more is to come. */
export function isSettled(deployment: GithubDeployment): boolean {
  return settled.has(outcomeOf(deployment)?.state ?? "pending");
}

/** Parts of the names of environments that serve nobody outside: what runs there was not rolled out. */
const trials =
  /^(?:stag(?:e|ing)?|test(?:ing|s)?|dev(?:el|elop|elopment)?|preview|review|qa|uat|sandbox|ci|demo|local|pr\d*|ephemeral|pages)$/;

function isTrial(environment: string | null | undefined): boolean {
  return (environment ?? "")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .some((part) => trials.test(part));
}

/** What a deployment is known by from pull to pull. */
export function deploymentMark(deployment: GithubDeployment): string {
  const outcome = outcomeOf(deployment);
  return `${outcome?.state ?? "pending"} ${outcome?.created_at ?? deployment.created_at ?? ""}`;
}

/**
 * A deployment as an event, which is what a roll-out line in a log is: of which commit, to where, and how it ended. The
 * commit is stated as the running revision only once it was a success, and in no environment for trials: until then, and
 * when it failed, nothing was rolled out.
 */
export function deploymentToRecord(payload: GithubDeployment, site: GithubSite): SourceRecord {
  const outcome = outcomeOf(payload);
  const state = outcome?.state ?? "pending";
  const isLive = state === "success" || state === "inactive";
  const isFailed = state === "failure" || state === "error";
  const sha = payload.sha.toLowerCase();
  const short = sha.slice(0, 7);
  const where = `${repositoryName(site)}${payload.environment ? ` to ${payload.environment}` : ""}`;
  const isBack = /roll(?:ed|ing)?[- ]?back/i.test(`${payload.task ?? ""} ${payload.description ?? ""}`);
  const title = isLive
    ? `${isBack ? "Rolled back" : "Deployed"} ${where} at ${short}`
    : isFailed
      ? `Deployment of ${where} at ${short} failed`
      : `Deployment of ${where} at ${short} is ${state.replaceAll("_", " ")}`;
  const creator = toPerson(payload.creator, site);
  // when it came into force, which is what an outage is compared with
  const at = toInstant(outcome?.created_at) ?? toInstant(payload.created_at) ?? EPOCH;
  const said = [payload.description, outcome?.description].filter((text) => text && text !== title);
  return toRecord({
    id: `github:deployment:${repositoryName(site)}#${payload.id}`,
    source: "github",
    kind: "log",
    title,
    url: outcome?.log_url || null,
    author: creator,
    bot: isBot(payload.creator),
    createdAt: at,
    updatedAt: at,
    prose: { text: [title, ...new Set(said)].join("\n\n") },
    footer: [
      { label: labels.repository, value: site.repository },
      { label: labels.environment, value: payload.environment },
      { label: labels.status, value: state },
      { label: labels.commit, value: sha },
      { label: labels.branch, value: payload.ref === payload.sha ? null : payload.ref },
      { label: labels.author, value: personText(creator) },
      { label: labels.opened, value: toInstant(payload.created_at) },
      { label: labels.date, value: at },
    ],
    fields: statedOnly({
      level: isFailed ? "error" : "info",
      repository: site.repository,
      sha,
      revision: isLive && !isTrial(payload.environment) ? sha : null,
      status: state,
      people: distinctPeople([creator]),
    }),
  });
}

/** A run of a workflow that failed, as an error that the repository's checks report. */
export function runToRecord(payload: GithubRun, site: GithubSite): SourceRecord {
  const sha = payload.head_sha.toLowerCase();
  const workflow = payload.name || "a workflow";
  const title = `Check ${workflow} failed${payload.head_branch ? ` on ${payload.head_branch}` : ""} at commit ${sha.slice(0, 7)}`;
  const actor = toPerson(payload.actor, site);
  const at = toInstant(payload.updated_at) ?? toInstant(payload.created_at) ?? EPOCH;
  return toRecord({
    id: `github:check:${repositoryName(site)}#${payload.id}`,
    source: "github",
    kind: "log",
    title,
    url: payload.html_url ?? null,
    author: actor,
    bot: isBot(payload.actor),
    createdAt: at,
    updatedAt: at,
    prose: { text: [title, payload.display_title].filter(Boolean).join("\n\n") },
    footer: [
      { label: labels.repository, value: site.repository },
      { label: labels.workflow, value: payload.name },
      { label: labels.status, value: payload.conclusion },
      { label: labels.commit, value: sha },
      { label: labels.branch, value: payload.head_branch },
      { label: labels.author, value: personText(actor) },
      { label: labels.date, value: at },
    ],
    fields: statedOnly({
      level: "error",
      repository: site.repository,
      sha,
      number: payload.id,
      status: payload.conclusion,
      people: distinctPeople([actor]),
    }),
  });
}
