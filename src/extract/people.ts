import { fieldSpan } from "../core/body.ts";
import type { NodeId } from "../core/fact.ts";
import type { Person, SourceRecord } from "../core/record.ts";
import { slugOf } from "./tokens.ts";
import { commonWords } from "./words.ts";

/** Machine accounts are no engineers. */
export function isBot(person: Person): boolean {
  const name = person.login ?? person.name ?? "";
  return /\[bot\]|(?:^|[-_ ])bot$|^(?:dependabot|renovate|github-actions|web-flow|github|jenkins|circleci|automation for jira|system)$/i.test(
    name,
  );
}

/** The node that a person has before identities are merged: by name where there is one, else by login. */
export function personNode(person: Person): NodeId | null {
  if (isBot(person)) return null;
  const name = person.name?.includes("@") ? undefined : person.name;
  const base = name ?? person.login ?? person.email?.split("@")[0];
  if (base === undefined) return null;
  const slug = slugOf(base);
  return slug === "" ? null : `engineer:${slug}`;
}

/** Addresses that a platform makes up are shared by many and prove nothing. */
export function isPersonalAddress(address: string): boolean {
  return (
    /^[^\s@]+@[^\s@]+$/.test(address) && !/(?:^|[+.])no-?reply|@noreply|users\.noreply|^(?:git|root|admin|info|support|ci)@/i.test(address)
  );
}

/** Everybody that a record names in structured form, with the place that shows it. */
export function peopleOf(
  record: SourceRecord,
): { readonly person: Person; readonly span: { readonly start: number; readonly end: number } }[] {
  const title = {
    start: 0,
    end: Math.min(record.proseEnd, Math.max(1, record.body.indexOf("\n") < 0 ? record.body.length : record.body.indexOf("\n"))),
  };
  const found: { person: Person; span: { start: number; end: number } }[] = [];
  const add = (person: Person | null | undefined, label: string): void => {
    if (person) found.push({ person, span: fieldSpan(record, label) ?? title });
  };
  if (!record.bot) add(record.author, "Author");
  add(record.fields.assignee, "Assignee");
  add(record.fields.reporter, "Reporter");
  for (const person of record.fields.reviewers ?? []) add(person, "Reviewers");
  for (const person of record.fields.people ?? []) add(person, "Author");
  return found;
}

const label =
  /^[ \t*_•|-]{0,6}(?:(?:service|current|primary|code|technical|tech|product|page|ticket) )?(?:owners?|owned by|maintainers?|maintained by|assignee|assigned to|reporter|reported by|responsible|lead|contact|dri|on[- ]call|author)[*_]{0,2} ?[:|][*_]{0,2} {0,3}(\S[^\n|(]{2,120})/gim;
const personal = /^\p{Lu}\p{Ll}[\p{L}'’-]{0,24}(?: (?:\p{Lu}[\p{L}'’.-]{0,24}|van|von|de|der|den|da|el|al|bin)){1,3}$/u;
const mention = /(?<![\p{L}\p{N}@._-])\p{Lu}\p{Ll}[\p{L}'’-]{1,24} \p{Lu}\p{Ll}[\p{L}'’-]{1,24}(?![\p{L}\p{N}])/gu;
const mostMentions = 40;
const departments =
  /\b(?:team|squad|ops|core|platform|infra\w*|sre|engineering|department|group|guild|crew|service|systems?|desk|office|everyone)\b/i;

/** Whether a text is nothing but the name of one person: "Ada Lovelace". */
export function isPersonalName(text: string): boolean {
  return (
    personal.test(text) &&
    !departments.test(text) &&
    !text
      .toLowerCase()
      .split(" ")
      .some((word) => commonWords.has(word))
  );
}

/** Two words in a row that might be somebody's name. It is one where a login is spelt from it. */
export function mentionedNames(text: string): { readonly name: string; readonly start: number; readonly end: number }[] {
  const found = new Map<string, { name: string; start: number; end: number }>();
  for (const match of text.matchAll(mention)) {
    if (found.size >= mostMentions) break;
    if (!found.has(match[0])) found.set(match[0], { name: match[0], start: match.index, end: match.index + match[0].length });
  }
  return [...found.values()];
}

/** Names of people behind labels in a text: "Owner: Ada Lovelace", "Assigned to: Ada Lovelace and Grace Hopper". */
export function labelledNames(text: string): { readonly name: string; readonly start: number; readonly end: number }[] {
  const found: { name: string; start: number; end: number }[] = [];
  for (const match of text.matchAll(label)) {
    let at = match.index + match[0].length - (match[1]?.length ?? 0);
    for (const part of (match[1] ?? "").split(/(, | and | & |\/|\. |\.$)/)) {
      const name = part.trim();
      if (isPersonalName(name)) found.push({ name, start: at, end: at + part.length });
      at += part.length;
    }
  }
  return found;
}
