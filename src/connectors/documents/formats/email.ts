import PostalMime, { type Address } from "postal-mime";
import { toContextError } from "../../../core/errors.ts";
import { type Assembled, assemble, type Block } from "../../shared/blocks.ts";
import { decodeText } from "../decode.ts";
import { joinTexts, type Parsed } from "../parsed.ts";
import { htmlBlocks } from "./html.ts";

const MOST_ATTACHMENTS = 50;

/** Reads an attachment: a file in the mail. */
export type ParseAttachment = (bytes: Uint8Array, name: string) => Promise<Parsed>;

/**
 * A mail (RFC 5322): subject, who wrote when to whom, the text in one of its alternatives, then the attachments that are
 * documents. An attachment that cannot be read is named in the warnings.
 */
export async function parseEmail(bytes: Uint8Array, parseAttachment: ParseAttachment | null): Promise<Parsed> {
  // mail is ASCII on the wire; some programs save it as UTF-16
  const wide = bytes.subarray(0, 200).includes(0);
  const mail = await PostalMime.parse(wide ? decodeText(bytes) : bytes);
  const blocks: Block[] = [];
  if (mail.subject) blocks.push({ kind: "heading", level: 1, text: mail.subject });
  const lines = [
    ["From", mail.from ? nameOf(mail.from) : ""],
    ["To", (mail.to ?? []).map(nameOf).join(", ")],
    ["Cc", (mail.cc ?? []).map(nameOf).join(", ")],
    ["Date", mail.date ?? ""],
  ].filter(([, value]) => value !== "");
  if (lines.length > 0) blocks.push({ kind: "text", text: lines.map(([label, value]) => `${label}: ${value}`).join("\n") });
  if (mail.text?.trim()) blocks.push(...mail.text.split(/\r?\n[ \t]*\r?\n/).map((text): Block => ({ kind: "text", text })));
  else if (mail.html) blocks.push(...htmlBlocks(mail.html));

  const texts: (Assembled & Pick<Parsed, "ocr">)[] = [assemble(blocks)];
  const warnings: string[] = [];
  const files = mail.attachments.filter((one) => one.disposition === "attachment" || (one.filename && !one.related));
  for (const [i, file] of files.entries()) {
    const name = file.filename ?? `attachment ${i + 1}`;
    if (i >= MOST_ATTACHMENTS || parseAttachment === null) {
      warnings.push(`attachment ${name}: nested too deep or one too many`);
      continue;
    }
    try {
      const content = typeof file.content === "string" ? new TextEncoder().encode(file.content) : new Uint8Array(file.content);
      const parsed = await parseAttachment(content, name);
      texts.push(assemble([{ kind: "heading", level: 1, text: `Attachment: ${name}` }]), parsed);
      warnings.push(...parsed.warnings.map((warning) => `attachment ${name}: ${warning}`));
    } catch (error) {
      warnings.push(`attachment ${name}: ${toContextError(error).message}`);
    }
  }
  // a mail has no pages on which lines could stand
  const { starts, lines: _, ...joined } = joinTexts(texts);
  const ocr = texts.flatMap((one, i) => (one.ocr ?? []).map((span) => moved(span, starts[i] ?? 0)));
  return { ...joined, ...(ocr.length === 0 ? {} : { ocr }), mediaType: "message/rfc822", title: mail.subject ?? null, warnings };
}

function moved<Place extends { readonly start: number; readonly end: number }>(place: Place, by: number): Place {
  return { ...place, start: place.start + by, end: place.end + by };
}

/** A name is enough to know somebody by; the address only stands in where there is none. */
function nameOf(address: Address): string {
  return address.name || address.address || "";
}
