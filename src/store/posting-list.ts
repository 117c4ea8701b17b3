/** A higher frequency counts as this one: BM25 would tell them apart by less than a hundredth. */
const mostFrequency = 255;
/** A list that names one place in so many, or more, is stored as a frequency for each place. */
const denseShare = 4;

/** A growing list of (place, frequency), places rising, as varints: gap x 2, plus 1 where a frequency above 1 follows. */
export class PostingList {
  #bytes = new Uint8Array(8);
  #length = 0;
  #last = -1;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(place: number, frequency: number): void {
    const gap = place - this.#last;
    this.#last = place;
    this.#count++;
    this.#varint(gap * 2 + (frequency > 1 ? 1 : 0));
    if (frequency > 1) this.#varint(Math.min(frequency, mostFrequency));
  }

  /** Appends the stored list of a later range whose places count from `shift`. */
  append(list: Uint8Array, count: number, shift: number): void {
    const dense = frequencies(list);
    if (dense !== null) {
      for (const [place, frequency] of dense.entries()) if (frequency > 0) this.add(shift + place, frequency);
      return;
    }
    const first = varint(list, 0);
    // only the first gap depends on where a list begins
    this.#varint(first.value + 2 * (shift - 1 - this.#last));
    this.#room(list.length - first.end);
    this.#bytes.set(list.subarray(first.end), this.#length);
    this.#length += list.length - first.end;
    this.#last = shift + lastPlace(list);
    this.#count += count;
  }

  /** The bytes so far; valid until the next is added. */
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /**
   * The list as it is stored for a range of so many places: as it is, or, where it names many of them, a zero (no list
   * begins so) and then each place's frequency, which takes more room and is added up many times faster.
   */
  stored(places: number): Uint8Array {
    if (this.#count * denseShare < places) return this.bytes();
    const dense = new Uint8Array(1 + places);
    eachPosting(this.bytes(), (place, frequency) => {
      dense[1 + place] = frequency;
    });
    return dense;
  }

  #varint(number: number): void {
    this.#room(5);
    let rest = number;
    while (rest > 127) {
      this.#bytes[this.#length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.#bytes[this.#length++] = rest;
  }

  #room(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + bytes));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

function varint(list: Uint8Array, from: number): { readonly value: number; readonly end: number } {
  let value = 0;
  let at = from;
  for (let shift = 0; ; shift += 7) {
    const byte = list[at++] ?? 0;
    value |= (byte & 127) << shift;
    if (byte <= 127) return { value, end: at };
  }
}

function lastPlace(list: Uint8Array): number {
  let last = -1;
  eachPosting(list, (place) => {
    last = place;
  });
  return last;
}

/** Each place of a stored list with its frequency, places rising. */
export function eachPosting(list: Uint8Array, take: (place: number, frequency: number) => void): void {
  const dense = frequencies(list);
  if (dense !== null) {
    for (let place = 0; place < dense.length; place++) if ((dense[place] as number) > 0) take(place, dense[place] as number);
    return;
  }
  let place = -1;
  for (let at = 0; at < list.length; ) {
    const gap = varint(list, at);
    place += gap.value >>> 1;
    const frequency = (gap.value & 1) === 1 ? varint(list, gap.end) : { value: 1, end: gap.end };
    at = frequency.end;
    take(place, frequency.value);
  }
}

/** The frequency of each place, of a list that is stored so. */
export function frequencies(list: Uint8Array): Uint8Array | null {
  return list[0] === 0 ? list.subarray(1) : null;
}
