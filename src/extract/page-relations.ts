import type { NodeId } from "../core/fact.ts";
import { clauseStart, judge } from "./guards.ts";
import { classes, type Masked, type Mention, mentionAt } from "./mask.ts";
import { actedOn } from "./patterns/fragments.ts";

/**
 * What a page about one service needs, in whatever words: on such a page, what is kept in, sent to, fetched from, done by or done
 * to another service tells that the page's service needs it, unless that service is the one who acts. Read only where no phrase
 * was found, in sentences of the page's description.
 */
export interface PageRelation {
  readonly source: NodeId;
  readonly target: NodeId;
  readonly start: number;
  readonly end: number;
}

const S = `[${classes.S}]`;
const service = new RegExp(S, "g");
const edges =
  /[;:.]| [–—-] |, (?:but|so|while|whereas|although|because|since|if|when)\b| (?:but|because|while|whereas|although|if|when|unless|until|since|so that) /g;
const prepositions =
  "(?:on top of|by way of|in|into|on|onto|to|from|through|via|by|against|over|with|at|off|inside|past|per|using) (?:the |our |its )?";
const preposition = new RegExp(`\\b${prepositions}$`, "i");
const adverbs = "(?:also |only |then |always |all |both |now |first |still |directly |each |in turn |usually |mainly |itself ){0,2}";
/** "fines are collected by", "archived in": something of the page's is done there. Not what is only said, shown or planned. */
const isDone = new RegExp(
  `\\b(?:is|are|gets?|and) ${adverbs}(?!${actedOn})(?!(?:called|named|known|described|documented|listed|found|seen|shown|explained|discussed|defined|mentioned|maintained|owned|written by|supported|vetted|reviewed|approved|tracked|marked|proposed|recommended|invited|expected|allowed|required|intended|supposed|caused|affected|blocked|fixed|tested|deployed|installed|configured|compared|based|specified|designed|considered|needed|identified|wanted|done in collaboration|involved|related|interested|tied|bound|limited|opposed)\\b)[a-z]{2,12}(?:ed|wn|nt|pt|lt|ld|en|ut|de|ught|id|it|ne|st) (?:[\\w'-]{1,20} ){0,4}?${prepositions}$`,
  "i",
);
/** "rooms arrive every night as a file from": what moves or lies somewhere of its own accord. */
const goes = new RegExp(
  `^\\W*(?:[\\w'-]{1,20} ){1,4}?(?:arrives?|comes?|flows?|lands?|ends? up|queues? up|piles? up|lives?|leaves?|travels?|passes|moves on|enters?|returns?) (?:[\\w'-]{1,20} ){0,5}?${prepositions}$`,
);
const ownWords =
  "(?:it|this (?:service|app|application|component|system|program|job)|the (?:service|app|application|component|program|job))";
