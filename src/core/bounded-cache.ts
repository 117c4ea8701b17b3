/** Keeps what was used last, up to a weight in all. */
export class BoundedCache<T> {
  readonly #entries = new Map<string, { readonly value: T; readonly weight: number }>();
  readonly #most: number;
  #weight = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    // a map keeps the order of insertion: what was used goes to the end
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: T, weight: number): void {
    const old = this.#entries.get(key);
    if (old !== undefined) this.#weight -= old.weight;
    this.#entries.delete(key);
    if (weight > this.#most) return;
    this.#entries.set(key, { value, weight });
    this.#weight += weight;
    for (const [oldest, entry] of this.#entries) {
      if (this.#weight <= this.#most) break;
      this.#entries.delete(oldest);
      this.#weight -= entry.weight;
    }
  }
}
