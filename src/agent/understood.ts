import type { Statement } from "../core/answer.ts";
import { terms } from "../core/words.ts";
import type { Intent } from "./intents.ts";
import type { Question } from "./question.ts";
import { unassigned } from "./ticket-filter.ts";
import { functionWords, heldIn, timeWords } from "./understood-words.ts";
import type { View } from "./view.ts";
import { talkWords, understands } from "./vocabulary.ts";

/** What of a question its answer leaves out. */
export interface Gap {
  /** The words, as they stand in the question; for people. */
  readonly words: readonly string[];
  /** They say of what, where or which one is asked: without them the answer is one to another question. */
  readonly decisive: boolean;
}

/** Whether a sentence of a text holds every word of a question that is not only asking; of what kind it is, others tell. */
export function accountsFor(question: Question, quote: Statement, view: View): boolean {
  const text = `${quote.text}\n${shown([quote], view)}`.toLowerCase();
  // a sentence of a page that never speaks of what is named is about something else
  const named = [...question.services, ...question.people, ...question.tickets];
  if (
    named.length > 0 &&
    !named.some(({ label, id, aliases }) =>
      [label, id.slice(id.indexOf(":") + 1), ...aliases].some((name) => text.includes(name.toLowerCase())),
    )
  )
    return false;
  return !leavesOut.test(question.masked) && !others.test(question.masked) && unheld(question, [quote], view, []) === null;
}

interface Word {
  readonly text: string;
  /**
   * What the words around it make of it: asked for ("which region"), part of a phrase ("in the EU region"), loose, or aside: one of two
   * ("redis or till"), or said of a named thing before something is asked ("till is slow, who owns it?").
   */
  readonly place: "head" | "phrase" | "loose" | "aside";
  /** Words of one phrase share its number. */
  readonly phrase: number;
}

/**
 * What statements leave of a question unanswered; null when each word of content is accounted for. A word is, when it belongs to how
 * questions for what the statements are about are put (vocabulary.ts), names something, tells the time that was read, or stands in the
 * statements or where they are shown. Words that leave out, count on or look ahead ("besides", "else", "the second", "will") change what
 * is asked, and no section reads them.
 * @param about what the statements were made for; nothing for sentences of texts, which must hold every word themselves
 */
export function gapOf(
  question: Question,
  statements: readonly Statement[],
  view: View,
  about: readonly Intent[] = question.intents,
): Gap | null {
  // "does X use Y", of a Y that nothing is known of
  const unsaid = question.unknown.filter((name) => !statements.some(({ text }) => text.toLowerCase().includes(name.toLowerCase())));
  if (unsaid.length > 0 && /^(?:does|do|did|is|are|was|were|has|have|can|will)\b/.test(question.masked))
    return { words: unsaid, decisive: true };
  const kept = question.excluded.filter(({ label }) => statements.some(({ text }) => text.includes(label) && !/\bbesides\b/.test(text)));
  if (kept.length > 0) return { words: kept.map(({ label }) => `besides ${label}`), decisive: true };
  const turn = turningWord(question) ?? unreadTime(question);
  if (turn !== null) return { words: [turn], decisive: true };
  const kind = missingKind(question, statements, view);
  if (kind !== null) return { words: [kind], decisive: true };
  if (beforeAll(question, statements, view)) return { words: [question.window?.text ?? ""], decisive: true };
  return unheld(question, statements, view, about);
}

/** The words of content that neither questions of the kind hold nor the statements, nor where they are shown. */
function unheld(question: Question, statements: readonly Statement[], view: View, about: readonly Intent[]): Gap | null {
  const words = contentOf(question, about);
  if (words.length === 0) return null;
  const said = statements.map(({ text }) => text).join("\n");
  const held = new Set(terms(`${said}\n${shown(statements, view)}`));
  const heads = words.filter(({ place, text }) => place === "head" && !isInstance(said, text));
  if (heads.length > 0) return { words: heads.map(({ text }) => text), decisive: true };
  const missing = words.filter(({ text, place }) => place !== "head" && !heldIn(held, text));
  // a phrase of which something is held was understood, down to an adjective: "double bookings"; not what an owner is asked for
  const exact = question.intents.includes("owner") || question.intents.includes("handover");
  const lost = missing.filter(
    ({ place, phrase }) => place === "phrase" && (exact || words.every((word) => word.phrase !== phrase || missing.includes(word))),
  );
  if (lost.length > 0) return { words: lost.map(({ text }) => text), decisive: true };
  const loose = missing.filter(({ place }) => place === "loose");
  const left = missing.filter(({ place }) => place === "loose" || place === "aside");
  if (left.length === 0) return null;
  return {
    words: left.map(({ text }) => text),
    // how a fault looks may be told in many words; anything else is asked with each of its words
    decisive:
      (loose.length > 0 && !about.some((intent) => intent === "cause" || intent === "status")) ||
      loose.some(({ text }) => isVersion(text)) ||
      explains(question, statements, words.length === missing.length),
  };
}

