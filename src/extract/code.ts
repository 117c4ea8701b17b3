import { fieldSpan } from "../core/body.ts";
import type { NodeId } from "../core/fact.ts";
import { labels } from "../core/labels.ts";
import type { SourceRecord } from "../core/record.ts";
import { covers, isCatchAll, ownerRules, partsOf } from "./codeowners.ts";
import { contentStart, titleSpan } from "./declare.ts";
import { authorities, type Findings, only, type Place } from "./facts.ts";
import { serviceFolder } from "./folders.ts";
import { scopesOf } from "./learned.ts";
import { readManifest, type Statement } from "./manifests.ts";
import type { NameBook } from "./names.ts";
import { slugOf } from "./tokens.ts";

/** The service of a changed file: by declared prefixes, else by where repositories keep services, else by the repository's name. */
export function serviceOfFile(path: string, repository: string | undefined, names: NameBook): NodeId | null {
  const declared = names.serviceOfPath(path);
  if (declared !== null) return declared;
  const folder = serviceFolder(path);
  if (folder !== null) {
    const node = only(names.service(folder.name));
    // a service with declared paths has these and no others
    if (node !== null) return hasPaths(names, node) ? null : node;
  }
  const own = repository === undefined ? null : repositoryService(repository, names);
  return own !== null && !hasPaths(names, own) ? own : null;
}

const homes = new WeakMap<NameBook, Map<string, NodeId | null>>();

/** The service that a repository is called after. */
export function repositoryService(repository: string, names: NameBook): NodeId | null {
  const known = homes.get(names) ?? new Map<string, NodeId | null>();
  homes.set(names, known);
  let service = known.get(repository);
  if (service === undefined) {
    service = only(names.service(repository.slice(repository.lastIndexOf("/") + 1)));
    known.set(repository, service);
  }
  return service;
}

const pathOwners = new WeakMap<NameBook, ReadonlySet<NodeId>>();

function hasPaths(names: NameBook, node: NodeId): boolean {
  let owners = pathOwners.get(names);
  if (owners === undefined) {
    owners = new Set(Object.values(names.data.paths));
    pathOwners.set(names, owners);
  }
  return owners.has(node);
}

export function readCommit(findings: Findings, names: NameBook): void {
  const { record } = findings;
  const sha = record.fields.sha ?? record.id.slice(record.id.lastIndexOf(":") + 1);
  const commit: NodeId = `commit:${sha}`;
  const at = record.createdAt ?? record.updatedAt;
  const author = authorOf(record, names);
  findings.node(commit, titleSpan(record), {
    label: record.title,
    at: record.updatedAt,
    ...(author === null ? {} : { author }),
    ...(record.url === null ? {} : { url: record.url }),
    ...(record.bot ? { bot: true } : {}),
  });
  const first = new Map<NodeId, string>();
  for (const file of record.fields.files ?? []) {
    const node = serviceOfFile(file, record.fields.repository, names);
    if (node !== null && !first.has(node)) first.set(node, file);
  }
  const line = fieldSpan(record, labels.changedFiles) ?? titleSpan(record);
  for (const [service, file] of first) {
    findings.fact("modified", commit, service, within(record, line, file), "changed files", {
      confidence: 0.95,
      authority: authorities.field,
      at,
    });
  }
  if (record.fields.files === undefined) readScopes(findings, commit, names, at);
  readClosing(findings, commit, names, record.updatedAt);
}

/** Where a source does not tell the changed files, the subject does: "ledger: …", "fix(ledger): …". */
function readScopes(findings: Findings, commit: NodeId, names: NameBook, at: string): void {
  for (const { name, start, end } of scopesOf(findings.record.title)) {
    const node = only(names.service(name));
    if (node !== null)
      findings.fact("modified", commit, node, { start, end }, "scope of the subject", {
        confidence: 0.8,
        authority: authorities.remark,
        at,
      });
  }
}

export function readPull(findings: Findings, names: NameBook): void {
  const { record } = findings;
  // what an open or refused pull request would fix is not fixed
  if (record.fields.mergedAt === undefined || record.fields.mergeSha === undefined) return;
  readClosing(findings, `commit:${record.fields.mergeSha}`, names, record.fields.mergedAt);
}

function authorOf(record: SourceRecord, names: NameBook): NodeId | null {
  const { author } = record;
  for (const name of [author?.login === undefined ? undefined : `@${author.login}`, author?.email, author?.accountId, author?.name]) {
    const node = name === undefined ? null : only(names.find(name, "engineer"));
    if (node !== null) return node;
  }
  return null;
}

/** A value's own place in a line that lists many; the whole line where it was cut short. */
function within(record: SourceRecord, line: Place, value: string): Place {
  const at = record.body.indexOf(value, line.start);
  return at >= 0 && at + value.length <= line.end ? { start: at, end: at + value.length } : line;
}

