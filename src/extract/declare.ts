import { fieldSpan } from "../core/body.ts";
import type { Declaration, NodeId } from "../core/fact.ts";
import { labels } from "../core/labels.ts";
import type { Person, SourceRecord } from "../core/record.ts";
import { isCatchAll, isCodeowners, ownerRules } from "./codeowners.ts";
import type { Place } from "./facts.ts";
import { serviceFolder } from "./folders.ts";
import { learnedScore, relatedNames, type Sign, scopesOf, workloadSign } from "./learned.ts";
import { readManifest } from "./manifests.ts";
import { isPersonalAddress, isPersonalName, labelledNames, mentionedNames, peopleOf, personNode } from "./people.ts";
import { writtenList } from "./stated-lines.ts";
import { serviceColumns, tablesOf } from "./tables.ts";
import { serviceNode, slugOf } from "./tokens.ts";

/** A team that is only named for all files of a repository. */
export const approversRule = "codeowners.everything";

/** Names of departments and kinds of work that Jira projects have as components beside services. */
const notServices = new Set(
  "documentation docs infrastructure infra ci build testing tests qa other general misc none n-a na unknown all tbd security design ux ui tooling devops release releases process internal dependencies performance".split(
    " ",
  ),
);

/** Collects a record's declarations with their places. */
class Declarer {
  readonly found: Declaration[] = [];
  readonly record: SourceRecord;

  constructor(record: SourceRecord) {
    this.record = record;
  }

  add(node: NodeId, name: string, rule: string, score: number, place: { readonly start: number; readonly end: number }): void {
    const text = name.trim();
    if (text === "" || text.length > 120 || node.endsWith(":")) return;
    this.found.push({ node, name: text, rule, score, span: { record: this.record.id, start: place.start, end: place.end } });
  }

  service(name: string, rule: string, score: number, place: { readonly start: number; readonly end: number }): void {
    const slug = slugOf(name);
    if (slug === "" || notServices.has(slug) || !/\p{L}/u.test(slug)) return;
    this.add(serviceNode(name), name, rule, score, place);
  }
}

/** The start of a record, for what its title or nothing in particular shows. */
export function titleSpan(record: SourceRecord): { readonly start: number; readonly end: number } {
  const newline = record.body.indexOf("\n");
  return { start: 0, end: newline < 0 ? record.body.length : newline };
}

/** Where the content of a file record begins: after a title line that only repeats the path. */
export function contentStart(record: SourceRecord): number {
  const { body, title } = record;
  if (record.kind !== "file") return 0;
  for (const head of [title, record.fields.path ?? ""]) {
    if (head !== "" && body.startsWith(`${head}\n`)) {
      let at = head.length;
      while (body[at] === "\n") at += 1;
      return at;
    }
  }
  return 0;
}

/** Names that a record introduces, read without any dictionary. Mentions introduce nothing; definitions do. */
export function declarationsOf(record: SourceRecord): readonly Declaration[] {
  const out = new Declarer(record);
  people(out);
  tickets(out);
  if (record.kind === "file") files(out);
  if (record.kind === "commit") folders(out);
  if (record.kind === "page" || record.kind === "file") tables(out);
  if (record.kind === "page") title(out);
  for (const sign of signsOf(record)) out.service(sign.name, sign.rule, learnedScore, sign);
  return out.found;
}

/** Where a record only uses a name as one uses a service's. */
function signsOf(record: SourceRecord): readonly Sign[] {
  switch (record.kind) {
    case "commit":
      return scopesOf(record.title);
    case "log":
      return [...workloadSign(record.fields.pod ?? record.fields.service, titleSpan(record))];
    case "page":
    case "ticket":
    case "issue":
      return relatedNames(record.body.slice(0, record.proseEnd));
    default:
      return [];
  }
}