/** Between a subject and what it acts on: no other clause, no other thing that acts. */
const otherClause = /\b(?:which|that|who|whose|where|when|than|as|to be)\b|["(]/i;
/** A service's name that stands for the service, not before a noun: "beta", not "the beta library". */
const standsFree =
  /^(?:'s? (?:[a-z-]{1,15} )?(?:api|queues?|topics?|bus|database|cache)\b|$|[.,;:)!/–—-]| [–—(-]| (?:and|or|as|for|to|in|on|at|over|via|through|when|while|where|which|that|because|before|after|with|from|by|so|but|every|each|once|twice|about|per|instead|directly|too|only|first|then|again|itself|alone|until|since|if|under|using|without|of|who|how|what|whether|the|a|an|its|all|\w+ly|und|oder|für|über|zu|nach|ab|api|database|cluster|queues?|bus|topics?|bucket|tables?|cache|backend|endpoint)\b)/i;
/** Who does such things to the page's service needs it, not the other way round. */
const asked =
  /\b(?:(?:calls?|requests?|quer(?:y|ies)|lookups?) (?:is |are |was )?(?:made|initiated|issued|placed)|(?:is|are|gets?|be|and|when|if|once|only|also) (?:\w+ly |only |also |then )?(?:[a-z]{3,14}(?:ed|wn|nt) (?:to|into|on|at|with|for|from) (?:it|them)|used|called|read|needed|required|queried|polled|consumed|requested|invoked|scraped|embedded|fetched|downloaded|retrieved|picked up|looked up|relied (?:up)?on|depended (?:up)?on|wanted|expected)|[,(] (?:used|called|read|polled|consumed|scraped)|\bto it) (?:only |also |mainly )?(?:by|from) (?:the |our )?$/i;
export function asksFor(before: string): boolean {
  return asked.test(before);
}

/** Words of comparisons, of the past, of people and of the pages themselves. */
const elsewhere =
  /\b(?:compar\w*|compatible|similar\w*|unlike|confus\w*|replac\w*|split|merg\w*|migrat\w*|renam\w*|called|named|moved?|moves|moving|instead|incidents?|outages?|like|same|differ\w*|belongs?|own\w*|teams?|pages?|paged|alerts?|dashboards?|repos?|repository|wiki|see|ask|asks? (?:for|about)|talk|colleagues?|was|were|had|used to|until|formerly|previously|before|once|planned|plan|soon|later|next|together|alongside|besides?|apart|near|next to|part of|example|if|unless|would|could|might|should|test|tests|staging|version|release|deploy\w*|restart\w*|roll\w*|scale|fail\w*|broken|breaks?|down|slow|error\w*|lag|requests?|responses?|repl(?:y|ies)|answers?|instructions?|traffic|users|customers|calls|exposed?|exposes|reachable|accessible|available|served|behind|triggered|started|sent by|sent back|due to|number of)\b/i;
/** A verb without a subject, in the form of a command: what to do, not what is. */
const command =
  /^(?:\W|\d{1,2}[.)] )*(?:please |then |first |also )?(?:check|look|restart|call|page|ask|see|run|open|log|use|try|make|get|find|read|write|go|wait|stop|start|kill|scale|roll|switch|turn|set|add|remove|delete|drop|drain|move|keep|do|don't|never|always|tell|inform|note|verify|compare|inspect|watch|clear|flush|disable|enable|increase|raise|lower|escalate|contact|mail|ping|announce|declare|confirm|follow|update|fix|create|replay|purge|pause|resume|fall|fail|force|let|give|take|send|put|copy|point|connect|login|ssh|grep|curl|kubectl|docker|change|choose|work|submit|ensure|consider)\b/i;
export function isCommand(text: string): boolean {
  return command.test(text);
}

const acts = new RegExp(`(?:^|(?:\\b(?:It|it|and|then|also|only|always|itself)|,|${S}) )([a-z]{3,14}s) (?:the |our )?$`);
const noAct =
  /^(?:is|was|has|does|owns|replaces|resembles|affects|breaks|means|becomes|precedes|includes|knows|likes|belongs|differs|contains|supports|serves|feeds|powers|backs|hosts|wraps|beats|predates|outlives|renames|extends|needs)$/;
const furtherItems = new RegExp(`^(?:,? and ${S}|, ${S}(?=,| and|[.;)]|$| \\())+`);
/** "alpha and beta trust its tokens", "beta only reads it": other services that act on the page's. */
const goesOnAboutIt = new RegExp(
  `^(?:,? and ${S}|, ${S})*,? (?:all |both |also |only |then |in turn )?(?!(?:is|are|was|were|gives?|tells?|sends?|feeds?|hands?|serves?|stores?|owns?|replaces?|resembles?|starts?|runs?|creates?|holds?|keeps?|caches?)\\b)[a-z]{3,14} (?:[\\w'-]{1,20} ){0,2}?(?:its|it|them)\\b`,
);
const opensClause = new RegExp(`^(?:(?:the|our|and|both|but|only|also) )*(?:${S}(?:, |,? and ))*$`, "i");
const givesToIt =
  /^(?: (?:only|also|just|then|always|itself|alone)){0,2} (?:holds|keeps|stores|caches|remembers|decides|supplies|delivers|renders|computes|calculates|checks|validates|resolves|authenticates|authorises|authorizes|converts|translates|prints|gives|hands|tells|feeds) (?!an? |up |back )/;

/**
 * Where the other services of a masked sentence stand in relation to the page's own.
 * @param body the record's, into which the names' places point
 * @param read services that a phrase has read in the sentence
 */
export function relationsOf(masked: Masked, body: string, own: NodeId, read: ReadonlySet<NodeId>): PageRelation[] {
  const { text } = masked;
  if (command.test(text) || /\?["”')\s]*$|^\W*You\b| \| /.test(text)) return [];
  const found: PageRelation[] = [];
  for (const match of text.matchAll(service)) {
    const mention = mentionAt(masked, match[0]);
    const [node, more] = mention?.nodes ?? [];
    if (mention === null || node === undefined || more !== undefined || node === own || read.has(node)) continue;
    const [from, to] = clauseAround(text, match.index);
    const [before, after] = [text.slice(from, match.index), text.slice(match.index + 1, to)];
    const actsOnIt = opensClause.test(before) && goesOnAboutIt.test(after);
    if (!actsOnIt && isWord(mention, body, match.index)) continue;
    const needed = actsOnIt ? false : relation(before, after, masked, from, match.index, own);
    if (needed === null || !judge(text, from, match.index + 1).stated || !judge(text, match.index, to).stated) continue;
    const place = { start: masked.offsets[from] ?? mention.start, end: masked.offsets[match.index + 1] ?? mention.end };
    found.push(needed ? { source: own, target: node, ...place } : { source: node, target: own, ...place });
    if (!needed) continue;
    for (const mate of matesOf(masked, match.index + 1))
      if (mate !== own && !read.has(mate)) found.push({ source: own, target: mate, ...place });
  }
  return found;
}

/** Further services of a list: "from alpha, beta and delta". */
function matesOf(masked: Masked, from: number): NodeId[] {
  const mates: NodeId[] = [];
  const list = furtherItems.exec(masked.text.slice(from))?.[0] ?? "";
  for (const match of list.matchAll(service)) {
    const [node, more] = mentionAt(masked, match[0])?.nodes ?? [];
    if (node !== undefined && more === undefined) mates.push(node);
  }
  return mates;
}

/** An everyday word is a name where it is written like one within a sentence: "asks Identity". */
export function isWord(mention: Mention, body: string, at: number): boolean {
  return mention.bare && (at === 0 || !/\p{Lu}/u.test(body[mention.start] ?? ""));
}

/** Whether the page's service needs the one between the texts, that one needs it, or neither is said. */
function relation(before: string, after: string, masked: Masked, from: number, at: number, own: NodeId): boolean | null {
  const first = subjectOf(masked, from, at);
  const verb = acts.exec(before)?.[1];
  if (verb === undefined && !standsFree.test(after) && !givesToIt.test(after)) return null;
  if (asked.test(before)) return first === null || first === own ? false : null;
  if (elsewhere.test(before) || /^(?:'s?)? (?:team|page|repo|dashboard|incident|outage|alert|owner|people|folks|guild)/.test(after))
    return null;
  if (first !== null && first !== own) return null;
  const governed = preposition.test(before) && before.trim().includes(" ");
  if (governed && !/\b(?:that|which|who)\b/.test(before) && (isDone.test(before) || goes.test(before))) return true;
  if ((governed || verb !== undefined) && actsItself(masked, at, own)) return verb === undefined || !noAct.test(verb) ? true : null;
  return before.trim() === "" && givesToIt.test(after) ? true : null;
}

/** Whether the sentence opens with the page's service, or what means it, doing something: "It knows members through «S»". */
function actsItself(masked: Masked, at: number, own: NodeId): boolean {
  const [, subject, rest] = opening.exec(masked.text.slice(0, at)) ?? [];
  if (subject === undefined || rest === undefined || otherClause.test(rest.slice(rest.lastIndexOf(", ") + 1))) return false;
  const mention = mentionAt(masked, subject);
  return mention === null || mention.nodes.includes(own);
}

/** The service that a clause names first, before the place; null where it names none. */
function subjectOf(masked: Masked, from: number, at: number): NodeId | null {
  for (let index = from; index < at; index += 1) {
    const mention = mentionAt(masked, masked.text[index]);
    // "uploads to alpha and to beta": what stands behind a preposition is no subject
    if (mention?.kind === "service" && !preposition.test(masked.text.slice(from, index))) return mention.nodes[0] ?? null;
  }
  return null;
}

const opening = new RegExp(
  `^(?:\\W(?<!${S})|\\d{1,2}[.)] )*(${S}|${ownWords}\\b)((?: also| only| itself| then| always)* (?!is |was |has |does |are )[a-z]{3,14}s .*| (?:is|gets) [a-z]{3,14}(?:ed|wn|nt|pt|lt|en) .*)$`,
  "i",
);

function clauseAround(text: string, at: number): readonly [number, number] {
  let from = clauseStart(text, at);
  for (const match of text.matchAll(edges)) {
    const end = match.index + match[0].length;
    if (end <= at) from = Math.max(from, end);
    else return [from, match.index];
  }
  return [from, text.length];
}

const steps =
  /^(?:symptoms?|steps?|checks?|what to (?:do|check|look at)|first aid|actions?|escalat\w*|known (?:problems|issues|bugs)|problems|history|timeline|troubleshooting|diagnos\w*|alerts?|incidents?|when (?:it|something) .*|if (?:it|something) .*|how to .*|restart\w*|recovery|mitigation|faq|see also|links|related.*|contacts?|on[- ]?call|slos?|metrics|dashboards?|changes?|changelog|notes?|todo|open questions|next steps|follow[- ]?ups?|lessons.*|impact|summary of .*|in an emergency|was tun.*|störung.*|fehler.*)$/i;

/** Whether the lines below a heading tell what to do or what happened rather than what is. */
export function isForSteps(heading: string): boolean {
  return steps.test(heading.replace(/^[#*\s\d.]+|[:*?!\s]+$/g, ""));
}
