import { z } from "zod";
import type { Io, Pulled } from "../../core/connector.ts";
import { readCursor } from "../shared/cursor.ts";
import type { GithubApi } from "./client.ts";
import type { GithubConfig } from "./config.ts";
import { AccountNames } from "./names.ts";
import type { GithubSite } from "./to-record.ts";

/** How far the commits of a branch were read. */
const BranchState = z.object({
  /** Newest commit whose history was read whole. */
  head: z.string().nullable(),
  etag: z.string().nullable(),
  /** A listing that has not come to its end: of which commit, and where its next page is. */
  listing: z.object({ head: z.string(), next: z.string().nullable() }).nullable(),
});
export type BranchState = z.infer<typeof BranchState>;

/** How far a list that is sorted by change, newest first, was read. */
const ListState = z.object({
  etag: z.string().nullable(),
  /** Everything up to this change was read. */
  updated: z.string().nullable(),
  /** A listing that has not come to its end: where its next page is, and the newest change when it began. */
  next: z.string().nullable(),
  until: z.string().nullable(),
});
export type ListState = z.infer<typeof ListState>;

/** How far deployments were read, the newest first. */
const DeploymentsState = z.object({
  /** All that are older were read, and had come to their end. */
  settledUntil: z.string().nullable(),
  /** Of the listing under way: its newest, its oldest without an end, and where its next page is. */
  newest: z.string().nullable(),
  openSince: z.string().nullable(),
  next: z.string().nullable(),
});

/** The failed checks of the first page, by number, with the time of each. */
const ChecksState = z.object({ etag: z.string().nullable(), recent: z.record(z.string(), z.string()) });

const noDeployments = { settledUntil: null, newest: null, openSince: null, next: null };

const RepositoryState = z.object({
  branches: z.record(z.string(), BranchState),
  pulls: ListState,
  issues: ListState,
  releases: z.string().nullable(),
  tree: z.object({ etag: z.string().nullable(), files: z.record(z.string(), z.string()) }),
  /** Teams that CODEOWNERS names, "acme/payments", each with the ETag of its members. */
  teams: z.record(z.string(), z.string().nullable()).default({}),
  deployments: DeploymentsState.default(noDeployments),
  /** Null before the first reading. */
  checks: ChecksState.nullable().default(null),
  /** Largest number of an issue or pull request that was met. */
  largest: z.number(),
  sweptAt: z.string().nullable(),
});
export type RepositoryState = z.infer<typeof RepositoryState>;

const Cursor = z.object({
  version: z.literal(1),
  scope: z.string(),
  /** A first or full pull that has not come to its end. */
  full: z.boolean(),
  /** It ended without a repository that could not be read: what it met is not all that must be kept. */
  partial: z.boolean().default(false),
  repositories: z.record(z.string(), RepositoryState),
  /** Display names by login, null where there is none. */
  names: z.record(z.string(), z.string().nullable()).default({}),
});
type Cursor = z.infer<typeof Cursor>;

const freshList: ListState = { etag: null, updated: null, next: null, until: null };

/** What a pull knows of its own way: the cursor, changed as it goes, and what makes a checkpoint of it. */
export class Progress {
  readonly cursor: Cursor;
  readonly names: AccountNames;

  constructor(config: GithubConfig, since: string | null) {
    // another choice of parts or branches is another pull, whose listings begin anew
    const scope = JSON.stringify([config.baseUrl, [...config.include].sort(), config.branches, config.since ?? null, config.bots]);
    const saved = readCursor(Cursor, since);
    this.cursor = saved?.scope === scope ? saved : { version: 1, scope, full: true, partial: false, repositories: {}, names: {} };
    this.names = new AccountNames(this.cursor.names);
  }

  repository(name: string): RepositoryState {
    const state = this.cursor.repositories[name] ?? {
      branches: {},
      pulls: { ...freshList },
      issues: { ...freshList },
      releases: null,
      tree: { etag: null, files: {} },
      teams: {},
      deployments: { ...noDeployments },
      checks: null,
      largest: 0,
      sweptAt: null,
    };
    this.cursor.repositories[name] = state;
    return state;
  }

  /** Forgets all listings; what is known by its fingerprint is then only seen again. */
  startOver(): void {
    this.cursor.full = true;
    this.cursor.partial = false;
    this.cursor.repositories = {};
  }

  checkpoint(): Pulled {
    return { type: "checkpoint", cursor: JSON.stringify(this.cursor) };
  }
}

/** What every part of a repository's pull needs. */
export interface RepositoryPull {
  readonly api: GithubApi;
  readonly io: Io;
  readonly config: GithubConfig;
  /** "acme/shop", as configured. */
  readonly name: string;
  readonly defaultBranch: string;
  readonly site: GithubSite;
  readonly names: AccountNames;
  readonly state: RepositoryState;
  readonly progress: Progress;
}
