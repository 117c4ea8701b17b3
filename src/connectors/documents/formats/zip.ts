import { unzipSync } from "fflate";
import { ContextError } from "../../../core/errors.ts";

/** Unpacked bytes that a document may declare in all, and the ratio beyond which more than MOST_TRUSTED of them are a bomb. */
const MOST_UNPACKED = 400_000_000;
const MOST_TRUSTED = 10_000_000;
const MOST_RATIO = 100;
const MOST_ENTRIES = 20_000;

/** The parts of a zipped document (OOXML, OpenDocument, EPUB). */
export interface Zip {
  readonly names: readonly string[];
  /** A part as text, null when there is none. */
  text(name: string): string | null;
}

/**
 * Opens an archive by its directory; a part is unpacked when it is asked for, into no more than its declared size.
 * @throws ContextError FILE_TOO_LARGE when the declared sizes are those of a bomb, FILE_UNREADABLE when it is damaged
 */
export function openZip(bytes: Uint8Array): Zip {
  const sizes = new Map<string, number>();
  let total = 0;
  unpack(bytes, ({ name, originalSize }) => {
    sizes.set(name, originalSize);
    total += originalSize;
    return false;
  });
  if (sizes.size > MOST_ENTRIES) throw new ContextError("FILE_TOO_LARGE", `It holds ${sizes.size} parts; at most ${MOST_ENTRIES} are read`);
  if (total > MOST_UNPACKED || (total > MOST_TRUSTED && total > bytes.length * MOST_RATIO)) {
    const times = Math.round(total / bytes.length);
    throw new ContextError("FILE_TOO_LARGE", `It expands too much: to ${(total / 1e6).toFixed(0)} MB, ${times} times its size`, {
      remedy: "Do not trust this file; if it is harmless, save it again or split it.",
    });
  }
  return {
    names: [...sizes.keys()],
    text(name) {
      if (!sizes.has(name)) return null;
      const part = unpack(bytes, (file) => file.name === name)[name];
      return part ? new TextDecoder(utf16Label(part)).decode(part) : null;
    },
  };
}

function unpack(
  bytes: Uint8Array,
  filter: (file: { readonly name: string; readonly originalSize: number }) => boolean,
): Record<string, Uint8Array> {
  try {
    return unzipSync(bytes, { filter });
  } catch (cause) {
    throw new ContextError("FILE_UNREADABLE", `It is damaged: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

function utf16Label(part: Uint8Array): string {
  if (part[0] === 0xff && part[1] === 0xfe) return "utf-16le";
  return part[0] === 0xfe && part[1] === 0xff ? "utf-16be" : "utf-8";
}

/** Targets of a part's relationships by id, as paths in the archive; links outward stay as they are. */
export function relationsOf(
  zip: Zip,
  part: string,
  parse: (xml: string) => Iterable<Readonly<Record<string, string>>>,
): ReadonlyMap<string, { readonly target: string; readonly type: string }> {
  const at = part.lastIndexOf("/");
  const folder = part.slice(0, at + 1);
  const xml = zip.text(`${folder}_rels/${part.slice(at + 1)}.rels`);
  const found = new Map<string, { target: string; type: string }>();
  if (xml === null) return found;
  for (const { Id, Target, TargetMode, Type } of parse(xml)) {
    if (Id && Target) found.set(Id, { target: TargetMode === "External" ? Target : resolvePart(folder, Target), type: Type ?? "" });
  }
  return found;
}

function resolvePart(folder: string, target: string): string {
  if (target.startsWith("/")) return target.slice(1);
  const parts = folder.split("/").slice(0, -1);
  for (const part of target.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}
