import { standsAt } from "../core/sticky.ts";
import { type Possible, proseSieve } from "./sieve.ts";

/** What keeps a sentence that looks like a statement from being one. Every test runs on masked text, in linear time. */

const negation =
  /\b(?:not(?! only)|no|none|nothing|nobody|never|neither|nor|without|unlikely|hardly|rul(?:ed?|es|ing) out|exclud(?:ed?|es|ing)|innocent|unrelated|nothing to do with|instead of|rather than|wrongly|mistakenly|falsely|disproved|cannot|stop(?:s|ped)?|kein\w{0,3}|nichts?|nie|pas|jamais|nunca|not yet)\b|n['’]t\b|では?ない|ではありません/i;
const hypothetical =
  /\b(?:(?<!\bas )if|unless|whether|suppose|supposing|assuming|imagine|what if|would|could|might|(?<!(?:in|of|since|until|from|by|early|late|mid|last|this) )may(?! \d)|should|hypothes[ie]s|theory|suspect(?:s|ed)?|wonder(?:s|ed)?|doubt(?:s|ed)?|unclear|unsure|not sure|perhaps|maybe|possibly|plan(?:s|ned)? to|planning|propos(?:e|es|ed|al)|suggest(?:s|ed)?|consider(?:s|ing)?|intend(?:s|ed)?|going to|want(?:s|ed)? to|let['’]s|todo|try|draft|example|e\.g\.|for instance|pretend|wenn|falls|würde|könnte|soll(?:te|en|ten)?|müsste|dürfte|si\b|serait|podría)\b/i;
const future = /\b(?:will|shall|wird(?! (?:von|durch)\b)|sera|será)\b/i;
const unsure =
  /\b(?:probably|likely|looks (?:like|as if)|seems?|appears?|as far as we know|i think|we think|apparently|presumably|wohl|vermutlich|wahrscheinlich)\b/i;
const cleared =
  /^[^.;]{0,60}?\b(?:(?:was|were|is|are|been|got|be|then|but|later|since) (?:\w+ ){0,2}?(?:ruled out|excluded|cleared|innocent|disproved|healthy|unrelated|exonerated|not involved|removed|dropped|retired|cut|gone)|is (?:not|no) |was (?:not|no) |a red herring|isn['’]t|wasn['’]t|did(?: not|n['’]t) help)/i;
const boundary = /[;:]|, (?:but|and|so|while|whereas|although|because)\b| but | – | — |\. /g;

export interface Verdict {
  readonly stated: boolean;
  /** 1 when said plainly, less when hedged. */
  readonly certainty: number;
  readonly why?: "negated" | "hypothetical" | "question" | "quoted";
}

/** Where the clause begins that holds `at`. */
export function clauseStart(text: string, at: number): number {
  let start = 0;
  boundary.lastIndex = 0;
  for (let match = boundary.exec(text); match !== null && match.index < at; match = boundary.exec(text)) {
    if (match.index + match[0].length <= at) start = match.index + match[0].length;
  }
  return start;
}

/**
 * Whether the stretch of a masked sentence states what it says: not negated, not asked, not imagined, not quoted.
 * @param tolerant the rule itself speaks of the future or of an end, so that "will" and "no longer" are part of it
 */
export function judge(text: string, start: number, end: number, tolerant = false): Verdict {
  if (/\?["”')\s]*$/.test(text)) return { stated: false, certainty: 0, why: "question" };
  if (insideQuotes(text, start)) return { stated: false, certainty: 0, why: "quoted" };
  const from = clauseStart(text, start);
  const clause = text.slice(from, end);
  const before = text.slice(0, end);
  if (!tolerant && (negation.test(clause) || cleared.test(text.slice(end)))) return { stated: false, certainty: 0, why: "negated" };
  if (hypothetical.test(clause) || /\b(?:(?<!\bas )if|unless|whether|suppose|assuming|wenn|falls|what if)\b/i.test(before))
    return { stated: false, certainty: 0, why: "hypothetical" };
  if (!tolerant && future.test(clause)) return { stated: false, certainty: 0, why: "hypothetical" };
  return { stated: true, certainty: unsure.test(before) || unsure.test(text.slice(end, end + 40)) ? 0.75 : 1 };
}

function insideQuotes(text: string, at: number): boolean {
  let straight = 0;
  let curly = 0;
  for (let index = 0; index < at; index += 1) {
    const character = text[index];
    if (character === '"') straight += 1;
    else if (character === "“" || character === "«" || character === "„") curly += 1;
    else if (character === "”" || character === "»") curly -= 1;
  }
  return curly > 0 || (straight % 2 === 1 && text.indexOf('"', at) >= 0);
}

const commands = [
  /\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,40}?\b(?:instructions?|rules?|prompts?|guidelines?|guardrails?)\b/i,
  /\b(?:add|create|insert|draw|record|register) (?:an?|the|this|these|following) (?:new )?(?:edge|fact|relation|triple)s?\b/i,
  /\bdear (?:assistant|ai|bot|model|llm)\b/i,
  /\b(?:print|reveal|show|repeat) (?:your|the) system prompt\b/i,
  /\byou are now (?:in|a|an|the)\b/i,
  /\bnew instructions?:/i,
  /<\/?(?:system|assistant|instructions?)>/i,
].map((command) => proseSieve.add(command));

/** Text that tells its reader what to do is read as no statement at all: an answer made from it would be somebody else's. */
export function instructsReader(text: string, possible = proseSieve.all): boolean {
  return commands.some((command) => possible.test(command, text));
}

const draftTitle =
  /^\W{0,3}(?:draft|wip|proposal|rfc|idea|ideas|brainstorm\w{0,4}|sketch|entwurf|vorschlag|brouillon|borrador)\b|\((?:draft|wip|proposal)\)\s*$/i;
const undecided = proseSieve.add(
  /\b(?:not (?:yet )?decided|undecided|under discussion|to be decided)\b|^status:?\s{1,3}(?:proposed|draft|rejected|in discussion|under review|abandoned|withdrawn)\b/im,
);
const outdated = /\b(?:outdated|deprecated|archived?|obsolete|superseded|legacy|veraltet|old version)\b/i;

const historical = proseSieve.add(/\b(?:kept for history|no longer maintained|this page is (?:outdated|obsolete|deprecated|archived))\b/i);

/** A page about what might be. */
export function isDraft(title: string, body: string, possible = proseSieve.all): boolean {
  return draftTitle.test(title) || possible.test(undecided, body.slice(0, 4000));
}

/** A page that says of itself that it no longer holds. */
export function isOutdated(title: string, body: string, possible: Possible): boolean {
  return outdated.test(title) || possible.test(historical, body.slice(0, 1500));
}

export interface Range {
  readonly start: number;
  readonly end: number;
}

const notProse =
  /(?:at [\w$.<>/]+\(|Caused by: [\w.$]+(?:Exception|Error|Throwable)|Traceback \(|File "|>|\$ |#!|export [A-Z_]+=|curl |kubectl |docker |\.\.\. \d+ more)/y;
const exception = /[\w.$]+(?:Exception|Error)(?::|$)/my;
const indent = /[^\S\n]*/y;
const fence = "```";

/** Lines that are quoted, code or stack traces, beside those that the source marks as code. */
export function unspoken(body: string, end: number, marked: readonly Range[]): Range[] {
  const ranges: Range[] = [];
  for (const range of marked) {
    // code within a line ("`checkout`") is a way to write a name; whole lines are a listing
    const lineStart = body.lastIndexOf("\n", range.start - 1) + 1;
    const newline = body.indexOf("\n", range.end);
    const alone =
      body.slice(lineStart, range.start).trim() === "" && body.slice(range.end, newline < 0 ? body.length : newline).trim() === "";
    if (alone || body.slice(range.start, range.end).includes("\n")) ranges.push(range);
  }
  const exceptions = /Exception|Error/.test(body);
  let fenced = false;
  for (let start = 0; start < end; ) {
    const newline = body.indexOf("\n", start);
    const lineEnd = newline < 0 || newline > end ? end : newline;
    standsAt(indent, body, start);
    const first = indent.lastIndex;
    const isFence = body.startsWith(fence, first);
    if (fenced || isFence || standsAt(notProse, body, first) || (exceptions && standsAt(exception, body, first)))
      ranges.push({ start, end: lineEnd });
    if (isFence) fenced = !fenced;
    start = lineEnd + 1;
  }
  return ranges.sort((a, b) => a.start - b.start);
}
