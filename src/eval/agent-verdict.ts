import { z } from "zod";
import type { Answer } from "../core/answer.ts";
import type { Graph } from "../core/graph.ts";
import { sentencesOf } from "../core/sentences.ts";

const Expect = z.object({
  entities: z.array(z.string()).default([]),
  records: z.array(z.string()).default([]),
  anyRecords: z.array(z.string()).default([]),
  mention: z.array(z.string()).default([]),
  mustNot: z.array(z.string()).default([]),
});

export const AgentQuestion = z.looseObject({
  id: z.string(),
  kind: z.string(),
  question: z.string(),
  now: z.string().optional(),
  expect: Expect,
  answer: z.string().default("answer"),
});
export type AgentQuestion = z.infer<typeof AgentQuestion>;

export const NamedEntity = z.looseObject({
  id: z.string(),
  kind: z.string(),
  label: z.string().optional(),
  aliases: z.array(z.string()).optional(),
});
export type NamedEntity = z.infer<typeof NamedEntity>;

export type Verdict = "correct" | "partial" | "wrong" | "refusedRightly" | "refusedWrongly";

export interface Judged {
  readonly verdict: Verdict;
  readonly missing: readonly string[];
  readonly unexpected: readonly string[];
}

/** Spellings of each entity, lower case; longest first. */
export type Names = ReadonlyMap<string, readonly string[]>;

export function namesOf(entities: readonly NamedEntity[], graph: Graph): Names {
  const names = new Map<string, string[]>();
  const put = (id: string, spelling: string): void => {
    const known = names.get(id) ?? [];
    if (spelling.length > 1 && !known.includes(spelling.toLowerCase())) names.set(id, [...known, spelling.toLowerCase()]);
  };
  for (const { id, label, aliases = [] } of entities) {
    put(id, id.slice(id.indexOf(":") + 1));
    for (const name of [...(label === undefined ? [] : [label]), ...aliases]) put(id, name);
  }
  for (const node of graph.nodes()) {
    if (entities.length > 0 && !names.has(node.id)) continue;
    put(node.id, node.id.slice(node.id.indexOf(":") + 1));
    if (node.kind !== "ticket" && node.kind !== "commit") put(node.id, node.label);
  }
  return names;
}

/** Least characters of a commit's sha that name it. */
const SHA = 7;
/** Entities of the asked kind that truth does not hold, which an answer may name and still be correct. */
const MOST_UNEXPECTED = 3;

