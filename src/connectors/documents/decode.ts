import { isUtf8 } from "node:buffer";
import { analyse } from "chardet";

/** Bytes looked at for an encoding. */
const SAMPLE = 64 * 1024;

/** What was said about the encoding by the file or what carried it; null when nothing was. */
export type Charset = string | null;

/**
 * The text of bytes in any encoding: byte-order mark, then UTF-16 by its NULs, UTF-8 when it is valid, what the
 * file declares, else the likeliest legacy encoding by its letter statistics (chardet).
 */
export function decodeText(bytes: Uint8Array, declared: Charset = null): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const marked = byMark(buffer);
  if (marked) return marked;
  const wide = utf16ByNuls(buffer);
  if (wide) return new TextDecoder(wide).decode(buffer);
  // letters of some scripts have both bytes below 128, but one of them is no sign of a text
  const isPlain = isUtf8(buffer);
  const unmarked = isPlain && !hasControls(buffer.subarray(0, 4096)) ? null : utf16ByText(buffer);
  if (unmarked) return new TextDecoder(unmarked).decode(buffer);
  if (isPlain) return buffer.toString("utf8");
  if (declared) {
    const text = tryDecode(declared, buffer);
    if (text !== null) return text;
  }
  // a multi-byte UTF-8 text with a few broken bytes is still UTF-8
  const lenient = buffer.toString("utf8");
  if (mostlyUtf8(buffer, lenient)) return lenient;
  return tryDecode(legacyEncoding(buffer.subarray(0, SAMPLE)), buffer) ?? new TextDecoder("windows-1252").decode(buffer);
}

function byMark(buffer: Buffer): string | null {
  if (buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf) return buffer.toString("utf8", 3);
  if (buffer[0] === 0xff && buffer[1] === 0xfe && buffer[2] === 0 && buffer[3] === 0) return utf32(buffer.subarray(4), true);
  if (buffer[0] === 0 && buffer[1] === 0 && buffer[2] === 0xfe && buffer[3] === 0xff) return utf32(buffer.subarray(4), false);
  if (buffer[0] === 0xff && buffer[1] === 0xfe) return new TextDecoder("utf-16le").decode(buffer);
  if (buffer[0] === 0xfe && buffer[1] === 0xff) return new TextDecoder("utf-16be").decode(buffer);
  return null;
}

function utf32(buffer: Buffer, little: boolean): string {
  let text = "";
  for (let i = 0; i + 4 <= buffer.length; i += 4) {
    const code = little ? buffer.readUInt32LE(i) : buffer.readUInt32BE(i);
    text += code <= 0x10ffff ? String.fromCodePoint(code) : "\uFFFD";
  }
  return text;
}

function tryDecode(label: string, bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return null;
  }
}