const closingStem = /fix|clos|resolv/gi;
const closingWord = /(?<![\w-])(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?):? {1,3}(?=\S)/iy;
const reference =
  /(?:(?:issue|bug|ticket) )?(?:https?:\/\/[^\s/]{1,100}\/([\w.-]{1,100})\/([\w.-]{1,100})\/issues\/(\d{1,7})|https?:\/\/[^\s/]{1,100}\/browse\/([A-Za-z][A-Za-z0-9_]{1,15}-\d{1,7})|(?:([\w.-]{1,100})\/([\w.-]{1,100}))?#(\d{1,7})|GH-(\d{1,7})|([A-Za-z][A-Za-z0-9_]{1,15}-\d{1,7}))(?!\w)/iy;
const joiner = /,? (?:and |& )?|, ?/y;

/** GitHub's closing words and ticket keys: "Fixes #12, #13", "Closes JR-7", "Resolves: acme/shop#4". */
function readClosing(findings: Findings, commit: NodeId, names: NameBook, at: string): void {
  const { record, prose: text } = findings;
  const home = record.fields.repository?.slice(record.fields.repository.lastIndexOf("/") + 1);
  for (const { index } of text.matchAll(closingStem)) {
    closingWord.lastIndex = index;
    const word = closingWord.exec(text);
    if (
      word === null ||
      /(?:\bnot|n['’]t|\bnever|\bwould|\bshould|\bcould|\bmight|\bmay) (?:\w+ )?$/i.test(
        text.slice(Math.max(0, word.index - 24), word.index),
      )
    )
      continue;
    let place = word.index + word[0].length;
    for (let count = 0; count < 20; count += 1) {
      reference.lastIndex = place;
      const match = reference.exec(text);
      if (match === null) break;
      const end = place + match[0].length;
      const [, , urlRepo, urlNumber, browsed, , repo, number, gh, key] = match;
      const issue = urlNumber ?? number ?? gh;
      const repository = urlRepo ?? repo ?? home;
      const ticketKey = browsed ?? key;
      const ticket: NodeId | null =
        issue !== undefined
          ? repository === undefined
            ? null
            : `ticket:${repository}#${issue}`
          : ticketKey === undefined
            ? null
            : names.ticket(ticketKey);
      if (ticket !== null)
        findings.fact("fixes", commit, ticket, { start: word.index, end }, "closing word", {
          confidence: 0.95,
          authority: authorities.field,
          at,
        });
      joiner.lastIndex = end;
      const join = joiner.exec(text);
      if (join === null || join[0] === "") break;
      place = end + join[0].length;
    }
  }
}

/** Owners by CODEOWNERS: for each service the last line that covers its folder, unless that line speaks of everything. */
export function readCodeowners(findings: Findings, names: NameBook): void {
  const { record } = findings;
  const rules = ownerRules(record.body, record.proseEnd);
  const roots = new Map<string, NodeId>();
  for (const [path, node] of Object.entries(names.data.paths)) roots.set(path.endsWith("/") ? path : `${path}/`, node);
  for (const rule of rules) {
    const parts = rule.parts.filter((part) => part !== "**" && part !== "*");
    const last = parts.at(-1);
    if (
      last === undefined ||
      isCatchAll(rule.pattern) ||
      /[*?]/.test(parts.join("/")) ||
      (/\.\w+$/.test(last) && !rule.pattern.endsWith("/"))
    )
      continue;
    const node = only(names.service(last));
    if (node !== null) roots.set(`${parts.join("/")}/`, node);
  }
  const seen = new Set<string>();
  const home = roots.size > 0 || record.fields.repository === undefined ? null : repositoryService(record.fields.repository, names);
  // in a service's own repository, the line for all files is the service's
  if (home !== null) roots.set("", home);
  for (const [root, service] of roots) {
    const file = partsOf(`${root}file`);
    const rule = rules.findLast((one) => (root === "" ? isCatchAll(one.pattern) : covers(one, file)));
    if (rule === undefined || (root !== "" && isCatchAll(rule.pattern))) continue;
    for (const owner of rule.owners) {
      const node = only(owner.includes("/") ? names.find(owner, "team") : names.find(owner, "engineer"));
      const key = `${node}|${service}|${rule.start}`;
      if (node === null || seen.has(key)) continue;
      seen.add(key);
      findings.fact("owns", node, service, { start: rule.start, end: rule.end }, "CODEOWNERS", {
        confidence: 0.98,
        authority: authorities.codeowners,
      });
    }
  }
}

/** Dependencies and owners in compose, Kubernetes and catalogue files. */
export function readConfiguration(findings: Findings, names: NameBook): void {
  const { record } = findings;
  const from = contentStart(record);
  for (const statement of readManifest(record.body.slice(from, record.proseEnd), from, {
    path: record.fields.path ?? "",
    repository: record.fields.repository,
  }))
    readStatement(findings, names, statement);
}

const ruleOf = {
  listed: "configuration: depends_on",
  variable: "configuration: address variable",
  address: "configuration: address",
} as const;
const sureness = { listed: 0.97, variable: 0.85, address: 0.85 } as const;

function readStatement(findings: Findings, names: NameBook, statement: Statement): void {
  if (statement.type === "team") {
    const team = only(names.find(statement.name, "team"));
    const members = statement.members
      .map((member) => only(names.find(`@${member}`, "engineer")) ?? only(names.find(member, "engineer")))
      .filter((node) => node !== null);
    if (team !== null) findings.node(team, statement.place, { label: statement.label, members });
    return;
  }
  if (statement.type !== "depends" && statement.type !== "owner") return;
  const service = only(names.service(statement.service));
  if (service === null) return;
  if (statement.type === "depends") {
    const on = only(names.service(statement.on));
    if (on !== null)
      findings.fact("depends_on", service, on, statement.place, ruleOf[statement.how], {
        confidence: sureness[statement.how],
        authority: authorities.configuration,
      });
    return;
  }
  const owner =
    statement.kind === "team"
      ? only(names.find(statement.owner, "team"))
      : (only(names.find(`@${statement.owner}`, "engineer")) ??
        only(names.find(statement.owner, "engineer")) ??
        only(names.find(slugOf(statement.owner).replaceAll("-", " "), "engineer")));
  if (owner !== null)
    findings.fact("owns", owner, service, statement.place, "catalogue owner", { confidence: 0.95, authority: authorities.configuration });
}
