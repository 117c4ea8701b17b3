const pageBits = 12;
const pageSize = 1 << pageBits;

/** From chunk number to row, in pages of plain numbers: a tenth of the memory of a Map of a million. */
export class SeqRows {
  readonly #pages = new Map<number, Int32Array>();

  get(seq: number): number | undefined {
    const row = this.#pages.get(Math.floor(seq / pageSize))?.[seq % pageSize];
    return row === undefined || row < 0 ? undefined : row;
  }

  set(seq: number, row: number): void {
    const number = Math.floor(seq / pageSize);
    let page = this.#pages.get(number);
    if (page === undefined) {
      page = new Int32Array(pageSize).fill(-1);
      this.#pages.set(number, page);
    }
    page[seq % pageSize] = row;
  }

  delete(seq: number): void {
    const page = this.#pages.get(Math.floor(seq / pageSize));
    if (page !== undefined) page[seq % pageSize] = -1;
  }
}
