import type { Coverage, Hypothesis, LookedFor, Statement } from "../core/answer.ts";
import type { GraphEdge, GraphNode } from "../core/graph.ts";
import type { Span } from "../core/record.ts";
import type { Calls } from "./calls.ts";
import type { Question } from "./question.ts";
import type { View } from "./view.ts";

/** How much a sentence matters: the answer itself, what one wants to know next, the rest. */
export type Rank = 0 | 1 | 2;

/** What a section works with: the question, the view, the tools, and the sheet it writes on. */
export interface Desk {
  readonly question: Question;
  readonly view: View;
  readonly calls: Calls;
  readonly coverage: readonly Coverage[];
  readonly sheet: Sheet;
}

/** Collects sentences with their places. A sentence is only said once, and never without a place. */
export class Sheet {
  readonly #said: { readonly rank: Rank; readonly statement: Statement }[] = [];
  readonly lookedFor: LookedFor[] = [];
  readonly hypotheses: Hypothesis[] = [];
  readonly notes: string[] = [];
  /** Parts of the question that nothing said here shows. */
  readonly unanswered: string[] = [];
  /** What was asked is for the graph to know, and it does not: no text need be searched for it. */
  conclusive = false;

  say(text: string, spans: readonly Span[], rank: Rank = 0, confidence = 0.9, from: Statement["from"] = "edges"): void {
    const places = distinct(spans);
    // a sentence that began with a small letter would be taken for the end of the one before
    const sentence = /^(?:issue|commit|team|the) /.test(text) ? capital(text) : text;
    if (places.length === 0 || this.#said.some(({ statement }) => sayTheSame(statement.text, sentence))) return;
    this.#said.push({ rank, statement: { text: sentence, spans: places, confidence: Math.round(confidence * 100) / 100, from } });
  }

  nothing(what: string, window: string | null = null): void {
    if (!this.lookedFor.some((one) => one.what === what && one.window === window)) this.lookedFor.push({ what, window, found: 0 });
  }

  /** A part of the question that what is said does not show. */
  leftOut(what: string): void {
    this.unanswered.push(what);
    this.nothing(what);
  }

  get empty(): boolean {
    return this.#said.length === 0;
  }

  get length(): number {
    return this.#said.length;
  }

  /** Most important first. */
  statements(most: number): readonly Statement[] {
    return [...this.#said]
      .sort((a, b) => a.rank - b.rank)
      .slice(0, most)
      .map(({ statement }) => statement);
  }
}

/** The best places of edges: one a record, what people wrote before what files list where `prose` is wanted. */
export function evidenceOf(edges: readonly GraphEdge[], most = 3): readonly Span[] {
  const spans: Span[] = [];
  for (const edge of edges) {
    for (const { span } of edge.evidence) {
      if (spans.some(({ record, start }) => record === span.record && start === span.start)) continue;
      if (spans.filter(({ record }) => record === span.record).length > 0 && edge.evidence.length > 1) continue;
      spans.push(span);
      if (spans.length >= most) return spans;
    }
  }
  return spans;
}

/** "a", "a and b", "a, b and c". */
export function listed(names: readonly string[], joint = "and"): string {
  if (names.length <= 1) return names[0] ?? "";
  return `${names.slice(0, -1).join(", ")} ${joint} ${names.at(-1)}`;
}

/** Names of services at the start of a sentence: "Service cart depends …", "Services a and b depend …". */
export function serviceFirst(names: readonly string[]): string {
  return /^\p{Ll}/u.test(names[0] ?? "") ? `Service${names.length === 1 ? "" : "s"} ${listed(names)}` : listed(names);
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The services that a question is about; an ambiguous name stands for each that it may mean. */
export function subjects(question: Question): readonly GraphNode[] {
  if (question.services.length > 0) return question.services;
  return question.ambiguous.find(({ nodes }) => nodes[0]?.kind === "service")?.nodes ?? [];
}

/** Whether a question that leaves things out ("besides X") leaves this one in. */
export function leavesIn({ excluded }: Question, id: GraphNode["id"]): boolean {
  return !excluded.some((node) => node.id === id);
}

/** The same words, or the same words quoted: a reader need not be told twice. */
function sayTheSame(a: string, b: string): boolean {
  const quoted = quotedIn(a);
  return (
    plainly(a) === plainly(b) || (quoted !== null && quoted === quotedIn(b) && plainly(a).endsWith(quoted) && plainly(b).endsWith(quoted))
  );
}

/** A whole sentence in quotation marks; titles and names are shorter. */
function quotedIn(sentence: string): string | null {
  return /"[^"]{20,}"/.exec(plainly(sentence))?.[0] ?? null;
}

/** As a reader takes it: "redis" and "Redis" are one, and so are "Yes: Jo owns X" and "Jo owns X". */
function plainly(sentence: string): string {
  return sentence
    .toLowerCase()
    .replace(/^(?:yes|no): /, "")
    .replace(/^(?:services?|team|commit|issue) /, "")
    .replace(/\s+/g, " ")
    .replace(/[.\s]+$/, "");
}

function distinct(spans: readonly Span[]): Span[] {
  const seen = new Set<string>();
  return spans.filter(({ record, start, end }) => {
    const place = `${record} ${start} ${end}`;
    return seen.has(place) ? false : seen.add(place);
  });
}
