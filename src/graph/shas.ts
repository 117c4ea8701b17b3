import type { NodeId } from "../core/fact.ts";
import type { RecordId } from "../core/record.ts";

const mark = "commit:";
/** A prefix of a sha has as many characters at least. */
const shortest = 6;

export function isFullSha(node: NodeId): boolean {
  return node.startsWith(mark) && node.length === mark.length + 40;
}

/** A commit by a prefix of its sha: which commit that is depends on which are known. */
export function isShortSha(node: NodeId): boolean {
  return node.startsWith(mark) && node.length !== mark.length + 40;
}

/** What commits and the prefixes of their shas have in common; of other nodes the id itself. */
export function bucketOf(node: NodeId): string {
  return node.startsWith(mark) ? node.slice(0, mark.length + shortest) : node;
}

/** Commits by the first characters of their shas, so that a prefix is found without looking at all of them. */
export class ShaIndex {
  private readonly buckets = new Map<string, readonly NodeId[]>();

  add(commit: NodeId): void {
    const key = bucketOf(commit);
    const bucket = this.buckets.get(key);
    if (bucket?.includes(commit) !== true) this.buckets.set(key, bucket === undefined ? [commit] : [...bucket, commit].sort());
  }

  drop(commit: NodeId): void {
    const key = bucketOf(commit);
    const rest = (this.buckets.get(key) ?? []).filter((one) => one !== commit);
    if (rest.length > 0) this.buckets.set(key, rest);
    else this.buckets.delete(key);
  }

  /** All known commits whose ids begin so, sorted. */
  matching(prefix: NodeId): readonly NodeId[] {
    if (prefix.length < mark.length + shortest) return [];
    return (this.buckets.get(bucketOf(prefix)) ?? []).filter((commit) => commit.startsWith(prefix));
  }

  /** The node that a commit's id means: the full sha where exactly one begins so, else the id as written. */
  canonical(node: NodeId): NodeId {
    const [commit, more] = this.matching(node);
    return commit !== undefined && more === undefined ? commit : node;
  }
}

/** Prefixes of shas that facts use, with the records that use them: where to look when a commit comes or goes. */
export class ShortShas {
  private readonly buckets = new Map<string, Map<NodeId, Set<RecordId>>>();

  use(node: NodeId, record: RecordId): void {
    const key = bucketOf(node);
    const ids = this.buckets.get(key) ?? new Map<NodeId, Set<RecordId>>();
    ids.set(node, (ids.get(node) ?? new Set()).add(record));
    this.buckets.set(key, ids);
  }

  drop(node: NodeId, record: RecordId): void {
    const key = bucketOf(node);
    const ids = this.buckets.get(key);
    const records = ids?.get(node);
    records?.delete(record);
    if (records?.size === 0) ids?.delete(node);
    if (ids?.size === 0) this.buckets.delete(key);
  }

  /** Records with a prefix that this commit's sha begins with. */
  recordsNaming(commit: NodeId): ReadonlySet<RecordId> {
    const found = new Set<RecordId>();
    for (const [node, records] of this.buckets.get(bucketOf(commit)) ?? []) {
      if (commit.startsWith(node)) for (const record of records) found.add(record);
    }
    return found;
  }
}
