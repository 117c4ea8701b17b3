import { fieldSpan } from "../core/body.ts";
import type { NodeId } from "../core/fact.ts";
import type { Person, SourceRecord } from "../core/record.ts";
import { slugOf } from "./tokens.ts";

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
