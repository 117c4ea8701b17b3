import type { Declaration, NodeId } from "../core/fact.ts";
import { sentencesOf } from "../core/sentences.ts";
import { infrastructure } from "./words.ts";

/**
 * Names of services where nobody keeps a catalogue. No single sign is proof: a scope of a commit may be "docs", the subject of
 * "needs" may be anybody. A name is taken for a service when a workload runs under it, when several commits have it as their scope,
 * or when it stands in a relation with one that is.
 */
export interface Sign {
  readonly name: string;
  /** "learned.subject ledger": which sign, and what the name stands beside. */
  readonly rule: string;
  readonly start: number;
  readonly end: number;
}

/** Below what a list of services needs to count, so that these signs are void where somebody keeps one. */
export const learnedScore = 0.6;

const prefix = "learned.";
const types =
  "feat|feature|fix|bugfix|hotfix|chore|docs?|ci|cd|build|tests?|refactor|perf|style|revert|wip|merge|release|deps?|deps-dev|lint|cleanup|security|typo|misc|ops|bump|update|add|remove";
/** Scopes that are parts of a repository or kinds of work, not services. */
const noScope = new Set(
  (
    "api app apps backend frontend ui ux db database sql core common shared lib libs util utils types typing config configs cfg env ci cd docs doc readme changelog test tests e2e unit " +
    "scripts script tools tooling dev prod staging infra deps dependencies deps-dev build release repo all misc github gitlab actions workflow workflows docker dockerfile k8s helm terraform chart " +
    "charts lint eslint prettier makefile license licence security i18n l10n style logging logs metrics monitoring web mobile server client cli sdk proto schema migrations migration examples " +
    "sample samples version note notes todo nit minor major hotfix fix feat chore refactor perf revert wip merge draft re fwd ps nb update warning error info"
  ).split(" "),
);
const identifier = "[a-z][a-z0-9]{1,30}(?:[-_][a-z0-9]{1,30}){0,5}";
const scopeList = `(${identifier}(?:(?:, ?|/| and | & |\\+)${identifier}){0,5})`;
const subjectForms: readonly RegExp[] = [
  new RegExp(`^(?:revert:? )?["“]?(?:${types})\\(${scopeList}\\)!?: `, "i"),
  new RegExp(`^(?:revert:? )?["“]?\\[${scopeList}\\]:? `, "i"),
  new RegExp(`^(?:revert:? )?["“]?${scopeList}!?: `, "i"),
  new RegExp(`^(?:revert:? )?["“]?${scopeList} [-–—] `, "i"),
];

/** What a commit's subject says it is about: "ledger: …", "fix(ledger): …", "[ledger] …", "a, b: …", also where that is reverted. */
export function scopesOf(subject: string): readonly Sign[] {
  for (const form of subjectForms) {
    const match = form.exec(subject.slice(0, 200));
    const list = match?.[1];
    if (match === null || list === undefined) continue;
    const from = match[0].lastIndexOf(list);
    const found: Sign[] = [];
    for (const one of list.matchAll(new RegExp(identifier, "gi"))) {
      if (one[0] === "and") continue;
      found.push({ name: one[0], rule: `${prefix}scope`, start: from + one.index, end: from + one.index + one[0].length });
    }
    return found;
  }
  return [];
}

const verbs =
  "(?:(?:also |only |mainly |still |itself )?(?:depends? on|rel(?:ies|y) on|uses?|calls?|needs?|requires?|quer(?:ies|y)|polls?|asks?|invokes?|consumes?|wraps?|fronts?|" +
  "(?:reads?|fetch(?:es)?|loads?|pulls?|takes?|gets?|receives?)(?: [\\w'-]{1,20}){0,3}? (?:from|off|in)|" +
  "(?:talks?|writes?|connects?|publish(?:es)?|subscribes?|listens?|posts?|sends?|routes?|forwards?|hands?|pass(?:es)?|delegates?|reports?|streams?|push(?:es)?|puts?|places?)(?: [\\w'-]{1,20}){0,3}? (?:to|on|onto|into|with)|" +
  "(?:stores?|keeps?|saves?|caches?|persists?|records)(?: [\\w'-]{1,20}){0,3}? (?:in|into|on)))";
