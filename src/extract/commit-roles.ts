import type { Fact, NodeId } from "../core/fact.ts";
import { judge } from "./guards.ts";
import { classes, type Masked, mentionAt } from "./mask.ts";

/**
 * What a commit is to the ticket in which it is named, where no phrase says so outright: people tell what it did ("cut the pools
 * to two connections") or how they feel about it ("that was me"). A clause that tells of harm names a cause, one that tells of a
 * cure names a repair; one that tells of both or of neither says nothing.
 */
export interface Setting {
  readonly ticket: NodeId;
  /** The source says what kind of ticket it is; an issue without a kind may as well be a change's text, so only what a clause is about counts. */
  readonly typed: boolean;
  /** A report of trouble, where harm is worth naming; tasks and stories tell what they will do. */
  readonly report: boolean;
  /** An incident: who names a change there means that the trouble comes from it. */
  readonly incident: boolean;
  /** A cause is known already: further commits that nothing is said of are no second one. */
  readonly explained: boolean;
  /** The ticket is over: what was taken back then was the cause. */
  readonly done: boolean;
  /** The heading above: "Root cause", "Resolution". */
  readonly section: "cause" | "repair" | null;
  /** The sentence after this one, masked as it stands. */
  readonly next: string;
}

/** What a commit is to the ticket, and where that stands. */
export interface Role {
  readonly kind: "caused_by" | "fixes";
  readonly commit: NodeId;
  readonly start: number;
  readonly end: number;
}

const ill =
  "(?:fail\\w*|crash\\w*|leak\\w*|errors?|tim(?:e[sd]?|ing) out|timeouts?|hangs?|hung|duplicat\\w*|doubles|twice|oom\\w*|kill\\w*|stall\\w*|deadlock\\w*|panic\\w*|corrupt\\w*|exceptions?|npe|flood\\w*|stale|slow\\w*)";
/** Harm that no longer happens. */
const relief = `(?:no longer|no more|zero|never|stops?|stopped|does not|doesn't|without|instead of|not) (?:\\w+ ){0,2}?${ill}`;
const cure = new RegExp(
  "\\b(?:fix\\w*|repair\\w*|resolv\\w*|solv\\w*|cure[sd]?|correct(?:s|ed)|clos(?:es|ed|ing)|done|merged (?:as|in|with)|shipped|landed|in the (?:app )?stores?|in production with|out with|implemented|delivered|released|works?(?! (?:fine |well |ok )?(?:before|until|up to))|helped|helps|better|again|gone|healthy|green|stable|recovered|back to|" +
    "undone (?:by|in|with)|ist (?:jetzt )?drin|(?:puts?|brings?|brought) (?:\\w+ ){0,3}back|restor\\w+|revert(?:ed|s)? (?:in|as|with|by)|handles?|guards?|prevents?|avoids?|protects?|adds? (?:it|one|an?|the|some)|raises?|increase[sd]?|verified|patch\\w*|hotfix\\w*|takes care|address(?:es|ed)|makes? sure|" +
    `${relief}|behoben|erledigt|gelöst|repariert)\\b`,
  "i",
);
const relieved = new RegExp(`\\b${relief}\\b`, "gi");
const harm = new RegExp(
  "\\b(?:mistake|should(?:n't| not| never) have|sorry|on me|my (?:fault|bad|doing)|that was me|forg[eo]t\\w*|overlooked|missed|bad|wrong\\w*|brok?e\\w*|breaks?|too (?:small|low|short|few|early|late|strict|high|long|many|much|big|aggressive)|no longer|never|without|drop(?:s|ped)|remov(?:es|ed|ing)|lower(?:s|ed)|cuts?|shorten(?:s|ed)|halv(?:es|ed)|reduc(?:es|ed)|" +
    "disabl(?:es|ed)|(?:switch|turn)(?:es|s|ed) (?:\\w+ ){0,3}off|skip(?:s|ped)|lost|loses|ignores?|swallow(?:s|ed)|overwr\\w+|caus\\w+|because|trigger\\w*|regress\\w*|(?:started|did|done|explains) (?:it|this|that)|culprit|blame\\w*|guilty|reason|responsible|fault|starv\\w+|exhaust\\w*|doubl(?:es|ed)|" +
    `left (?:only |just )?(?:\\w+ )|longer than|mandatory|schuld|kaputt|${ill})\\b`,
  "i",
);
/** A sentence that clears a commit, or only wonders; "no longer", "never" and "does not" else tell what a change did. */
const denied = new RegExp(
  `\\b(?:unrelated|innocent|ruled? out|red herring|nothing to do|no part|not involved|cleared|excluded|unknown|may|might|could|would|maybe|perhaps|possibly|suspect\\w*|if|whether|unless|nicht|kein\\w{0,2})\\b|^\\W*(?:no|nope|nein)\\b|\\b(?:not|nor|neither|never) (?:\\w+ ){0,4}?[${classes.C}]|[${classes.C}](?: \\([^)]{0,80}\\))? (?:is|was|were|looks?|seems?)(?: not|n't| fine| ok| okay| good| healthy| live| running| deployed| on| in)\\b|` +
    `(?:\\b(?:not|never|no|hardly)|n['’]t) (?:\\w+ ){0,3}?(?:caus\\w*|culprit|blame\\w*|guilty|responsible|fault|related|because|due|reason|help\\w*|change (?:it|this|anything)|fix\\w*|solv\\w*|repair\\w*|resolv\\w*|work\\w*|enough|yet)\\b|\\bshould(?! (?:not |never )?have\\b)`,
  "i",
);
/** Whether words around a commit tell of a cure. */
export function cures(clause: string): boolean {
  return cure.test(clause);
}

