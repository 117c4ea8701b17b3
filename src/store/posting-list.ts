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
    if (frequency > 1) this.#varint(frequency);
  }

  /** Appends the list of a later range whose places count from `shift`. */
  append(list: Uint8Array, count: number, shift: number): void {
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
  let place = -1;
  for (let at = 0; at < list.length; ) {
    const { value, end } = varint(list, at);
    place += value >>> 1;
    at = (value & 1) === 1 ? varint(list, end).end : end;
  }
  return place;
}

/**
 * Adds idf x tf (k1 + 1) / (tf + norm) to the score of each place of a list.
 * @param norms k1 (1 - b + b length / average) of each place
 */
export function addScores(list: Uint8Array, idf: number, k1: number, norms: Float32Array, scores: Float32Array): void {
  const weight = idf * (k1 + 1);
  let place = -1;
  let at = 0;
  while (at < list.length) {
    let byte = list[at++] as number;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = list[at++] as number;
      value |= (byte & 127) << shift;
    }
    place += value >>> 1;
    let frequency = 1;
    if ((value & 1) === 1) {
      byte = list[at++] as number;
      frequency = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = list[at++] as number;
        frequency |= (byte & 127) << shift;
      }
    }
    scores[place] = (scores[place] as number) + (weight * frequency) / (frequency + (norms[place] as number));
  }
}
