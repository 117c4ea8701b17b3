import type { Statement } from "../core/answer.ts";
import { terms } from "../core/words.ts";
import type { Intent } from "./intents.ts";
import type { Question } from "./question.ts";
import { functionWords, heldIn, talkWords, timeWords } from "./understood-words.ts";
import type { View } from "./view.ts";

/** What of a question its answer leaves out. */
export interface Gap {
  /** The words, as they stand in the question; for people. */
  readonly words: readonly string[];
  /** They say of what, where or which one is asked: without them the answer is one to another question. */
  readonly decisive: boolean;
}

interface Word {
  readonly text: string;
  /** What the words around it make of it: asked for ("which region"), part of a phrase ("in the EU region"), or loose. */
  readonly place: "head" | "phrase" | "loose";
  /** Words of one phrase share its number. */
  readonly phrase: number;
}

/**
 * What statements leave of a question unanswered; null when each word of content is accounted for. A word is, when it belongs to how
 * such questions are put, names something, tells the time that was read, or stands in the statements or where they are shown. Words that
 * leave out, count on or look ahead ("besides", "else", "the second", "will") change what is asked, and no section reads them.
 */
export function gapOf(question: Question, statements: readonly Statement[], view: View): Gap | null {
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
  const lasted = statements.some(({ text }) => /\bopen for \d/.test(text));
  const words = contentOf(question).filter((word) => !(lasted && word.text === "long"));
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
  if (loose.length === 0) return null;
  return {
    words: loose.map(({ text }) => text),
    decisive:
      loose.some(({ text }) => isVersion(text)) || narrows(question) || explains(question, statements, words.length === missing.length),
  };
}

/** A version is as exact as an identifier: what speaks of none speaks of something else. */
function isVersion(word: string): boolean {
  return /^v?\d+(?:\.\d+)+$/.test(word);
}

const leavesOut = /\b(?:besides|except(?:ing)?(?: for)?|excluding|apart from|aside from|other than|instead of|rather than)\b/;
const countsOn =
  /\b(?:second|third|fourth|fifth|2nd|3rd|\dth) (?!of\b|opinion|hops?\b|week|half)(?=[a-z⟨])|\b(?:who|what|which|anyone|anything|somebody) else\b/;
const looksAhead = /\bwill\b|\bgoing to\b/;
const denies = /\b(?:not|never|without)\b|n['’]t\b/;

/** A word that turns what is asked into something that no section answers. */
function turningWord({ masked, intents, window }: Question): string | null {
  const has = (...some: readonly Intent[]): boolean => some.some((intent) => intents.includes(intent));
  const found = leavesOut.exec(masked) ?? countsOn.exec(masked);
  const most = /\b(?:most|least|fewest)\b(?! (?:recent|likely|of))/.exec(masked);
  if (most !== null && has("owner", "changes", "incidents", "person") && !has("services")) return most[0];
  const further = found !== null && has("dependencies") && /else$/.test(found[0]);
  if (found !== null && !further && !has("oncall")) return found[0].trim();
  if (has("owner", "handover", "changes", "author") && window === null && looksAhead.test(masked))
    return looksAhead.exec(masked)?.[0] ?? null;
  if (has("owner", "dependencies", "uses", "changes") && !has("cause", "status") && /^(?:which|what|who)\b/.test(masked))
    return denies.exec(masked)?.[0] ?? null;
  return null;
}

/** Of a list of all tickets or commits, a word that was not read would have picked some. */
function narrows({ intents, services, people, tickets, commits, teams, topic }: Question): boolean {
  const listed = intents.length > 0 && intents.every((intent) => intent === "incidents" || intent === "changes" || intent === "person");
  return (
    listed &&
    topic.length > 0 &&
    services.length + (intents.includes("person") ? 0 : people.length) + tickets.length + commits.length + teams.length === 0
  );
}

/** "Why was X reverted?": an incident that nothing of what is to be explained stands in explains something else. */
function explains({ intents, masked }: Question, statements: readonly Statement[], nothingHeld: boolean): boolean {
  return nothingHeld && intents.includes("cause") && /^why\b/.test(masked) && !/^No /m.test(statements[0]?.text ?? "");
}

/** A list of changes whose "since" or "before" was not read is one of another stretch of time. */
function unreadTime({ intents, masked, window }: Question): string | null {
  if (window !== null || !intents.includes("changes")) return null;
  return /\b(?:since|until|before|after|during|between) (?!⟨)(?=\p{L})/u.exec(masked)?.[0].trim() ?? null;
}

/** The kind of thing that the interrogative asks for, where no statement names one. */
function missingKind({ masked, intents, services, window }: Question, statements: readonly Statement[], view: View): string | null {
  const text = statements.map((statement) => statement.text).join("\n");
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
    return /\bcommit [0-9a-f]{7}|pull request #?\d|\b(?=[a-f]*\d)[0-9a-f]{7,40}\b|^No (?:commit|change)/im.test(text)
      ? null
      : "which commit";
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
function contentOf({ masked, window, literals, unknown }: Question): readonly Word[] {
  const skip = new Set([...literals, ...unknown].flatMap((name) => name.toLowerCase().split(/[^\p{L}\p{N}]+/u)));
  // "503s" are 503
  const tokens = masked.replace(/\b(\d{3})s\b/g, "$1").match(/⟨\w+⟩|[\p{L}\p{N}]+(?:[.:_-][\p{L}\p{N}]+)*|[,;:?!()]/gu) ?? [];
  const timed = window !== null || /\b(?:before|after|since|around|until) (?:the )?⟨(?:ticket|commit)⟩/.test(masked);
  const words: Word[] = [];
  let phrase = 0;
  let inside = false;
  for (const [at, token] of tokens.entries()) {
    if (/^(?:⟨|[,;:?!()])/.test(token) || auxiliary.test(token)) {
      inside = false;
      continue;
    }
    if (opens.test(token)) {
      if (!inside || token !== "the") phrase += 1;
      inside = true;
      continue;
    }
    if (isAccounted(token, tokens, at, timed) || skip.has(token)) {
      if (functionWords.has(token)) inside = false;
      continue;
    }
    // "who suspects it": what somebody did is what is asked
    if (/^who(?:m|ever)?$/.test(tokens[at - 1] ?? "")) {
      phrase += 1;
      words.push({ text: token, place: "phrase", phrase });
      continue;
    }
    const place = isHead(tokens, at) ? "head" : inside && (opens.test(tokens[at - 1] ?? "") || !verbal.test(token)) ? "phrase" : "loose";
    words.push({ text: token, place, phrase: place === "phrase" ? phrase : -1 });
  }
  return words;
}

function isAccounted(token: string, tokens: readonly string[], at: number, timed: boolean): boolean {
  if (functionWords.has(token) || talkWords.has(token)) return true;
  if (number.test(token) && reach.test(tokens[at + 1] ?? "")) return true;
  if (token.includes("-") && token.split("-").every((part) => functionWords.has(part) || talkWords.has(part) || /^\d+$/.test(part)))
    return true;
  if (!timed) return false;
  return timeWords.has(token) || (number.test(token) && !/^(?:version|week|release|build|v)$/.test(tokens[at - 1] ?? ""));
}

/** "which region", "what mail provider does": asked for by a name that no node of the graph has. */
function isHead(tokens: readonly string[], at: number): boolean {
  const before = tokens[at - 1] ?? "";
  if (before === "which") return true;
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
