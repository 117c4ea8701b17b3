import type { NodeId } from "../../core/fact.ts";
import { terms } from "../../core/words.ts";
import { type Desk, subjects } from "../desk.ts";
import { causesOf, IN_TEXT, type Incident, incidentOf, ticketsOf } from "../lookups.ts";
import { clearances } from "../ruled-out.ts";
import { isWithin } from "../time.ts";
import { getActiveIncidents, semanticSearch } from "../tools.ts";

/** Chunks looked through for the words of a question that names no service. */
const WORD_MATCHES = 40;
/** Share of the words of a question that a ticket must hold to be meant by them alone. */
const LEAST_OVERLAP = 0.34;

/** The tickets that the question is about: named ones, else those of its services or words that fit best. */
export async function choose(desk: Desk): Promise<readonly Incident[]> {
  const { question, view, calls, sheet } = desk;
  if (question.tickets.length > 0) return question.tickets.map((node) => incidentOf(view, node));
  const candidates = new Map<NodeId, Incident>();
  for (const service of subjects(question)) {
    const found = await calls.run(getActiveIncidents, { service: service.id, at: null });
    for (const one of [...(found?.value?.open ?? []), ...(found?.value?.closed ?? [])]) candidates.set(one.node.id, one);
  }
  const accused = accuses(question.masked);
  if (accused) for (const one of ticketsOf(view, null)) if (speaksOf(desk, one)) candidates.set(one.node.id, one);
  // what is accused need not be what is broken
  if (
    (candidates.size === 0 && subjects(question).length === 0) ||
    (accused && ![...candidates.values()].some((one) => fit(desk, one).overlap >= LEAST_OVERLAP))
  ) {
    const found = await calls.run(semanticSearch, { query: question.text, k: 8, kinds: ["ticket", "issue"], since: null });
    const byWords = view.chunks.matchWords(question.topic, WORD_MATCHES, {}).map(({ chunkId }) => view.chunks.get(chunkId));
    for (const chunk of [...(found?.passages ?? []).map((passage) => passage.chunk), ...byWords]) {
      for (const id of chunk === null ? [] : view.graph.nodesOfRecord(chunk.span.record)) {
        const node = id.startsWith("ticket:") ? view.graph.node(id) : null;
        if (node !== null && view.recordOf(node)?.id === chunk?.span.record) candidates.set(node.id, incidentOf(view, node));
      }
    }
  }
  // "what broke on 2 December": whatever incident began then
  if (candidates.size === 0 && question.topic.length === 0 && question.window !== null)
    for (const one of ticketsOf(view, null)) if (one.incident && one.duplicateOf === null) candidates.set(one.node.id, one);
  const scored = [...candidates.values()]
    .filter(({ state }) => state.opened === null || state.opened <= view.now)
    .map((one) => ({ one, ...fit(desk, one) }))
    .sort((a, b) => b.score - a.score || (b.one.state.opened ?? "").localeCompare(a.one.state.opened ?? ""));
  const [best] = scored;
  if (best === undefined) return [];
  // a closed ticket answers only when its words or the window say that it is the one
  const closed = best.one.state.open === false && best.overlap < LEAST_OVERLAP && !best.inWindow;
  const nameless = subjects(question).length === 0 && best.overlap < LEAST_OVERLAP && !(question.topic.length === 0 && best.inWindow);
  const plain = best.one.state.open !== false && !best.one.incident && best.overlap < LEAST_OVERLAP;
  if (closed || nameless || plain) {
    sheet.notes.push(`no open incident fits; the nearest is ${view.name(best.one.node)}`);
    return [];
  }
  return [best.one];
}

/** "Is X to blame", "was it X": yes or no is asked of a suspect. */
export function accuses(masked: string): boolean {
  if (
    /\bwhy not (?:the )?⟨(?:service|commit)⟩|\bwhy (?:is|was) (?:it )?(?:not (?:the )?⟨(?:service|commit)⟩|(?:the )?⟨(?:service|commit)⟩ not (?:to blame|the cause|suspected|at fault))/.test(
      masked,
    )
  )
    return true;
  return (
    /(?:^|[,;:.–-] )(?:is|was|are|were|did|does|could|can|has)\b/.test(masked) &&
    /\bblame|\bcause|\bfault|\bculprit|\bresponsible|\breason\b/.test(masked)
  );
}

/** Whether a ticket names one of the question's services as its cause, or clears it. */
function speaksOf({ question, view }: Desk, { node, record }: Incident): boolean {
  const asked = new Set(question.services.map(({ id }) => id));
  return (
    causesOf(view, node.id).some(({ target }) => asked.has(target)) ||
    (record !== null && clearances(record, view.graph).some((clearance) => asked.has(clearance.node)))
  );
}

/** How well a ticket fits the question: words it shares, its time, whether it is open, an incident, a duplicate. */
function fit(
  { question }: Desk,
  { node, record, state, incident, duplicateOf }: Incident,
): { score: number; overlap: number; inWindow: boolean } {
  const title = new Set(terms(node.label));
  const body = new Set(record === null ? [] : terms(record.body.slice(0, Math.min(record.proseEnd, 3000))));
  const topic = question.topic;
  const hits = topic.reduce((sum, word) => sum + (title.has(word) ? 1 : body.has(word) ? IN_TEXT : 0), 0);
  const overlap = topic.length === 0 ? 0 : hits / topic.length;
  const { window } = question;
  const at = state.opened;
  const inWindow = window !== null && at !== null && isWithin(at, window);
  // where no service is named, only the words say which one is meant
  let score =
    overlap * (question.services.length === 0 ? 6 : 3) +
    (incident ? 1.2 : 0) +
    (state.open === false ? 0 : 1.5) -
    (duplicateOf === null ? 0 : 2);
  if (window !== null) score += inWindow ? 2.5 : -1;
  return { score, overlap, inWindow };
}
