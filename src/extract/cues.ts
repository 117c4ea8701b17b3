import type { EdgeKind } from "../core/fact.ts";

/** On which side of a cue an end of the edge stands. */
type Side = "before" | "after" | "either";

/**
 * A word that says which relation a sentence speaks of, and where its ends stand beside it. Cues are wider than the phrases
 * that rules read: they decide only whether a quote that a model gives for a relation is about that relation at all.
 */
export interface Cue {
  readonly kind: EdgeKind;
  readonly words: RegExp;
  readonly source: Side;
  readonly target: Side;
  /** Only for targets of these kinds: "since" speaks of commits, never of services. */
  readonly targets?: readonly string[];
}

const needs =
  "depend|rel[iy]|us(?:es?|ed|ing)\\b|call|invok|need|requir|consum|quer|poll|ask|read|fetch|load|pull|get|receiv|retriev|obtain|tak|import|look|talk|speak|connect|writ|publish|subscri|listen|post|send|sent|rout|forward|delegat|prox|stream|push|submit|hand|pass|enqueu|emit|report|export|authentic|integrat|stor|keep|kept|persist|sav|cach|record|put|wait|block|contact|consult|hit|wrap|embed|backed|built|front|on top of|fail|goes through|go through";

/** Linear: words without repetitions in repetitions. */
export const cues: readonly Cue[] = [
  {
    kind: "depends_on",
    words: new RegExp(`\\b(?:${needs})(?!(?:er|or)s?\\b)[a-z]{0,6}\\b(?! (?:only )?by\\b)`, "gi"),
    source: "before",
    target: "after",
  },
  {
    kind: "depends_on",
    words:
      /\b(?:used|called|queried|consumed|needed|required|invoked|polled|read|shared|hit|relied on|depended on|depended upon) (?:only )?(?:by|from)\b|\b(?:serves|feeds|powers|backs|stands behind|sits behind|is behind)\b/gi,
    source: "after",
    target: "before",
  },
  { kind: "depends_on", words: /\bdepend[ae]nc(?:y|e|ies) (?:of|from)\b/gi, source: "after", target: "after" },
  { kind: "depends_on", words: /(?:->|→|=>)/g, source: "before", target: "after" },
  {
    kind: "depends_on",
    words: /(?:hängt|hängen|nutzt|verwendet|benötigt|braucht|ruft|fragt|liest|schreibt|dépend|utilise|appelle|depende|usa|llama|utiliza)/gi,
    source: "before",
    target: "after",
  },
  {
    kind: "owns",
    words:
      /\b(?:own(?:s|ed|er|ers|ership|ing)?|maintain(?:s|ed|er|ers|ing)?|responsib(?:le|ility)|look(?:s|ed|ing)? after|tak(?:e|es|ing|en) care|took care|cares? for|in charge|accountable|leads?|belongs?|(?:hands|care) of|stays? with|tak(?:e|es|en|ing) over|took over|over to|inherit(?:s|ed)?|transferred|steward(?:s|ed)?|dri|runs?|operates?|zuständig|verantwort\w{0,6}|betreut|gehört)\b|担当|オーナー/gi,
    source: "either",
    target: "either",
  },
  {
    kind: "affects",
    words: /\b(?:affects|impacts|degrades|took down|takes? down|hits?|broke)\b/gi,
    source: "either",
    target: "after",
  },
  {
    kind: "affects",
    words: /\b(?:affected|affecting|impact|impacted|degraded|degradation|outage|betroffen)\b/gi,
    source: "either",
    target: "either",
  },
  {
    kind: "fixes",
    words:
      /\b(?:fix(?:es|ed|ing)?|resol(?:ves?|ved|ving|ution)|clos(?:es|ed)|repair(?:s|ed)?|solv(?:es|ed)|cur(?:es|ed)|address(?:es|ed)|patch(?:es|ed)?|remed(?:y|ied)|did the trick|done (?:in|by|with)|behoben|gelöst|corrigé|corregid[oa])\b|修正/gi,
    source: "either",
    target: "either",
  },
  {
    kind: "caused_by",
    words:
      /\b(?:caus(?:e|es|ed)(?: by)?|because(?: of)?|due to|owing to|triggered by|brought (?:down|about) by|kicked off by|set off by|result of|resulting from|consequence of|fallout (?:of|from)|stem(?:s|ming)? from|attributed to|root cause|culprit|reason|offender|fault (?:of|lies with)|blames?|blamed|traced (?:it )?(?:back )?to|boils? down to|ursache|verursacht durch|ausgelöst durch|wegen|aufgrund)\b|原因/gi,
    source: "either",
    target: "after",
  },
  {
    kind: "caused_by",
    words:
      /\b(?:since|introduced|broken|regress(?:ed|ion)|bisect(?:ed|s|ing)?|started|began|broke|fail(?:s|ing)?|came|crept|slipped|trac(?:ed|ked)|narrowed|goes back|dates back|reverting|rolling back|guilty|bad commit|smoking gun|it was)\b/gi,
    source: "either",
    target: "after",
    targets: ["commit", "ticket"],
  },
  {
    kind: "caused_by",
    words:
      /\b(?:(?:is|was|were|be) (?:clearly |likely |probably )?(?:the (?:culprit|cause|root cause|reason|offender|trigger|first bad commit|bad commit|one)|to blame|at fault|guilty|responsible)|caused(?! by)|causes|led to|broke|breaks|introduced(?! (?:by|in|with))|introduces|triggered(?! by)|triggers|brought)\b/gi,
    source: "either",
    target: "before",
  },
  { kind: "modified", words: /\b(?:modif(?:ies|ied)|touch(?:es|ed)|chang(?:es|ed)|edits?|edited)\b/gi, source: "before", target: "after" },
  { kind: "modified", words: /\b(?:modified|touched|changed|edited) (?:by|in|with)\b/gi, source: "after", target: "before" },
];

/** Words that say that something held once and no longer does. */
export const endWords =
  /\b(?:no longer|any ?more|any longer|stop(?:s|ped)|remov(?:es|ed)|drop(?:s|ped)|cut|retired|gone|gave up|gives up|stepped down|steps down|hand(?:s|ed)? (?:\S{1,40} )?over|took over|takes over|replaced|replaces|moved|migrated|used to|former(?:ly)?|previous(?:ly)?|until|nicht mehr|ehemals)\b/i;

/** What is compared, weighed, planned, quoted or only looked at. */
export const weighed =
  /\b(?:unlike|similar\w*|same as|instead of|rather than|compar\w*|confus\w*|mistak\w*|looks? at|looked at|against it|forget about|reject\w*|parked|ideas?|suggest\w*|propos\w*|drafts?|see|cf|e\.g|for example|zum beispiel|z\. ?b|par exemple|idee|vorschlag|statt|wie bei|früher|damals|last (?:year|time|week)|seinerzeit)\b/i;
