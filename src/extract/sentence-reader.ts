import { type Fact, type NodeId, unknownStart } from "../core/fact.ts";
import type { SourceRecord } from "../core/record.ts";
import type { About, CompiledRule } from "./compiled-phrases.ts";
import { dateIn } from "./dates.ts";
import { clauseStart, judge } from "./guards.ts";
import { classes, type Masked, type Mention, mentionAt } from "./mask.ts";
import { doesSomething } from "./patterns/fragments.ts";
import { sentenceSieve } from "./sieve.ts";

/** One end of an edge as found in a sentence: how sure the name is, and what follows it. */
interface End {
  readonly node: NodeId;
  readonly bare: boolean;
  /** "the order" is an order; "order" may be the service. */
  readonly article: boolean;
  readonly after: string;
  /** Written small although it opens the sentence: a name as it stands in the code, whatever else the word means. */
  readonly opens: boolean;
}

/** A further item of a list: ", beta", " and on beta", " for charges and beta". */
const furtherItem =
  /(?: (?:for|over|via|through|to|in|at|with) [^,.;:()\uE000-\uF8FF]{1,40}?)?(?:,? (?:and|or|as well as|plus|und|et|y|&)|,|\/)(?: also| then)?(?: (?:on|to|from|of|with|in|at|by|into|for|von))? ?([\uE000-\uF3FF])(?=$|[.,;:)!—–/]| (?:and|or|for|over|via|through|as|to|in|when|while|because|before|after|with|at|from|und|et|y|ab|plus|service|directly|only|too|as well|alone|itself|instead|respectively)\b)/y;
const itAnd = /\bit and $/i;
const itemBefore = /([\uE000-\uE3FF])(?:,? (?:and|or|und|&|\+) |, |\/)$/;
/** What a page that lists owners is called; a rota lists who is on call. */
const ownersTitle =
  /^(?!.*\b(?:rota|on[- ]?call|pager|minutes|retro|attendees|bereitschaft)\b).*(?:\bwho\b|\bown|maintain|respons|look(?:s|ed|ing)? after|\bcontacts?\b|\bcares?\b|zuständig|verantwort|\bwer\b|\bqui\b|responsables?\b|ansprechpartner|\bteams?\b)/i;
const pluralVerb =
  /^ (?:also |both |all )?(?:depend|rely|lean|post|route|stream|push|subscribe|call|invoke|query|poll|ask|use|need|require|consume|read|talk|speak|connect|write|keep|store|persist|save|cache|listen|publish|send|sit|live|fetch|load|pull|get)\b/;
const freeStanding =
  /^(?:$|[.,;:)!?—–-]| (?:and|or|is|was|were|has|had|being|when|while|in|on|at|after|since|because|for|from|until|as|only|again|before|during|so|but|which|that|restart|failing|down|does|did|cannot|returns|returned|answers|refus)|'s?\b)/;
const surePhrases = new Set([
  "depends on",
  "calls",
  "is used by",
  "no longer depends on",
  "dependencies:",
  "depended on",
  "talks to",
  "depends on (de, fr, es)",
]);
/** Phrases whose "it" is what the sentence was about before, not what the page is about. */
const speaksOfSubject = new Set(["is used by", "is owned by", "used to own", "it is theirs"]);
const speaker = new RegExp(`^[${classes.E}](?: ?\\([^)]{0,60}\\))?(?: (?:on|at|wrote|said) [^:]{0,40})?: `);
const bullet = /^(?:[-*•–+>|]|\d{1,3}[.)]|\[[ xX]\]|h[1-6]\.|#{1,6})\s+/;
const formerWord = /\b(?:former|previous|past|ex|old|last|erstwhile|ehemaliger?|ancien(?:ne)?|antiguo)[- ]$/i;
/** What stands before a name that something is done to or with. */
const asObject =
  /(?:\b(?:in|into|to|from|on|onto|off|with|via|through|against)|[\p{L}\p{N})] (?:calls|asks|uses|needs|requires|reads|queries|polls|consults|contacts|hits|invokes|consumes|wraps|fronts|fills|drains|feeds|updates|locks|tells|notifies)) (?:an? |its |their |both )?$/iu;
const untilWord = /\b(?:until|till|up to|before|bis)\b/i;
const governed = /\b(?:in|into|to|from|on|with|via|through|over|at|of|aus|von|vom|auf|an|bei|über|mit|nach|zu) $/i;
/** What opens a sentence about how things will be: in an open ticket it is a plan. */
const onceDone =
  /\b(?:after (?:this|that)|afterwards|once (?:this|that|it|all|we|the)\b|when (?:this|that|it|we|all|the)\b|as soon as|then)\b/i;
