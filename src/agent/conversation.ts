import type { Graph, GraphNode } from "../core/graph.ts";
import { capital } from "./desk.ts";
import { type Question, understand } from "./question.ts";
import { definedTerm } from "./sections/texts.ts";

/** What is remembered of a session: its last question, written out, and what it was about. */
interface Turn {
  readonly question: string;
  readonly read: Question;
  /** The service, ticket or commit that it was about last: what "it" means, even after a question about a person. */
  readonly thing: GraphNode | null;
  readonly at: number;
}

export interface Conversations {
  /**
   * The question as it reads on its own: "and who was it before?" after "Who owns tariff?" is "Who owned tariff before?".
   * A question that stands for itself, or that follows nothing, comes back as it is.
   */
  resolve(session: string, question: string, now: Date): string;
}

export interface ConversationDeps {
  readonly graph: Graph;
  /** Milliseconds. */
  clock(): number;
  /** Sessions kept; the longest unused goes first. */
  readonly sessions?: number;
  /** How long a session is remembered, ms. */
  readonly keepMs?: number;
}

const MOST_SESSIONS = 500;
const KEEP_MS = 60 * 60_000;
const LONGEST_FOLLOW_UP = 14;

const opening = /^(?:and|but|so|ok(?:ay)?|also|then|what about|how about|and what about|and how about)\b[ ,]*/i;
const pronoun =
  /\b(?:it|that service|this service|that one|this one|the service|the same(?: one| service)?|there|that ticket|this ticket|the ticket|that incident|this incident|the incident|that commit|this commit|the commit)\b/i;
const timeAtEnd =
  / (?:(?:in|within|over|during|since|on|between|for|from) )?(?:the )?(?:last|past|this|next|today|yesterday|tonight|tomorrow|\d)(?: ?[\p{L}\p{N}:-]+){0,4}$/iu;
const possessive = /\bits\b/i;
const person = /\b(?:he|she|they|him|her|them|that person)\b/i;

/** Follow-up questions by rule, with bounded memory. */
export function createConversations({ graph, clock, sessions = MOST_SESSIONS, keepMs = KEEP_MS }: ConversationDeps): Conversations {
  const memory = new Map<string, Turn>();
  return {
    resolve(session, question, now) {
      const last = memory.get(session);
      const fresh = last !== undefined && clock() - last.at <= keepMs ? last : undefined;
      const resolved = fresh === undefined ? question : followUp(question, fresh, graph, now);
      memory.delete(session);
      const read = understand(resolved, graph, now);
      const thing = read.services[0] ?? read.tickets[0] ?? read.commits[0] ?? fresh?.thing ?? null;
      memory.set(session, { question: resolved, read, thing, at: clock() });
      const [oldest] = memory.keys();
      if (memory.size > sessions && oldest !== undefined) memory.delete(oldest);
      return resolved;
    },
  };
}

function followUp(question: string, { question: before, read: last, thing }: Turn, graph: Graph, now: Date): string {
  const own = understand(question, graph, now);
  if (question.trim().split(/\s+/).length > LONGEST_FOLLOW_UP) return question;
  const opened = opening.test(question.trim());
  const rest = question
    .trim()
    .replace(opening, "")
    .replace(/\s*[?.!]+$/, "");
  const [subject] = subjectsOf(last);
  const named = subjectsOf(own);

  // "and redis?", "what about the ledger?": the last question, asked of another thing
  const [other] = named;
  if (other !== undefined && own.intents.length <= 1 && isOnlyName(rest, own) && subject !== undefined) {
    const place = placeOf(before, subject, graph);
    if (place !== null) return `${before.slice(0, place.start)}${nameOf(other)}${before.slice(place.end)}`;
  }
  // "and in the last week?": the last question, asked of another time
  if (named.length === 0 && own.window !== null && own.intents.length === 0 && opened) {
    return `${before.replace(/\s*[?.!]+$/, "").replace(timeAtEnd, "")} ${rest}?`;
  }
  if (named.length > 0 || subject === undefined || (definedTerm(question) !== null && !pronoun.test(question))) return question;
  // "and who was it before?" after a question for an owner
  if (
    /^who (?:was|were|is|has been)\b.{0,12}\b(?:before|earlier|previously|then)\b/i.test(rest) &&
    (last.intents.includes("owner") || last.intents.includes("handover")) &&
    subject.kind === "service"
  ) {
    return `Who owned ${subject.label} before?`;
  }
  const name = nameOf(subject);
  // "since when?", "when?": of what was asked last
  if (/^since when$/i.test(rest) && last.intents.includes("owner")) return `Since when does its owner own ${name}?`;
  if (/^(?:and )?when(?: was (?:that|it))?$/i.test(rest) && last.intents.includes("fix")) return `When was ${name} fixed?`;
  const someone = last.people[0] ?? (last.intents.includes("owner") ? ownerOf(subject, graph) : undefined);
  if (someone !== undefined && person.test(rest)) return `${rest.replace(person, someone.label)}?`;
  const it = thing === null ? name : nameOf(thing);
  if (possessive.test(rest)) return `${capital(rest.replace(possessive, `${it}'s`))}?`;
  if (pronoun.test(rest)) return `${capital(rest.replace(pronoun, it))}?`;
  if (opened || rest.split(/\s+/).length <= 6) return `${capital(rest)} (${name})?`;
  return question;
}

function subjectsOf({ services, tickets, commits, people, teams }: Question): readonly GraphNode[] {
  return [...services, ...tickets, ...commits, ...people, ...teams];
}

/** Nothing but a name and small words. */
function isOnlyName(rest: string, { masked }: Question): boolean {
  const bare = masked
    .replace(opening, "")
    .replace(/[?.!,]/g, " ")
    .replace(/⟨\w+⟩/g, " ")
    .replace(/\b(?:the|of|for|in|on|about|then|now|service|please|with|a|an)\b/g, " ")
    .trim();
  return bare === "" && rest !== "";
}

function placeOf(text: string, node: GraphNode, graph: Graph): { readonly start: number; readonly end: number } | null {
  return graph.mentions(text).find(({ resolution }) => resolution.type === "one" && resolution.node.id === node.id) ?? null;
}

/** Who owns a service, where only one person does: whom "he" and "she" mean after a question for its owner. */
function ownerOf({ id, kind }: GraphNode, graph: Graph): GraphNode | undefined {
  if (kind !== "service") return undefined;
  const owners = graph
    .edgesOf(id, { kinds: ["owns"], direction: "in" })
    .filter(({ validTo }) => validTo === null)
    .flatMap(({ source }) => graph.node(source) ?? [])
    .filter((node) => node.kind === "engineer");
  return owners.length === 1 ? owners[0] : undefined;
}

function nameOf(node: GraphNode): string {
  return node.kind === "ticket" || node.kind === "commit" ? node.id.slice(node.id.indexOf(":") + 1) : node.label;
}
