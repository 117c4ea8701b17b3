import { createHash } from "node:crypto";

/** What a page was like when it was read, so that the next pull can tell what changed without reading it. */
export interface Mark {
  /** Of its version. */
  readonly stamp: string;
  /** Of its newest comment, and how many there are that are no replies. */
  readonly said: string;
  readonly comments: number;
  /** Its attachments, each with its version. */
  readonly files: readonly string[];
  /** Hashes of what changes without a new version: the titles of the pages above, the labels. */
  readonly place: string;
  readonly labels: string;
}

/** The fingerprint that is kept with a page. */
export function writeMark({ stamp, said, comments, files, place, labels }: Mark): string {
  return [stamp, said, files.join(","), comments, place, labels].join(" ");
}

/** The mark of a fingerprint; an empty one where there is none. */
export function readMark(fingerprint: string | undefined): Mark {
  const [stamp = "", said = "", files = "", comments = "0", place = "", labels = ""] = fingerprint?.split(" ") ?? [];
  return { stamp, said, files: files === "" ? [] : files.split(","), comments: Number(comments), place, labels };
}

/** Short, of texts in their order. */
export function hashOf(texts: readonly string[] | undefined): string {
  return createHash("sha256")
    .update(JSON.stringify(texts ?? []))
    .digest("hex")
    .slice(0, 8);
}

/** "att4102@3" to "att4102". */
export function fileOf(mark: string): string {
  return mark.slice(0, mark.lastIndexOf("@"));
}
