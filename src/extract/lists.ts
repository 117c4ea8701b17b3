import type { NodeId } from "../core/fact.ts";
import { type Findings, only, type Place } from "./facts.ts";
import type { Mention } from "./mask.ts";
import type { NameBook } from "./names.ts";
import { proseSieve } from "./sieve.ts";

/** What a record is about. */
interface Subject {
  readonly ticket: NodeId | null;
  readonly service: NodeId | null;
}

const headingNames: readonly (readonly ["depends_on" | "needed_by" | "owns" | "affects", string])[] = [
  [
    "needed_by",
    "(?:what (?:needs|uses|calls|reads|depends on) it|who (?:needs|uses|calls|reads|depends on) it|used by|called by|needed by|consumers|callers|clients|dependents|downstream(?: services| consumers)?|wer (?:es|ihn|sie) (?:nutzt|braucht))",
  ],
  [
    "depends_on",
    "(?:(?:hard|runtime|service|upstream|direct|external|internal) )?(?:dependencies|depends on|upstreams?|upstream services|what (?:it|this service) (?:needs|uses|calls|depends on|talks to|relies on)|needs|uses|calls|requires|relies on|relies upon|talks to|reads from|writes to|built on|backends?|integrations?|required services|services (?:it )?(?:used|called|needed)|it needs|upstream systems|abhängigkeiten|dépendances|dependencias)",
  ],
  ["owns", "(?:(?:service|code|current) )?(?:owners?|maintainers?|owned by|maintained by|ownership|owning team|team)"],
  ["affects", "(?:(?:affected|impacted|broken) (?:services?|components?|systems?)|affects|impacts?|blast radius)"],
];
const marks = "[\\s#:*_]{0,12}";
const headings = headingNames.map(([kind, names]) => [kind, new RegExp(`^${marks}${names}${marks}$`, "i")] as const);
/** Most texts have no heading of these. */
const anyHeading = proseSieve.add(new RegExp(`^${marks}(?:${headingNames.map(([, names]) => names).join("|")})${marks}$`, "im"));
const item = /^\s*(?:[-*•+–]|\d{1,2}[.)])\s+(?:\[[ xX]\]\s+)?/;

/**
 * "Dependencies" and below it a list: each item that begins with a name states an edge of what the record is about. A line that
 * is a list itself counts too: "alpha for every order, beta for discounts".
 */
export function readLists(findings: Findings, about: Subject, authority: number): void {
  const { record, prose, possible } = findings;
  if (!possible.test(anyHeading, prose)) return;
  let heading: (typeof headings)[number][0] | null = null;
  let listed = false;
  for (let start = 0; start < record.proseEnd; ) {
    const newline = record.body.indexOf("\n", start);
    const end = newline < 0 || newline > record.proseEnd ? record.proseEnd : newline;
    const line = record.body.slice(start, Math.min(end, start + 300));
    const bullet = item.exec(line);
    if (line.trim() === "") {
      if (listed) heading = null;
    } else if (bullet === null) {
      if ((heading === "depends_on" || heading === "needed_by") && about.service !== null)
        readRun(findings, about.service, heading, authority, { start, end: start + line.trimEnd().length });
      heading = headings.find(([, pattern]) => pattern.test(line))?.[0] ?? null;
      listed = false;
    } else if (heading !== null) {
      listed = true;
      readItem(findings, about, authority, heading, { start: start + bullet[0].length, end: start + line.trimEnd().length });
    }
    start = end + 1;
  }
}

function readItem(findings: Findings, about: Subject, authority: number, kind: (typeof headings)[number][0], place: Place): void {
  const { record } = findings;
  const text = record.body.slice(place.start, place.end);
  if (/\b(?:no longer|not|none|never|removed|formerly|planned|optional)\b/i.test(text)) return;
  const [first] = findings.mentions(place);
  const node = first !== undefined && first.start - place.start <= 2 ? only(first.nodes) : null;
  if (node === null) return;
  const { ticket, service } = about;
  const options = { confidence: 0.85, authority };
  if (kind === "depends_on" && service !== null && node.startsWith("service:"))
    findings.fact("depends_on", service, node, place, "list: dependencies", options);
  else if (kind === "needed_by" && service !== null && node.startsWith("service:"))
    findings.fact("depends_on", node, service, place, "list: dependents", options);
  else if (kind === "owns" && service !== null && /^(?:engineer|team):/.test(node))
    findings.fact("owns", node, service, place, "list: owners", options);
  else if (kind === "affects" && ticket !== null && node.startsWith("service:"))
    findings.fact("affects", ticket, node, place, "list: affected", { ...options, at: record.createdAt ?? record.updatedAt });
}

