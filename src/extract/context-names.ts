import type { NodeId } from "../core/fact.ts";
import type { Sentence } from "../core/sentences.ts";
import type { About } from "./compiled-phrases.ts";
import type { Mention } from "./mask.ts";
import type { NameBook } from "./names.ts";
import { type Possible, sentenceSieve } from "./sieve.ts";

const teamLine = sentenceSieve.add(
  /^\W{0,3}(?:(?:owning|responsible) )?(?:team|squad|owners?|owned by|maintainers?)(?: is)? ?[:=|] ?([\p{L}\p{N}][\p{L}\p{N} &_-]{0,40}?)(?=$|[.,;\n]| \()/iu,
);
const thisService = sentenceSieve.add(/\b(?:this|the) (?:service|microservice|component|system|app)\b/gi);
const teamName = "(\\p{Lu}[\\p{L}\\p{N}]{1,24}(?:[ -]\\p{Lu}[\\p{L}\\p{N}]{1,24}){0,2})";
/** A team's name is an everyday word; it is the team where it does what owners do, or where things are said to belong. */
const teamPhrases = [
  `(?:^|[.;:] |\\n)${teamName} (?:owns?|maintains?|operates?|runs|looks? after|takes? care of|cares? for|is (?:now )?responsible for|are (?:now )?responsible for|took over|takes over|inherits?|inherited)\\b`,
  `\\b(?:(?:owned|maintained|operated|run|managed|looked after) by|belongs to|(?:moved|moves|goes|went|passed|transferred|handed over|handed) to|in the hands of|responsibility of)(?: the)? ${teamName}(?=$|[.,;)]| (?:since|from|in|and|until|now)\\b)`,
].map((pattern) => sentenceSieve.add(new RegExp(pattern, "gu")));

const compiledForms = new Map<string, RegExp>();

/** "The adapter" for one of some words, where the text holds one. */
function shortForms(words: readonly string[], text: string): readonly RegExp[] {
  if (!words.some((word) => text.includes(word))) return [];
  const key = words.join("|");
  const pattern = compiledForms.get(key) ?? new RegExp(`\\b[Tt]he (?:${key})\\b(?![-_]\\w)`, "g");
  compiledForms.set(key, pattern);
  return [pattern];
}

/** Names that only their place in a text gives away: "this service" and "the adapter" on a page about one, "Team: Data", "Ground owns …". */
export function withContext(
  text: string,
  sentence: Sentence,
  mentions: readonly Mention[],
  possible: Possible,
  about: About,
  names: NameBook,
): readonly Mention[] {
  const { service } = about;
  if (service === null && !names.knowsTeams) return mentions;
  const added: Mention[] = [];
  const put = (kind: Mention["kind"], nodes: readonly NodeId[], at: number, length: number): void => {
    const [start, end] = [sentence.start + at, sentence.start + at + length];
    if (nodes.length === 1 && ![...mentions, ...added].some((other) => start < other.end && end > other.start))
      added.push({ kind, nodes, start, end, bare: false });
  };
  for (const phrase of names.knowsTeams ? teamPhrases : []) {
    for (const match of possible.matches(phrase, text)) {
      const name = match[1] ?? "";
      put("team", names.team(name), match.index + match[0].indexOf(name), name.length);
    }
  }
  if (service !== null) {
    const line = possible.has(teamLine) ? teamLine.expression.exec(text) : null;
    if (line?.[1] !== undefined) put("team", names.find(line[1], "team"), line.index + line[0].length - line[1].length, line[1].length);
    for (const match of possible.matches(thisService, text)) put("service", [service], match.index, match[0].length);
    for (const pattern of shortForms(names.lastWords(service), text))
      for (const match of text.matchAll(pattern)) put("service", [service], match.index, match[0].length);
  }
  return added.length === 0 ? mentions : [...mentions, ...added].sort((a, b) => a.start - b.start);
}
