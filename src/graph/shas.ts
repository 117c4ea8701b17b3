import type { NodeId } from "../core/fact.ts";

const bucketLength = 6;

/** Full shas by their first characters, so that a prefix is found without looking at all of them. */
export class ShaIndex {
  private readonly buckets = new Map<string, string[]>();

  add(sha: string): void {
    const key = sha.slice(0, bucketLength);
    const bucket = this.buckets.get(key);
    if (bucket === undefined) this.buckets.set(key, [sha]);
    else if (!bucket.includes(sha)) bucket.push(sha);
  }

  drop(sha: string): void {
    const key = sha.slice(0, bucketLength);
    const rest = (this.buckets.get(key) ?? []).filter((one) => one !== sha);
    if (rest.length === 0) this.buckets.delete(key);
    else this.buckets.set(key, rest);
  }

  /** All known shas that begin with it; a prefix has 6 characters at least. */
  matching(prefix: string): readonly string[] {
    if (prefix.length < bucketLength) return [];
    return (this.buckets.get(prefix.slice(0, bucketLength)) ?? []).filter((sha) => sha.startsWith(prefix)).sort();
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