/** A version is as exact as an identifier: what speaks of none speaks of something else. */
function isVersion(word: string): boolean {
  return /^v?\d+(?:\.\d+)+$/.test(word);
}

const leavesOut = /\b(?:besides|except(?:ing)?(?: for)?|excluding|apart from|aside from|other than|instead of|rather than)\b/;
const countsOn = /\b(?:second|third|fourth|fifth|2nd|3rd|\dth) (?!of\b|opinion|hops?\b|week|half)(?=[a-z⟨])/;
const others = /\b(?:who|what|which|anyone|anything|somebody) else\b/;
const looksAhead = /\bwill\b|\bgoing to\b/;
const supposes = /\bwould\b/;
const comparesTimes = /\bbefore or after\b/;
const denies = /\b(?:not|never|without)\b|n['’]t\b/;

/** A word that turns what is asked into something that no section answers. */
function turningWord(question: Question): string | null {
  const { masked, intents, window, topic } = question;
  const has = (...some: readonly Intent[]): boolean => some.some((intent) => intents.includes(intent));
  const found = leavesOut.exec(masked) ?? countsOn.exec(masked) ?? others.exec(masked) ?? comparesTimes.exec(masked);
  const most = /\b(?:most|least|fewest)\b(?! (?:recent|likely|of))/.exec(masked);
  if (most !== null && has("owner", "changes", "incidents", "person") && !has("services")) return most[0];
  const further = found !== null && has("dependencies") && /else$/.test(found[0]);
  if (found !== null && !further && !has("oncall")) return found[0].trim();
  if (has("commit") && supposes.test(masked)) return supposes.exec(masked)?.[0] ?? null;
  if (has("owner", "handover", "changes", "author") && window === null && looksAhead.test(masked))
    return looksAhead.exec(masked)?.[0] ?? null;
  // "it" of nothing
  if (has("owner", "handover", "changes", "dependencies") && !namesSomething(question) && topic.length === 0) {
    const it = /\b(?:it|(?:that|this) (?:change|commit|service|one))\b/.exec(masked);
    if (it !== null) return it[0];
  }
  if (
    has("incidents") &&
    !has("cause") &&
    denies.test(masked) &&
    !unassigned.test(masked) &&
    !/\bnot (?:yet )?(?:been )?(?:resolved|closed|fixed|done|solved|over)\b/.test(masked)
  )
    return denies.exec(masked)?.[0] ?? null;
  const yesOrNo = /^(?:is|are|was|were|do|does|did|has|have|had|can|could|should|would)\b/.test(masked);
  if (has("owner", "dependencies", "uses", "changes", "person") && !has("cause", "status") && !yesOrNo)
    return denies.exec(masked)?.[0] ?? null;
  return null;
}

/** Whether the graph knows something that a question names. */
export function namesSomething({ services, tickets, commits, people, teams, ambiguous }: Question): boolean {
  return services.length + tickets.length + commits.length + people.length + teams.length + ambiguous.length > 0;
}

/** "Why was X reverted?": an incident that nothing of what is to be explained stands in explains something else. */
function explains({ intents, masked }: Question, statements: readonly Statement[], nothingHeld: boolean): boolean {
  return nothingHeld && intents.includes("cause") && /^why\b/.test(masked) && !/^No /m.test(statements[0]?.text ?? "");
}

/** A list of changes whose "since" or "before" was not read is one of another stretch of time, and so is a state of now for one of before. */
function unreadTime({ intents, masked, window }: Question): string | null {
  if (intents.includes("dependencies") || intents.includes("uses")) return /\bbefore(?=[?.! ]*$)/.exec(masked)?.[0] ?? null;
  if (window !== null || !intents.includes("changes")) return null;
  return /\b(?:since|until|before|after|during|between) (?!⟨)(?=\p{L})/u.exec(masked)?.[0].trim() ?? null;
}

const formerly = /\bbefore\b|\bprevious|\bformer|\bearlier\b|\bprior\b|\bused to\b/;

/** The kind of thing that the interrogative asks for, where no statement names one. */
function missingKind({ masked, intents, services, window }: Question, statements: readonly Statement[], view: View): string | null {
  const text = statements.map((statement) => statement.text).join("\n");
  if (intents.includes("handover") && formerly.test(masked) && !/\b(?:until|owned)\b/.test(text)) return "before";
  // titles, statuses and quotations name nobody
  const plain = text.replace(/\([^()]*\)/g, " ").replace(/\([^()]*\)|"[^"]*"/g, " ");
  const dependency = intents.includes("dependencies") || intents.includes("uses") || intents.includes("relation");
  if (/^(?:(?:by|to|from|for) )?(?:who|whom|whose)\b/.test(masked) && !dependency && !/^who or what\b/.test(masked)) {
    if (
      /^who(?:ever)? (?:has |first )?(?:reported|filed|raised)\b/.test(masked) &&
      !/\b(?:reported|filed|raised)\b|\bopened (?!on\b)/.test(text)
    )
      return "who";
    const people = [...view.graph.nodes("engineer"), ...view.graph.nodes("team")];
    return /\p{Lu}[\p{L}'’.-]+ \p{Lu}|\bteam\b/u.test(plain) || people.some(({ label }) => text.includes(label)) ? null : "who";
  }
  if (/\bnot recorded\b/.test(text)) return null;
  // "no incident is open" is no reason for what was at another time
  if (intents.includes("cause") && window !== null && /^No open incident/.test(text)) return "why";
  if (/^(?:since )?when\b|^(?:at )?what time\b/.test(masked)) return /\d{4}-\d\d-\d\d|\d{1,2}:\d\d/.test(text) ? null : "when";
  if (/^(?:which|what) (?:pull request|commit|change|revision|deploy\w*|release|merge|fix)s?\b/.test(masked))
    return /\bcommit [0-9a-f]{7}|pull request #?\d|\b(?=[a-f]*\d)[0-9a-f]{7,40}\b|^No (?:commit|change|pull)/im.test(text)
      ? null
      : "which commit";
  if (/^(?:which|what) teams?\b/.test(masked)) return /\bteam\b/i.test(text) ? null : "which team";
  if (/^(?:which|what) (?:micro)?services?\b/.test(masked) && services.length > 0 && !/^(?:Nothing|No service)/m.test(text)) {
    const asked = new Set(services.map(({ id }) => id));
    const named = new Set(text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_-]*/gu) ?? []);
    return [...view.graph.nodes("service")].some(({ id, label }) => !asked.has(id) && named.has(label.toLowerCase()))
      ? null
      : "which service";
  }
  return null;
}