/** UTF-16 without a mark: of a text in a Latin script every other byte is NUL. */
function utf16ByNuls(buffer: Buffer): "utf-16le" | "utf-16be" | null {
  const length = Math.min(buffer.length, 4096);
  const nuls = [0, 0];
  for (let i = 0; i < length; i++) if (buffer[i] === 0) nuls[i % 2] = (nuls[i % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = nuls;
  if (odd > length * 0.2 && odd > even * 4) return "utf-16le";
  return even > length * 0.2 && even > odd * 4 ? "utf-16be" : null;
}

/** Blanks and line ends, and the commonest signs of Japanese and Chinese. */
const COMMON = /[ \n\u3001-\u30ff\uff01\uff0c\uff1a\uff1f]/g;
/** What is in no text: controls, what is not assigned or for private use, halves of pairs. */
const NO_TEXT = /[^\P{C}\t\n\r\f\u200b-\u200f\ufeff]/u;

/** UTF-16 without a mark in scripts whose characters have no NUL: read so, it must be all text, with the signs that texts have. */
export function utf16ByText(bytes: Uint8Array): "utf-16le" | "utf-16be" | null {
  if (bytes.length < 8 || bytes.length % 2 !== 0) return null;
  const sample = bytes.subarray(0, 4096);
  if (sample.filter((byte) => byte >= 32 && byte < 127).length > sample.length * 0.8) return null;
  const fitting = (["utf-16le", "utf-16be"] as const).filter((label) => {
    const text = new TextDecoder(label).decode(sample, { stream: true });
    return !NO_TEXT.test(text) && (text.match(COMMON)?.length ?? 0) > text.length * 0.03;
  });
  // the byte that tells the script is the one that changes less
  const kinds = (odd: number) => new Set(sample.filter((_, i) => i % 2 === odd)).size;
  return fitting.toSorted((a, b) => kinds(Number(a === "utf-16le")) - kinds(Number(b === "utf-16le")))[0] ?? null;
}

function hasControls(bytes: Uint8Array): boolean {
  return bytes.some((byte) => (byte > 0 && byte < 9) || (byte > 13 && byte < 27));
}

function mostlyUtf8(buffer: Buffer, decoded: string): boolean {
  let broken = 0;
  for (let at = decoded.indexOf("\uFFFD"); at >= 0; at = decoded.indexOf("\uFFFD", at + 1)) broken += 1;
  const multibyte = buffer.length - decoded.length;
  return multibyte > broken * 8;
}

/**
 * East Asian encodings, with the lead bytes of what ordinary text is made of: kana, Hangul, punctuation, and the first
 * (frequent) level of Chinese characters in each national standard. Rare characters in a short text mean a wrong guess.
 * Of two that fit alike the first is taken, so the narrower ones come before those that contain them.
 */
const eastAsian: readonly { readonly label: string; readonly common: readonly (readonly [number, number])[] }[] = [
  {
    label: "Shift_JIS",
    common: [
      [0x81, 0x83],
      [0x88, 0x98],
    ],
  },
  {
    label: "EUC-KR",
    common: [
      [0xa1, 0xa3],
      [0xb0, 0xc8],
    ],
  },
  {
    label: "EUC-JP",
    common: [
      [0xa1, 0xa1],
      [0xa3, 0xa5],
      [0xb0, 0xcf],
    ],
  },
  {
    label: "GB18030",
    common: [
      [0xa1, 0xa3],
      [0xb0, 0xd7],
    ],
  },
  {
    label: "Big5",
    common: [
      [0xa1, 0xa2],
      [0xa4, 0xc6],
    ],
  },
];

/**
 * chardet's best guess, corrected where its statistics mislead: a short East Asian text is taken for a Western one, a short
 * Western text for a Central European or Turkish one, while Windows-1252 is by far the commonest legacy encoding.
 */
function legacyEncoding(sample: Uint8Array): string {
  const matches = analyse(sample).filter((match) => match.name !== "UTF-8" && match.name !== "ASCII");
  const best = matches[0];
  if (longRuns(sample)) {
    let [label, share] = ["", 0.7];
    for (const candidate of eastAsian) {
      if (!isValid(candidate.label, sample)) continue;
      const found = commonShare(sample, candidate.common) + (candidate.label === best?.name ? 0.05 : 0);
      if (found > share) [label, share] = [candidate.label, found];
    }
    if (label !== "" && (share > 0.9 || best === undefined || best.confidence < 40 || label === best.name)) return label;
  }
  if (!best || eastAsian.some((one) => one.label === best.name)) return "windows-1252";
  if (symbolsInWords("windows-1252", sample) > 1) {
    const likely = [best.name, "windows-1250", "ISO-8859-2"].filter((label) => label !== "ISO-8859-1" && isValid(label, sample));
    return likely.toSorted((a, b) => symbolsInWords(a, sample) - symbolsInWords(b, sample))[0] ?? best.name;
  }
  const western = matches.find((match) => match.name === "ISO-8859-1" || match.name === "windows-1252");
  return western && western.confidence >= best.confidence - 20 ? "windows-1252" : best.name;
}

function isValid(label: string, bytes: Uint8Array): boolean {
  try {
    new TextDecoder(label, { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Signs within words, where only letters are: read in the right encoding, a text has hardly any ("po³udnie"). */
function symbolsInWords(label: string, sample: Uint8Array): number {
  return tryDecode(label, Buffer.from(sample))?.match(/(?<=\p{L})[\u0080-\u00bf\u00d7\u00f7](?=\p{L})/gu)?.length ?? 0;
}

/** Letters beyond ASCII stand alone in Western words and side by side in all other scripts. */
function longRuns(bytes: Uint8Array): boolean {
  let [high, runs] = [0, 0];
  for (let i = 0; i < bytes.length; i++) {
    if ((bytes[i] ?? 0) < 0x80) continue;
    high += 1;
    if ((bytes[i - 1] ?? 0) < 0x80) runs += 1;
  }
  return runs > 0 && high / runs >= 1.4;
}

/** Share of the two-byte characters whose lead byte is a common one. */
function commonShare(bytes: Uint8Array, common: readonly (readonly [number, number])[]): number {
  let [pairs, good] = [0, 0];
  for (let i = 0; i < bytes.length; i++) {
    const lead = bytes[i] ?? 0;
    if (lead < 0x80) continue;
    pairs += 1;
    if (common.some(([from, to]) => lead >= from && lead <= to)) good += 1;
    i += 1;
  }
  return pairs === 0 ? 0 : good / pairs;
}
