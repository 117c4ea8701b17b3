import type { NodeId } from "../core/fact.ts";

const bucketLength = 6;

/** Full shas by their first characters, so that a prefix is found without looking at all of them. */
export class ShaIndex {
  private readonly buckets = new Map<string, Set<string>>();

  add(sha: string): void {
    const key = sha.slice(0, bucketLength);
    const bucket = this.buckets.get(key);
    if (bucket === undefined) this.buckets.set(key, new Set([sha]));
    else bucket.add(sha);
  }

  drop(sha: string): void {
    const key = sha.slice(0, bucketLength);
    const bucket = this.buckets.get(key);
    bucket?.delete(sha);
    if (bucket?.size === 0) this.buckets.delete(key);
  }

  /** All known shas that begin with it; a prefix has 6 characters at least. */
  matching(prefix: string): readonly string[] {
    if (prefix.length < bucketLength) return [];
    if (prefix.length === 40) return this.buckets.get(prefix.slice(0, bucketLength))?.has(prefix) === true ? [prefix] : [];
    return [...(this.buckets.get(prefix.slice(0, bucketLength)) ?? [])].filter((sha) => sha.startsWith(prefix)).sort();
  }

  /** The node that a commit's id means: the full sha where exactly one begins so, else the id as written. */
  canonical(node: NodeId): NodeId {
    const prefix = node.slice("commit:".length);
    const [sha, more] = this.matching(prefix);
    return sha !== undefined && more === undefined ? `commit:${sha}` : node;
  }
}

export function bucketOf(node: NodeId): string {
  return node.slice("commit:".length, "commit:".length + bucketLength);
}
