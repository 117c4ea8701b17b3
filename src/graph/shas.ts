import type { NodeId } from "../core/fact.ts";

const mark = "commit:";
/** A prefix of a sha has as many characters at least. */
const shortest = 6;

/** A commit by a prefix of its sha: which commit that is depends on which are known. */
export function isShortSha(node: NodeId): boolean {
  return node.startsWith(mark) && node.length !== mark.length + 40;
}

export function isCommit(node: NodeId): boolean {
  return node.startsWith(mark);
}

/** What commits and the prefixes of their shas have in common; of other nodes the id itself. */
export function bucketOf(node: NodeId): string {
  return node.startsWith(mark) ? node.slice(0, mark.length + shortest) : node;
}

/** The same as a number, of which many take little memory; two buckets may share one. */
function numberOf(node: NodeId): number {
  return Number.parseInt(node.slice(mark.length, mark.length + shortest), 16);
}

/**
 * All names of commits that records use, whole shas and prefixes: which of them mean the same commit. A prefix means what
 * the only longest name that begins so means; where two longer ones differ it means neither of them.
 */
export class Shas {
  /** Mostly one. */
  private readonly buckets = new Map<number, NodeId | readonly NodeId[]>();

  /** @returns whether it was not known */
  add(commit: NodeId): boolean {
    const known = this.like(commit);
    if (known.includes(commit)) return false;
    this.buckets.set(numberOf(commit), known.length === 0 ? commit : [...known, commit].sort());
    return true;
  }

  drop(commit: NodeId): void {
    const rest = this.like(commit).filter((one) => one !== commit);
    const [only, more] = rest;
    if (only === undefined) this.buckets.delete(numberOf(commit));
    else this.buckets.set(numberOf(commit), more === undefined ? only : rest);
  }

  /** All names that begin with the same six characters, sorted. */
  like(commit: NodeId): readonly NodeId[] {
    const known = this.buckets.get(numberOf(commit));
    return known === undefined ? [] : typeof known === "string" ? [known] : known;
  }

  /** The commits that a prefix may mean: names that begin so and that no longer one begins with, sorted. */
  meantBy(prefix: NodeId): readonly NodeId[] {
    if (prefix.length < mark.length + shortest) return [];
    const longer = this.like(prefix).filter((one) => one.startsWith(prefix));
    // sorted, what goes on with a name follows it at once
    return longer.filter((one, at) => longer[at + 1]?.startsWith(one) !== true);
  }

  /** The name of the node that a commit's id means; the id as written where that is open. */
  canonical(commit: NodeId): NodeId {
    const [meant, other] = this.meantBy(commit);
    if (meant !== undefined) return other === undefined ? meant : commit;
    // more of a sha than any record writes: the longest beginning of it, where nothing else begins so
    const known = this.like(commit)
      .filter((one) => commit.startsWith(one))
      .at(-1);
    return known !== undefined && this.meantBy(known).length === 1 && this.meantBy(known)[0] === known ? known : commit;
  }
}