const ruledOut =
  /\bnot\b|n['’]t\b|\bno\b|\bnone\b|\brul(?:e|es|ed|ing) out\b|\binnocent\b|\bcleared\b|\bunrelated\b|\bhealthy\b|\bnever\b|\bonly a draft\b|\bduplicate\b|\bresolved\b|\bclosed\b|\buntil\b|\bformer\b|\bowned\b|\bis fine\b/i;

/**
 * The contract's verdicts. *Correct*: every expected entity and one expected record is in the answer or its citations, what must
 * be mentioned is, nothing of `mustNot` stands but as ruled out, and at most 3 entities of the asked kind that truth does not hold.
 * *Partial*: some of it, nothing wrong. *Wrong*: a `mustNot` given as fact, or an unanswerable question answered.
 */
export function judge(question: AgentQuestion, answer: Answer, names: Names): Judged {
  const { expect } = question;
  const refused = answer.status === "refused" || answer.status === "unavailable";
  if (question.answer === "refuse") {
    return refused ? verdict("refusedRightly") : verdict("wrong", [], ["answered what no source states"]);
  }
  const text = answer.answer.replace(/\s*\[\d+\]/g, "");
  const cited = new Set(answer.citations.map(({ recordId }) => recordId));
  const quoted = answer.citations.map((citation) => citation.text).join("\n");
  const missing: string[] = [];
  for (const id of expect.entities) if (!named(id, `${text}\n${quoted}`, names) && !isCited(id, cited)) missing.push(id);
  const wanted = [...expect.records, ...expect.anyRecords];
  if (wanted.length > 0 && !wanted.some((record) => cited.has(record))) missing.push(`one of ${wanted.join(", ")}`);
  for (const phrase of expect.mention) if (!folded(`${text}\n${quoted}`).includes(folded(phrase))) missing.push(`"${phrase}"`);
  const wrong = expect.mustNot.filter((id) => stated(id, text, names));
  if (refused) return verdict("refusedWrongly", missing);
  if (wrong.length > 0) return verdict("wrong", missing, wrong);
  const asked = new Set(expect.entities.map(kindOf));
  const unexpected = extras(question, text, names, asked);
  if (missing.length === 0 && unexpected.length <= MOST_UNEXPECTED) return verdict("correct", [], unexpected);
  const some =
    expect.entities.length === 0 || expect.entities.some((id) => !missing.includes(id)) || wanted.some((record) => cited.has(record));
  return some ? verdict("partial", missing, unexpected) : verdict("wrong", missing, unexpected);
}

function verdict(kind: Verdict, missing: readonly string[] = [], unexpected: readonly string[] = []): Judged {
  return { verdict: kind, missing, unexpected };
}

/** Entities of an asked kind in the answer's own text that were not expected; only where the question asks for a list of one kind. */
function extras(question: AgentQuestion, text: string, names: Names, asked: ReadonlySet<string>): string[] {
  const kinds: Readonly<Record<string, readonly string[]>> = {
    dependencies: ["service"],
    "dependencies-2": ["service"],
    incidents: ["ticket"],
    changes: ["commit"],
    owner: ["engineer"],
    "owner-time": ["engineer"],
  };
  const wanted = (kinds[question.kind] ?? []).filter((kind) => asked.has(kind));
  if (wanted.length === 0) return [];
  const subject = question.question.toLowerCase();
  const found: string[] = [];
  for (const id of names.keys()) {
    if (!wanted.includes(kindOf(id)) || question.expect.entities.includes(id) || !named(id, text, names)) continue;
    if ((names.get(id) ?? []).some((name) => holdsWord(subject, name))) continue;
    // what a title or a subject quotes is not named by the answer
    if (!named(id, text.replace(/\([^()]*\)|"[^"]*"/g, " "), names)) continue;
    found.push(id);
  }
  return found;
}

function kindOf(id: string): string {
  return id.slice(0, id.indexOf(":"));
}

function isCited(id: string, cited: ReadonlySet<string>): boolean {
  const own = id.slice(id.indexOf(":") + 1);
  switch (kindOf(id)) {
    case "ticket":
      return cited.has(`jira:${own}`) || cited.has(`github:issue:${own}`);
    case "commit":
      return cited.has(`github:commit:${own}`);
    case "doc":
      return [...cited].some((record) => record.endsWith(`:${own}`));
    case "log":
      return cited.has(`log:${own}`);
    default:
      return false;
  }
}

function named(id: string, text: string, names: Names): boolean {
  const lower = folded(text);
  const own = id.slice(id.indexOf(":") + 1).toLowerCase();
  if (kindOf(id) === "commit") {
    for (const [sha] of lower.matchAll(/\b[0-9a-f]{7,40}\b/g)) if (sha.length >= SHA && own.startsWith(sha)) return true;
    return false;
  }
  return [own, ...(names.get(id) ?? [])].some((name) => holdsWord(lower, folded(name)));
}

/** Named in a sentence that does not rule it out. A question that is repeated in a title counts as named, too. */
function stated(id: string, text: string, names: Names): boolean {
  return sentencesOf(text).some(({ start, end }) => {
    const sentence = text.slice(start, end);
    return named(id, sentence, names) && !ruledOut.test(sentence);
  });
}

function holdsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!/[\p{L}\p{N}_-]/u.test(text[at - 1] ?? " ") && !/[\p{L}\p{N}_-]/u.test(text[at + word.length] ?? " ")) return true;
  }
  return false;
}

function folded(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ");
}