/** A sentence without a subject: what the page is about does it. */
const opensWithVerb = new RegExp(`^(?:also |only |mainly )?${doesSomething}\\b`, "i");
/** A sentence that goes on about what the one before was about. */
export const opensWithPronoun = sentenceSieve.add(/^(?:both )?(?:it|they)\b/i);
const fromThatDay = /\b(?:from that day|from then on|since then|that day|as of then|seitdem|depuis ce jour)\b/i;

/** A sentence as it is written. */
interface Said {
  readonly text: string;
  /** The sentence before it. */
  readonly before: string;
  /** The service that the sentence before was about. */
  readonly previous: NodeId | null;
}

/** Reads one masked sentence by the phrase rules. */
export class SentenceReader {
  /** A guard refused what a rule had matched: the sentence is understood, and states nothing. */
  dismissed = false;
  private readonly record: SourceRecord;
  private readonly about: About;
  private readonly masked: Masked;
  private readonly said: Said;
  private headLength: number | null = null;
  private dated: string | null | undefined;

  constructor(record: SourceRecord, about: About, masked: Masked, said: Said) {
    this.record = record;
    this.about = about;
    this.masked = masked;
    this.said = said;
  }

  /** @param rules those that the sentence may match */
  read(facts: Fact[], rules: readonly CompiledRule[]): void {
    for (const rule of rules) this.readRule(rule, facts);
  }

  /** Where the sentence begins behind its bullet and the name of who speaks. */
  private get head(): number {
    if (this.headLength === null) {
      this.headLength = 0;
      for (const lead of [bullet, bullet, speaker])
        this.headLength += lead.exec(this.masked.text.slice(this.headLength, this.headLength + 120))?.[0].length ?? 0;
    }
    return this.headLength;
  }

  /** The day that the sentence gives, or means as that of the one before. */
  private get date(): string | null {
    if (this.dated === undefined) {
      const { text, before } = this.said;
      this.dated = dateIn(text) ?? (fromThatDay.test(text) ? dateIn(before) : null);
    }
    return this.dated;
  }

  private readRule(rule: CompiledRule, facts: Fact[]): void {
    const { regex, about, start } = rule;
    if (about === "ticket" && this.about.ticket === null) return;
    if (about === "owners" && (this.about.ticket !== null || !ownersTitle.test(this.record.title))) return;
    if (about === "service" && this.about.service === null) return;
    if (about === "page" && !this.about.describes) return;
    regex.lastIndex = start ? this.head : 0;
    for (let match = regex.exec(this.masked.text); match !== null; match = regex.exec(this.masked.text)) {
      this.apply(rule, match, facts);
      if (start) break;
      if (match[0] === "") regex.lastIndex += 1;
    }
  }

  private apply(rule: CompiledRule, match: RegExpExecArray, facts: Fact[]): void {
    const { text } = this.masked;
    const end = match.index + match[0].length;
    const tolerant = rule.denies || rule.effect === "ends" || (rule.effect === "begins" && this.about.done);
    const verdict = judge(text, match.index, end, tolerant);
    if (rule.unless?.test(text.slice(clauseStart(text, match.index), match.index)) === true) return;
    const isToCome = rule.effect === "ends" && !this.about.done && onceDone.test(text.slice(0, match.index));
    if (
      isToCome ||
      !verdict.stated ||
      (rule.effect === "begins" && !this.about.done && /\bto\b/.test(text.slice(0, match.index).slice(-4)))
    ) {
      this.dismissed = true;
      return;
    }
    const groups = match.groups ?? {};
    const targets = this.ends(rule, groups.target, match, end, "target");
    const sources = this.ends(rule, groups.source, match, end, "source");
    const span = { record: this.record.id, start: this.masked.offsets[match.index] ?? 0, end: this.masked.offsets[end] ?? 0 };
    for (const source of sources) {
      for (const target of targets) {
        if (source.node === target.node || !this.sure(rule, source, target)) continue;
        this.emit(rule, source.node, target.node, span, verdict.certainty, match, facts);
      }
    }
    const former = mentionAt(this.masked, groups.former ?? groups.former2);
    const [formerNode, more] = former?.nodes ?? [];
    if (formerNode !== undefined && more === undefined) {
      const until = this.date ?? this.record.updatedAt;
      for (const target of targets) {
        facts.push({
          ...this.fact("owns", formerNode, target.node, span, rule, 0.7 * verdict.certainty, unknownStart, false),
          rule: `phrase: ${rule.name}`,
        });
        facts.push(this.fact("owns", formerNode, target.node, span, rule, 0.7 * verdict.certainty, until, true));
      }
    }
  }