function people(out: Declarer): void {
  for (const { person: named, span } of peopleOf(out.record)) person(out, named, span);
  if (["page", "ticket", "issue", "file"].includes(out.record.kind)) {
    for (const { name, start, end } of labelledNames(out.record.body.slice(0, out.record.proseEnd)))
      out.add(`engineer:${slugOf(name)}`, name, "person.labelled", 0.6, { start, end });
    if (out.record.kind === "page" || out.record.kind === "ticket" || out.record.kind === "issue") {
      for (const { name, start, end } of mentionedNames(out.record.body.slice(0, out.record.proseEnd)))
        out.add(`engineer:${slugOf(name)}`, name, "person.mentioned", 0.3, { start, end });
    }
  }
}

type Named = { readonly [part in keyof Person]: Person[part] | undefined };

function person(out: Declarer, named: Named, place: Place): void {
  const { name, login, email, accountId } = named;
  const node = personNode(Object.fromEntries(Object.entries({ name, login, email, accountId }).filter(([, part]) => part !== undefined)));
  if (node === null) return;
  if (name !== undefined && !name.includes("@")) out.add(node, name, "person.name", 0.9, place);
  if (login !== undefined) out.add(node, login, "person.login", 0.95, place);
  if (email !== undefined && isPersonalAddress(email)) out.add(node, email, "person.email", 0.95, place);
  if (accountId !== undefined) out.add(node, accountId, "person.account", 0.95, place);
}

function tickets(out: Declarer): void {
  const { record } = out;
  const key = record.fields.key;
  if (key === undefined || !/^[A-Z][A-Z0-9_]+-\d+$/.test(key)) return;
  const span = fieldSpan(record, labels.key) ?? titleSpan(record);
  out.add(`ticket:${key}`, key, "ticket.key", 1, span);
  for (const former of record.fields.formerKeys ?? [])
    if (former !== key) out.add(`ticket:${key}`, former.toUpperCase(), "ticket.moved", 1, fieldSpan(record, labels.formerKeys) ?? span);
  const components = listedIn(record, labels.components, record.fields.components);
  for (const component of components.values) out.service(component, "jira.component", 0.8, components.place ?? span);
  const affected = listedIn(record, labels.affected, record.fields.affected);
  for (const one of affected.values) out.service(one, "jira.affected", 0.8, affected.place ?? span);
}

/** The values of a field: the source's own, those of its footer line, or those of a line that people wrote into the text. */
export function listedIn(
  record: SourceRecord,
  label: string,
  field: readonly string[] | undefined,
): { readonly values: readonly string[]; readonly place: Place | null } {
  const place = fieldSpan(record, label);
  if (field !== undefined) return { values: field, place };
  if (place === null) return writtenList(record, label) ?? { values: [], place: null };
  const values = record.body
    .slice(place.start + label.length + 2, place.end)
    .split(", ")
    .map((one) => one.trim())
    .filter((one) => one !== "" && !/^and \d+ more$/.test(one));
  return { values, place };
}

