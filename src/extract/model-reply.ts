import { z } from "zod";
import { edgeKinds } from "../core/fact.ts";

/** One relation as a model states it. What it means is checked against the record afterwards. */
const Relation = z.object({
  source: z.string(),
  kind: z.enum(edgeKinds),
  target: z.string(),
  quote: z.string(),
  ends: z.boolean().nullish(),
  reason: z.string().nullish(),
});
export type Relation = z.infer<typeof Relation>;

/** What a model is asked for. */
export const Reply = z.object({ records: z.array(z.object({ n: z.number().int(), relations: z.array(Relation) })) });

/** The same as models write it: numbers as text, kinds with spaces and capitals, relations that lack a part. */
const SloppyReply = z.object({
  records: z.array(z.looseObject({ n: z.coerce.number().int(), relations: z.array(z.unknown()).nullish() })),
});
const SloppyRelation = z.preprocess((value) => {
  const kind = (value as { kind?: unknown } | null)?.kind;
  return typeof kind === "string" ? { ...(value as object), kind: kind.trim().toLowerCase().replace(/[ -]/g, "_") } : value;
}, Relation);

export interface ReadReply {
  /** Relations by the record's number in the prompt. */
  readonly records: ReadonlyMap<number, readonly Relation[]>;
  /** The reply came to its end: a record that it leaves out states nothing. */
  readonly whole: boolean;
  /** Relations that lacked a part or were of no known kind. */
  readonly unfit: number;
}

/**
 * Relations out of a reply: JSON bare, in a code fence, with words around it, or broken off, in which case the relations
 * before the break count. A relation that lacks a part is left out, the others are kept.
 * @throws SyntaxError, ZodError when there is nothing of the asked shape
 */
export function parseReply(text: string): ReadReply {
  const { json, whole } = jsonIn(text);
  const records = new Map<number, Relation[]>();
  let unfit = 0;
  for (const { n, relations } of SloppyReply.parse(JSON.parse(json)).records) {
    const fitting = (relations ?? []).map((one) => SloppyRelation.safeParse(one));
    unfit += fitting.filter((one) => !one.success).length;
    records.set(n, [...(records.get(n) ?? []), ...fitting.flatMap((one) => (one.success ? [one.data] : []))]);
  }
  return { records, whole, unfit };
}

/** The first JSON object of the asked shape; one that breaks off is closed after its last whole object. */
function jsonIn(text: string): { readonly json: string; readonly whole: boolean } {
  const asked = text.search(/\{\s{0,20}"records"/);
  const from = asked >= 0 ? asked : text.indexOf("{");
  if (from < 0) throw new SyntaxError("The reply holds no JSON object.");
  const open: string[] = [];
  let salvaged: string | null = null;
  let quoted = false;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (quoted) {
      if (character === "\\") at += 1;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === "{" || character === "[") open.push(character === "{" ? "}" : "]");
    else if (character === "}" || character === "]") {
      if (open.pop() !== character) break;
      if (open.length === 0) return { json: text.slice(from, at + 1), whole: true };
      if (character === "}") salvaged = text.slice(from, at + 1) + open.toReversed().join("");
    }
  }
  if (salvaged === null) throw new SyntaxError("The reply breaks off before its first relation.");
  return { json: salvaged, whole: false };
}
