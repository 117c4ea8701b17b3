import { cleanText, composeBody, type StatedField } from "../../core/body.ts";
import type { RecordFields, SourceRecord } from "../../core/record.ts";
import type { Assembled } from "./blocks.ts";
import { redactRecord } from "./redact.ts";

/** A record before its body is put together: what a mapper states. */
export interface Draft extends Omit<SourceRecord, "body" | "proseEnd"> {
  /** What people wrote, title included; already cleaned where headings and code are given. */
  readonly prose: Pick<Assembled, "text"> & Partial<Assembled>;
  readonly footer: readonly StatedField[];
}

/** The longest title that lists and citations show whole. */
const MOST_TITLE = 300;

/** Composes the body, takes secrets out and leaves away what is not stated: the last step of every mapper. */
export function toRecord({ prose, footer, title, fields, ...draft }: Draft): SourceRecord {
  const oneLine = cleanText(title).replace(/\s+/g, " ");
  const stated: RecordFields = {
    ...fields,
    ...(prose.headings?.length ? { headings: prose.headings } : {}),
    ...(prose.code?.length ? { code: prose.code } : {}),
  };
  return redactRecord({
    ...draft,
    title: oneLine.length > MOST_TITLE ? `${oneLine.slice(0, MOST_TITLE - 1).trimEnd()}…` : oneLine,
    ...composeBody(prose.text, footer),
    fields: stated,
  });
}

/** An object without its undefined, null and empty-array properties: fields are stated or absent. */
export function statedOnly<T extends object>(parts: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(
    Object.entries(parts).filter(([, value]) => value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0)),
  ) as { [K in keyof T]?: NonNullable<T[K]> };
}
