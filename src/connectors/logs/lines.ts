import { isUtf8 } from "node:buffer";
import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { createGunzip, createZstdDecompress } from "node:zlib";
import { ContextError } from "../../core/errors.ts";

/** Characters of one line that are kept; the rest of it is skipped, so that a line of any length costs no memory. */
export const LONGEST_LINE = 256 * 1024;

export interface Line {
  readonly text: string;
  /** 1-based. */
  readonly number: number;
  /** Byte after its end in the (unpacked) file. */
  readonly end: number;
  /** False for a last line without a line end: it may not be finished. */
  readonly complete: boolean;
}

/**
 * Lines of a log file, batch by batch, in flat memory: plain, gzip or zstd by its first bytes, UTF-8, UTF-16 by its mark, and
 * Windows-1252 for single lines that are no UTF-8.
 * @param from byte and line to go on from; 0 for packed files
 * @throws ContextError FILE_UNREADABLE, after all lines before the damage, when a packed file is cut short
 */
export async function* readLines(
  path: string,
  from: { readonly offset: number; readonly line: number },
  signal: AbortSignal,
): AsyncGenerator<readonly Line[]> {
  await using file = await open(path, "r").catch((cause: NodeJS.ErrnoException) => {
    throw new ContextError(cause.code === "ENOENT" ? "FILE_NOT_FOUND" : "FILE_UNREADABLE", `Cannot open ${path}: ${cause.code}`, { cause });
  });
  const head = Buffer.alloc(4);
  const { bytesRead } = await file.read(head, 0, 4, 0);
  const packing = packingOf(head.subarray(0, bytesRead));
  const raw = file.createReadStream({ start: packing ? 0 : from.offset, highWaterMark: 256 * 1024, autoClose: false, signal });
  const stream: Readable = packing === "gzip" ? raw.pipe(createGunzip()) : packing === "zstd" ? raw.pipe(createZstdDecompress()) : raw;
  if (packing) raw.on("error", (error) => stream.destroy(error));
  const splitter = new Splitter(utf16Of(head), from.offset, from.line);
  try {
    for await (const chunk of stream) {
      const lines = splitter.push(chunk as Buffer);
      if (lines.length > 0) yield lines;
    }
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    const rest = splitter.end();
    if (rest.length > 0) yield rest;
    throw new ContextError("FILE_UNREADABLE", `${path} is cut short or damaged: only its first ${splitter.lines} lines could be unpacked`, {
      cause,
      remedy: "Copy the file again from where it was written; what could be read is kept.",
    });
  }
  const rest = splitter.end();
  if (rest.length > 0) yield rest;
}

/** How a file is packed, by its magic number and not by its name. */
export function packingOf(head: Buffer): "gzip" | "zstd" | null {
  if (head[0] === 0x1f && head[1] === 0x8b) return "gzip";
  return head.length >= 4 && head.readUInt32LE(0) === 0xfd2fb528 ? "zstd" : null;
}

function utf16Of(head: Buffer): "utf-16le" | "utf-16be" | null {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  return head[0] === 0xfe && head[1] === 0xff ? "utf-16be" : null;
}

const latin = new TextDecoder("windows-1252");

/** Cuts a byte stream into lines; what is not ended yet waits, at most LONGEST_LINE bytes of it. */
class Splitter {
  readonly #utf16: "utf-16le" | "utf-16be" | null;
  #rest: Buffer = Buffer.alloc(0);
  #skipping = false;
  #offset: number;
  lines: number;

  constructor(utf16: "utf-16le" | "utf-16be" | null, offset: number, line: number) {
    this.#utf16 = utf16;
    this.#offset = offset;
    this.lines = line;
  }

  push(chunk: Buffer): Line[] {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const last = this.#lastEnd(bytes);
    const lines = last === 0 ? [] : this.#cut(bytes.subarray(0, last));
    const rest = bytes.subarray(last);
    if (rest.length <= LONGEST_LINE) {
      this.#rest = rest;
      return lines;
    }
    // a line beyond the limit: its beginning is handed out now, the rest of it is passed over
    if (!this.#skipping) lines.push(this.#line(rest.subarray(0, LONGEST_LINE), this.#offset + rest.length, true));
    this.#skipping = true;
    this.#offset += rest.length;
    this.#rest = Buffer.alloc(0);
    return lines;
  }

  end(): Line[] {
    const rest = this.#rest;
    this.#rest = Buffer.alloc(0);
    this.#offset += rest.length;
    return rest.length === 0 || this.#skipping ? [] : [this.#line(rest, this.#offset, false)];
  }

  /** Byte after the last line end, 0 when there is none. */
  #lastEnd(bytes: Buffer): number {
    if (this.#utf16 === null) return bytes.lastIndexOf(10) + 1;
    for (let i = bytes.length - (bytes.length % 2) - 2; i >= 0; i -= 2) if (this.#isEnd(bytes, i)) return i + 2;
    return 0;
  }

  #isEnd(bytes: Buffer, at: number): boolean {
    return this.#utf16 === "utf-16le" ? bytes[at] === 10 && bytes[at + 1] === 0 : bytes[at] === 0 && bytes[at + 1] === 10;
  }

  #cut(bytes: Buffer): Line[] {
    const lines: Line[] = [];
    const ascii = this.#utf16 === null && isUtf8(bytes);
    if (ascii) {
      let start = 0;
      // decoding a whole batch at once is several times faster than line by line
      for (const text of bytes.toString("utf8").split("\n")) {
        if (start >= bytes.length) break;
        const end = bytes.indexOf(10, start) + 1;
        this.#take(lines, text, this.#offset + end);
        start = end;
      }
    } else {
      let start = 0;
      while (start < bytes.length) {
        const end = this.#nextEnd(bytes, start);
        this.#take(lines, this.#decode(bytes.subarray(start, end - (this.#utf16 ? 2 : 1))), this.#offset + end);
        start = end;
      }
    }
    this.#offset += bytes.length;
    return lines;
  }

  #take(lines: Line[], text: string, end: number): void {
    if (this.#skipping) {
      this.#skipping = false;
      return;
    }
    this.lines += 1;
    const cut = text.endsWith("\r") ? text.slice(0, -1) : text;
    lines.push({ text: this.lines === 1 && cut.startsWith("\uFEFF") ? cut.slice(1) : cut, number: this.lines, end, complete: true });
  }

  #line(bytes: Buffer, end: number, complete: boolean): Line {
    this.lines += 1;
    const text = this.#decode(bytes);
    return { text: this.lines === 1 ? text.replace(/^\uFEFF/, "") : text, number: this.lines, end, complete };
  }

  #nextEnd(bytes: Buffer, start: number): number {
    if (this.#utf16 === null) return bytes.indexOf(10, start) + 1;
    for (let i = start; i < bytes.length; i += 2) if (this.#isEnd(bytes, i)) return i + 2;
    return bytes.length;
  }

  #decode(bytes: Buffer): string {
    if (this.#utf16 === "utf-16le") return bytes.toString("utf16le");
    if (this.#utf16 === "utf-16be") return Buffer.from(bytes).swap16().toString("utf16le");
    return isUtf8(bytes) ? bytes.toString("utf8") : latin.decode(bytes);
  }
}
