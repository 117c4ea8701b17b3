import { negatingPrefixes, oppositesBy } from "../core/opposites.ts";
import { stemOf } from "./tokens.ts";

const listed = oppositesBy(stemOf);

/** A word of `held` (stems) that excludes this one, by the list or by a negating prefix ("insoluble"); null when there is none. */
export function oppositeOf(stem: string, held: ReadonlySet<string>): string | null {
  for (const prefix of negatingPrefixes) {
    if (stem.startsWith(prefix) && stem.length - prefix.length >= 5 && held.has(stem.slice(prefix.length)))
      return stem.slice(prefix.length);
    if (stem.length >= 5 && held.has(prefix + stem)) return prefix + stem;
  }
  return listed(stem, held);
}