/** Whether words around a commit tell of harm. */
export function harms(clause: string): boolean {
  return harm.test(clause.replace(relieved, ""));
}

/** Whether a sentence clears the commits that it names, or only wonders about them. */
export function denies(sentence: string): boolean {
  return denied.test(sentence.replace(notOnly, ""));
}

/** A commit that is only pointed at. */
const pointedAt =
  /\b(?:see|cf|compare|refs?|review\w*|test(?:ed|ing)?|tried|trying|look(?:s|ing|ed)? at|running|runs|checked|version|branch|based on|like|similar|since|live|deployed|deploy of|rollout|rolled out|went out|is out|merged|release of)\b/i;
/** What goes on about the clause before: "…, so that is what broke them". */
const blames =
  /^[,;.:]? ?(?:so |and |which means )?(?:that|this|which)(?:'s| is| was)? (?:also )?(?:what |how |why |where )?(?:\w+ )?(?:broke|breaks|caus|trigger|did it|kill|hurt|led|start|took)/i;
const pleased =
  /^(?:works?|fixed|gone|thanks?|thank you|closing|verified|done|ok(?:ay)?|fine|all good|looks good|back to normal|better|confirmed)\b[^.]{0,40}[.!]?$/i;
const well = /\b(?:fine|ok(?:ay)?|good|gone|again|normal|recovered|stopped|healthy|quiet|green|works?|worked|fast|quick|no more)\b/i;
const finished = new RegExp(
  `\\b(?:[a-z]{2,14}(?:ed|wn|nt)|is|in|out) (?:[a-z]{2,12} )?(?:in|with|as|by|via|through|place:?|stores? with) (?:commit )?[${classes.C}]`,
  "i",
);
const cameWith = new RegExp(
  `\\b(?:went live|went out|went in|came|arrived|landed|rolled out|switched on|turned on|introduced|shipped|started|began) (?:in |out )?(?:with|in|by|through) (?:commit )?[${classes.C}]`,
  "i",
);
/** A change that something is measured against, copied from or added to. */
const measuredBy =
  /\b(?:(?:prior|up|similar|compared|relative) to|before|without|ahead of|unlike|(?:roll-?forward|cherry-?pick|back-?port|follow-?up|parent|child|part|half|rest|revert) (?:of|to)|reverts?(?: all)?(?: of)?|cherry-?pick\w*|back-?port\w*|complements?|pinned(?: to)?|points? to|tags?(?: for)?) (?:all |most |parts? )?(?:of )?(?:commits? |changes? |sha )?$|\b(?:revert|roll-?back)\w*\b.*\b(?:merged|landed)\b(?: \w+){0,2} (?:as|in) (?:commit )?$/i;
/** From how many commits on a sentence is a list of them. */
const isList = 4;
/** A line of a log: a commit and its subject, nothing between. */
const logLine = new RegExp(`[${classes.C}] [A-Z][a-z'-]+ `, "g");
const firstLogLine = new RegExp(`^${logLine.source}`);
/** A commit that a clause is about: nothing but its kind and marks before it. */
const opensClause = /^(?:\W|(?:the|our|commit|change|and|but|so|then|with|by|since) )*$/i;
const takenBack =
  /\b(?:rolled back|rolling back|reverted|reverting|backed out|took out|taken out|undid|undone|removed|pulled)(?: commit)? $/i;
const notOnly = /\bnot only\b/gi;
const inVain = /\b(?:still|no (?:change|effect|difference|luck)|in vain|(?:not|n't) (?:help|change|fix))\b/i;
const edges = /[;:]| - | – | — |, (?:but|so|and|which|while|because)\b|\. /g;
const commit = new RegExp(`[${classes.C}]`, "g");

/** The roles of the commits that a masked sentence names and that no rule has read. */
export function rolesOf(masked: Masked, setting: Setting, known: readonly Fact[]): Role[] {
  const { text } = masked;
  const found: Role[] = [];
  const named = [...text.matchAll(commit)];
  if (named.length >= isList || (named.length > 1 && [...text.matchAll(logLine)].length > 1)) return found;
  for (const match of named) {
    const [node, more] = mentionAt(masked, match[0])?.nodes ?? [];
    const place = masked.offsets[match.index] ?? 0;
    if (node === undefined || more !== undefined || known.some((fact) => fact.source === node || fact.target === node)) continue;
    const [from, to] = clauseAround(text, match.index);
    if (!speaksOf(masked, setting.ticket, from, to)) continue;
    const before = text.slice(from, match.index);
    if (measuredBy.test(text.slice(0, match.index)) && !takenBack.test(before)) continue;
    if (!setting.typed && (!opensClause.test(before) || firstLogLine.test(text.slice(match.index)))) continue;
    const clause = text.slice(from, to);
    const kind = takenBack.test(before)
      ? setting.done && setting.report && !inVain.test(text)
        ? "caused_by"
        : null
      : roleIn(clause, text.slice(to), setting);
    if (
      kind === null ||
      denies(text) ||
      !judge(text, match.index, match.index + 1, true).stated ||
      /^(?:see|cf|compare|refs?)\b/i.test(clause)
    )
      continue;
    found.push({ kind, commit: node, start: place, end: masked.offsets[match.index + 1] ?? place + 1 });
  }
  return found;
}

function roleIn(clause: string, rest: string, { report, incident, explained, done, section, next }: Setting): Role["kind"] | null {
  const [isCure, isHarm] = [cures(clause), harms(clause) || blames.test(rest)];
  if (section === "cause") return isCure && !isHarm ? null : "caused_by";
  if (section === "repair") return isHarm && !isCure ? null : "fixes";
  if (isHarm !== isCure) return isCure ? "fixes" : report ? "caused_by" : null;
  if (isHarm) return null;
  if (pleased.test(rest.replace(/^[.,;: ]+/, "") || next)) return "fixes";
  if (!report) return done && finished.test(clause) ? "fixes" : null;
  // "…, 0a1b2c3. The next run was fine."
  if (next.length < 60 && well.test(next)) return incident ? "fixes" : null;
  if (incident && cameWith.test(clause)) return "caused_by";
  return incident && !explained && !pointedAt.test(clause) && /\p{L}{3}/u.test(clause) ? "caused_by" : null;
}

/** Another ticket in the clause is what the commit is told about. */
function speaksOf(masked: Masked, ticket: NodeId, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    const mention = mentionAt(masked, masked.text[at]);
    if (mention?.kind === "ticket" && !mention.nodes.includes(ticket)) return false;
  }
  return true;
}

function clauseAround(text: string, at: number): readonly [number, number] {
  let from = 0;
  for (const match of text.matchAll(edges)) {
    const end = match.index + match[0].length;
    if (end <= at) from = /^, /.test(match[0]) ? match.index + 2 : end;
    else return [from, match.index];
  }
  return [from, text.length];
}

const headings: readonly (readonly [Setting["section"], RegExp])[] = [
  [
    "cause",
    /^(?:the )?(?:root )?causes?(?: analysis)?$|^rca$|^why(?: (?:it|this) happened)?$|^triggers?$|^what (?:went wrong|broke(?: it)?|caused (?:it|this))$|^ursache$|^auslöser$/i,
  ],
  ["repair", /^(?:the )?(?:fix|repair|resolution|solution|remedy)$|^how (?:it|this|we) (?:was )?fixed(?: it)?$|^lösung$|^behebung$/i],
];

/** What a line that stands alone says of the lines below it; "none" for other headings, undefined where it is no heading. */
export function sectionOf(line: string): Setting["section"] | "none" | undefined {
  const title = line.replace(/^(?:h[1-6]\.|#{1,6}|\*{1,2})\s{0,3}|[:*_]+$/g, "").trim();
  if (title === "" || title.length > 50 || /[.!?;,]$|\d/.test(line)) return undefined;
  return (
    headings.find(([, pattern]) => pattern.test(title))?.[0] ?? (/^\p{Lu}/u.test(title) && title.split(" ").length < 6 ? "none" : undefined)
  );
}
