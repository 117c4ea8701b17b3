/** A higher frequency counts as this one: BM25 would tell them apart by less than a hundredth. */
const mostFrequency = 255;
/** Bytes of a posting: uint16 place (low byte first), uint8 frequency. */
const each = 3;
/** A list that names one place in so many, or more, is stored as a frequency for each place. */
const denseShare = 4;

/** A growing list of the places where a term stands, rising, and how often it stands there. */
export class PostingList {
  #bytes = new Uint8Array(4 * each);
  #length = 0;

  get count(): number {
    return this.#length / each;
  }

  /** @param place below 65,536 */
  add(place: number, frequency: number): void {
    if (this.#length === this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes[this.#length++] = place & 255;
    this.#bytes[this.#length++] = place >>> 8;
    this.#bytes[this.#length++] = Math.min(frequency, mostFrequency);
  }

  /** Appends the stored list of a later range whose places count from `shift`. */
  append(list: Uint8Array, shift: number): void {
    eachPosting(list, (place, frequency) => this.add(shift + place, frequency));
  }

  /**
   * The list as it is stored for a range of so many places, a power of two: three bytes a posting, or, where it names many
   * of them, each place's frequency, which is added up many times faster. A power of two is no multiple of three, so the
   * length tells which. Valid until the next is added.
   */
  stored(places: number): Uint8Array {
    const list = this.#bytes.subarray(0, this.#length);
    if (this.count * denseShare < places) return list;
    const frequencies = new Uint8Array(places);
    eachPosting(list, (place, frequency) => {
      frequencies[place] = frequency;
    });
    return frequencies;
  }
}

/** Whether a stored list is the frequency of each place. */
export function isDense(list: Uint8Array): boolean {
  return list.length % each !== 0;
}

/** Each place of a stored list with its frequency, places rising. */
export function eachPosting(list: Uint8Array, take: (place: number, frequency: number) => void): void {
  if (isDense(list)) {
    for (let place = 0; place < list.length; place++) if ((list[place] as number) > 0) take(place, list[place] as number);
    return;
  }
  for (let at = 0; at < list.length; at += each) {
    take((list[at] as number) | ((list[at + 1] as number) << 8), list[at + 2] as number);
  }
}
