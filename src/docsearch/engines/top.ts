/** The k best of a stream of (id, score), in a binary heap with the worst on top. Ties go to the lower id. */
export class Top {
  readonly #ids: Float64Array;
  readonly #scores: Float64Array;
  readonly #k: number;
  #size = 0;

  constructor(k: number) {
    this.#k = Math.max(0, Math.floor(k));
    this.#ids = new Float64Array(this.#k);
    this.#scores = new Float64Array(this.#k);
  }

  /** A score must be above this to be taken in (or equal with a lower id). */
  get threshold(): number {
    return this.#size < this.#k ? -Infinity : (this.#scores[0] ?? Infinity);
  }

  add(id: number, score: number): void {
    if (this.#k === 0) return;
    if (this.#size < this.#k) {
      this.#place(this.#size++, id, score, true);
    } else if (this.#isWorse(0, id, score)) this.#place(0, id, score, false);
  }

  /** Best first. */
  sorted(): { readonly id: number; readonly score: number }[] {
    return Array.from({ length: this.#size }, (_, i) => ({ id: this.#ids[i] ?? 0, score: this.#scores[i] ?? 0 })).sort(
      (a, b) => b.score - a.score || a.id - b.id,
    );
  }

  /** Whether the entry at a place is worse than the given one. */
  #isWorse(at: number, id: number, score: number): boolean {
    const other = this.#scores[at] ?? 0;
    return other < score || (other === score && (this.#ids[at] ?? 0) > id);
  }

  #place(from: number, id: number, score: number, up: boolean): void {
    let at = from;
    if (up) {
      while (at > 0) {
        const parent = (at - 1) >> 1;
        // the worse one belongs on top
        if (this.#isWorse(parent, id, score)) break;
        this.#move(parent, at);
        at = parent;
      }
    } else {
      for (;;) {
        let child = 2 * at + 1;
        if (child >= this.#size) break;
        if (child + 1 < this.#size && this.#isWorse(child + 1, this.#ids[child] ?? 0, this.#scores[child] ?? 0)) child++;
        if (!this.#isWorse(child, id, score)) break;
        this.#move(child, at);
        at = child;
      }
    }
    this.#ids[at] = id;
    this.#scores[at] = score;
  }

  #move(from: number, to: number): void {
    this.#ids[to] = this.#ids[from] ?? 0;
    this.#scores[to] = this.#scores[from] ?? 0;
  }
}