const article = "(?:the |our |an? )?";
const relation = new RegExp(
  `(?:^|[.;,] |and )(?:the |our )?(${identifier}|It)(?: service)? (?:and )?(${verbs}) (${article})(${identifier}(?: for [a-z]{2,20})?(?:(?:, | and |, and )${article}${identifier}){0,6})(?=$|[.,;:)]| (?:for|to|over|via|in|on|at|when|while|because|as|and|or|but|only|too|with|through|service)\\b)`,
  "g",
);
const objects = new RegExp(`(?:^|, | and )(${article})(${identifier})(?: for [a-z]{2,20})?`, "g");
const owned = new RegExp(
  `(?:^|[.;,] )(?:the |our )?(${identifier})(?: service)? (?:is|are) (?:now |currently |mainly )?(?:owned|maintained|looked after|run|managed) by (?:the )?\\p{Lu}`,
  "gu",
);
const owns = new RegExp(
  `\\p{Lu}[\\p{L}'-]{1,30} (?:owns|maintains|looks after|takes care of|is responsible for|took over|takes over) (?:the |our )?(${identifier}(?:(?:, | and |, and )(?:the )?${identifier}){0,5})(?![-_]?[\\p{L}\\p{N}])`,
  "gu",
);
const called = new RegExp(`\\b(?:the|our) (${identifier}) (?:service|microservice)\\b`, "g");
const anySign =
  /\b(?:depend|rel|use|call|need|requir|quer|poll|ask|invok|consum|wrap|front|read|fetch|load|pull|take|get|receiv|talk|writ|connect|publish|subscrib|listen|post|send|rout|forward|hand|pass|delegat|report|stream|push|stor|keep|sav|cach|persist|record|own|maintain|look|respons|took|(?:micro)?service)/;
const notNames = new Set(
  (
    "it they this that he she we you i who which there these those what everything nothing everyone nobody somebody one and or but then also if when while so as than them its his her our their the a an " +
    "us me him all both each some any none more most other others same new old next last first web customer main affected failing broken whole right wrong named said following real actual internal external " +
    "own single second third another such every no not now time page team user users code change data people by in on at to from for with into"
  ).split(" "),
);

const verbForm =
  /^(?:depends|relies|uses|calls|needs|requires|queries|polls|asks|invokes|consumes|wraps|reads|fetches|loads|pulls|takes|gets|receives|talks|writes|connects|publishes|subscribes|listens|posts|sends|routes|forwards|hands|passes|delegates|streams|pushes|stores|keeps|saves|caches|persists|is|are|was|has|does|then)$/;

/** Names that stand where services stand: who needs whom, who looks after what, "the X service". */
export function relatedNames(prose: string): readonly Sign[] {
  if (!anySign.test(prose)) return [];
  const found: Sign[] = [];
  let previous: string | null = null;
  for (const sentence of sentencesOf(prose)) {
    const it: string | null = previous;
    if (sentence.end - sentence.start > 600 || found.length > 100) continue;
    const text = prose.slice(sentence.start, sentence.end);
    // "It …" goes on about the same
    if (!/^It\b/.test(text)) previous = null;
    if (/\?\s*$/.test(text)) continue;
    const put = (name: string | undefined, at: number, rule: string): void => {
      if (name === undefined || notNames.has(name) || verbForm.test(name)) return;
      previous ??= name;
      found.push({ name, rule: prefix + rule, start: sentence.start + at, end: sentence.start + at + name.length });
    };
    for (const match of text.matchAll(owned)) put(match[1], match.index + match[0].indexOf(match[1] ?? ""), "owned");
    for (const match of text.matchAll(relation)) {
      const [whole, written = "", verb = "", lead = "", list = ""] = match;
      const pronoun = /^it$/i.test(written);
      if (pronoun && it === null) continue;
      const subject = pronoun ? (it ?? "") : written;
      const place = match.index + whole.length - list.length;
      // a plain word is the subject's name only where it opens the sentence, small and alone: "reporting needs …", not "the app needs …"
      const named = written.includes("-") || (match.index === 0 && whole.startsWith(written) && /^\w+s\b/.test(verb));
      let before: string | null = null;
      for (const item of `${lead}${list}`.matchAll(objects)) {
        const name = item[2] ?? "";
        const at = place - lead.length + item.index + item[0].indexOf(name, item[0].length - item[0].trimStart().length);
        if (!pronoun && named) put(subject, match.index + whole.indexOf(subject), `subject ${name}`);
        // "needs a printer": what an article makes one of many is no name
        if (item[1] !== "") continue;
        put(name, at, `object ${subject}`);
        const ends = /^(?:$|[.;)]| (?:and|or|over|via) |, )/.test(text.slice(at + name.length, at + name.length + 6));
        if (before !== null && ends) {
          put(name, at, `listed ${before}`);
          put(before, at, `listed ${name}`);
        }
        before = ends ? name : null;
      }
    }
    for (const match of text.matchAll(owns)) {
      const list = match[1] ?? "";
      for (const item of list.matchAll(new RegExp(identifier, "g")))
        if (item[0] !== "and" && item[0] !== "the") put(item[0], match.index + match[0].length - list.length + item.index, "owned");
    }
    for (const match of text.matchAll(called)) put(match[1], match.index + match[0].indexOf(match[1] ?? ""), "called");
  }
  return found;
}

