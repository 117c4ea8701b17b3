import type { Extractor, NameHints } from "../core/extract.ts";
import { type Declaration, type Extraction, type Fact, type NodeId, unknownStart } from "../core/fact.ts";
import type { SourceRecord } from "../core/record.ts";
import { chooseTier } from "./choose.ts";
import { readCodeowners, readCommit, readConfiguration, readPull } from "./code.ts";
import { isCodeowners } from "./codeowners.ts";
import type { About } from "./compiled-phrases.ts";
import { declarationsOf, titleSpan } from "./declare.ts";
import { authorities, distinct, Findings } from "./facts.ts";
import { instructsReader, isDraft, isOutdated, unspoken } from "./guards.ts";
import { foldNames } from "./identity.ts";
import { readLists, readSections } from "./lists.ts";
import { readLog } from "./log-lines.ts";
import type { NameData } from "./name-data.ts";
import { NameBook } from "./names.ts";
import { readDiagrams, readTables, subjectOf } from "./pages.ts";
import { type PhraseReading, readPhrases } from "./phrases.ts";
import { isDone, readSymptoms, readTicket, ticketOf } from "./tickets.ts";
import { foldedWords, foldName, joinedKey } from "./tokens.ts";

/** Raised with each change of a rule; part of every cache key. */
export const tier1Version = "1.25";

const allKinds: About["kinds"] = new Set(["owns", "affects", "fixes", "depends_on", "caused_by", "modified"] as const);
const ownsOnly: About["kinds"] = new Set(["owns"] as const);
/** Of what a commit says beside its fields, only a change of owner is a statement about the world. */
const handOverWord = /hand|transfer|take|took|owner|maintainer|move|goes/i;
const handOver =
  /\b(?:hand(?:s|ed|ing)?|transfer(?:s|red)?|takes?|took|new owner|ownership|maintainer|goes to|moves? (?:over )?(?:from|to)) /i;
const nothing: PhraseReading = { facts: [], unread: 0, named: 0 };

/** Tier 1: fields first, then phrases. Pure and free of cost. */
export function createTier1(): Extractor<NameBook> {
  return {
    version: tier1Version,
    declare: declarationsOf,
    names: (declarations: Iterable<Declaration>, hints: NameHints) => new NameBook(foldNames(declarations, hints)),
    parseNames: (json: unknown) => new NameBook(json as NameData),
    changed,
    touches,
    extract,
  };
}

function extract(record: SourceRecord, names: NameBook): Extraction {
  const findings = new Findings(record, names);
  const ticket = ticketOf(findings);
  const reading = readByKind(findings, ticket, names);
  const stated = findings.facts.length;
  findings.facts.push(...reading.facts);
  const choice = chooseTier(record, {
    facts: reading.facts.length,
    unread: reading.unread,
    named: reading.named,
    stated,
    silent: reading.silent ?? null,
  });
  const distinctFacts = distinct(findings.facts);
  const facts = record.source === "documents" ? distinctFacts.map((fact) => withoutFileDate(record, fact)) : distinctFacts;
  return { record: record.id, facts, nodes: findings.nodes, tier: choice.tier, tierReason: choice.reason };
}

/** A file's date on disk tells when it was copied, not since when its sentences hold; a date in its text does. */
function withoutFileDate(record: SourceRecord, fact: Fact): Fact {
  return fact.ends !== true && fact.at === record.updatedAt ? { ...fact, at: unknownStart } : fact;
}

function readByKind(findings: Findings, ticket: NodeId | null, names: NameBook): PhraseReading {
  const { record, prose } = findings;
  if (record.kind === "log") {
    readLog(findings, names);
    return nothing;
  }
  if (record.kind === "commit") {
    readCommit(findings, names);
    if (!handOverWord.test(prose) || !handOver.test(prose) || instructsReader(prose)) return nothing;
    return readPhrases(
      findings,
      names,
      { ticket: null, service: null, describes: false, kinds: ownsOnly, authority: authorities.page, outdated: false, done: true },
      [],
    );
  }
  if (record.kind === "pull") {
    readPull(findings, names);
    return nothing;
  }
  const path = record.fields.path ?? "";
  if (record.kind === "file" && isCodeowners(path)) {
    readCodeowners(findings, names);
    return nothing;
  }
  if (record.kind === "file" && /\.ya?ml$/i.test(path)) {
    readConfiguration(findings, names);
    return nothing;
  }
  if (ticket !== null) readTicket(findings, ticket, names);
  else docNode(findings);
  const { possible } = findings;
  if (instructsReader(prose, possible)) return { ...nothing, silent: "text that instructs its reader is read by nobody" };
  const outdated = ticket === null && isOutdated(record.title, prose, possible);
  const draft = ticket === null && isDraft(record.title, prose, possible);
  const subject = ticket === null ? subjectOf(findings, names) : { ticket, service: null, describes: false };
  if (ticket === null && !draft) {
    readTables(findings, names, outdated);
    readDiagrams(findings, names);
    readSections(findings, names, outdated ? authorities.outdated : authorities.page);
  }
  if (draft) return { ...nothing, silent: "a draft says what might be" };
  const authority = outdated ? authorities.outdated : ticket === null ? authorities.page : authorities.remark;
  readLists(findings, subject, authority);
  const skip = unspoken(record.body, record.proseEnd, record.fields.code ?? []);
  const reading = readPhrases(
    findings,
    names,
    {
      ...subject,
      kinds: allKinds,
      authority: ticket === null ? authorities.page : authorities.remark,
      outdated,
      done: ticket !== null && isDone(record),
    },
    skip,
  );
  const affects = ticket !== null && reading.facts.some((fact) => fact.kind === "affects" && fact.source === ticket);
  if (ticket !== null && !affects) readSymptoms(findings, ticket, names, skip);
  return reading;
}

