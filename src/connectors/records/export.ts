import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Pulled } from "../../core/connector.ts";
import { ContextError } from "../../core/errors.ts";
import type { Instant, Person, SourceRecord } from "../../core/record.ts";
import { ConfluencePage, ConfluenceSpace, ConfluenceUser } from "../confluence/payload.ts";
import { type ConfluenceSite, pageToRecord } from "../confluence/to-record.ts";
import { GithubCommit, GithubContent, GithubIssue, GithubPull, GithubRelease, GithubUser } from "../github/payload.ts";
import {
  commitToRecord,
  contentToRecord,
  type GithubSite,
  issueToRecord as githubIssueToRecord,
  pullToRecord,
  releaseToRecord,
} from "../github/to-record.ts";
import { JiraFields, JiraIssue, JiraUser } from "../jira/payload.ts";
import { issueToRecord } from "../jira/to-record.ts";
import { logRecords } from "../logs/records.ts";
import { fileError, issuesOf, readJsonLines, readLines } from "../shared/jsonl.ts";
import { redactJson } from "../shared/redact.ts";
import { toInstant } from "../shared/time.ts";

/** The folders of an export, each as the API of its source gives the payloads. */
export const exportFolders = ["jira", "github", "confluence", "logs"] as const;

/** Whether the folder holds API payloads, rather than a flat records.jsonl only. */
export async function isExport(folder: string): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.some((entry) => entry.isDirectory() && (exportFolders as readonly string[]).includes(entry.name));
}

/** The files of an export, sorted, relative to it. */
export async function exportFiles(folder: string): Promise<readonly string[]> {
  const files: string[] = [];
  for (const part of exportFolders) {
    for (const name of await namesIn(join(folder, part))) files.push(join(part, name));
  }
  return files.sort();
}

/**
 * Every record of an export, through the mappers of the live connectors. A payload that does not fit is a failed
 * record that names its file and line; the rest is kept.
 */
export async function* readExport(folder: string, shownFolder: string, signal: AbortSignal): AsyncGenerator<Pulled> {
  const source = new Export(folder, shownFolder, signal);
  yield* source.jira();
  yield* source.github();
  yield* source.confluence();
  yield* source.logs();
}

/** Commits of one repository as far as its files need them: who touched a path last, and since when history is known. */
interface History {
  readonly touched: Map<string, { readonly at: Instant; readonly author: Person | null }>;
  oldest: Instant | null;
}

class Export {
  private readonly folder: string;
  private readonly shownFolder: string;
  private readonly signal: AbortSignal;

  constructor(folder: string, shownFolder: string, signal: AbortSignal) {
    this.folder = folder;
    this.shownFolder = shownFolder;
    this.signal = signal;
  }

  async *jira(): AsyncGenerator<Pulled> {
    const fields = (await this.json("jira/fields.json", JiraFields)) ?? [];
    yield* this.each("jira/issues.jsonl", JiraIssue, (issue) => issueToRecord(issue, { baseUrl: null, fields }));
  }

  async *github(): AsyncGenerator<Pulled> {
    const names = new Map<string, string>();
    for await (const user of this.valid("github/users.jsonl", GithubUser)) if (user.name) names.set(user.login, user.name);
    const files = await namesIn(join(this.folder, "github"));
    const histories = new Map<string, History>();

    for (const file of files.filter((name) => /^commits.*\.jsonl$/.test(name))) {
      yield* this.each(`github/${file}`, GithubCommit, (commit) => {
        const record = commitToRecord(commit, siteOf(commit.html_url, names));
        remember(histories, record);
        return record;
      });
    }
    for (const file of files.filter((name) => /^pulls.*\.jsonl$/.test(name))) {
      yield* this.each(`github/${file}`, GithubPull, (pull) => pullToRecord(pull, siteOf(pull.html_url, names)));
    }
    for (const file of files.filter((name) => /^issues.*\.jsonl$/.test(name))) {
      // the issues list of GitHub mixes pull requests in
      yield* this.each(`github/${file}`, GithubIssue, (issue) =>
        issue.pull_request ? null : githubIssueToRecord(issue, siteOf(issue.html_url, names)),
      );
    }
    for (const file of files.filter((name) => /^releases.*\.jsonl$/.test(name))) {
      yield* this.each(`github/${file}`, GithubRelease, (release) => releaseToRecord(release, siteOf(release.html_url, names)));
    }
    for (const file of files.filter((name) => /^contents.*\.jsonl$/.test(name))) {
      yield* this.each(`github/${file}`, GithubContent, (content) => {
        const site = siteOf(content.html_url, names);
        return contentToRecord(content, site, lastTouched(histories.get(site.repository), content.path));
      });
    }
  }