/** The workload that a pod or a stated service names: "ledger-5c9d8f7b66-abcde" and "rabbit-0" run ledger and rabbit. */
export function workloadSign(pod: string | undefined, place: { readonly start: number; readonly end: number }): readonly Sign[] {
  if (pod === undefined) return [];
  const workload = /^([a-z][a-z0-9-]{1,60}?)-(?:[a-z0-9]{5,10}-[a-z0-9]{5}|\d{1,3})$/.exec(pod)?.[1] ?? pod;
  return /^[a-z][a-z0-9-]{1,60}$/.test(workload) ? [{ name: workload, rule: `${prefix}pod`, ...place }] : [];
}

export function isLearned(declaration: Declaration): boolean {
  return declaration.rule.startsWith(prefix);
}

/** Which of the learned names are services, given those that are known by better means. Order does not matter. */
export function corroborated(declarations: readonly Declaration[], known: ReadonlySet<NodeId>): ReadonlySet<NodeId> {
  const accepted = new Set(known);
  const scopes = new Map<NodeId, Set<string>>();
  const kinds = new Map<NodeId, Set<string>>();
  for (const { node, rule, span } of declarations) {
    const kind = rule.slice(prefix.length).split(" ", 1)[0] ?? "";
    kinds.set(node, (kinds.get(node) ?? new Set()).add(kind));
    if (kind === "scope") scopes.set(node, (scopes.get(node) ?? new Set()).add(span?.record ?? ""));
  }
  for (const [node, signs] of kinds) {
    const inScopes = scopes.get(node)?.size ?? 0;
    const compound = node.slice("service:".length).includes("-");
    const plain = noScope.has(node.slice("service:".length));
    if (
      signs.has("pod") ||
      (inScopes > 1 && !plain) ||
      (inScopes === 1 && !plain && (compound || signs.size > 1)) ||
      (signs.has("owned") && (compound || signs.size > 1)) ||
      (signs.has("called") && compound)
    )
      accepted.add(node);
  }
  for (let size = -1; size !== accepted.size; ) {
    size = accepted.size;
    for (const { node, rule } of declarations) {
      if (accepted.has(node)) continue;
      const [kind, beside] = rule.slice(prefix.length).split(" ");
      if (beside === undefined) continue;
      const name = node.slice("service:".length);
      const compound = name.includes("-");
      const other = accepted.has(`service:${beside}`);
      if (noScope.has(name)) continue;
      const telling = compound || infrastructure.has(name);
      const both = telling && (beside.includes("-") || infrastructure.has(beside)) && (compound || beside.includes("-"));
      if (kind === "object" ? (other && telling) || both : other || both) accepted.add(node);
    }
  }
  return accepted;
}