function files(out: Declarer): void {
  const { record } = out;
  const path = record.fields.path ?? record.title;
  const from = contentStart(record);
  if (isCodeowners(path)) {
    for (const rule of ownerRules(record.body, record.proseEnd)) {
      for (const owner of rule.owners) handle(out, owner, rule, isCatchAll(rule.pattern));
      if (isCatchAll(rule.pattern) || rule.owners.length === 0 || rule.pattern.includes("*")) continue;
      const folder = serviceFolder(rule.pattern);
      const whole = rule.pattern.replace(/^\//, "").replace(/\/?$/, "/");
      if (folder !== null && folder.path === whole) out.service(folder.name, "codeowners.folder", folder.strong ? 0.85 : 0.65, rule);
    }
    return;
  }
  if (!/\.ya?ml$/i.test(path)) return;
  for (const statement of readManifest(record.body.slice(from, record.proseEnd), from, { path, repository: record.fields.repository })) {
    if (statement.type === "service") out.service(statement.name, statement.rule, statement.score, statement.place);
    else if (statement.type === "alias")
      out.add(serviceNode(statement.service), statement.name, statement.rule, statement.score, statement.place);
    else if (statement.type === "path") out.add(serviceNode(statement.service), statement.path, "catalogue.path", 0.92, statement.place);
    else if (statement.type === "owner" && statement.kind === "team")
      out.add(`team:${slugOf(statement.owner)}`, statement.owner, "catalogue.owner", 0.9, statement.place);
    else if (statement.type === "person")
      person(out, { ...statement, name: statement.name ?? undefined, email: statement.email ?? undefined }, statement.place);
    else if (statement.type === "team")
      out.add(`team:${slugOf(statement.name)}`, statement.label, "catalogue.group", 0.95, statement.place);
  }
}

/**
 * "@org/team" is a team, "@login" and an address are engineers.
 * @param everything the line speaks of every file: its team may be nothing but who approves changes
 */
function handle(out: Declarer, owner: string, place: { readonly start: number; readonly end: number }, everything: boolean): void {
  const team = /^@[^/]+\/(.+)$/.exec(owner)?.[1];
  if (team !== undefined) out.add(`team:${slugOf(team)}`, owner, everything ? approversRule : "codeowners.team", 0.9, place);
  else if (owner.startsWith("@")) out.add(`engineer:${slugOf(owner.slice(1))}`, owner.slice(1), "person.login", 0.9, place);
  else if (isPersonalAddress(owner)) out.add(`engineer:${slugOf(owner.split("@")[0] ?? "")}`, owner, "person.email", 0.9, place);
}

/** A folder with a Dockerfile of its own is a service, where nobody keeps a catalogue. */
function folders(out: Declarer): void {
  for (const path of out.record.fields.files ?? []) {
    if (!/(?:^|[/.])(?:Dockerfile|Containerfile)$/.test(path)) continue;
    const folder = serviceFolder(path);
    if (folder !== null)
      out.service(folder.name, "folder.dockerfile", 0.6, fieldSpan(out.record, labels.changedFiles) ?? titleSpan(out.record));
  }
}

/** Catalogues that people keep as tables: a column of services beside one of owners or other names. */
function tables(out: Declarer): void {
  for (const table of tablesOf(out.record.body, out.record.proseEnd)) {
    const columns = serviceColumns(table);
    if (columns === null) continue;
    const { roles, service, others } = columns;
    if (others.length === 0 && !roles.includes("owner")) continue;
    for (const row of table.rows) {
      const name = row.cells[service]?.text ?? "";
      if (!/^[\p{L}\p{N}][\p{L}\p{N} _.-]{0,60}$/u.test(name)) continue;
      // a list of names and other names says more of what is one thing than a folder or a ticket's component does
      out.service(name, "table.service", others.length > 0 ? 0.87 : 0.65, row);
      for (const column of others)
        for (const other of (row.cells[column]?.text ?? "").split(/[,;/]/))
          if (/\p{L}/u.test(other)) out.add(serviceNode(name), other.trim(), "table.alias", 0.88, row);
      for (const [column, role] of roles.entries()) {
        const text = row.cells[column]?.text ?? "";
        if (role === "team" && /^\p{L}[\p{L}\p{N} &_-]{0,40}$/u.test(text)) out.add(`team:${slugOf(text)}`, text, "table.team", 0.7, row);
        else if (role === "owner" && isPersonalName(text)) out.add(`engineer:${slugOf(text)}`, text, "person.labelled", 0.6, row);
      }
    }
  }
}

/** A page called "Cart Service" is about one; weak, so that it counts only where nobody keeps a catalogue. */
function title(out: Declarer): void {
  const match = /^(?:Runbook: |Service: )?([\p{L}\p{N}][\p{L}\p{N}-]{1,30}(?: [\p{L}\p{N}-]{2,30})?) (?:[Ss]ervice|microservice)$/u.exec(
    out.record.title,
  );
  if (match?.[1] !== undefined) out.service(match[1], "page.title", 0.6, titleSpan(out.record));
}
