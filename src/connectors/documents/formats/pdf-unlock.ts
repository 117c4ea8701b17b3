import { createCipheriv, createDecipheriv, createHash } from "node:crypto";

/** A string in the encryption dictionary: its value and the bytes it stands in, delimiters included. */
interface PdfString {
  readonly value: Buffer;
  readonly start: number;
  readonly end: number;
  readonly hex: boolean;
}

const NO_IV = Buffer.alloc(16);

/**
 * A PDF of revision 5 or 6 whose *owner* password is empty opens without asking, in every reader but pdf.js, which only tries
 * the empty *user* password. Here the file's key is got by the owner's way and laid down again for the user's: the two
 * entries of the encryption dictionary are replaced in place, so that no offset moves.
 * @returns the bytes that pdf.js opens; null when the file does need a password
 * @see ISO 32000-2, 7.6.4.3.3 (algorithm 2.A), 7.6.4.3.4 (2.B) and 7.6.4.4.7 (8)
 */
export function unlockWithEmptyOwnerPassword(bytes: Uint8Array): Uint8Array | null {
  const buffer = Buffer.from(bytes);
  const text = buffer.toString("latin1");
  const revision = Number(/\/R\s+([56])\b/.exec(text)?.[1] ?? 0);
  const [owner, ownerKey, user, userKey] = ["O", "OE", "U", "UE"].map((name) => stringAfter(text, name));
  if (!revision || !owner || !ownerKey || !user || !userKey) return null;
  const known = user.value.subarray(0, 48);
  if (owner.value.length < 48 || ownerKey.value.length < 32 || known.length < 48) return null;
  if (!hash(owner.value.subarray(32, 40), known, revision).equals(owner.value.subarray(0, 32))) return null;
  const decipher = createDecipheriv("aes-256-cbc", hash(owner.value.subarray(40, 48), known, revision), NO_IV).setAutoPadding(false);
  const fileKey = Buffer.concat([decipher.update(ownerKey.value.subarray(0, 32)), decipher.final()]);

  // salts are free to choose; a literal string needs some whose escapes fit into the old string's place
  for (let attempt = 0; attempt < 256; attempt++) {
    const [validation, key] = [Buffer.alloc(8, attempt), Buffer.alloc(8, 255 - attempt)];
    const none = Buffer.alloc(0);
    const newUser = Buffer.concat([hash(validation, none, revision), validation, key]);
    const cipher = createCipheriv("aes-256-cbc", hash(key, none, revision), NO_IV).setAutoPadding(false);
    const newUserKey = Buffer.concat([cipher.update(fileKey), cipher.final()]);
    if (put(buffer, user, newUser) && put(buffer, userKey, newUserKey)) return buffer;
  }
  return null;
}

/** Algorithm 2.B with an empty password; revision 5 has only its first step. */
function hash(salt: Buffer, user: Buffer, revision: number): Buffer {
  let key = createHash("sha256").update(salt).update(user).digest();
  if (revision === 5) return key;
  for (let round = 0; ; round++) {
    const repeated = Buffer.concat(Array.from({ length: 64 }, () => [key, user]).flat());
    const cipher = createCipheriv("aes-128-cbc", key.subarray(0, 16), key.subarray(16, 32)).setAutoPadding(false);
    const mixed = cipher.update(repeated);
    const which = mixed.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3;
    key = createHash(["sha256", "sha384", "sha512"][which] ?? "sha256")
      .update(mixed)
      .digest();
    if (round >= 63 && (mixed.at(-1) ?? 0) <= round - 31) return key.subarray(0, 32);
  }
}

/** The string behind a name, hexadecimal or literal. */
function stringAfter(text: string, name: string): PdfString | null {
  const at = new RegExp(`/${name}\\s*(?=[<(])`).exec(text);
  if (!at) return null;
  const start = at.index + at[0].length;
  if (text[start] === "<") {
    const end = text.indexOf(">", start);
    return end < 0 ? null : { value: Buffer.from(text.slice(start + 1, end).replace(/\s/g, ""), "hex"), start, end: end + 1, hex: true };
  }
  const value: number[] = [];
  let depth = 0;
  for (let i = start; i < Math.min(text.length, start + 1000); i++) {
    const char = text[i] ?? "";
    if (char === "\\") {
      const octal = /^[0-7]{1,3}/.exec(text.slice(i + 1, i + 4))?.[0];
      const next = text[i + 1] ?? "";
      const named = { n: 10, r: 13, t: 9, b: 8, f: 12 }[next];
      value.push(octal ? Number.parseInt(octal, 8) & 255 : (named ?? next.charCodeAt(0)));
      i += octal ? octal.length : 1;
      continue;
    }
    if (char === "(" && ++depth === 1) continue;
    if (char === ")" && --depth === 0) return { value: Buffer.from(value), start, end: i + 1, hex: false };
    value.push(char.charCodeAt(0));
  }
  return null;
}

/** Writes a string over another one's place, the rest filled with blanks; false when it does not fit. */
function put(buffer: Buffer, place: PdfString, value: Buffer): boolean {
  const literal = `(${value
    .toString("latin1")
    .replace(/[()\\]/g, "\\$&")
    .replaceAll("\r", "\\r")
    .replaceAll("\n", "\\n")})`;
  const written = place.hex ? `<${value.toString("hex")}>` : literal;
  if (written.length > place.end - place.start) return false;
  buffer.write(written.padEnd(place.end - place.start, " "), place.start, "latin1");
  return true;
}
