import type { Chunk } from "../../core/chunk.ts";
import type { GraphNode } from "../../core/graph.ts";
import { labels } from "../../core/labels.ts";
import type { Span } from "../../core/record.ts";
import { sentencesOf } from "../../core/sentences.ts";
import { foldWord, terms } from "../../core/words.ts";
import { type Desk, subjects } from "../desk.ts";
import { fieldPlace, headSpan, inQuotes, key, type View } from "../view.ts";

/** What the agent reads off texts where their form says what they are: glossaries, pages about a thing, sentences that link two names. */

const asksDefinition =
  /^(?:what(?:'s| is| are| was| were)|define|explain)(?: meant by)? (?:an? |the |our |your )?["']?(.{2,60}?)["']?(?: (?:mean|stand for))?[?.! ]*$|^what (?:does|do) (?:an? |the )?["']?(.{2,60}?)["']? (?:mean|stand for)[?.! ]*$|^(?:the )?(?:meaning|definition) of (?:an? |the )?["']?(.{2,60}?)["']?[?.! ]*$/i;

/** The term whose meaning is asked for; null when none is. */
export function definedTerm(text: string): string | null {
  const match = asksDefinition.exec(text);
  const term = match?.[1] ?? match?.[2] ?? match?.[3] ?? null;
  return term === null || term.split(/\s+/).length > 6 || terms(term).length === 0 ? null : term;
}

/** The row of a glossary for a term. */
export function glossaryRow(view: View, term: string): { readonly term: string; readonly text: string; readonly span: Span } | null {
  for (const chunk of chunksWith(view, terms(term), 60)) {
    if (chunk.kind !== "page" && chunk.kind !== "file") continue;
    for (const { start, text } of linesOf(chunk)) {
      const meaning = meaningIn(text, bare(term));
      if (meaning !== null) return { ...meaning, span: at(chunk, start, text.length) };
    }
  }
  return null;
}

/** The row of a glossary, or the sentence that says what a term is; nothing where texts only use it. */
export async function definition({ question, view, sheet }: Desk): Promise<void> {
  const term = definedTerm(question.text);
  if (term === null) return;
  const wanted = bare(term);
  for (const chunk of chunksWith(view, terms(term), 60)) {
    if (chunk.kind !== "page" && chunk.kind !== "file") continue;
    for (const { start, text } of linesOf(chunk)) {
      const meaning = meaningIn(text, wanted);
      if (meaning === null) continue;
      sheet.say(`${meaning.term}: ${meaning.text.replace(/[.\s]+$/, "")}.`, [at(chunk, start, text.length)], 0, 0.9, "quote");
    }
    if (sheet.length >= 2) return;
  }
  if (!sheet.empty) return;
  const pattern = new RegExp(
    `^(?:an? |the )?${escaped(wanted).replaceAll(" ", "[ -]")}s? (?:is|are|means?|stands? for|refers? to|describes?|denotes?) (?!(?:down|up|broken|slow|fine|healthy|not|no|now|still|being|also)\\b)`,
    "i",
  );
  for (const chunk of chunksWith(view, terms(term), 60)) {
    if (chunk.kind === "log" || chunk.kind === "commit") continue;
    for (const { start, end } of sentencesOf(chunk.text)) {
      const sentence = chunk.text.slice(start, end);
      if (sentence.length > 400 || sentence.endsWith("?") || !pattern.test(foldWord(sentence))) continue;
      sheet.say(sentence, [at(chunk, start, end - start)], 0, 0.85, "quote");
      return;
    }
  }
}

/** "waybill | the number that a parcel carries", "Waybill: the number …", "Waybill – the number …". */
function meaningIn(line: string, wanted: string): { readonly term: string; readonly text: string } | null {
  const cells = line
    .replace(/^\s*\||\|\s*$/g, "")
    .split("|")
    .map((cell) => cell.trim());
  const [first, second] = cells;
  if (cells.length === 2 && first !== undefined && second !== undefined && bare(first) === wanted && second.split(/\s+/).length >= 3)
    return { term: first, text: second };
  const match = /^\s*(?:[-*•]\s+)?["'*_]{0,2}([^:–—|]{2,60}?)["'*_]{0,2}\s*(?::|–|—| - )\s*(\S.{10,400})$/.exec(line);
  return match?.[1] !== undefined && match[2] !== undefined && bare(match[1]) === wanted && match[2].split(/\s+/).length >= 4
    ? { term: match[1], text: match[2] }
    : null;
}

const asksProperty =
  /\b(?:what|which|how (?:high|big|large|long|fast))\b.{0,12}?\b(?:is|are|was|has)? ?(?:the |its )?((?:[\p{L}\p{N}-]+ ){0,2}[\p{L}\p{N}-]+) (?:of|for|does|do|has|have) (?:the )?⟨service⟩|^(?:the )?((?:[\p{L}\p{N}-]+ ){0,2}[\p{L}\p{N}-]+) (?:of|for) (?:the )?⟨service⟩|⟨service⟩(?:'s) ((?:[\p{L}\p{N}-]+ ?){1,3})/u;

/** Short for the same thing, as titles of pages write it out. */
const writtenOut: Readonly<Record<string, readonly string[]>> = {
  slo: terms("service level"),
  rto: terms("recovery time"),
  rpo: terms("recovery point"),
};

/** A cell of a table with one row a service: "What is the SLO of checkout?", "Which tier does cart have?". */
export async function tableFact({ question, view, sheet }: Desk): Promise<void> {
  const match = asksProperty.exec(question.masked);
  const term = terms(match?.[1] ?? match?.[2] ?? match?.[3] ?? "");
  if (term.length === 0) return;
  for (const service of subjects(question)) {
    const names = [service.label, ...service.aliases];
    for (const chunk of chunksWith(view, terms(service.label), 60, term)) {
      if (chunk.kind !== "page" && chunk.kind !== "file") continue;
      let head: readonly string[] | null = null;
      for (const { start, text } of linesOf(chunk)) {
        const cells = cellsOf(text);
        if (cells.length < 2) {
          head = null;
          continue;
        }
        if (head === null) {
          head = cells;
          continue;
        }
        if (cells.length !== head.length || !names.some((name) => sameName(name, cells[0] ?? ""))) continue;
        const column = columnOf(term, head, cells);
        const about = new Set(terms([chunk.title, ...chunk.heading].join(" ")));
        const value = cells[column];
        if (column > 0 && value !== undefined && value !== "") {
          sheet.say(`The ${(head[column] ?? "").toLowerCase()} of ${service.label} is ${value}.`, [at(chunk, start, text.length)], 0, 0.9);
        } else if (term.every((word) => about.has(word) || writtenOut[word]?.every((part) => about.has(part)))) {
          const rest = head.slice(1).map((name, index) => `${name} ${cells[index + 1] ?? ""}`);
          sheet.say(
            `${inQuotes(chunk.title, 100)} states for ${service.label}: ${rest.join("; ")}.`,
            [at(chunk, start, text.length)],
            0,
            0.9,
          );
        }
      }
      if (sheet.length >= 2) return;
    }
  }
}

/**
 * The column that a term means: the one that is headed by it, or the one that is headed by a part of it in a row whose other cells
 * hold the rest: "p95 target" is under "Target" in the row that says "p95". 0: none.
 */
function columnOf(term: readonly string[], head: readonly string[], cells: readonly string[]): number {
  const whole = head.findIndex((cell, index) => index > 0 && term.every((word) => terms(cell).includes(word)));
  if (whole > 0) return whole;
  const part = head.findIndex((cell, index) => {
    if (index === 0 || !term.some((word) => terms(cell).includes(word))) return false;
    const row = new Set(terms([cell, ...cells.filter((_, at) => at !== index)].join(" ")));
    return term.every((word) => row.has(word));
  });
  return Math.max(0, part);
}

function cellsOf(line: string): readonly string[] {
  if (!line.includes("|")) return [];
  const cells = line
    .replace(/^\s*\||\|\s*$/g, "")
    .split("|")
    .map((cell) => cell.trim());
  return cells.every((cell) => /^:?-{2,}:?$/.test(cell)) ? [] : cells;
}

const documentKind =
  "(runbooks?|play ?books?|post-?mortems?|pages?|docs?|documents?|documentation|articles?|adrs?|guides?|wiki(?: pages?)?|manuals?|reports?|reviews?)";
const asksDocument = new RegExp(
  `^(?:(?:which|what) ${documentKind}\\b|(?:where|is|are) (?:there |is |are )?(?:the |an? |any |our )?(?:\\S+ )?${documentKind}\\b|(?:find|show|give|open|link)(?: me)? (?:to )?(?:the |an? |any |our )?(?:\\S+ )?${documentKind}\\b)`,
  "i",
);

/** The kind of document that is asked for as such ("which runbook covers …"); null where its contents are. */
export function documentAsked(masked: string): string | null {
  if (/\b(?:says?|state[sd]?|mention(?:s|ed)?|describe[sd]?) (?:about|on|that|how|what)\b/.test(masked)) return null;
  const match = asksDocument.exec(masked);
  return match?.[1] ?? match?.[2] ?? match?.[3] ?? null;
}

const asksAuthor = new RegExp(
  `^who (?:wrote|authored|made|created|wrote up|is the author of|signed) (?:the |our )?(?:\\S+ )?${documentKind}\\b`,
  "i",
);

/** "Who wrote the postmortem of X?": the kind of document, as `documentAsked` gives it. */
export function documentAuthorAsked(masked: string): string | null {
  return asksAuthor.exec(masked)?.[1] ?? null;
}

/** Pages of the kind asked for that name what the question names, those with it in their title first. */
export async function documents({ question, view, sheet }: Desk): Promise<void> {
  const authorAsked = documentAuthorAsked(question.masked);
  const kind = documentAsked(question.masked) ?? authorAsked;
  if (kind === null) return;
  const about: readonly GraphNode[] = [...question.tickets, ...subjects({ ...question }), ...question.commits];
  const wantsAny = /^(?:pages?|docs?|documents?|documentation|wiki)/.test(kind);
  const kindWord = terms(kind)[0] ?? kind;
  for (const node of about) {
    const names = [node.kind === "ticket" ? key(node) : node.label, ...(node.kind === "ticket" ? [] : node.aliases)];
    const seen = new Set<string>();
    const titled: { chunk: Chunk; inTitle: boolean }[] = [];
    for (const chunk of names.flatMap((name) => chunksWith(view, terms(name), 60))) {
      if (seen.has(chunk.span.record) || (chunk.kind !== "page" && chunk.kind !== "file")) continue;
      if (!wantsAny && !terms(chunk.title).includes(kindWord)) continue;
      const inTitle = names.some((name) => holdsName(chunk.title, name));
      if (!inTitle && !(node.kind === "ticket" && names.some((name) => holdsName(chunk.text, name)))) continue;
      seen.add(chunk.span.record);
      titled.push({ chunk, inTitle });
    }
    titled.sort((a, b) => Number(b.inTitle) - Number(a.inTitle));
    for (const { chunk } of titled.slice(0, 5)) {
      const record = view.records.get(chunk.span.record);
      if (record === null) continue;
      const author = record.author?.name ?? record.author?.login;
      if (authorAsked !== null && author !== undefined) {
        sheet.say(`${author} wrote ${inQuotes(record.title, 120)}.`, [fieldPlace(record, labels.author)], 0, 0.85);
      } else if (authorAsked === null)
        sheet.say(`${inQuotes(record.title, 120)} is about ${view.name(node)}.`, [headSpan(record)], 0, 0.85);
    }
    if (titled.length > 0) continue;
    sheet.nothing(`${kind} about ${view.name(node)}`);
    sheet.conclusive = true;
  }
}

/** A sentence that says how the question's own word for a thing and its name belong together: "People say Redis and mean valkey-cart". */
export function aliasNote({ question, view, sheet }: Desk, node: GraphNode): void {
  const asked = node.aliases.filter((alias) => holdsName(question.text, alias) && !sameName(alias, node.label));
  const [alias] = asked.sort((a, b) => b.length - a.length);
  if (alias === undefined || holdsName(question.text, node.label)) return;
  for (const chunk of chunksWith(view, [...terms(alias), ...terms(node.label)], 30)) {
    if (chunk.kind !== "page" && chunk.kind !== "file" && chunk.kind !== "ticket") continue;
    for (const { start, end } of sentencesOf(chunk.text)) {
      const sentence = chunk.text.slice(start, end);
      if (
        sentence.length > 300 ||
        sentence.includes("|") ||
        !/\b(?:say|says|call|calls|called|mean|means|name|named|known|refer|runs on|instead of|formerly|renamed)\b/i.test(sentence)
      )
        continue;
      if (!holdsName(sentence, alias) || !holdsName(sentence, node.label)) continue;
      sheet.say(sentence, [at(chunk, start, end - start)], 1, 0.85, "quote");
      return;
    }
  }
}

/** Chunks in which what is said of a service is looked for. */
const LOOKED_THROUGH = 40;

const independent = {
  upstream:
    /\b(?:nothing|nobody|no (?:other )?(?:service|one|component|system))(?: else)? (?:\w+ )?(?:depends? on|uses?|needs?|calls?|relies on|requires?)\b/i,
  downstream: /\bno dependenc|\bdepends? on (?:nothing|no (?:other|service))|\bneeds? (?:nothing|no other)|\buses? (?:nothing|no other)/i,
} as const;

/** A sentence that says of a service that it needs nothing, or that nothing needs it. */
export function noneInWords(
  view: View,
  service: GraphNode,
  direction: keyof typeof independent,
): { readonly sentence: string; readonly span: Span; readonly chunk: Chunk } | null {
  for (const chunk of chunksWith(view, terms(service.label), LOOKED_THROUGH)) {
    if (chunk.kind !== "page" && chunk.kind !== "file") continue;
    for (const { start, end } of sentencesOf(chunk.text)) {
      const sentence = chunk.text.slice(start, end);
      if (sentence.length > 300 || !independent[direction].test(sentence)) continue;
      const named = view.graph.mentions(sentence).flatMap(({ resolution }) => (resolution.type === "one" ? [resolution.node] : []));
      const [first, ...others] = named.filter(({ kind }) => kind === "service");
      if (first?.id === service.id && others.length === 0) return { sentence, span: at(chunk, start, end - start), chunk };
    }
  }
  return null;
}

/** Whether some line speaks of who looks after a service, though no edge was read from it: "inventory – team core". */
export function ownedInWords(view: View, service: GraphNode): boolean {
  return chunksWith(view, terms(service.label), LOOKED_THROUGH).some(
    (chunk) =>
      (chunk.kind === "page" || chunk.kind === "file") &&
      linesOf(chunk).some(
        ({ text }) =>
          holdsName(text, service.label) &&
          /\b(?:team|owners?|owned|owns|maintain\w*|responsible|looks after|in charge)\b/i.test(text) &&
          !/\b(?:no owner|nobody|no one|not owned|unowned)\b/i.test(text),
      ),
  );
}

/** A sentence in which two services meet and something is said to be over: "intake no longer depends on the printer". */
export function endedInWords(
  { view }: Desk,
  first: GraphNode,
  second: GraphNode,
): { readonly sentence: string; readonly span: Span; readonly chunk: Chunk } | null {
  for (const chunk of chunksWith(view, [...terms(first.label), ...terms(second.label)], LOOKED_THROUGH)) {
    if (chunk.kind === "log") continue;
    for (const { start, end } of sentencesOf(chunk.text)) {
      const sentence = chunk.text.slice(start, end);
      if (sentence.length > 300 || !/\bno longer\b|\bnot .{0,20}any ?more\b|\bstopped\b|\bceased\b|\bused to\b|\buntil\b/i.test(sentence))
        continue;
      const named = view.graph.mentions(sentence).flatMap(({ resolution }) => (resolution.type === "one" ? [resolution.node.id] : []));
      if (named.includes(first.id) && named.includes(second.id)) return { sentence, span: at(chunk, start, end - start), chunk };
    }
  }
  return null;
}

/** Chunks that hold all the words, best first; `also` only ranks them. */
function chunksWith(view: View, words: readonly string[], most: number, also: readonly string[] = []): readonly Chunk[] {
  if (words.length === 0) return [];
  const wanted = new Set(words);
  return view.chunks.matchWords([...new Set([...words, ...also])], most, {}).flatMap(({ chunkId }) => {
    const chunk = view.chunks.get(chunkId);
    if (chunk === null || chunk.updatedAt > view.now) return [];
    const held = new Set(terms(`${chunk.title}\n${chunk.text}`));
    return [...wanted].every((word) => held.has(word)) ? [chunk] : [];
  });
}

function linesOf({ text }: Chunk): { readonly start: number; readonly text: string }[] {
  let start = 0;
  return text.split("\n").map((line) => {
    const found = { start, text: line };
    start += line.length + 1;
    return found;
  });
}

function at({ span }: Chunk, start: number, length: number): Span {
  return { record: span.record, start: span.start + start, end: span.start + start + length };
}

/** Case, diacritics, articles and plurals folded. */
function bare(term: string): string {
  return terms(term.replace(/^(?:an?|the)\s+/i, "")).join(" ") === ""
    ? foldWord(term).trim()
    : foldWord(term.replace(/^(?:an?|the)\s+/i, ""))
        .replace(/[^\p{L}\p{N} -]/gu, "")
        .trim()
        .replace(/(?<=\w{3})s$/, "");
}

function sameName(a: string, b: string): boolean {
  const squeeze = (text: string): string =>
    foldWord(text)
      .replace(/[^\p{L}\p{N}]/gu, "")
      .replace(/service$/, "");
  return squeeze(a) === squeeze(b);
}

function holdsName(text: string, name: string): boolean {
  const whole = foldWord(text);
  const part = foldWord(name);
  for (let found = whole.indexOf(part); found >= 0; found = whole.indexOf(part, found + 1)) {
    if (!/[\p{L}\p{N}-]/u.test(whole[found - 1] ?? " ") && !/[\p{L}\p{N}-]/u.test(whole[found + part.length] ?? " ")) return true;
  }
  return false;
}

function escaped(text: string): string {
  return text.replace(/[^\p{L}\p{N}\s]/gu, "\\$&");
}
