import type { Pulled } from "../../core/connector.ts";
import { ContextError } from "../../core/errors.ts";
import type { RecordId } from "../../core/record.ts";
import { person } from "../shared/people.ts";
import { redactJson } from "../shared/redact.ts";
import { toInstant } from "../shared/time.ts";
import { codeownersPaths, isPulledFile } from "./files.ts";
import type { RepositoryPull } from "./progress.ts";
import { noteTeams } from "./teams.ts";
import { contentToRecord } from "./to-record.ts";

/** Files that the contents endpoint gives no text for. */
const LARGEST_FILE = 1_000_000;
const CHECKPOINT_EVERY = 25;

/**
 * Documents and CODEOWNERS of the default branch, by the list of its files: a new or changed blob is read, a path that
 * is no longer there is gone.
 */
export async function* pullFiles(pull: RepositoryPull): AsyncGenerator<Pulled> {
  const { api, io, name, defaultBranch, state, progress } = pull;
  const tree = await api.tree(name, defaultBranch, state.tree.etag);
  if (tree === "unchanged") return;
  if (tree === null) {
    io.log.warn({ repository: name }, "the list of files is missing or cut; only CODEOWNERS is read");
    yield* pullCodeownersAlone(pull);
    return;
  }
  const paths = wantedPaths(
    pull,
    tree.entries.map((entry) => entry.path),
  );
  const wanted = new Map(
    tree.entries.filter((entry) => entry.type === "blob" && paths.has(entry.path)).map((entry) => [entry.path, entry]),
  );
  for (const path of Object.keys(state.tree.files)) {
    if (wanted.has(path)) continue;
    yield { type: "gone", id: fileId(name, path) };
    // one that only moved is read below, and says itself whom it no longer names
    if (isOwners(path) && ![...wanted.keys()].some(isOwners)) yield* noteTeams(pull, "");
    delete state.tree.files[path];
  }
  let read = 0;
  for (const { path, sha, size } of wanted.values()) {
    if (state.tree.files[path] === sha) continue;
    if ((size ?? 0) > LARGEST_FILE) {
      const message = `${name}/${path} has ${size} bytes; GitHub hands out text up to 1 MB.`;
      yield { type: "failed", id: fileId(name, path), error: new ContextError("FILE_TOO_LARGE", message) };
    } else {
      const pulled = await readFile(pull, path);
      if (pulled !== null) yield pulled;
      if (pulled?.type === "record" && isOwners(path)) yield* noteTeams(pull, pulled.record.body.slice(0, pulled.record.proseEnd));
    }
    state.tree.files[path] = sha;
    if (++read % CHECKPOINT_EVERY === 0) yield progress.checkpoint();
  }
  state.tree.etag = tree.etag;
  yield progress.checkpoint();
}

/** One file as a record; null when it is not there or holds no text. */
export async function readFile(
  { api, name, defaultBranch, site }: Pick<RepositoryPull, "api" | "name" | "defaultBranch" | "site">,
  path: string,
): Promise<Pulled | null> {
  const found = await api.content(name, path, defaultBranch);
  if (found === null) return null;
  const commit = await api.lastCommitOf(name, path, defaultBranch);
  const signed = commit?.commit.author;
  const record = contentToRecord(found.content, site, {
    updatedAt: toInstant(commit?.commit.committer?.date ?? signed?.date) ?? "1970-01-01T00:00:00Z",
    author: person({ name: signed?.name, login: commit?.author?.login, email: signed?.email }),
  });
  return record === null
    ? null
    : { type: "record", record, raw: redactJson({ ...(found.payload as object), fingerprint: found.content.sha ?? "" }) };
}

/** Of the places for CODEOWNERS only the first that is there counts. */
function wantedPaths({ config }: RepositoryPull, paths: readonly string[]): ReadonlySet<string> {
  const there = new Set(paths);
  const owners = codeownersPaths.find((path) => there.has(path));
  const documents = config.include.includes("docs") ? paths.filter((path) => isPulledFile(path) && !isOwners(path)) : [];
  return new Set([...(config.include.includes("codeowners") && owners ? [owners] : []), ...documents]);
}

async function* pullCodeownersAlone(pull: RepositoryPull): AsyncGenerator<Pulled> {
  if (!pull.config.include.includes("codeowners")) return;
  for (const path of codeownersPaths) {
    const pulled = await readFile(pull, path);
    if (pulled === null) continue;
    yield pulled;
    if (pulled.type === "record") yield* noteTeams(pull, pulled.record.body.slice(0, pulled.record.proseEnd));
    return;
  }
}

function isOwners(path: string): boolean {
  return (codeownersPaths as readonly string[]).includes(path);
}

function fileId(repository: string, path: string): RecordId {
  return `github:file:${repository}/${path}`;
}
