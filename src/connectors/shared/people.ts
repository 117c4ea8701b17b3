import type { Person } from "../../core/record.ts";

/** "Rahul Sharma (@rsharma)", or what is known of it; addresses stay out of texts. Null when nothing is. */
export function personText(person: Person | null | undefined): string | null {
  if (!person) return null;
  if (person.name && person.login && person.name !== person.login) return `${person.name} (@${person.login})`;
  if (person.name) return person.name;
  return person.login ? `@${person.login}` : null;
}

/** Each person once, in order; somebody known by any one of account, login, address or (failing those) name. */
export function distinctPeople(people: Iterable<Person | null | undefined>): Person[] {
  const seen = new Set<string>();
  const kept: Person[] = [];
  for (const person of people) {
    if (!person) continue;
    const key = person.accountId ?? person.login ?? person.email ?? person.name;
    if (key === undefined || seen.has(key)) continue;
    seen.add(key);
    kept.push(person);
  }
  return kept;
}

/** Accounts that are machines: GitHub's own marks, and the two suffixes that bots carry by convention. */
export function isBotName(name: string | null | undefined): boolean {
  return name !== null && name !== undefined && /\[bot\]$|-bot$|^(?:dependabot|renovate|github-actions|greenkeeper)\b/i.test(name);
}

/** A Person from whatever parts are there; null when none is. Empty strings count as absent. */
export function person(parts: {
  readonly name?: string | null | undefined;
  readonly login?: string | null | undefined;
  readonly email?: string | null | undefined;
  readonly accountId?: string | null | undefined;
}): Person | null {
  const made: Person = {
    ...(parts.name ? { name: parts.name } : {}),
    ...(parts.login ? { login: parts.login } : {}),
    ...(parts.email ? { email: parts.email } : {}),
    ...(parts.accountId ? { accountId: parts.accountId } : {}),
  };
  return Object.keys(made).length === 0 ? null : made;
}
