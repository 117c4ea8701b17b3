import type { NodeId } from "../core/fact.ts";
import type { Sentence } from "../core/sentences.ts";
import type { About } from "./compiled-phrases.ts";
import type { Mention } from "./mask.ts";
import type { NameBook } from "./names.ts";

const teamLine =
  /^\W{0,3}(?:(?:owning|responsible) )?(?:team|squad|owners?|owned by|maintainers?)(?: is)? ?[:=|] ?([\p{L}\p{N}][\p{L}\p{N} &_-]{0,40}?)(?=$|[.,;\n]| \()/iu;
const thisService = /\b(?:this|the) (?:service|microservice|component|system|app)\b/gi;
const teamName = "(\\p{Lu}[\\p{L}\\p{N}]{1,24}(?:[ -]\\p{Lu}[\\p{L}\\p{N}]{1,24}){0,2})";
/** A team's name is an everyday word; it is the team where it does what owners do, or where things are said to belong. */
const teamActs = new RegExp(
  `(?:^|[.;:] |\\n)${teamName} (?:owns?|maintains?|operates?|runs|looks? after|takes? care of|cares? for|is (?:now )?responsible for|are (?:now )?responsible for|took over|takes over|inherits?|inherited)\\b`,
  "gu",
);
const teamHolds = new RegExp(
  `\\b(?:(?:owned|maintained|operated|run|managed|looked after) by|belongs to|(?:moved|moves|goes|went|passed|transferred|handed over|handed) to|in the hands of|responsibility of)(?: the)? ${teamName}(?=$|[.,;)]| (?:since|from|in|and|until|now)\\b)`,
  "gu",
);
/** Each with plain words that it needs: most sentences hold none of them. */
const teamPhrases: readonly (readonly [needs: RegExp, phrase: RegExp])[] = [
  [
    /(?:owns?|maintains?|operates?|runs|looks? after|takes? care|cares? for|responsible for|took over|takes over|inherit(?:s|ed)?)\b/,
    teamActs,
  ],
  [
    /(?:(?:owned|maintained|operated|run|managed|after) by|(?:belongs|moved|moves|goes|went|passed|transferred|over|handed) to|hands of|responsibility of) /,
    teamHolds,
  ],
];

const article = /th(?:e|is) /i;
const compiledForms = new Map<string, RegExp>();

/** "The adapter" for one of some words. */
function shortForms(words: readonly string[]): readonly RegExp[] {
  if (words.length === 0) return [];
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
  about: About,
  names: NameBook,
): readonly Mention[] {
  const added: Mention[] = [];
  const put = (kind: Mention["kind"], nodes: readonly NodeId[], at: number, length: number): void => {
    const [start, end] = [sentence.start + at, sentence.start + at + length];
    if (nodes.length === 1 && ![...mentions, ...added].some((other) => start < other.end && end > other.start))
      added.push({ kind, nodes, start, end, bare: false });
  };
  for (const [needs, phrase] of names.knowsTeams ? teamPhrases : []) {
    for (const match of needs.test(text) ? text.matchAll(phrase) : []) {
      const name = match[1] ?? "";
      put("team", names.team(name), match.index + match[0].indexOf(name), name.length);
    }
  }
  const { service } = about;
  if (service !== null) {
    const line = teamLine.exec(text);
    if (line?.[1] !== undefined) put("team", names.find(line[1], "team"), line.index + line[0].length - line[1].length, line[1].length);
    for (const pattern of article.test(text) ? [thisService, ...shortForms(names.lastWords(service))] : [])
      for (const match of text.matchAll(pattern)) put("service", [service], match.index, match[0].length);
  }
  return added.length === 0 ? mentions : [...mentions, ...added].sort((a, b) => a.start - b.start);
}
