import type { Graph } from "../core/graph.ts";
import { findIdentifiers } from "../core/identifiers.ts";

/** Ticket keys, shas and "the X service" that the graph does not know. */
export function unknownOf(question: string, graph: Graph, known: ReadonlySet<string>, masked: string): string[] {
  const unknown = new Set<string>();
  for (const { kind, text, token } of findIdentifiers(question)) {
    if (known.has(token)) continue;
    if (kind === "key" && /^[A-Z][A-Z0-9_]+-\d+$/.test(text) && graph.resolve(text).type === "none") unknown.add(text);
    if (kind === "sha" && /\b(?:commit|sha|revision|change)\b/i.test(question) && graph.resolve(text).type === "none") unknown.add(text);
  }
  // letters alone may be a sha where the word says so
  for (const [, sha = ""] of masked.matchAll(/\b(?:commit|sha|revision) ([0-9a-f]{6,40})\b/g))
    if (graph.resolve(sha).type === "none") unknown.add(sha);
  for (const match of masked.matchAll(/\bthe ([a-z0-9][a-z0-9-]*(?:[ -][a-z0-9]+)?) (?:service|api|microservice)\b/g)) {
    const name = match[1] ?? "";
    if (/^(?:same|other|whole|affected|failing|broken|new|old|which|first|next|right|named|said|following|above)$/.test(name)) continue;
    if (graph.resolve(name, "service").type === "none" && graph.resolve(`${name} service`, "service").type === "none") unknown.add(name);
  }
  for (const match of masked.matchAll(
    /\b(?:owns?|page for|owner of|maintains?|responsible for|depends? on|calls?|uses?) ((?:the )?[a-z][a-z0-9]*(?:-[a-z0-9]+)+)\b/g,
  )) {
    const name = (match[1] ?? "").replace(/^the /, "");
    if (graph.resolve(name, "service").type === "none") unknown.add(name);
  }
  // "what changed in till-ui?": a compound where a service stands, and none that is known
  for (const match of masked.matchAll(compoundPlace)) {
    const name = match[1] ?? "";
    if (!wordCompound.test(name) && graph.resolve(name).type === "none") unknown.add(name);
  }
  // "what did Jo Doe deploy?", where nobody of that name is known
  for (const match of question.matchAll(personPlace)) {
    const name = match[1] ?? match[2] ?? "";
    if (masked.includes(name.toLowerCase()) && graph.resolve(name).type === "none") unknown.add(name);
  }
  // "what changed in payroll?": all changes are no answer to that
  const scope = changedIn.exec(masked)?.[1];
  if (scope !== undefined && !anyScope.test(scope) && graph.resolve(scope).type === "none") unknown.add(scope);
  return [...unknown];
}

const after =
  "(?=[?.!,;]|$| (?:since|today|yesterday|last|this|within|during|in the|over the|on the|and|or|right|currently|still|again|down|broken|slow|failing|have|has|need|use|depend|call)\\b)";
const compoundPlace = new RegExp(
  `\\b(?:in|of|to|for|on|behind|from|does|do|did|is|was|are|with|about|against) (?:the )?([a-z][a-z0-9]*(?:-[a-z0-9]+)+)${after}`,
  "g",
);
/** A name of two words where a person stands: before what people do, or after "by". */
const personPlace =
  /\b(?:did|does|do|has|have|is|was) (\p{Lu}[\p{L}'’-]+ \p{Lu}[\p{L}'’-]+) (?:still |ever |just |already )?(?:deploy|push|commit|merg|chang|wr[io]t|own|work|ship|fix|releas|br[eo]k|touch|do|review|approv|report|open|respons|on call)\w*|\bby (\p{Lu}[\p{L}'’-]+ \p{Lu}[\p{L}'’-]+)(?=[?.,!]|$| (?:in|on|since|this|last|today|yesterday|between)\b)/gu;
/** Compounds of everyday language. */
const wordCompound =
  /^(?:on-?call|go-?to|e-?mail|root-cause|post-mortem|hand-?over|roll-?(?:out|back)|follow-up|set-up|start-up|up-to-date|end-to-end|well-known|half-\w+|long-\w+|short-\w+|last-\w+|real-time|run-?book|\w+-(?:related|based|wide|term|level|minute|hour|day|week|month|year|time|hop|hops|step)s?|(?:non|re|pre|post|self|multi|cross|two|three|one)-\w+)$/;
const changedIn = new RegExp(`\\b(?:changed|changes|commits) (?:in|of|to|for) (?:the )?([a-z][a-z0-9]{2,30})${after}`);
const anyScope =
  /^(?:the|an?|it|me|us|you|between|before|after|monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekend|morning|afternoon|evening|night|noon|midnight|time|hours|days|weeks|months|progress|order|advance|production|prod|staging|stage|main|master|trunk|code|codebase|repo|repos|repository|repositories|general|particular|total|detail|infra|infrastructure|system|systems|services?|platform|everything|anything|everywhere|all|them|this|that|these|those|there|here|last|past|previous|recent|january|february|march|april|may|june|july|august|september|october|november|december|question|deps|dependencies|scope|summary|short|full|what|which|who|our|any|its)$/;
