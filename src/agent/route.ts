import type { Answer } from "../core/answer.ts";
import type { Question } from "./question.ts";

export interface Route {
  readonly route: Extract<Answer["route"], "vector" | "agent" | "documents">;
  /** Documents are asked beside the graph. */
  readonly mixed: boolean;
  readonly reason: string;
}

const simpleStart = /^(?:what is|what are|what's|whats|define)\b/i;
/** A simple question that asks for one of these is the graph's all the same. */
const operational =
  /\b(?:own(?:s|er|ers|ed)?|responsible|maintain\w*|on[- ]?call|chang(?:e|es|ed)|commits?|deploy\w*|merged?|incidents?|outages?|tickets?|open|broken|down|failing|fire|going on|happening|up with|wrong|status|state|health|depend\w*|upstream|downstream|callers?|caus(?:e|es|ed)|root[- ]cause|reason|blame|culprit|working on|impact|affected|duplicate)\b/i;
const documentLike =
  /\b(?:runbooks?|postmortems?|post-mortems?|playbooks?|glossary|architecture|design doc\w*|adr(?:-\d+)?|documentation|docs?|(?<!\b(?:i|to|we|do|you) )pages?|pdf|manual|guide|handbook|polic(?:y|ies)|procedures?|steps?|checklist|how (?:do|can|should|to)|how (?:does|can|could|should|would) (?:one|i|we|you|somebody|someone|anyone)|what (?:should|can|must|do) (?:i|we|you) do|say(?:s)? (?:about|on)|according to|written|described?|explain(?:s|ed)?|mean(?:s|ing)?|stand(?:s)? for)\b/i;

/**
 * Where a question goes. Simple ones (fewer than 8 words, beginning with "what is", "what are" or "define") go to vector search
 * without a tool call, unless they ask for an owner, change, incident, dependency or state; document-like ones to document
 * search; what rules find facts for to the agent; both where a question is both.
 */
export function routeOf(question: Question): Route {
  const words = question.text.split(/\s+/).length;
  const { intents } = question;
  const operationalIntent = (
    ["dependencies", "uses", "owner", "oncall", "handover", "cause", "person", "logs", "pull", "pulls", "introduced"] as const
  ).some((intent) => intents.includes(intent));
  if (words < 8 && simpleStart.test(question.text) && !operationalIntent && !operational.test(question.masked)) {
    return { route: "vector", mixed: false, reason: `a simple question of ${words} words` };
  }
  const documents = documentLike.test(question.masked) || question.docs.length > 0;
  if (question.attribute !== null && intents.every((intent) => intent !== "trace")) {
    return { route: "documents", mixed: false, reason: `asks for "${question.attribute}", which no edge holds` };
  }
  if (intents.length === 0)
    return {
      route: documents ? "documents" : "vector",
      mixed: false,
      reason: documents ? "asks what a text says" : "no fact of the graph is asked for",
    };
  if (documents && !strong.some((intent) => intents.includes(intent)))
    return { route: "documents", mixed: true, reason: "asks what a text says" };
  return { route: "agent", mixed: documents, reason: `asks for ${intents.join(", ")}` };
}

/** Intents that a document-like word does not take to the documents. */
const strong = [
  "cause",
  "owner",
  "oncall",
  "handover",
  "author",
  "changes",
  "commit",
  "fix",
  "fixed-by",
  "duplicate",
  "pull",
  "pulls",
  "introduced",
  "reopened",
  "trace",
] as const;
