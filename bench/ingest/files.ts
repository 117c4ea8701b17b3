import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { randomFrom } from "../../src/eval/random.ts";
import { word } from "../search/corpus.ts";

/** Small files in folders of 200, a third each Markdown, plain text and HTML; file n is made from n alone. */
export function writeSmallFiles(folder: string, count: number): void {
  const folders = Math.max(1, Math.ceil(count / 200));
  for (let i = 0; i < folders; i++) mkdirSync(join(folder, `d${i}`), { recursive: true });
  for (let i = 0; i < count; i++) writeFileSync(join(folder, `d${i % folders}`, `f${i}.${["md", "txt", "html"][i % 3]}`), smallText(i));
}

function smallText(n: number): string {
  const random = randomFrom(n);
  const sentence = () => `${Array.from({ length: 12 }, () => word(random)).join(" ")}.`;
  const steps = [1, 2, 3].map((step) => `- step ${step} of ${n}: ${sentence()}`).join("\n");
  return `# Runbook ${n}\n\nTo drain queue-${n}, wait for the window and note ticket OPS-${n}. ${sentence()} ${sentence()}\n\n${steps}\n`;
}

/** Empty files, a thousand a folder: for the scan alone. */
export function writeEmptyFiles(folder: string, count: number): void {
  for (let i = 0; i < Math.ceil(count / 1000); i++) {
    mkdirSync(join(folder, `d${i}`), { recursive: true });
    for (let j = 0; j < Math.min(1000, count - i * 1000); j++) writeFileSync(join(folder, `d${i}`, `f${j}.txt`), "");
  }
}

const texts = new Set([".md", ".txt", ".rst", ".adoc", ".html", ".csv", ".eml"]);
const zips = new Set([".docx", ".pptx", ".xlsx"]);
/** Files of their own kind, which would make up most of the time: a single line of a megabyte, 600 pages. */
const left = /^(?:one-megabyte|very-long|expands-to|bomb)/;

/** Bytes of the picture that office files get, and half as many as text for the one in HTML: most of a real folder are pictures. */
const pictureBytes = 3e6;

/**
 * Varies the sample documents until so many bytes are written: every third word of their text is another one in each
 * variant, and office files and HTML hold a picture. PDFs keep their text and differ in a comment at their end.
 * @returns how many files
 */
export function writeVariants(samples: string, folder: string, bytes: number): number {
  const names = readdirSync(samples).filter(
    (name) => !left.test(name) && (texts.has(extname(name)) || zips.has(extname(name)) || extname(name) === ".pdf"),
  );
  const random = randomFrom(1);
  const picture = Uint8Array.from({ length: pictureBytes }, () => random() * 256);
  const originals = names.map((name) => ({ name, content: readFileSync(join(samples, name)) }));
  let written = 0;
  let files = 0;
  for (let round = 0; written < bytes; round++) {
    const target = join(folder, `r${round}`);
    mkdirSync(target, { recursive: true });
    for (const { name, content } of originals) {
      if (written >= bytes) break;
      const made = variant(content, extname(name), round * originals.length + files, picture);
      writeFileSync(join(target, name), made);
      written += made.length;
      files += 1;
    }
  }
  return files;
}

function variant(content: Uint8Array, extension: string, seed: number, picture: Uint8Array): Uint8Array {
  if (extension === ".pdf") return Buffer.concat([content, Buffer.from(`\n% ${seed}\n`)]);
  const random = randomFrom(seed);
  // the words of a text, or those between the tags of a markup
  const varied = (text: string, between: boolean) =>
    text.replace(between ? /(?<=>[^<]*)\b[a-z]{4,}\b(?=[^<>]*<)/g : /\b[a-z]{4,}\b/g, (found) => (random() < 1 / 3 ? word(random) : found));
  if (!zips.has(extension)) {
    const text = varied(Buffer.from(content).toString("latin1"), extension === ".html");
    const inlined = `<img alt="" src="data:image/png;base64,${Buffer.from(picture.subarray(0, pictureBytes / 2)).toString("base64")}"></body>`;
    return Buffer.from(extension === ".html" ? text.replace("</body>", inlined) : text, "latin1");
  }
  try {
    const parts = Object.entries(unzipSync(content)).map(([path, part]) => {
      const isText = /^(?:word\/document|ppt\/slides\/slide\d+|xl\/sharedStrings).*\.xml$/.test(path);
      return [path, isText ? strToU8(varied(strFromU8(part), true)) : part] as const;
    });
    return zipSync({ ...Object.fromEntries(parts), "media/picture.bin": [picture, { level: 0 }] }, { level: 1 });
  } catch {
    return content; // a damaged or encrypted sample stays as it is
  }
}

export function existing(path: string | null): string | null {
  return path !== null && existsSync(path) ? path : null;
}