/** Whether an owner is asked for at a time before anything that the answer is shown by. */
function beforeAll({ intents, window }: Question, statements: readonly Statement[], view: View): boolean {
  if (window === null || !(intents.includes("owner") || intents.includes("handover"))) return false;
  const end = new Date(Date.parse(window.to) - 1).toISOString().slice(0, 4);
  const years = statements.flatMap(({ spans }) =>
    spans.flatMap(({ record: id }) => {
      const record = view.records.get(id);
      if (record === null) return [];
      return [(record.createdAt ?? record.updatedAt).slice(0, 4), ...(record.body.match(/\b(?:19|20)\d\d\b/g) ?? [])];
    }),
  );
  // a file without a date says nothing of any time
  return years.length > 0 && years.every((year) => year > end || year < "1990");
}

const opens =
  /^(?:the|an?|this|that|these|those|which|our|their|your|any|every|each|in|on|at|for|with|of|during|via|by|under|from|per|inside|within|across)$/;
const auxiliary = /^(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|might|must)$/;
const verbal = /(?:ed|ing)$/;
const number = /^(?:\d.*|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty-four|forty-eight)$/;
/** What the reach of a walk through the graph is counted in. */
const reach = /^(?:hops?|steps?|levels?|degrees?)$/;

/** Words that constrain the answer, with what they are in the sentence. */
function contentOf(question: Question, about: readonly Intent[]): readonly Word[] {
  const { masked, window, literals, unknown } = question;
  const named = namesSomething(question);
  const skip = new Set([...literals, ...unknown].flatMap((name) => name.toLowerCase().split(/[^\p{L}\p{N}]+/u)));
  const timed = window !== null || /\b(?:before|after|since|around|until) (?:the )?⟨(?:ticket|commit)⟩/.test(masked);
  const words: Word[] = [];
  let phrase = 0;
  for (const { tokens, premise } of clausesOf(masked)) {
    let inside = false;
    for (const [at, token] of tokens.entries()) {
      if (token.startsWith("⟨") || auxiliary.test(token)) {
        inside = false;
        continue;
      }
      if (opens.test(token)) {
        if (!inside || token !== "the") phrase += 1;
        inside = true;
        continue;
      }
      const known = (word: string): boolean => functionWords.has(word) || (premise ? talkWords.has(word) : understands(about, word));
      if (skip.has(token) || known(token) || isMeasure(token, tokens, at, timed) || (token.includes("-") && isCompound(token, known))) {
        if (functionWords.has(token)) inside = false;
        continue;
      }
      // "who suspects it": what somebody did is what is asked
      if (/^who(?:m|ever)?$/.test(tokens[at - 1] ?? "")) {
        phrase += 1;
        words.push({ text: token, place: "phrase", phrase });
        continue;
      }
      if ((premise && named) || tokens[at - 1] === "or" || tokens[at + 1] === "or") {
        words.push({ text: token, place: "aside", phrase: -1 });
        continue;
      }
      const place = isHead(tokens, at) ? "head" : inside && (opens.test(tokens[at - 1] ?? "") || !verbal.test(token)) ? "phrase" : "loose";
      words.push({ text: token, place, phrase: place === "phrase" ? phrase : -1 });
    }
  }
  return words;
}

