import type { Chunk } from "../core/chunk.ts";
import { terms } from "../core/words.ts";
import type { Desk } from "./desk.ts";
import { key } from "./view.ts";

const filler =
  /^(?:how|many|much|what|which|is|are|was|were|the|an?|did|does|do|has|have|had|of|for|long|often|big|large|fast|old|far|high|in|on|total|exact|current|because|due|get|got|us|we|our|it|be|been|will|would|can|could|may|might|must|should|shall|there|any|so|to|by|from|with|during|after|since|at)$/;

/**
 * Whether any passage could answer a question for something that no edge holds: one that has all its nouns, beside the ticket
 * or commit that the question names, and a number where it asks how many. "How much revenue did JR-441 cost?" has none.
 */
export function mayBeWritten({ question, view }: Desk): boolean {
  const { attribute } = question;
  // a graph without a service knows nothing that documents could not say otherwise
  if (attribute === null || view.graph.nodes("service")[Symbol.iterator]().next().done === true) return true;
  const wanted = (attribute.match(/[\p{L}\p{N}-]+/gu) ?? []).filter((word) => !filler.test(word)).flatMap((word) => terms(word));
  // "how old is …": nothing to look for, and of a person nobody writes it down here
  if (wanted.length === 0) return question.people.length === 0;
  // stems are too short to count by: "customers" and "customs" share one
  const nouns = (attribute.match(/[\p{L}-]+/gu) ?? [])
    .filter((word) => !filler.test(word))
    .map((word) => word.replace(/(?:ies|es|s)$/, ""));
  const counted = /^how (?:many|much)\b/.test(attribute);
  const subjects = [...question.tickets, ...question.commits];
  const pool: Chunk[] = [];
  if (subjects.length > 0) {
    for (const node of subjects) {
      const record = view.recordOf(node);
      if (record !== null) pool.push(...view.chunks.ofRecord(record.id));
      for (const { chunkId } of view.chunks.matchIdentifiers([key(node).toLowerCase()], 40, {})) keep(pool, view.chunks.get(chunkId));
    }
  } else {
    for (const { chunkId } of view.chunks.matchWords(wanted, 60, {})) keep(pool, view.chunks.get(chunkId));
  }
  const named = [...question.services, ...question.people].map(({ label, aliases }) =>
    [label, ...aliases].map((name) => name.toLowerCase()),
  );
  return pool.some(({ text, title }) => {
    const held = new Set(terms(text));
    const about = `${title}\n${text}`.toLowerCase();
    if (!counted && named.length > 0 && !named.some((names) => names.some((name) => about.includes(name)))) return false;
    return (
      wanted.every((word) => held.has(word)) &&
      (!counted || (nouns.every((noun) => about.includes(noun)) && countsIn(text, nouns[0] ?? "")))
    );
  });
}

const counts =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|dozen|hundred|thousand|million|half|third|quarter|none|all|every)\b/;

/** Whether a number stands beside the thing counted: "about 30 % of the orders", "orders lost: 512". */
function countsIn(text: string, noun: string): boolean {
  const lower = text.toLowerCase();
  for (let at = lower.indexOf(noun); at >= 0; at = lower.indexOf(noun, at + 1)) {
    const line = lower.lastIndexOf("\n", at) + 1;
    const before = lower
      .slice(Math.max(line, at - 40), at)
      .split(/\s+/)
      .slice(-5)
      .join(" ");
    const after = (lower.slice(at, at + 60).split("\n", 1)[0] ?? "").split(/\s+/).slice(0, 5).join(" ");
    // dates, clocks and identifiers count nothing
    const bare = `${before} ${after}`.replace(/\S*(?:[a-z_#]\S*\d|\d\S*[a-z_:-])\S*/g, " ");
    if (counts.test(bare)) return true;
  }
  return false;
}

function keep(pool: Chunk[], chunk: Chunk | null): void {
  if (chunk !== null) pool.push(chunk);
}
