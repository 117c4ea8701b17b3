import type { Fact, NodeId } from "../core/fact.ts";
import type { SourceRecord } from "../core/record.ts";
import type { Sentence } from "../core/sentences.ts";
import { rolesOf, type Setting, sectionOf } from "./commit-roles.ts";
import type { About } from "./compiled-phrases.ts";
import type { Findings } from "./facts.ts";
import { judge } from "./guards.ts";
import { classes, type Masked, type Mention, mentionAt } from "./mask.ts";
import { isForSteps, isWord, relationsOf } from "./page-relations.ts";

/**
 * What sentences state without a phrase of ours, by what their record is about: commits that a ticket names, services that a
 * page about another one names. Headings tell which parts of a record to read so.
 */
export class ImpliedReader {
  private section: Setting["section"] = null;
  private forSteps = false;
  private readonly findings: Findings;
  private readonly about: About;
  private readonly incident: boolean;

  constructor(findings: Findings, about: About) {
    this.findings = findings;
    this.about = about;
    const { kind, fields } = findings.record;
    this.incident = kind === "page" || /incident|outage|störung/i.test(fields.ticketType ?? "");
  }

  /** Takes note of a line that is a heading. */
  enter(sentence: Sentence, text: string): void {
    const { ticket, service } = this.about;
    if (text.length >= 60 || (ticket === null && service === null) || !this.standsAlone(sentence)) return;
    const opened = sectionOf(text);
    if (opened === undefined) return;
    this.section = opened === "none" ? null : opened;
    this.forSteps = isForSteps(text);
  }

  /** Whether a sentence with these names may imply anything. */
  mayImply(mentions: readonly Mention[]): boolean {
    const { ticket, service, describes } = this.about;
    if (ticket !== null) return mentions.some(({ kind }) => kind === "commit" || (kind === "service" && this.incident));
    return (
      describes &&
      service !== null &&
      !this.forSteps &&
      mentions.some((mention) => mention.kind === "service" && !mention.nodes.includes(service))
    );
  }

  /**
   * @param index of the sentence
   * @param facts what was found so far, `already` of them before this sentence
   * @param it the service that a pronoun at its head means
   */
  read(masked: Masked, index: number, facts: readonly Fact[], already: number, it: NodeId | null): Fact[] {
    const stated = facts.slice(already);
    const { ticket, service } = this.about;
    const { record, prose, sentences } = this.findings;
    if (ticket !== null) {
      const following = sentences[index + 1];
      const next = following === undefined ? "" : prose.slice(following.start, Math.min(following.end, following.start + 80));
      const setting = {
        ticket,
        typed: record.kind === "page" || record.fields.ticketType !== undefined,
        report: isReport(record),
        incident: this.incident,
        explained: facts.some((fact) => fact.kind === "caused_by" && fact.source === ticket),
        done: this.about.done,
        section: this.section,
        next,
      };
      const roles = rolesOf(masked, setting, stated).map(({ kind, commit, start, end }) => {
        const [source, target] = kind === "fixes" ? [commit, ticket] : [ticket, commit];
        const at = kind === "fixes" ? (record.fields.resolvedAt ?? record.updatedAt) : (record.createdAt ?? record.updatedAt);
        return this.fact(
          source,
          kind,
          target,
          { start, end },
          kind === "fixes" ? "commit told of as a repair" : "commit told of as a cause",
          0.6,
          at,
        );
      });
      const ill = this.incident && !stated.some((fact) => fact.kind === "caused_by") ? this.illOther(masked) : null;
      return ill === null
        ? roles
        : [...roles, this.fact(ticket, "caused_by", ill.node, ill, "another service was ill", 0.55, record.createdAt ?? record.updatedAt)];
    }
    if (service === null || !this.about.describes || (it !== null && it !== service && /^(?:It|They)\b/.test(masked.text))) return [];
    const read = new Set(stated.flatMap((fact) => (fact.kind === "depends_on" ? [fact.source, fact.target] : [])));
    return relationsOf(masked, record.body, service, read).map(({ source, target, start, end }) =>
      this.fact(source, "depends_on", target, { start, end }, "named on the page of a service", 0.55, record.updatedAt),
    );
  }

  /** "LDAP ran out of file handles at 8:15" in an incident of another service. */
  private illOther(masked: Masked): { readonly node: NodeId; readonly start: number; readonly end: number } | null {
    const match = ill.exec(masked.text);
    const affected = this.findings.facts.filter((fact) => fact.kind === "affects" && fact.source === this.about.ticket);
    const mention = match === null ? null : mentionAt(masked, match[1] ?? match[2]);
    const [node, more] = mention?.nodes ?? [];
    if (
      match === null ||
      mention === null ||
      isWord(mention, this.findings.record.body, match.index) ||
      node === undefined ||
      more !== undefined
    )
      return null;
    if (
      affected.length === 0 ||
      affected.some((fact) => fact.target === node) ||
      !judge(masked.text, match.index, match.index + match[0].length).stated
    )
      return null;
    return { node, start: mention.start, end: masked.offsets[match.index + match[0].length] ?? mention.end };
  }

  private fact(
    source: NodeId,
    kind: Fact["kind"],
    target: NodeId,
    place: { start: number; end: number },
    rule: string,
    confidence: number,
    at: string,
  ): Fact {
    const { about, findings } = this;
    return {
      source,
      kind,
      target,
      span: { record: findings.record.id, ...place },
      rule,
      tier: 1,
      confidence,
      at,
      authority: about.outdated ? 0 : about.authority,
    };
  }

  private standsAlone({ start, end }: Sentence): boolean {
    const { prose } = this.findings;
    return (start === 0 || prose[start - 1] === "\n") && (end === prose.length || prose[end] === "\n");
  }
}

const ill = new RegExp(
  `(?:^|[.:;] |, so |turn(?:s|ed) out (?:that )?|found out that )([${classes.S}]) (?:itself |had |has |again )*(?:ran|run|was|were|is|is running) (?:completely |partly )?(?:out of|full|overloaded|down|dead|unreachable|unavailable|stuck|throttled|restarting|oom-?killed)\\b|(?:^|[.:;] |, so |turn(?:s|ed) out (?:that )?|found out that )([${classes.S}]) (?:itself )?(?:(?:has|had) (?:some |big |massive |an? )?(?:trouble|problems|issues|outage|hiccups?|difficulties)|rejected|crashed|died|deadlocked|swapped|hung|hangs|kept restarting|hit its|stopped (?:answering|responding|accepting|working)|lost its|refused (?:all|every|new))\\b`,
  "i",
);

/** Whether a record tells of trouble rather than of what is to be done. */
function isReport({ fields, kind }: SourceRecord): boolean {
  return kind === "page" || !/task|story|epic|improvement|feature|request|change/i.test(fields.ticketType ?? "");
}
