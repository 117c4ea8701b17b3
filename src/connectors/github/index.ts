import { type Check, defineConnector, type Io, type Pulled } from "../../core/connector.ts";
import { ContextError, type ErrorCode } from "../../core/errors.ts";
import type { RecordId } from "../../core/record.ts";
import { checked } from "../shared/checked.ts";
import { redactJson } from "../shared/redact.ts";
import { isEmpty } from "./answers.ts";
import { GithubApi } from "./client.ts";
import { pullCommits, readCommit } from "./commits.ts";
import { GithubConfig } from "./config.ts";
import { pullChecks, pullDeployments, RUNS, Runs, readCheck, readDeployment } from "./events.ts";
import { pullIssues, pullPulls, pullReleases, readIssue, readPull } from "./lists.ts";
import { AccountNames } from "./names.ts";
import { GithubRelease } from "./payload.ts";
import { Progress, type RepositoryPull } from "./progress.ts";
import { pullTeams } from "./teams.ts";
import { releaseToRecord } from "./to-record.ts";
import { pullFiles, readFile } from "./tree.ts";

/** Faults of one repository; the others are pulled all the same. */
const ownFaults: ReadonlySet<ErrorCode> = new Set(["SOURCE_NOT_FOUND", "SOURCE_FORBIDDEN", "SOURCE_REFUSED"]);

/**
 * GitHub and GitHub Enterprise over REST: commits with their files, pull requests, issues, releases, CODEOWNERS and
 * documents. When nothing changed a repository costs five requests, four of which are answered 304 and count nothing.
 */
export const github = defineConnector<GithubConfig>({
  kind: "github",
  config: GithubConfig,
  label: (config) =>
    `github ${config.baseUrl === "https://api.github.com" ? "" : `${new URL(config.baseUrl).host} `}${config.repositories.join(",")}`,

  async *pull(config, io, since) {
    const api = new GithubApi(config, io);
    const progress = new Progress(config, since);
    for (let attempt = 0; ; attempt += 1) {
      const failures: ContextError[] = [];
      let isRewritten = false;
      for (const name of config.repositories) {
        try {
          if ((yield* pullRepository(api, io, config, progress, name)) === "rewritten") isRewritten = true;
        } catch (error) {
          if (!(error instanceof ContextError) || !ownFaults.has(error.code)) throw error;
          failures.push(error);
          yield { type: "failed", id: `github:${name}`, error };
        }
      }
      if (failures.length === config.repositories.length && failures[0]) throw failures[0];
      // a rewritten history is listed once more: what no branch holds any more is then not met; and so is all when a
      // repository can be read again that a full pull had to leave out, since lists that did not change meet nothing
      const isReadAgain = progress.cursor.partial && failures.length === 0;
      if ((isRewritten || isReadAgain) && attempt === 0) {
        progress.startOver();
        continue;
      }
      const isWhole = progress.cursor.full && failures.length === 0;
      progress.cursor.partial = progress.cursor.full && !isWhole;
      if (isWhole) progress.cursor.full = false;
      yield { type: "end", scan: isWhole ? "full" : "delta", cursor: JSON.stringify(progress.cursor) };
      return;
    }
  },

  async check(config, io) {
    const api = new GithubApi(config, io, 1);
    const checks: Check[] = [];
    for (const name of config.repositories) {
      checks.push(await checked(`github ${name}`, async () => `readable, branch ${(await api.repository(name)).defaultBranch}`));
      if (!checks.at(-1)?.ok) continue;
      for (const [part, route, shape] of checkedParts) {
        if (!config.include.includes(part)) continue;
        const check = await checked(`github ${name} ${part}`, async () => {
          await api.firstPage(route, name, { per_page: 1 }, null, shape).catch((error) => {
            if (!isEmpty(error)) throw error;
          });
          return "readable";
        });
        checks.push(check);
      }
      if (config.include.includes("deployments")) {
        checks.push(await checked(`github ${name} deployments`, async () => api.deployments(name, null, 1).then(() => "readable")));
      }
    }
    return checks;
  },

  async read(config, io, id) {
    const api = new GithubApi(config, io);
    for (const name of config.repositories) {
      const pulled = await readOne(api, config, name, id);
      if (pulled?.type === "failed") throw pulled.error;
      if (pulled?.type === "record") return { record: pulled.record, raw: pulled.raw };
    }
    return null;
  },
});

const checkedParts = [
  ["commits", "GET /repos/{owner}/{repo}/commits", undefined],
  ["pulls", "GET /repos/{owner}/{repo}/pulls", undefined],
  ["issues", "GET /repos/{owner}/{repo}/issues", undefined],
  ["checks", RUNS, Runs],
] as const;

async function* pullRepository(
  api: GithubApi,
  io: Io,
  config: GithubConfig,
  progress: Progress,
  name: string,
): AsyncGenerator<Pulled, "read" | "rewritten"> {
  const { defaultBranch } = await api.repository(name);
  const pull: RepositoryPull = {
    api,
    io,
    config,
    name,
    defaultBranch,
    site: { repository: name, names: progress.names.known },
    names: progress.names,
    state: progress.repository(name),
    progress,
  };
  const parts = new Set(config.include);
  const outcome = parts.has("commits") ? yield* pullCommits(pull) : "read";
  if (parts.has("pulls")) yield* pullPulls(pull);
  if (parts.has("issues")) yield* pullIssues(pull);
  if (parts.has("releases")) yield* pullReleases(pull);
  if (parts.has("codeowners") || parts.has("docs")) yield* pullFiles(pull);
  if (parts.has("codeowners") && parts.has("teams")) yield* pullTeams(pull);
  if (parts.has("deployments")) yield* pullDeployments(pull);
  if (parts.has("checks")) yield* pullChecks(pull);
  return outcome;
}

/** A record by its id, when it belongs to this repository. */
async function readOne(api: GithubApi, config: GithubConfig, name: string, id: RecordId): Promise<Pulled | null> {
  const [, kind = "", rest = ""] = /^github:([a-z]+):(.*)$/s.exec(id) ?? [];
  const names = new AccountNames({});
  const site = { repository: name, names: names.known };
  const at = { api, config, name, site, names };
  if (kind === "commit") return readCommit(at, rest);
  if (kind === "file") {
    if (!rest.startsWith(`${name}/`)) return null;
    const { defaultBranch } = await api.repository(name);
    return readFile({ ...at, defaultBranch }, rest.slice(name.length + 1));
  }
  const short = name.slice(name.lastIndexOf("/") + 1);
  if (kind === "release" && rest.startsWith(`${short}@`)) {
    const payload = await api.one("GET /repos/{owner}/{repo}/releases/tags/{tag}", name, { tag: rest.slice(short.length + 1) });
    const release = GithubRelease.safeParse(payload);
    return release.success ? { type: "record", record: releaseToRecord(release.data, site), raw: redactJson(payload) } : null;
  }
  const number = rest.startsWith(`${short}#`) ? Number(rest.slice(short.length + 1)) : Number.NaN;
  if (!Number.isInteger(number)) return null;
  if (kind === "deployment") return readDeployment(at, number);
  if (kind === "check") return readCheck(at, number);
  if (kind === "pull") {
    const payload = await api.one("GET /repos/{owner}/{repo}/pulls/{pull_number}", name, { pull_number: number });
    return payload === null ? null : readPull(at, payload);
  }
  const payload = await api.one("GET /repos/{owner}/{repo}/issues/{issue_number}", name, { issue_number: number });
  return payload === null ? null : readIssue(at, payload);
}
