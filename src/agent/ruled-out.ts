import type { NodeId } from "../core/fact.ts";
import type { Graph, GraphNode } from "../core/graph.ts";
import type { SourceRecord, Span } from "../core/record.ts";
import { sentencesOf } from "../core/sentences.ts";
import { key, type View } from "./view.ts";

/** A sentence in which somebody clears something of being the cause. */
export interface Clearance {
  readonly node: NodeId;
  readonly sentence: string;
  readonly span: Span;
}

const cleared =
  /\bnot (?:the |a |be |been )?(?:caused|due|because|triggered|related|involved|affected|to blame|at fault|the (?:cause|problem|culprit|reason|issue)|from)\b|\b(?:isn['’]t|wasn['’]t|aren['’]t) (?:caused|due|related|involved|to blame|at fault|the (?:cause|problem|culprit|reason|issue))\b|\brul(?:ed|ing) out\b|\b(?:innocent|cleared|exonerated|unrelated|uninvolved)\b|\bnothing to do with\b|\bnever involved\b|\b(?:is|are|was|were|looks?|itself is|has been) (?:perfectly |all |otherwise |completely )?(?:fine|healthy|ok|okay|normal)\b|\banswers? normally\b|\bno (?:link|connection) to\b|\boff the hook\b|\bin the clear\b|\bnot guilty\b|\bnot (?:its|their) fault\b|\bist gesund\b|\b(?:nicht|un)schuld\w*\b|\b(?:only )?(?:went out|came|was (?:made|merged|deployed|released|shipped|rolled out)) (?:only )?(?:later|afterwards)\b|\b(?:hypothesis|suspicion)\b[^.]{0,30}\bis out\b/i;

const plain =
  /\bnot (?:caused|due|because|to blame|at fault|the (?:cause|problem|culprit|reason))\b|\brul(?:ed|ing) out\b|\binnocent\b|\bcleared\b|\bnothing to do with\b|\boff the hook\b/i;

/** Where one clause ends and another begins. */
const clauseEnd =
  /[:;]\s|\.\s|,\s(?=(?:but|so|since|because|which|who|while|whereas|though|it|its|they|we)\b)|\s(?=(?:because|whereas|although)\b)/g;

/** The stretches of a sentence that clear what they name; where one only says "it", the clause before names it. */
function clearing(sentence: string): readonly { readonly start: number; readonly end: number }[] {
  const clauses: { readonly start: number; readonly end: number }[] = [];
  let start = 0;
  for (const { index, 0: mark } of sentence.matchAll(clauseEnd)) {
    clauses.push({ start, end: index });
    start = index + mark.length;
  }
  clauses.push({ start, end: sentence.length });
  return clauses.flatMap((clause, at) => {
    const text = sentence.slice(clause.start, clause.end);
    const before = clauses[at - 1];
    if (!cleared.test(text)) return [];
    return before !== undefined && /^(?:it|they|that|this|these|those|both)\b/i.test(text) ? [before, clause] : [clause];
  });
}

/** Everything that a record's prose rules out, with the sentence that does. */
export function clearances(record: SourceRecord, graph: Graph): readonly Clearance[] {
  const prose = record.body.slice(0, record.proseEnd);
  if (!cleared.test(prose)) return [];
  const found: Clearance[] = [];
  for (const { start, end } of sentencesOf(prose)) {
    const sentence = prose.slice(start, end);
    if (sentence.length > 500 || !cleared.test(sentence)) continue;
    const clauses = clearing(sentence);
    for (const { resolution, start: at } of graph.mentions(sentence)) {
      // in "web is innocent: it shows what shop sends" shop is not cleared
      if (!clauses.some((clause) => at >= clause.start && at < clause.end)) continue;
      if (resolution.type !== "one" || found.some(({ node }) => node === resolution.node.id)) continue;
      if (resolution.node.kind !== "service" && resolution.node.kind !== "commit" && resolution.node.kind !== "ticket") continue;
      found.push({ node: resolution.node.id, sentence, span: { record: record.id, start, end } });
    }
  }
  // who says "not caused by" or "ruled out" says it more plainly than who says that something works
  return found.sort((a, b) => Number(plain.test(b.sentence)) - Number(plain.test(a.sentence)));
}

/** What a ticket rules out, and what the pages that have it in their title do. */
export function clearancesOf(view: View, node: GraphNode, record: SourceRecord | null): readonly Clearance[] {
  const records = record === null ? [] : [record];
  for (const { chunkId } of view.chunks.matchIdentifiers([key(node).toLowerCase()], 20, {})) {
    const id = view.chunks.get(chunkId)?.span.record;
    const other = id === undefined ? null : view.records.get(id);
    if (other !== null && other.kind === "page" && !records.includes(other) && other.title.toLowerCase().includes(key(node).toLowerCase()))
      records.push(other);
  }
  return records.flatMap((one) => clearances(one, view.graph));
}