  async *confluence(): AsyncGenerator<Pulled> {
    const names = new Map<string, string>();
    // accounts are the same in both products: an export may list them in one only
    for await (const user of this.valid("jira/users.jsonl", JiraUser))
      if (user.accountId && user.displayName) names.set(user.accountId, user.displayName);
    for await (const user of this.valid("confluence/users.jsonl", ConfluenceUser)) {
      const name = user.displayName ?? user.publicName;
      if (name) names.set(user.accountId, name);
    }
    const listed = await this.json("confluence/spaces.json", z.object({ results: z.array(ConfluenceSpace) }));
    const spaces = new Map((listed?.results ?? []).map((space) => [space.id, space]));
    const titles = new Map<string, string>();
    for await (const page of this.valid("confluence/pages.jsonl", ConfluencePage)) titles.set(page.id, page.title);
    const site: ConfluenceSite = { baseUrl: null, names, spaces, titles };
    yield* this.each("confluence/pages.jsonl", ConfluencePage, (page) => (page.status === "trashed" ? null : pageToRecord(page, site)));
    yield* this.each("confluence/blogposts.jsonl", ConfluencePage, (post) => pageToRecord(post, site, [], "blogpost"));
  }

  /** Log lines go the way of the logs connector. Lines without a time are as old as their file. */
  async *logs(): AsyncGenerator<Pulled> {
    for (const name of await namesIn(join(this.folder, "logs"))) {
      const path = join(this.folder, "logs", name);
      const { mtime } = await stat(path);
      const lines = readLines(path, `${this.shownFolder}/logs/${name}`, this.signal);
      for await (const { record, raw } of logRecords(name, lines, { fallback: mtime.toISOString(), path: `logs/${name}` })) {
        yield { type: "record", record, raw };
      }
    }
  }

  /** Every line as a record; null means that the line is meant to give none. */
  private async *each<T>(file: string, shape: z.ZodType<T>, map: (payload: T) => SourceRecord | null): AsyncGenerator<Pulled> {
    const shown = `${this.shownFolder}/${file}`;
    if (!(await this.exists(file))) return;
    for await (const line of readJsonLines(join(this.folder, file), shown, this.signal)) {
      const id = `${shown}:${line.number}`;
      if (line.error) {
        yield { type: "failed", id, error: line.error };
        continue;
      }
      const payload = shape.safeParse(line.value);
      if (!payload.success) {
        yield { type: "failed", id, error: new ContextError("RECORD_INVALID", `${id} does not fit: ${issuesOf(payload.error)}`) };
        continue;
      }
      const record = map(payload.data);
      if (record) yield { type: "record", record, raw: redactJson(line.value) };
    }
  }

  /** Lines of a helper file that fit; the others only cost a name. */
  private async *valid<T>(file: string, shape: z.ZodType<T>): AsyncGenerator<T> {
    if (!(await this.exists(file))) return;
    for await (const line of readJsonLines(join(this.folder, file), `${this.shownFolder}/${file}`, this.signal)) {
      const parsed = shape.safeParse(line.value);
      if (parsed.success) yield parsed.data;
    }
  }

  private async json<T>(file: string, shape: z.ZodType<T>): Promise<T | null> {
    if (!(await this.exists(file))) return null;
    const shown = `${this.shownFolder}/${file}`;
    let text: string;
    try {
      text = await readFile(join(this.folder, file), { encoding: "utf8", signal: this.signal });
    } catch (cause) {
      throw fileError(cause, shown);
    }
    try {
      return shape.parse(JSON.parse(text));
    } catch (cause) {
      const reason = cause instanceof z.ZodError ? issuesOf(cause) : String(cause);
      throw new ContextError("RECORD_INVALID", `${shown} does not fit: ${reason}`, { cause });
    }
  }

  private async exists(file: string): Promise<boolean> {
    return (await stat(join(this.folder, file)).catch(() => null))?.isFile() ?? false;
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
    .sort();
}

/** Payloads name their repository only in their links. */
function siteOf(url: string | null | undefined, names: ReadonlyMap<string, string>): GithubSite {
  return { repository: /^https?:\/\/[^/]+\/([^/]+\/[^/]+)\//.exec(url ?? "")?.[1] ?? "unknown/unknown", names };
}

function remember(histories: Map<string, History>, commit: SourceRecord): void {
  const repository = commit.fields.repository ?? "";
  const history = histories.get(repository) ?? { touched: new Map(), oldest: null };
  histories.set(repository, history);
  const at = toInstant(commit.updatedAt) ?? commit.updatedAt;
  if (history.oldest === null || at < history.oldest) history.oldest = at;
  for (const file of commit.fields.files ?? []) {
    const known = history.touched.get(file);
    if (!known || known.at < at) history.touched.set(file, { at, author: commit.author });
  }
}

/** A file that no known commit touched was last changed before the oldest of them. */
function lastTouched(history: History | undefined, path: string): { readonly updatedAt: Instant; readonly author?: Person | null } {
  const touched = history?.touched.get(path);
  return touched ? { updatedAt: touched.at, author: touched.author } : { updatedAt: history?.oldest ?? "1970-01-01T00:00:00Z" };
}
