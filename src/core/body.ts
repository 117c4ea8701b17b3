import type { SourceRecord } from "./record.ts";

/** One stated field of a record: its label in the body's footer and its values. */
export interface StatedField {
  readonly label: string;
  readonly value: string | readonly string[] | null | undefined;
}

const MOST_VALUES = 60;

/** Line ends to "\n", NFC, no NUL, no byte-order mark, no white space at line ends; the form in which every body is stored. */
export function cleanText(text: string): string {
  return text
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
    .replaceAll("\u0000", "")
    .normalize("NFC")
    .replace(/[ \t]+$/gm, "")
    .trim();
}

/**
 * A record's body: what people wrote, then one "Label: value" line for each stated field that has a value.
 * The footer gives structured facts a place that a citation can show.
 * @returns body, and where the prose ends
 */
export function composeBody(prose: string, fields: readonly StatedField[]): { readonly body: string; readonly proseEnd: number } {
  const text = cleanText(prose);
  const lines: string[] = [];
  for (const { label, value } of fields) {
    const values = (typeof value === "string" ? [value] : (value ?? []))
      .map((one) => cleanText(one).replace(/\s+/g, " "))
      .filter((one) => one !== "");
    if (values.length === 0) continue;
    const shown = values.slice(0, MOST_VALUES).join(", ");
    lines.push(`${label}: ${shown}${values.length > MOST_VALUES ? `, and ${values.length - MOST_VALUES} more` : ""}`);
  }
  if (lines.length === 0) return { body: text, proseEnd: text.length };
  return { body: `${text}\n\n${lines.join("\n")}`, proseEnd: text.length };
}

/** Where a stated field's line stands in the body ("Components: checkout-api"), null when the record has none. */
export function fieldSpan(
  record: Pick<SourceRecord, "body" | "proseEnd">,
  label: string,
): { readonly start: number; readonly end: number } | null {
  const marker = `\n${label}: `;
  const at = record.body.indexOf(marker, record.proseEnd);
  if (at < 0) return null;
  const start = at + 1;
  const end = record.body.indexOf("\n", start);
  return { start, end: end < 0 ? record.body.length : end };
}