interface Clause {
  readonly tokens: readonly string[];
  /** Nothing is asked in it, but beside it: "till is down, who do I call?" */
  readonly premise: boolean;
}

const asksSomething = /^(?:who|whom|whose|what|which|when|where|why|how|list|show|tell|give|name|find)$/;

/** The clauses of a question, parted by marks and by "and who". */
function clausesOf(masked: string): readonly Clause[] {
  const parts = masked
    .replace(/\b(\d{3})s\b/g, "$1") // "503s" are 503
    .split(/[,;:?!()–—]|\.(?!\S)| - |\b(?:and|but|then) (?=(?:who|whom|whose|what|which|when|where|why|how)\b)/)
    .map((text) => text.match(/⟨\w+⟩|[\p{L}\p{N}]+(?:[.:_-][\p{L}\p{N}]+)*/gu) ?? [])
    .filter((tokens) => tokens.length > 0);
  const asks = parts.map((tokens) => auxiliary.test(tokens[0] ?? "") || tokens.some((token) => asksSomething.test(token)));
  return parts.map((tokens, at) => ({ tokens, premise: asks[at] === false && asks.includes(true) }));
}

/** Times, where the question's was read, and "two hops". */
function isMeasure(token: string, tokens: readonly string[], at: number, timed: boolean): boolean {
  if (number.test(token) && reach.test(tokens[at + 1] ?? "")) return true;
  if (!timed) return false;
  return timeWords.has(token) || (number.test(token) && !/^(?:version|week|release|build|v)$/.test(tokens[at - 1] ?? ""));
}

function isCompound(token: string, known: (word: string) => boolean): boolean {
  return token.split("-").every((part) => known(part) || /^\d+$/.test(part));
}

/** What "which" asks for where another word says how it is: "which sev2 incidents". */
const listedKind = /^(?:services?|tickets?|incidents?|outages?|bugs?|issues?|tasks?|commits?|changes?|deploy\w*|engineers?|people|teams?)$/;

/** "which region", "what mail provider does": asked for by a name that no node of the graph has. */
function isHead(tokens: readonly string[], at: number): boolean {
  const before = tokens[at - 1] ?? "";
  if (before === "which") return !listedKind.test(tokens[at + 1] ?? "");
  return before === "what" && [tokens[at + 1], tokens[at + 2]].some((next) => next !== undefined && auxiliary.test(next));
}

/** Whether a text names one of a kind: "region eu-west-1", "the Acme customer"; "three customers" are none. */
function isInstance(text: string, kind: string): boolean {
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{N}._-]*/gu) ?? [];
  return words.some((word, at) => {
    if (!heldIn(new Set(terms(word)), kind)) return false;
    const after = words[at + 1] ?? "";
    const before = at > 1 ? (words[at - 1] ?? "") : "";
    return /^\p{Lu}|\d/u.test(after) || /^\p{Lu}/u.test(before);
  });
}

/** Characters around a place of a long text that are read with it. */
const AROUND = 160;

/** What stands where the statements are shown: a ticket, commit or log whole, of pages and files what is near. */
function shown(statements: readonly Statement[], view: View): string {
  const seen = new Set<string>();
  const texts: string[] = [];
  for (const { spans } of statements) {
    for (const { record: id, start, end } of spans) {
      const record = view.records.get(id);
      if (record === null) continue;
      const long = /:(?:page|file):/.test(id) || record.body.length > 4000;
      const place = long ? `${id} ${start}` : id;
      if (seen.has(place)) continue;
      seen.add(place);
      texts.push(record.title, long ? record.body.slice(Math.max(0, start - AROUND), end + AROUND) : record.body);
    }
  }
  return texts.join("\n");
}