  private emit(
    rule: CompiledRule,
    source: NodeId,
    target: NodeId,
    span: Fact["span"],
    certainty: number,
    match: RegExpExecArray,
    facts: Fact[],
  ): void {
    const confidence = rule.confidence * certainty;
    const formerly = rule.kind === "owns" && formerWord.test(this.masked.text.slice(Math.max(0, match.index - 14), match.index));
    const inPast =
      rule.kind === "depends_on" && rule.name !== "is used by" && /\b(?:depended|relied|called|queried|used to)\b/i.test(match[0]);
    const past = rule.effect === "past" || formerly || inPast || (rule.kind === "owns" && this.date !== null && this.until(match));
    if (past && (rule.kind === "depends_on" || rule.kind === "owns")) {
      const until = this.date ?? this.record.updatedAt;
      // since when it held is not said; without a stated end either, the page was right while it was young
      const created = this.record.createdAt ?? until;
      const from = this.date === null && created < until ? created : unknownStart;
      facts.push(this.fact(rule.kind, source, target, span, rule, confidence, from, false));
      facts.push(this.fact(rule.kind, source, target, span, rule, confidence, until, true));
      return;
    }
    const dated = rule.kind === "owns" ? this.date : null;
    facts.push(this.fact(rule.kind, source, target, span, rule, confidence, dated ?? this.since(rule), rule.effect === "ends"));
  }

  /** "Until 1 April alpha was owned by Ada", "Ada owned alpha until 1 April": the date is the end. */
  private until(match: RegExpExecArray): boolean {
    const { text } = this.masked;
    const end = match.index + match[0].length;
    return (
      untilWord.test(text.slice(clauseStart(text, match.index), end)) ||
      /^[\uE000-\uF8FF ,and]{0,20}(?:only )?(?:until|till|up to)\b/i.test(text.slice(end, end + 40))
    );
  }

  /** Since when a statement holds: a page says it as of its last edit, a ticket's cause and effect since it was opened. */
  private since(rule: CompiledRule): string {
    if (rule.kind === "fixes") return this.record.fields.resolvedAt ?? this.record.updatedAt;
    if (rule.kind === "affects" || rule.kind === "caused_by") return this.record.createdAt ?? this.record.updatedAt;
    return this.record.updatedAt;
  }

  private fact(
    kind: Fact["kind"],
    source: NodeId,
    target: NodeId,
    span: Fact["span"],
    rule: CompiledRule,
    confidence: number,
    at: string,
    ends: boolean,
  ): Fact {
    const begins = !ends && at !== unknownStart && kind === "owns" && (rule.effect === "begins" || this.date !== null);
    const authority = rule.effect === "begins" ? Math.max(2, this.about.authority) : this.about.authority;
    return {
      source,
      kind,
      target,
      span,
      rule: `phrase: ${rule.name}${begins ? " (from)" : ""}`,
      tier: 1,
      confidence: Math.round(confidence * 100) / 100,
      at,
      authority: this.about.outdated ? 0 : authority,
      ...(ends ? { ends: true } : {}),
    };
  }

  /** The nodes at one end of a match: the named one and further items of its list, what a pronoun means, or what the record is about. */
  private ends(rule: CompiledRule, character: string | undefined, match: RegExpExecArray, end: number, side: "source" | "target"): End[] {
    const { text } = this.masked;
    if (character === undefined) {
      const node = rule.about === "service" || rule.about === "page" ? this.about.service : this.about.ticket;
      if (node === null || this.speaksOfOther(match.index, node)) return [];
      return [{ node, bare: false, article: false, after: "", opens: false }];
    }
    if (!/[\uE000-\uF3FF]/.test(character)) {
      const pronoun = side === "source" || speaksOfSubject.has(rule.name);
      const node = pronoun ? this.pronoun(match.index, /^(?:and|,)$/i.test(character)) : (this.about.service ?? this.said.previous);
      return node === null ? [] : [{ node, bare: false, article: false, after: "", opens: false }];
    }
    const found: End[] = [];
    if (side === "source" && rule.kind === "depends_on" && this.isFurtherVerb(text.indexOf(character, match.index))) {
      const node = this.pronoun(text.indexOf(character, match.index), true);
      return node === null ? [] : [{ node, bare: false, article: false, after: "", opens: false }];
    }
    const add = (symbol: string, after: string): void => {
      const mention = mentionAt(this.masked, symbol);
      const [node, more] = mention?.nodes ?? [];
      if (mention !== null && node !== undefined && more === undefined)
        found.push({
          node,
          bare: mention.bare,
          article: /\b(?:the|our) $/i.test(this.record.body.slice(Math.max(0, mention.start - 5), mention.start)),
          after,
          opens: this.opens(mention),
        });
    };
    const place = text.indexOf(character, match.index);
    add(character, text.slice(place + 1, place + 24));
    const are = side === "target" && rule.list === "source" && /^ (?:are|were|have been)\b/.test(text.slice(place + 1, place + 12));
    if (rule.before === side || are) this.itemsBefore(place, add);
    if (side === "source" && rule.list === "target" && pluralVerb.test(text.slice(place + 1, place + 24))) this.itemsBefore(place, add);
    if (side === "source" && rule.list === "target" && itAnd.test(text.slice(Math.max(0, place - 8), place))) {
      const it = this.said.previous ?? this.about.service;
      if (it !== null) found.push({ node: it, bare: false, article: false, after: "", opens: false });
    }
    if (rule.list !== side) return found;
    const kind = classOf(character);
    let at = place + 1 >= end - 1 ? Math.max(place + 1, end) : place + 1;
    for (let guard = 0; guard < 40; guard += 1) {
      furtherItem.lastIndex = at;
      const item = furtherItem.exec(text);
      if (item?.[1] === undefined || classOf(item[1]) !== kind) break;
      at = item.index + item[0].length;
      add(item[1], text.slice(at, at + 24));
    }
    return found;
  }

