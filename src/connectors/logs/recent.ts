import { createHash } from "node:crypto";

/** What is asked for again in the next pull, for lines that came late: two minutes, or as many lines as are remembered. */
const OVERLAP_MS = 120_000;
const MOST = 20_000;

export type RecentState = readonly (readonly [hash: string, ms: number])[];

/** The last lines that were read, by which those of an overlap are known again. */
export class Recent {
  private readonly seen: Map<string, number>;
  private newest: number;
  private isCut = false;

  constructor(state: RecentState, newest: number) {
    this.seen = new Map(state);
    this.newest = newest;
  }

  /** False for a line that was read before. */
  add(id: string, ms: number): boolean {
    const hash = createHash("sha256").update(id).digest("base64url").slice(0, 12);
    if (this.seen.has(hash)) return false;
    this.seen.set(hash, ms);
    this.newest = Math.max(this.newest, ms);
    if (this.seen.size >= 2 * MOST) this.forget();
    return true;
  }

  /** From where the next pull asks. */
  get from(): number {
    this.forget();
    if (!this.isCut) return this.newest - OVERLAP_MS;
    return Math.min(this.newest, ...this.seen.values());
  }

  get last(): number {
    return this.newest;
  }

  get state(): RecentState {
    this.forget();
    return [...this.seen];
  }

  /** Keeps those of the overlap; of too many the newest. */
  private forget(): void {
    for (const [hash, ms] of this.seen) if (ms < this.newest - OVERLAP_MS) this.seen.delete(hash);
    if (this.seen.size <= MOST) return;
    const kept = [...this.seen].sort((a, b) => a[1] - b[1]).slice(-MOST);
    this.seen.clear();
    for (const [hash, ms] of kept) this.seen.set(hash, ms);
    this.isCut = true;
  }
}