const opensItem = /(?:^|[,;.:] |,? (?:and|und|plus) )(?:(?:the|our|also) )?$/i;
const closesItem = /^(?:$|[,;.:(]| (?:for|to|as|and|when|where|with|because|over|via|if|since|–|—|-|plus|und|für)\b| [–—-] )/i;

/** "alpha for every order, beta for discounts": a line below a heading that opens with a name and goes on as a list. */
function readRun(findings: Findings, service: NodeId, heading: "depends_on" | "needed_by", authority: number, line: Place): void {
  const text = findings.record.body.slice(line.start, line.end);
  if (/\b(?:no longer|not|none|never|no|nothing|without|removed|formerly|planned|if)\b/i.test(text)) return;
  const isItem = ({ kind, start, end }: Mention): boolean =>
    kind === "service" && opensItem.test(text.slice(0, start - line.start)) && closesItem.test(text.slice(end - line.start));
  const mentions = findings.mentions(line);
  const [first] = mentions;
  // "Nearly everything: alpha, beta" opens with how much that is
  const lead = /^[^:.,;]{1,40}: /.exec(text)?.[0].length ?? 0;
  if (first === undefined || first.start - line.start > Math.max(4, lead) || !isItem(first)) return;
  for (const mention of mentions.filter(isItem)) {
    const node = only(mention.nodes);
    if (node === null) continue;
    const [source, target] = heading === "depends_on" ? [service, node] : [node, service];
    findings.fact(
      "depends_on",
      source,
      target,
      { start: mention.start, end: mention.end },
      heading === "depends_on" ? "list: dependencies" : "list: dependents",
      { confidence: 0.8, authority },
    );
  }
}

const cares =
  /^(?:(?:is|are) )?(?:responsible for|in charge of|owns?|maintains?|runs?|operates?|looks? after|takes? care of|systems?:|services?:|zuständig für|betreut|verantwortet)\b:? /i;
const tellsOwners = /\b(?:teams?|squads?|own\w*|who|responsib\w*|contacts?|zuständig\w*|organi[sz]ation|departments?)\b/i;

/** Below a heading that is a team's or a person's name: what they are said to look after, and the services listed there. */
export function readSections(findings: Findings, names: NameBook, authority: number): void {
  const { record, prose, sentences } = findings;
  if (!tellsOwners.test(record.title)) return;
  let holder: NodeId | null = null;
  for (const sentence of sentences) {
    const text = prose.slice(sentence.start, sentence.end);
    const alone = (prose[sentence.start - 1] ?? "\n") === "\n" && (prose[sentence.end] ?? "\n") === "\n";
    const bullet = item.exec(text);
    if (alone && bullet === null && text.length < 60 && !/[.:;,|]/.test(text)) {
      const name = text.replace(/^[#*\s]+|[*\s]+$/g, "");
      holder = only(names.find(name, "team")) ?? only(names.find(name, "engineer"));
      continue;
    }
    const verb = holder === null ? null : cares.exec(text);
    if (holder === null || (bullet === null && verb === null)) continue;
    const start = sentence.start + ((verb ?? bullet)?.[0].length ?? 0);
    const listed = findings.mentions({ start, end: sentence.end });
    let at = start;
    for (const mention of listed) {
      const between = prose.slice(at, mention.start);
      const node = mention.kind === "service" ? only(mention.nodes) : null;
      // a list item may say more of its service; only names in a row are owned
      if (node === null || !/^(?:,? ?(?:and|und|&|plus|the|our|,)? ?){0,3}$/i.test(between)) break;
      findings.fact("owns", holder, node, { start: sentence.start, end: mention.end }, "section of an owner", {
        confidence: 0.75,
        authority,
      });
      at = mention.end;
      if (verb === null) break;
    }
  }
}