  /** "the intake picks orders off alpha, books them in beta": who books is not alpha. */
  private isFurtherVerb(place: number): boolean {
    const { text } = this.masked;
    return (
      /^, (?!which|that|in turn|however|too\b)/.test(text.slice(place + 1, place + 12)) &&
      asObject.test(text.slice(Math.max(0, place - 40), place))
    );
  }

  private opens(mention: Mention): boolean {
    return mention.start === this.masked.offsets[this.head] && /\p{Ll}/u.test(this.record.body[mention.start] ?? "");
  }

  /** "alpha and delta call beta": a verb in the plural has all of the list before it for its subject. */
  private itemsBefore(place: number, add: (symbol: string, after: string) => void): void {
    const { text } = this.masked;
    for (let at = place, guard = 0; guard < 20; guard += 1) {
      const item = itemBefore.exec(text.slice(Math.max(0, at - 8), at));
      if (item?.[1] === undefined) return;
      at -= item[0].length;
      add(item[1], "");
    }
  }

  /** "AB-7 was caused by X" inside of another ticket says nothing of that ticket, nor what alpha does anything of beta. */
  private speaksOfOther(at: number, self: NodeId): boolean {
    const { text } = this.masked;
    const kind = self.startsWith("ticket:") ? "ticket" : "service";
    for (let index = clauseStart(text, at); index < at; index += 1) {
      const mention = mentionAt(this.masked, text[index]);
      // what stands behind a preposition is no subject: "reads orders from alpha and writes them to beta"
      if (
        mention !== null &&
        mention.kind === kind &&
        !mention.nodes.includes(self) &&
        !governed.test(text.slice(Math.max(0, index - 12), index))
      )
        return true;
    }
    return false;
  }

  /**
   * "It" and a verb without a subject mean the sentence's first service, else that of the sentence before, else the page's.
   * @param verb a further verb of the same subject: "… and writes to beta"
   */
  private pronoun(before: number, verb: boolean): NodeId | null {
    if (opensWithPronoun.expression.test(this.masked.text.slice(this.head))) return this.said.previous ?? this.about.service;
    const at = firstService(this.masked, before);
    // "Reads orders from alpha and writes to beta" on a page about the reader
    const elided = opensWithVerb.test(this.masked.text.slice(this.head)) ? this.about.service : null;
    if (at === null) return verb ? elided : (this.said.previous ?? this.about.service);
    // "the intake stores orders in alpha and writes to beta": who writes is not alpha
    if (verb && asObject.test(this.masked.text.slice(Math.max(0, at - 40), at))) return elided;
    return mentionAt(this.masked, this.masked.text[at])?.nodes[0] ?? null;
  }

  /** An everyday word is a service only where the rest of the sentence leaves no doubt. */
  private sure(rule: CompiledRule, source: End, target: End): boolean {
    // on a page about one service, its everyday name is no everyday word
    if (rule.kind === "depends_on")
      return (
        !(source.bare && target.bare) ||
        surePhrases.has(rule.name) ||
        source.node === this.about.service ||
        (source.opens && !target.article)
      );
    if (rule.kind === "caused_by" || rule.kind === "affects") return !target.bare || (!target.article && freeStanding.test(target.after));
    return true;
  }
}

/** Where the first service stands that a sentence names without doubt. */
function firstService(masked: Masked, before: number): number | null {
  for (let index = 0; index < before; index += 1) {
    const mention = mentionAt(masked, masked.text[index]);
    if (mention?.kind === "service") return mention.nodes.length === 1 ? index : null;
  }
  return null;
}

function classOf(character: string): string {
  const code = character.charCodeAt(0);
  // an engineer and a team may stand in one list
  return code < 0xe400 ? "S" : code < 0xec00 ? "P" : code < 0xf000 ? "K" : "C";
}