/** Pages and documents are nodes; configuration files are not. */
function docNode(findings: Findings): void {
  const { record } = findings;
  const id =
    record.kind === "page"
      ? record.id.slice(record.id.lastIndexOf(":") + 1)
      : record.id.slice(record.id.indexOf(":") + 1).replace(/^file:/, "");
  findings.node(`doc:${id}`, titleSpan(record), {
    label: record.title,
    at: record.updatedAt,
    ...(record.url === null ? {} : { url: record.url }),
  });
}

/** Keys whose meaning differs, marked by what they are looked up in: n name, h handle, p path, j project, m moved ticket. */
function changed(before: NameBook, after: NameBook): ReadonlySet<string> {
  const keys = new Set<string>();
  if (before.hash === after.hash) return keys;
  const tables: (readonly [string, keyof NameData])[] = [
    ["n", "services"],
    ["n", "engineers"],
    ["n", "teams"],
    ["h", "handles"],
    ["p", "paths"],
    ["m", "moved"],
  ];
  for (const [mark, table] of tables) {
    const [old, fresh] = [before.data[table] as Readonly<Record<string, unknown>>, after.data[table] as Readonly<Record<string, unknown>>];
    for (const key of Object.keys(old))
      if (JSON.stringify(old[key]) !== JSON.stringify(Object.hasOwn(fresh, key) ? fresh[key] : undefined)) keys.add(`${mark}:${key}`);
    for (const key of Object.keys(fresh)) if (!Object.hasOwn(old, key)) keys.add(`${mark}:${key}`);
  }
  for (const project of difference(before.data.projects, after.data.projects)) keys.add(`j:${project}`);
  // a service that gains its first declared path loses the folders that it had by name
  for (const node of difference(Object.values(before.data.paths), Object.values(after.data.paths))) {
    for (const [key, candidates] of Object.entries(after.data.services))
      if (candidates.some((candidate) => candidate[0] === node)) keys.add(`n:${key}`);
  }
  return keys;
}

/** What only one of the two lists holds. */
function difference<T>(a: readonly T[], b: readonly T[]): T[] {
  const [first, second] = [new Set(a), new Set(b)];
  return [...[...first].filter((one) => !second.has(one)), ...[...second].filter((one) => !first.has(one))];
}

/** Never misses a record that a changed key concerns; may name one that only looks so. */
function touches(record: SourceRecord, keys: ReadonlySet<string>): boolean {
  if (keys.size === 0) return false;
  const { fields } = record;
  const people = [record.author, fields.assignee, fields.reporter, ...(fields.reviewers ?? []), ...(fields.people ?? [])].flatMap(
    (person) => (person ? Object.values(person) : []),
  );
  const files = [...(fields.files ?? []), ...(fields.path === undefined ? [] : [fields.path])];
  const text = [
    record.body,
    record.title,
    fields.service ?? "",
    fields.pod ?? "",
    fields.repository ?? "",
    ...(fields.components ?? []),
    ...files,
    ...people,
  ].join("\n");
  const lower = text.toLowerCase();
  let words: Set<string> | null = null;
  let compact: string | null = null;
  for (const marked of keys) {
    const key = marked.slice(2);
    switch (marked[0]) {
      case "p":
        if (files.some((file) => file.startsWith(key)) || isCodeowners(fields.path ?? "")) return true;
        break;
      case "j":
        if (lower.includes(`${key.toLowerCase()}-`)) return true;
        break;
      case "m":
        if (lower.includes(key.toLowerCase())) return true;
        break;
      case "h":
        if (lower.includes(key.startsWith("@") ? key.slice(1) : key)) return true;
        break;
      default: {
        const joined = joinedKey(key);
        if (joined.length < 6) {
          words ??= new Set(foldedWords(text));
          if (key.split(" ").every((word) => words?.has(word) === true) || words.has(joined)) return true;
        } else {
          compact ??= foldName(text).replace(/[^\p{L}\p{N}]+/gu, "");
          if (compact.includes(joined)) return true;
        }
      }
    }
  }
  return false;
}
