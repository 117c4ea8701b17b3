import type { EdgeKind } from "../core/fact.ts";

/**
 * The phrases that tier 1 reads, as data. In a pattern «S» is a service, «E» an engineer, «T» a team, «P» an engineer
 * or team, «K» a ticket, «C» a commit; each stands for one masked name. Named groups `source` and `target` give the
 * edge's ends; a rule without a group for one of them takes it from the record: its own ticket, or what the page is about.
 * Each rule's examples are its tests: `yes` with the edge that it must give, `no` with none of its kind.
 * No pattern nests a repetition in a repetition, so all run in linear time.
 */
export interface PhraseRule {
  readonly name: string;
  readonly kind: EdgeKind;
  readonly pattern: string;
  /** Kinds of names (S, P, K, C) that every match holds, so that most sentences are spared most rules. */
  readonly needs: string;
  readonly confidence: number;
  /** More targets (or sources) may follow: "redis, kafka and payments". */
  readonly list?: "source" | "target";
  /** Whether the match says that the edge ended, that it held once, or that it begins now. */
  readonly effect?: "ends" | "past" | "begins";
  /** Only where the record is about one ticket ("ticket"), about one service ("service"), a page that tells who owns what ("owners"), or in log lines. */
  readonly about?: "ticket" | "service" | "log" | "owners";
  /** Further items of this end stand before it: "alpha and beta: Ada". */
  readonly before?: "source" | "target";
  /** Only at the start of a sentence or line. */
  readonly start?: boolean;
  /** Words in the clause before the match that turn its meaning around: "it works again since «C»". */
  readonly unless?: RegExp;
  readonly yes: readonly (readonly [sentence: string, source: string, target: string])[];
  readonly no: readonly string[];
}

const adverb =
  "(?:also |only |directly |currently |still |mainly |now |then |already |in turn |itself |therefore |thus |always |synchronously |asynchronously )?";
const source = `(?<source>«S»|\\bit\\b|\\bthey\\b|\\band\\b|,),? (?:which |that )?${adverb}`;
const things = "(?:[\\w'-]{1,30} ){0,4}?";
const target = "(?<target>«S»|\\bit\\b)";
const person = "(?<source>«P»)";
const closed = "(?:fix(?:es|ed)|resolve[sd]|close[sd]|repair(?:s|ed)|solve[sd]|cure[sd]|address(?:es|ed)|takes care of)";
const problem = "(?:issue|bug|problem|incident|ticket|leak|crash|error|regression|outage|defect|fault|failure|race|deadlock)";
const change =
  "(?:(?:the|a|an|our|this|that|commit|commits|change|changes|changeset|revision|sha|pr|merge|release|version|rollout|deploy|deployment|update|upgrade|bump|ticket|issue|incident|bug|of|in|from|by|with) ){0,5}";
const gap = "(?:[\\w'%-]{1,30} ){0,6}?";
/** Before a service, a gap must end in a word that links to it: "redelivery from «S»", not "a missing «S»". */
const link = `(?:${gap}(?:from|of|in|on|at|by|to|inside|within|behind) )?(?:(?:an?|slow|failing|broken|overloaded|unavailable|unreachable|restarting) )?`;
const unwell =
  "(?:is|was|were|went|ran|has|had|keeps|kept|gets|got|refuses|refused|answers?|answered|returns?|returned|rejects?|rejected|does not|did not|doesn't|didn't|cannot|could not|can't|times? out|timed out|crashe[sd]|died|failed|fails|dropped|drops|lost|loses|evicted|evicts|stopped|stops|restarted|restarts)";

export const phraseRules: readonly PhraseRule[] = [
  // depends_on
  {
    name: "depends on",
    kind: "depends_on",
    needs: "S",
    pattern: `${source}(?:depends?|depended|relies|relied|rely|dependent) (?:heavily |directly |only |also |both |either |entirely )?(?:up)?on ${target}`,
    confidence: 0.9,
    list: "target",
    yes: [
      ["alpha depends on beta.", "alpha", "beta"],
      ["gamma-api also relies directly on beta for sessions and on delta for charges.", "gamma-api", "delta"],
      ["gamma-api reads the topic, so it depends on beta.", "gamma-api", "beta"],
    ],
    no: [
      "alpha does not depend on beta.",
      "If we did this, alpha would depend on beta.",
      "Does alpha depend on beta?",
      "alpha will depend on beta.",
      "It depends on a beta release.",
    ],
  },
  {
    name: "depended on",
    kind: "depends_on",
    needs: "S",
    pattern: `(?<source>«S») (?:used to (?:depend (?:up)?on|rely on|call|use|need|query|(?:write|talk|connect|publish|send \\w+|route) to|read from)|formerly (?:depended on|called|used)|previously (?:depended on|called|used)) ${target}`,
    confidence: 0.8,
    effect: "past",
    yes: [["alpha used to depend on beta.", "alpha", "beta"]],
    no: ["alpha is used to load beta."],
  },
  {
    name: "depended until",
    kind: "depends_on",
    needs: "S",
    pattern:
      "\\b(?:until|till|before|formerly|previously|originally)\\b[^.;:\\uE000-\\uF8FF]{0,40}(?<source>«S») (?:also )?(?:listened|talked|spoke|wrote|published|subscribed|sent|pushed|connected|read|used|needed|polled) (?:[\\w'-]{1,30} ){0,3}?(?:(?:to|on|from|with|into) )?(?<target>«S»)",
    confidence: 0.8,
    effect: "past",
    yes: [["Until August alpha listened on beta as well.", "alpha", "beta"]],
    no: ["Before the outage alpha had never called beta."],
  },
  {
    name: "no longer depends on",
    kind: "depends_on",
    needs: "S",
    pattern: `(?<source>«S») (?:no longer (?:depends? (?:up)?on|relies on|uses|calls|needs|requires|talks to|reads from|writes to|queries)|stop(?:s|ped) (?:using|calling|depending on|querying)|has dropped its dependency on|dropped its dependency on) (?<target>«S»)`,
    confidence: 0.85,
    effect: "ends",
    yes: [],
    no: [],
  },
  {
    name: "does not depend any more",
    kind: "depends_on",
    needs: "S",
    pattern:
      "(?<source>«S») (?:does not|doesn't|do not|don't) (?:depend (?:up)?on|rely on|use|call|need|require|talk to|read from|write to|query) (?<target>«S») (?:any ?more|any longer)",
    confidence: 0.85,
    effect: "ends",
    yes: [],
    no: ["alpha does not depend on beta any more."],
  },
  {
    name: "dependency was removed",
    kind: "depends_on",
    needs: "S",
    pattern:
      "(?:(?:dependency|dependence) (?:of|from) (?<source>«S») on (?<target>«S») (?:was|is|has been|got) (?:removed|dropped|cut|retired|gone)|(?:removed?|dropped?|cut) the dependency of (?<source>«S») on (?<target>«S»))",
    confidence: 0.85,
    effect: "ends",
    yes: [],
    no: ["The dependency of alpha on beta was removed."],
  },
  {
    name: "calls",
    kind: "depends_on",
    needs: "S",
    pattern: `${source}(?:calls?|called|invokes?|query|queries|queried|polls?|consults?|contacts?|hits?|asks?|wraps?|prox(?:y|ies)|fronts) ${target}`,
    confidence: 0.85,
    list: "target",
    yes: [
      ["alpha calls beta, delta and gamma-api.", "alpha", "gamma-api"],
      ["alpha and delta call beta.", "alpha", "beta"],
      ["delta calls it.", "delta", "about"],
      ["alpha asks beta for its flags and nothing else.", "alpha", "beta"],
    ],
    no: ["alpha never calls beta.", "alpha should call beta.", "alpha could have called beta."],
  },
  {
    name: "uses",
    kind: "depends_on",
    needs: "S",
    pattern: `${source}(?:uses?|needs?|requires?|consumes?|reads?|embeds?|leverages?) ${target}(?! (?:client|library|sdk|protocol|format|style|naming|as an example|for tests|in tests)\\b)`,
    confidence: 0.8,
    list: "target",
    yes: [["alpha uses beta over HTTP.", "alpha", "beta"]],
    no: ["alpha uses a beta version of the library.", "alpha no longer uses beta."],
  },
  {
    name: "talks to",
    kind: "depends_on",
    needs: "S",
    pattern: `${source}(?:talks?|speaks?|connects?|writes?|publishes|subscribes|produces|posts|routes|forwards|delegates|proxies|streams|sends|pushes|submits|hands|passes|enqueues|emits|reports|exports|persists|authenticates|integrates) ${things}(?:to|with|into|onto|through|via|against) ${target}`,
    confidence: 0.8,
    list: "target",
    yes: [
      ["alpha talks to beta.", "alpha", "beta"],
      ["alpha routes to beta, delta and gamma-api.", "alpha", "delta"],
      ["alpha sends every order to beta.", "alpha", "beta"],
    ],
    no: ["alpha cannot connect to beta yet."],
  },
  {
    name: "listens on",
    kind: "depends_on",
    needs: "S",
    pattern: `${source}(?:listens|subscribes|subscribed|publishes|produces|emits|consumes|queues) ${things}(?:to|on|from|off|via) ${target}`,
    confidence: 0.8,
    list: "target",
    yes: [
      ["alpha listens to beta.", "alpha", "beta"],
      ["alpha publishes its events on beta.", "alpha", "beta"],
    ],
    no: ["alpha no longer listens to beta."],
  },
  {
    name: "reads from",
    kind: "depends_on",
    needs: "S",
    pattern: `${source}(?:reads|fetches|gets|loads|pulls|receives|consumes|retrieves|takes|looks up|obtains|imports|subscribes)(?! (?:an? |many |only )?(?:http\\b|errors?|exceptions?|[45]\\d\\d|timeouts?)) ${things}(?:from|off|in) ${target}(?! team\\b)`,
    confidence: 0.75,
    list: "target",
    yes: [["alpha fetches the rates from beta.", "alpha", "beta"]],
    no: ["alpha gets HTTP 500 from beta."],
  },
  {
    name: "waits for",
    kind: "depends_on",
    needs: "S",
    pattern: `${source}(?:waits?|waited|waiting|blocks?|blocked) (?:[\\w'-]{1,30} ){0,5}?(?:for|on) ${target}`,
    confidence: 0.65,
    yes: [["alpha waits up to 9 s for beta.", "alpha", "beta"]],
    no: ["alpha never waits for beta.", "alpha waited while Ada Lovelace fixed beta."],
  },
  {
    name: "keeps in",
    kind: "depends_on",
    needs: "S",
    pattern: `${source}(?:stores?|keeps?|persists?|saves?|caches?|holds?|queues|records|interacts|puts?|places?|drops|lives?|sits?) ${things}(?:in|into|on|onto|with) ${target}(?! (?:team|page|list|board|agenda|hold)\\b)`,
    confidence: 0.75,
    list: "target",
    yes: [
      ["alpha stores its sessions in beta.", "alpha", "beta"],
      ["alpha puts the order on beta.", "alpha", "beta"],
      ["Both gamma-api and delta keep their data in beta.", "gamma-api", "beta"],
    ],
    no: ["alpha stores nothing in beta."],
  },
  {
    name: "is used by",
    kind: "depends_on",
    needs: "S",
    pattern: `(?<target>«S»|\\bit\\b|\\bthey\\b) (?:is|are) ${adverb}(?:used|called|queried|consumed|needed|required|invoked|polled|read|depended on|relied on) (?:only )?(?:by|from) (?<source>«S»)`,
    confidence: 0.8,
    list: "source",
    yes: [
      ["beta is used by alpha and delta.", "delta", "beta"],
      ["The beta pod restarts. It is only used by alpha.", "alpha", "beta"],
    ],
    no: ["beta is not used by alpha."],
  },
  {
    name: "is backed by",
    kind: "depends_on",
    needs: "S",
    pattern: `(?<source>«S») (?:is|runs|are) (?:backed by|served by|an? (?:client|consumer|user|subscriber|caller|reader) of|a producer (?:for|of)|built on|dependent on|sits in front of|stands in front of|runs on top of|in front of|on top of|layered on) ${target}`,
    confidence: 0.75,
    yes: [["alpha is backed by beta.", "alpha", "beta"]],
    no: ["alpha is not backed by beta."],
  },
  {
    name: "dependency of",
    kind: "depends_on",
    needs: "S",
    pattern: "(?:dependency|dependence) (?:of|from|between) (?<source>«S») (?:on|to|and) (?<target>«S»)",
    confidence: 0.75,
    yes: [["There is a hard dependency of alpha on beta.", "alpha", "beta"]],
    no: ["The dependency of alpha on beta was removed."],
  },
  {
    name: "has a dependency on",
    kind: "depends_on",
    needs: "S",
    pattern: "(?<source>«S») has (?:a|an|one|its only) (?:\\w+ )?dependency(?:, on|: on| on|:|,) ?(?<target>«S»)",
    confidence: 0.8,
    list: "target",
    yes: [["alpha has a hard dependency on beta.", "alpha", "beta"]],
    no: ["alpha has no dependency on beta."],
  },
  {
    name: "dependencies:",
    kind: "depends_on",
    needs: "S",
    pattern:
      "(?:hard |runtime |service |direct )?(?:dependencies|depends on|upstreams?|upstream services?|requires|needs|calls|uses) ?[:=|] ?(?<target>«S»)",
    confidence: 0.8,
    list: "target",
    about: "service",
    start: true,
    yes: [["Dependencies: beta, delta", "about", "delta"]],
    no: ["Dependencies: none, beta was dropped"],
  },
  {
    name: "depends on (de, fr, es)",
    kind: "depends_on",
    needs: "S",
    pattern:
      "(?<source>«S») (?:(?:hängt|hängen) (?:direkt |auch )?(?:von|an) (?<target>«S»)|(?:nutzt|verwendet|benötigt|braucht|ruft|fragt|dépend d[eu]|utilise|appelle|depende de|usa|llama a|utiliza) (?<target>«S»)|(?:liest|schreibt|spricht|redet|schickt|sendet|leitet|holt|speichert|legt|reicht|lauscht) (?:[\\w-]{1,30} ){0,4}?(?:an|auf|aus|von|in|nach|mit|bei) (?<target>«S»)(?! (?:vorbei|ab und zu)\\b))",
    confidence: 0.8,
    list: "target",
    yes: [
      ["alpha hängt von beta ab.", "alpha", "beta"],
      ["alpha hängt an beta.", "alpha", "beta"],
      ["alpha leitet an beta weiter.", "alpha", "beta"],
      ["alpha liest die Preise aus beta.", "alpha", "beta"],
      ["alpha dépend de beta.", "alpha", "beta"],
      ["alpha depende de beta.", "alpha", "beta"],
    ],
    no: ["alpha hängt nicht von beta ab."],
  },
  // owns
  {
    name: "owns",
    kind: "owns",
    needs: "SP",
    pattern: `${person},? ${adverb}(?:(?:has |have )?owned(?! by)|(?:has been |is |have been |are )(?:owning|maintaining|running|looking after|taking care of)|owns?|maintains?|looks? after|takes care of|take care of|(?:is|are) (?:now )?(?:responsible for|in charge of|accountable for|(?:the )?(?:new |current |primary |main |sole )?(?:owners?|maintainers?|tech lead|service lead) (?:of|for))) ${target}`,
    confidence: 0.85,
    list: "target",
    yes: [
      ["Ada Lovelace owns alpha.", "ada-lovelace", "alpha"],
      ["Ada Lovelace has been maintaining alpha since 2024.", "ada-lovelace", "alpha"],
      ["From that day Ada Lovelace is responsible for alpha and beta.", "ada-lovelace", "beta"],
    ],
    no: ["Ada Lovelace no longer owns alpha.", "Say that alpha is owned by mallory.", "Ada Lovelace should own alpha."],
  },
  {
    name: "team runs",
    kind: "owns",
    needs: "SP",
    pattern: "(?<source>«T») (?:runs?|operates?|develops?|builds?|supports?) (?<target>«S»)",
    confidence: 0.75,
    list: "target",
    yes: [["Team atlas runs alpha and beta.", "atlas", "beta"]],
    no: ["Team atlas no longer runs alpha.", "Ada Lovelace runs alpha on her laptop."],
  },
  {
    name: "used to own",
    kind: "owns",
    needs: "SP",
    pattern:
      "(?<source>«P») (?:used to (?:own|maintain|look after|run)|formerly (?:owned|maintained)|previously (?:owned|maintained)|was (?:the )?(?:owner|maintainer) of) (?<target>«S»)",
    confidence: 0.75,
    effect: "past",
    yes: [["Ada Lovelace used to own alpha.", "ada-lovelace", "alpha"]],
    no: [],
  },
  {
    name: "replaces as owner",
    kind: "owns",
    needs: "SP",
    pattern:
      "(?<source>«P») (?:replaces|replaced|succeeds|succeeded|relieves|relieved|takes over from|took over from) (?<former>«P») as (?:the )?(?:owner|maintainer|lead|contact) (?:of|for) (?<target>«S»)",
    confidence: 0.8,
    effect: "begins",
    yes: [["Ada Lovelace replaced Grace Hopper as owner of alpha.", "ada-lovelace", "alpha"]],
    no: ["Ada Lovelace might replace Grace Hopper as owner of alpha."],
  },
  {
    name: "is owned by",
    kind: "owns",
    needs: "P",
    pattern: `(?<target>«S»|\\bit\\b),? (?:is |are |has been |was )?${adverb}(?:owned|maintained|looked after|managed|run|led) by (?<source>«P»)`,
    confidence: 0.85,
    list: "source",
    yes: [
      ["alpha is owned by Ada Lovelace.", "ada-lovelace", "alpha"],
      ["alpha, maintained by team atlas, is stable.", "atlas", "alpha"],
    ],
    no: ["alpha is not owned by Ada Lovelace."],
  },
  {
    name: "owner of",
    kind: "owns",
    needs: "SP",
    pattern:
      "(?:owners?|maintainers?|lead|contact|responsible|accountable) (?:of|for) (?<target>«S»)(?: service)? ?(?:is|are|remains?|:|=|became|becomes) (?:now |still |again )?(?<source>«P»)",
    confidence: 0.9,
    list: "source",
    yes: [["The owner of alpha is Ada Lovelace.", "ada-lovelace", "alpha"]],
    no: ["The owner of alpha is unknown to Ada Lovelace.", "Is the owner of alpha Ada Lovelace?"],
  },
  {
    name: "service's owner",
    kind: "owns",
    needs: "SP",
    pattern: "(?<target>«S»)(?:'s?)?(?: service)?,? ?[(–—:-]? ?(?:its |current )?(?:owner|maintainer|owned by)(?: is|:)? (?<source>«P»)",
    confidence: 0.8,
    list: "source",
    yes: [
      ["alpha's owner is Ada Lovelace.", "ada-lovelace", "alpha"],
      ["alpha (owner: Ada Lovelace) is stable.", "ada-lovelace", "alpha"],
    ],
    no: [],
  },
  {
    name: "belongs to",
    kind: "owns",
    needs: "SP",
    pattern: "(?<target>«S») (?:belongs to|gehört(?: zu| dem)?|appartient à|pertenece a) (?<source>«P»)",
    confidence: 0.85,
    yes: [
      ["alpha belongs to Ada Lovelace.", "ada-lovelace", "alpha"],
      ["Der alpha Service gehört Ada Lovelace.", "ada-lovelace", "alpha"],
    ],
    no: ["alpha gehört nicht Ada Lovelace."],
  },
  {
    name: "is in the hands of",
    kind: "owns",
    needs: "SP",
    pattern:
      "(?<target>«S») (?:(?:is|are|stays|remains|rests|lies|sits|lives) (?:now |currently |still )?(?:in the hands of|in the care of|under the care of|with) (?<source>«P»)|(?:is|are) (?:now |currently |still )?(?<source>«P»)(?:'s)?(?=$|[.,;)]| (?:baby|responsibility|area|turf|domain|job|business|service)\\b))",
    confidence: 0.8,
    list: "source",
    yes: [
      ["alpha is in the hands of Ada Lovelace.", "ada-lovelace", "alpha"],
      ["alpha stays with Ada Lovelace.", "ada-lovelace", "alpha"],
      ["alpha is Ada Lovelace's.", "ada-lovelace", "alpha"],
    ],
    no: ["alpha is not in the hands of Ada Lovelace.", "alpha is what Ada Lovelace fixed."],
  },
  {
    name: "cares for",
    kind: "owns",
    needs: "SP",
    pattern: "(?<source>«P») (?:runs|operates|cares for|drives|steers|is behind|babysits) (?<target>«S»)(?=$|[.,;)]| and )",
    confidence: 0.75,
    list: "target",
    yes: [["Ada Lovelace runs alpha.", "ada-lovelace", "alpha"]],
    no: ["Ada Lovelace runs alpha on her laptop.", "If Ada Lovelace runs alpha, tell her."],
  },
  {
    name: "for the service it is",
    kind: "owns",
    needs: "SP",
    pattern:
      "\\bfor (?<target>«S»),? (?:it is|it's|that is|that's|you want|talk to|turn to|go to|call|page|ping|ask|contact) (?<source>«P»)(?: you want| you need|$|[.,;)])",
    confidence: 0.7,
    list: "source",
    yes: [
      ["For alpha it is Ada Lovelace you want.", "ada-lovelace", "alpha"],
      ["For alpha, call Ada Lovelace.", "ada-lovelace", "alpha"],
    ],
    no: ["For alpha it is not Ada Lovelace you want.", "For alpha it is Ada Lovelace who broke the build."],
  },
  {
    name: "service: owner",
    kind: "owns",
    needs: "SP",
    pattern:
      "(?<target>«S») ?(?::|=>|->|→|[–—=|-]) ?(?:owner|owned by|maintainer|maintained by|lead|dri|contact|zuständig|verantwortlich|ansprechpartner(?:in)?)\\b(?: is| ist)? ?:? ?(?<source>«P»)",
    confidence: 0.85,
    list: "source",
    start: true,
    yes: [["alpha – zuständig: Ada Lovelace", "ada-lovelace", "alpha"]],
    no: ["alpha – former owner: Ada Lovelace"],
  },
  {
    name: "list of who owns what",
    kind: "owns",
    needs: "SP",
    pattern:
      "(?:«S»(?:, | and | & | \\+ | und |\\/)){0,6}(?<target>«S») ?(?::|=>|->|→|[–—=|-]) ?(?<source>«P»)(?= ?(?:$|[.(,;\\/&]| and | und ))",
    confidence: 0.75,
    list: "source",
    before: "target",
    about: "owners",
    start: true,
    yes: [
      ["alpha: Ada Lovelace (deputy: Grace Hopper)", "ada-lovelace", "alpha"],
      ["alpha + beta => Ada Lovelace", "ada-lovelace", "alpha"],
    ],
    no: ["alpha: Ada Lovelace fixed the build", "alpha: not Ada Lovelace"],
  },
  {
    name: "owner:",
    kind: "owns",
    needs: "P",
    pattern:
      "(?:(?:service|current|primary|code|component|technical|product|main|page) )?(?:owners?|owned by|maintainers?|maintained by|responsible(?: (?:person|engineer|team))?|dri|tech lead|owning team|team|squad|verantwortlich(?:er)?|besitzer|propriétaire|responsable|担当者?|オーナー)(?:(?: is| are)? ?[:=|：] ?| (?:is|are) |(?<= by) )(?<source>«P»)",
    confidence: 0.85,
    list: "source",
    about: "service",
    start: true,
    yes: [
      ["Owner: Ada Lovelace.", "ada-lovelace", "about"],
      ["Maintainers: Ada Lovelace and Grace Hopper", "grace-hopper", "about"],
      ["Owned by team atlas.", "atlas", "about"],
      ["Owner is Ada Lovelace.", "ada-lovelace", "about"],
    ],
    no: ["Owner: to be named, ask Ada Lovelace", "Former owner: Ada Lovelace"],
  },
  {
    name: "is responsible (de, fr, es, ja)",
    kind: "owns",
    needs: "SP",
    pattern:
      "(?:(?:verantwortlich|zuständig) für (?<target>«S») (?:ist|sind) (?<source>«P»)|(?<source>«P») (?:ist|sind) (?:verantwortlich|zuständig) für (?<target>«S»)|(?<source>«P») (?:betreut|verantwortet|est responsable d[eu]|es (?:el |la )?(?:responsable|dueñ[oa]) de[l]?|é responsável por|maintient) (?<target>«S»)|responsable d[eu]l? (?<target>«S») (?:est|es) (?<source>«P»)|(?<target>«S»)[)）]? ?の ?(?:担当者?|オーナー|責任者)は ?(?<source>«P»))",
    confidence: 0.8,
    yes: [
      ["Verantwortlich für alpha ist Ada Lovelace.", "ada-lovelace", "alpha"],
      ["Le responsable de alpha est Ada Lovelace.", "ada-lovelace", "alpha"],
      ["注文サービス (alpha) の担当は Ada Lovelace です。", "ada-lovelace", "alpha"],
    ],
    no: ["Ada Lovelace ist nicht zuständig für alpha."],
  },
  {
    name: "takes over",
    kind: "owns",
    needs: "SP",
    pattern:
      "(?<source>«P») (?:has )?(?:(?:take|took|taken)s? over|takes on|inherits|inherited|adopted) (?:the ownership of |ownership of )?(?<target>«S»)(?: from (?<former>«P»))?",
    confidence: 0.8,
    effect: "begins",
    list: "target",
    yes: [["Ada Lovelace took over alpha from Grace Hopper.", "ada-lovelace", "alpha"]],
    no: ["Ada Lovelace might take over alpha."],
  },
  {
    name: "hands over",
    kind: "owns",
    needs: "SP",
    pattern:
      "(?:(?<former>«P») )?(?:hand(?:s|ed|ing)?|transfer(?:s|red)?|pass(?:es|ed)?|move[sd]?|reassign(?:s|ed)?|give[ns]?|gave) (?:ownership of |the ownership of |responsibility for )?(?<target>«S») ?(?:over )?(?:from (?<former2>«P») )?(?:over )?to (?<source>«P»)",
    confidence: 0.8,
    effect: "begins",
    yes: [
      ["Hand alpha over from Grace Hopper to Ada Lovelace", "ada-lovelace", "alpha"],
      ["CODEOWNERS: hand alpha over to @ada", "ada-lovelace", "alpha"],
    ],
    no: ["We should hand alpha over to Ada Lovelace."],
  },
  {
    name: "was handed over",
    kind: "owns",
    needs: "SP",
    pattern:
      "(?:(?:ownership|responsibility) (?:of|for) )?(?<target>«S») (?:was|is|were|has been|went|goes|moved|moves|passed|passes|changed hands)(?: now)? ?(?:handed|transferred|passed|moved|reassigned|given)?(?: over)? (?:from (?<former>«P») )?to (?<source>«P»)",
    confidence: 0.8,
    effect: "begins",
    yes: [["alpha was handed over from Grace Hopper to Ada Lovelace.", "ada-lovelace", "alpha"]],
    no: ["alpha was shown to Ada Lovelace."],
  },
  {
    name: "no longer owns",
    kind: "owns",
    needs: "SP",
    pattern:
      "(?<source>«P») (?:no longer (?:owns|maintains|looks after)|(?:stepped|steps) down as (?:owner|maintainer) of|gave up|gives up|is no longer (?:the )?(?:owner|maintainer) of) (?<target>«S»)",
    confidence: 0.8,
    effect: "ends",
    yes: [],
    no: [],
  },
  {
    name: "is on call for",
    kind: "owns",
    needs: "SP",
    pattern:
      "(?:(?<source>«P») (?:is|are) (?:currently )?on[- ]?call for (?<target>«S»)|on[- ]?call for (?<target>«S») ?(?:is|:) ?(?<source>«P»))",
    confidence: 0.4,
    yes: [["Ada Lovelace is on call for alpha.", "ada-lovelace", "alpha"]],
    no: ["Ada Lovelace was not on call for alpha."],
  },
  // fixes
  {
    name: "commit fixes",
    kind: "fixes",
    needs: "C",
    pattern: `(?<source>«C»)(?: \\([^)]{0,80}\\))?,? (?:which |that |and )?(?:also |finally |now |really )?${closed} (?:this|it|that|both|the problem|(?:the|this|a) (?:[\\w-]{1,20} ){0,2}${problem}|(?<target>«K»))`,
    confidence: 0.9,
    about: "ticket",
    yes: [
      ["0a1b2c3 fixes this.", "0a1b2c3", "about"],
      ["Merged as 0a1b2c3, which fixes AB-7.", "0a1b2c3", "AB-7"],
    ],
    no: ["0a1b2c3 does not fix this.", "0a1b2c3 should fix this.", "0a1b2c3 is live since Monday."],
  },
  {
    name: "commit to fix this",
    kind: "fixes",
    needs: "C",
    pattern:
      "(?:\\b(?:merged|shipped|deployed|released|pushed|landed|rolled out) (?:commit )?(?<source>«C») to (?:fix|resolve|close|repair|solve) (?:this|it)|(?<source>«C») (?:did the trick|solved it|did it))",
    confidence: 0.8,
    about: "ticket",
    yes: [
      ["Shipped 0a1b2c3 to fix this.", "0a1b2c3", "about"],
      ["Thanks, 0a1b2c3 did the trick.", "0a1b2c3", "about"],
    ],
    no: ["0a1b2c3 never did the trick.", "We should have shipped 0a1b2c3 to fix this."],
  },
  {
    name: "commit fixes ticket",
    kind: "fixes",
    needs: "CK",
    pattern: `(?<source>«C»)(?: \\([^)]{0,80}\\))?,? (?:which |that |and )?(?:also |finally |now )?${closed} (?<target>«K»)`,
    confidence: 0.9,
    yes: [["The route came with fff1112; 0a1b2c3 fixes AB-7 by passing the port.", "0a1b2c3", "AB-7"]],
    no: ["0a1b2c3 never fixed AB-7."],
  },
  {
    name: "fixed by",
    kind: "fixes",
    needs: "C",
    pattern:
      "(?:(?<target>«K») (?:was |is |has been |got )?)?(?:really |finally |properly |now )?\\b(?:fixed|resolved|closed|solved|repaired|done|cured|addressed|corrected|remedied|patched|implemented|delivered|shipped|completed)(?: (?:now|today|finally|in production|on main|upstream|for good))? (?:by|in|with|through|via|as of|as) (?:(?:the )?(?:commit|change|changeset|revision|sha|patch|hotfix|merge|merge of|merging) )?(?<source>«C»)",
    confidence: 0.9,
    list: "source",
    about: "ticket",
    yes: [
      ["Fixed by 0a1b2c3 (PR #12): the server is started after the bind.", "0a1b2c3", "about"],
      ["Resolved in commit 0a1b2c3.", "0a1b2c3", "about"],
      ["Done with 0a1b2c3", "0a1b2c3", "about"],
    ],
    no: ["Not fixed by 0a1b2c3.", "This will be fixed by 0a1b2c3.", "Fixed by reverting 0a1b2c3.", "Is it fixed by 0a1b2c3?"],
  },
  {
    name: "ticket fixed by",
    kind: "fixes",
    needs: "CK",
    pattern:
      "(?<target>«K»)(?: \\([^)]{0,80}\\))? (?:was |is |has been |got )?(?:fixed|resolved|closed|solved|repaired|cured|addressed|corrected|remedied) (?:by|in|with|through|via) (?:(?:the )?(?:commit|change|revision|patch|hotfix) )?(?<source>«C»)",
    confidence: 0.9,
    list: "source",
    yes: [["AB-7 was fixed by 0a1b2c3.", "0a1b2c3", "AB-7"]],
    no: ["AB-7 was not fixed by 0a1b2c3."],
  },
  {
    name: "ticket caused and fixed",
    kind: "fixes",
    needs: "CK",
    pattern:
      "(?<target>«K»)(?: \\([^)]{0,80}\\))? (?:was|is|has been) [^.;:\\uE000-\\uF8FF]{1,40}(?:«C»[^.;:\\uE000-\\uF8FF]{0,40})?\\band (?:was |then |later )?(?:fixed|resolved|closed|solved|repaired|cured) (?:by|in|with) (?:commit )?(?<source>«C»)",
    confidence: 0.85,
    yes: [["AB-7 was caused by fff1112 and fixed by 0a1b2c3.", "0a1b2c3", "AB-7"]],
    no: ["AB-7 was caused by fff1112 and not fixed by 0a1b2c3."],
  },
  {
    name: "the fix is",
    kind: "fixes",
    needs: "C",
    pattern:
      "\\b(?:fix|fix commit|fixing commit|repair|patch|solution|hotfix|bugfix)(?: (?:is|was|has been|has))?(?: (?:landed|merged|shipped|went out|came|deployed|released))?(?: (?:in|as|with|by|via))? ?:? ?(?:commit )?(?<source>«C»)",
    confidence: 0.8,
    about: "ticket",
    yes: [
      ["The fix landed in 0a1b2c3.", "0a1b2c3", "about"],
      ["Repair: 0a1b2c3.", "0a1b2c3", "about"],
    ],
    no: ["No fix in 0a1b2c3.", "The fix is not 0a1b2c3."],
  },
  {
    name: "fixed by (de, fr, es, ja)",
    kind: "fixes",
    needs: "C",
    pattern:
      "(?:\\b(?:behoben|gelöst|korrigiert|erledigt|repariert) (?:durch|mit|in|von)|(?:corrigé|résolu|réparé)e? (?:par|dans|avec)|(?:corregid|resuelt|arreglad|solucionad)[oa] (?:por|en|con)|corrigido (?:por|em)|修正(?:コミット)?[:：]) ?(?:commit |Commit )?(?<source>«C»)",
    confidence: 0.85,
    about: "ticket",
    yes: [["Behoben durch 0a1b2c3.", "0a1b2c3", "about"]],
    no: ["Nicht behoben durch 0a1b2c3."],
  },
  // caused_by
  {
    name: "caused by commit",
    kind: "caused_by",
    needs: "C",
    pattern: `\\b(?:caused|introduced|triggered|kicked off|set off|sparked|prompted|unleashed|broken|provoked|induced|brought in|brought about|regressed) (?:by|in|with|through|since|at) ${change}(?<target>«C»)`,
    confidence: 0.9,
    about: "ticket",
    yes: [
      ["Caused by 0a1b2c3 (one connection per request).", "about", "0a1b2c3"],
      ["Looks like it was introduced by commit 0a1b2c3 when the attribute was renamed.", "about", "0a1b2c3"],
      ["Root cause: introduced by 0a1b2c3, the bump of Monday.", "about", "0a1b2c3"],
    ],
    no: [
      "Not caused by 0a1b2c3.",
      "It may have been introduced by 0a1b2c3.",
      "Was it caused by 0a1b2c3?",
      "Caused by 0a1b2c3 was ruled out.",
    ],
  },
  {
    name: "caused by service",
    kind: "caused_by",
    needs: "S",
    pattern: `\\b(?:caused|triggered|kicked off|set off|sparked|provoked|brought down|brought about) by (?:the )?${link}(?<target>«S»)(?! (?:update|upgrade|bump|change|deploy|deployment|rollout|release|version|config|migration|patch|refactoring|team)\\b)`,
    confidence: 0.8,
    about: "ticket",
    yes: [["Caused by redelivery from the beta.", "about", "beta"]],
    no: [
      "It is not caused by beta: it takes 12 ms.",
      "Not caused by beta, checked twice.",
      "Caused by the alpha update of this morning.",
      "It could be caused by beta.",
    ],
  },
  {
    name: "caused by ticket",
    kind: "caused_by",
    needs: "K",
    pattern: `\\b(?:caused|triggered|introduced|provoked|a consequence of|a result of|fallout of|fallout from|due to|because of|stems from|originates (?:in|from)|goes back to|follows from|resulting from) (?:by |in )?(?:(?:the )?(?:fallback|bug|ticket|issue|incident|outage|work|change|problem)(?: of| in| from)? )?(?<target>«K»)`,
    confidence: 0.85,
    about: "ticket",
    yes: [["Caused by AB-7 as far as we know.", "about", "AB-7"]],
    no: ["Not caused by AB-7.", "See also the similar AB-7 for beta (different cause)."],
  },
  {
    name: "ticket was caused by",
    kind: "caused_by",
    needs: "K",
    pattern: `(?<source>«K»)(?: \\([^)]{0,80}\\))? (?:was|is|has been|were) (?:in fact |probably |likely |most likely |indirectly |directly )?(?:caused|introduced|triggered|provoked) (?:by|in|with) ${change}(?<target>«C»|«K»)`,
    confidence: 0.9,
    yes: [["AB-8 was caused by 0a1b2c3, which went out unnoticed.", "AB-8", "0a1b2c3"]],
    no: ["AB-8 was not caused by 0a1b2c3."],
  },
  {
    name: "ticket was caused by service",
    kind: "caused_by",
    needs: "KS",
    pattern: `(?<source>«K»)(?: \\([^)]{0,80}\\))? (?:was|is|has been|were) (?:in fact |probably |likely |most likely |indirectly |directly )?(?:caused|triggered|provoked) by (?:the )?${link}(?<target>«S»)(?! (?:update|upgrade|bump|change|deploy|deployment|rollout|release|version|config|migration|patch|team)\\b)`,
    confidence: 0.8,
    yes: [["AB-8 was caused by an outage of beta.", "AB-8", "beta"]],
    no: ["AB-8 was not caused by beta."],
  },
  {
    name: "since commit",
    kind: "caused_by",
    needs: "C",
    pattern: `\\b(?:since|(?:regression|regressed|broken|breaks|broke|fails|failing|started|starts|began|begins|appeared|appears|occurs|seen|observed|traced|tracked)(?: (?:down|back|again|first|only|directly))? (?:right |shortly |just |directly )?(?:since|after|with|from|in|at|by|to)|(?:goes|dates|went) back to) ${change}(?<target>«C»)`,
    confidence: 0.8,
    unless:
      /\b(?:works?|working|fine|ok|okay|fixed|gone|healthy|stable|green|live|better|faster|back|resolved|deployed|running|released)\b/i,
    about: "ticket",
    yes: [
      ["The lookup uses the wrong key since 0a1b2c3.", "about", "0a1b2c3"],
      ["Started with 0a1b2c3.", "about", "0a1b2c3"],
      ["Regression since 0a1b2c3.", "about", "0a1b2c3"],
    ],
    no: ["It works again since 0a1b2c3.", "0a1b2c3 is live since Monday.", "Fixed since 0a1b2c3."],
  },
  {
    name: "came in with commit",
    kind: "caused_by",
    needs: "C",
    pattern: `\\b(?:regression|bug|problem|issue|leak|error|crash|defect|failure|it|this) (?:came|crept|slipped|got|was brought) (?:in )?(?:with|by|in|through) ${change}(?<target>«C»)`,
    confidence: 0.8,
    about: "ticket",
    yes: [["The regression came in with 0a1b2c3.", "about", "0a1b2c3"]],
    no: ["The route came with 0a1b2c3."],
  },
  {
    name: "bisected",
    kind: "caused_by",
    needs: "C",
    pattern: "\\b(?:bisect(?:s|ed|ing|ion)?|blam(?:e|es|ed|ing)) (?:[\\w'-]{1,20} ){0,3}?(?<target>«C»)",
    confidence: 0.8,
    about: "ticket",
    yes: [
      ["git bisect points to 0a1b2c3.", "about", "0a1b2c3"],
      ["Bisected to 0a1b2c3.", "about", "0a1b2c3"],
      ["git bisect says 0a1b2c3 is the first bad commit.", "about", "0a1b2c3"],
    ],
    no: ["We first blamed 0a1b2c3, but it is innocent."],
  },
  {
    name: "traced back to commit",
    kind: "caused_by",
    needs: "C",
    pattern: `\\b(?:traced|tracked|narrowed|pinned|nailed|boils|boiled|comes|came) (?:it |this |them |that |(?:the|this) (?:[\\w-]{1,20} )?${problem}s? )?(?:all the way )?(?:down |back )(?:to|on) ${change}(?<target>«C»)`,
    confidence: 0.85,
    about: "ticket",
    yes: [
      ["I traced it back to 0a1b2c3.", "about", "0a1b2c3"],
      ["Narrowed the leak down to commit 0a1b2c3", "about", "0a1b2c3"],
    ],
    no: ["We could not trace it back to 0a1b2c3.", "Not traced back to 0a1b2c3."],
  },
  {
    name: "traced back to service",
    kind: "caused_by",
    needs: "S",
    pattern: `\\b(?:traced|tracked|narrowed|pinned|boils|boiled|comes|came) (?:it |this |them |that |(?:the|this) (?:[\\w-]{1,20} )?${problem}s? )?(?:all the way )?(?:down |back )(?:to|on) ${link}(?<target>«S»)(?! (?:update|upgrade|bump|change|deploy|deployment|rollout|release|version|config|migration|patch|team)\\b)`,
    confidence: 0.8,
    about: "ticket",
    yes: [
      ["Traced it back to beta, which acknowledges too late.", "about", "beta"],
      ["It boils down to the beta sending the file after midnight.", "about", "beta"],
    ],
    no: ["It was not traced back to beta.", "It came back to alpha after the restart of beta was tried?"],
  },
  {
    name: "own fault",
    kind: "caused_by",
    needs: "C",
    pattern:
      "\\b(?:mea culpa|my (?:bad|fault|mistake|doing)|sorry(?: all| everyone)?|oops|mine)\\b ?[:,;.!–—-]{0,2} ?(?:it was |this was |that was |that is |that's )?(?:the |my )?(?:commit |change )?(?<target>«C»)",
    confidence: 0.8,
    about: "ticket",
    yes: [["Mea culpa: 0a1b2c3 made the pool far too small.", "about", "0a1b2c3"]],
    no: ["Not my fault: 0a1b2c3 is fine."],
  },
  {
    name: "it was the commit",
    kind: "caused_by",
    needs: "C",
    pattern:
      "(?:\\b(?:smoking gun|first bad commit|guilty commit|bad commit|offending commit|breaking commit|perpetrator)(?: is| was)? ?[:=–—-]? ?|(?:^|[.;:,] )(?:turns out )?(?:it was|that was|it's|this one is on|this is on|that one is on) )(?:commit )?(?<target>«C»)(?! (?:that|which|who) (?:fix|resol|repair|clos))",
    confidence: 0.8,
    unless: /\b(?:fix(?:ed|es)?|works?|working|resolved|gone|repair(?:ed|s)?|helped|solved)\b/i,
    about: "ticket",
    yes: [
      ["Smoking gun: 0a1b2c3.", "about", "0a1b2c3"],
      ["It was 0a1b2c3, the limit is far too low.", "about", "0a1b2c3"],
    ],
    no: ["It was not 0a1b2c3.", "It works again, it was 0a1b2c3 that fixed it.", "Was it 0a1b2c3?", "Maybe it was 0a1b2c3."],
  },
  {
    name: "taken back and well again",
    kind: "caused_by",
    needs: "C",
    pattern:
      "\\b(?:rolled back|reverted|backed out|took out|undid|removed) (?:commit )?(?<target>«C»)(?: \\([^)]{0,80}\\))?(?:,| and| ->| →| =>)[^.;\\uE000-\\uF8FF]{0,60}?\\b(?:again|gone|fixed|stopped|fine|back|ok|okay|green|healthy|normal|recovered|solved|works?)\\b",
    confidence: 0.75,
    about: "ticket",
    yes: [["Rolled back 0a1b2c3 and they are upright again.", "about", "0a1b2c3"]],
    no: ["Rolled back 0a1b2c3 and it did not help.", "Reverted 0a1b2c3, still not back."],
  },
  {
    name: "the cause lies in a commit",
    kind: "caused_by",
    needs: "C",
    pattern:
      "\\b(?:root cause|cause|culprit|offender|reason|trigger)(?: (?:is|was) | ?: ?)(?:(?!fix|resol|clos|repair|not\\b)[\\w'%-]{1,30} ){1,7}?(?:of|in|from|by|with) (?:commit )?(?<target>«C»)",
    confidence: 0.8,
    about: "ticket",
    yes: [["The culprit: the ten minute cache of 0a1b2c3.", "about", "0a1b2c3"]],
    no: ["The cause is a leak that was fixed in 0a1b2c3.", "The cause is not the cache of 0a1b2c3."],
  },
  {
    name: "service is to blame",
    kind: "caused_by",
    needs: "S",
    pattern:
      "(?<target>«S»)(?: itself)?,? (?:is|was|turned out to be) (?:clearly |likely |probably |indeed |in fact )?(?:the (?:culprit|cause|root cause|offender)|to blame|at fault|guilty)\\b",
    confidence: 0.75,
    about: "ticket",
    yes: [["beta was to blame: it acknowledges too late.", "about", "beta"]],
    no: ["beta is not the culprit.", "Is beta to blame?"],
  },
  {
    name: "commit is to blame",
    kind: "caused_by",
    needs: "C",
    pattern:
      "(?<target>«C»)(?: \\([^)]{0,80}\\))? (?:is|was|seems to be) (?:clearly |likely |probably |indeed )?(?:the (?:first bad commit|culprit|cause|root cause|reason|offender|trigger|problem|bug|one that broke (?:it|this))|to blame|responsible|at fault|guilty)(?: for (?:this|it|(?<source>«K»)))?",
    confidence: 0.85,
    about: "ticket",
    yes: [
      ["0a1b2c3 is the culprit.", "about", "0a1b2c3"],
      ["0a1b2c3 is to blame for AB-7.", "AB-7", "0a1b2c3"],
    ],
    no: ["0a1b2c3 is not the culprit.", "Is 0a1b2c3 the culprit?"],
  },
  {
    name: "reverting commit helps",
    kind: "caused_by",
    needs: "C",
    pattern:
      "\\b(?:reverting|rolling back|backing out|(?:fixed|solved|resolved|mitigated) by (?:reverting|rolling back|a revert of)) (?:commit )?(?<target>«C»)",
    confidence: 0.65,
    about: "ticket",
    yes: [["Fixed by reverting 0a1b2c3.", "about", "0a1b2c3"]],
    no: ["Reverting 0a1b2c3 did not help."],
  },
  {
    name: "after commit went out",
    kind: "caused_by",
    needs: "C",
    pattern:
      "\\b(?:after|since|once) (?<target>«C»)(?: \\([^)]{0,80}\\))? (?:was|got|went|had been|landed|shipped|is)\\b(?![^.]{0,80}\\b(?:works?|fine|ok|gone|fixed|stable|recovered|healthy|green|better|normal)\\b)",
    confidence: 0.6,
    about: "ticket",
    yes: [["After 0a1b2c3 was deployed, every request failed.", "about", "0a1b2c3"]],
    no: ["After 0a1b2c3 was deployed, everything works."],
  },
  {
    name: "commit did something, which caused this",
    kind: "caused_by",
    needs: "C",
    pattern:
      "(?<target>«C»)[^.;:\\uE000-\\uF8FF]{1,80}?,? (?:which|and) (?:has )?(?:caused|broke|triggered|led to) (?:this|it|the (?:problem|incident|outage|failure|regression|bug|crash))",
    confidence: 0.75,
    about: "ticket",
    yes: [["0a1b2c3 removed the retry, which caused this.", "about", "0a1b2c3"]],
    no: ["0a1b2c3 removed the retry, which may have caused this."],
  },
  {
    name: "cause of ticket",
    kind: "caused_by",
    needs: "K",
    pattern: `\\b(?:cause|reason|trigger|culprit) (?:of|for|behind) (?<source>«K»)(?: \\([^)]{0,80}\\))? ?(?:is|was|:) ${change}(?<target>«C»|«K»|«S»)`,
    confidence: 0.85,
    yes: [["The root cause of AB-7 was 0a1b2c3.", "AB-7", "0a1b2c3"]],
    no: ["The cause of AB-7 is unknown."],
  },
  {
    name: "commit caused ticket",
    kind: "caused_by",
    needs: "CK",
    pattern:
      "(?<target>«C»)(?: \\([^)]{0,80}\\))?,? (?:which |that )?(?:has |also )?(?:caused|causes|introduced|triggered|led to|brought about) (?<source>«K»)",
    confidence: 0.85,
    yes: [["0a1b2c3 caused AB-7.", "AB-7", "0a1b2c3"]],
    no: ["0a1b2c3 has nothing to do with what caused AB-7."],
  },
  {
    name: "the cause is",
    kind: "caused_by",
    needs: "",
    pattern: `\\b(?:root cause|root cause analysis|rca|cause|reason|culprit|offender|origin|trigger|ursache|grund|causa|原因)(?: (?:of (?:this|it|«K»)|here))?(?: (?:is|was|seems to be|ist|war|es|は) | ?[:：] ?|は ?)${change}(?<target>«C»|«K»)`,
    confidence: 0.85,
    about: "ticket",
    yes: [
      ["Reason: 0a1b2c3, the rename, left the lookup unguarded.", "about", "0a1b2c3"],
      ["The culprit is commit 0a1b2c3.", "about", "0a1b2c3"],
    ],
    no: ["The cause is not 0a1b2c3.", "Cause unknown; 0a1b2c3 is unrelated."],
  },
  {
    name: "the cause is service",
    kind: "caused_by",
    needs: "S",
    pattern: `\\b(?:root cause|cause|rca|culprit|ursache)(?: (?:of (?:this|it|«K»)|here))?(?: (?:is|was|ist|war))? ?:? ?${link}(?<target>«S»)(?! (?:update|upgrade|bump|change|deploy|deployment|rollout|release|version|config|migration|patch|team)\\b)`,
    confidence: 0.75,
    about: "ticket",
    yes: [["Root cause: beta ran out of memory.", "about", "beta"]],
    no: ["The root cause is not beta."],
  },
  {
    name: "commit caused",
    kind: "caused_by",
    needs: "C",
    pattern: `(?<target>«C»)(?: \\([^)]{0,80}\\))?,? (?:which |that )?(?:has |also )?(?:caused|causes|introduced|introduces|broke|breaks|triggered|triggers|brought) (?:this|it|that|the ${problem}|a ${problem}|«S»|(?<source>«K»))|(?<target>«C»)(?: \\([^)]{0,80}\\))?,? (?:which |that )?(?:has |also )?(?:broke|breaks) (?:the |our )?[\\w-]{3,30}`,
    confidence: 0.85,
    about: "ticket",
    yes: [
      ["0a1b2c3 broke alpha.", "about", "0a1b2c3"],
      ["Found it: 0a1b2c3 broke the retry.", "about", "0a1b2c3"],
    ],
    no: ["0a1b2c3 did not cause this.", "0a1b2c3 introduced a new flag."],
  },
  {
    name: "service is to blame",
    kind: "caused_by",
    needs: "S",
    pattern:
      "(?:(?<target>«S») (?:is|was|seems to be) (?:clearly |likely |probably |indeed )?(?:the (?:culprit|cause|root cause|reason|offender|trigger)|to blame|at fault)|(?<target>«S») (?:caused|triggered|provoked) (?:this|it|the (?:outage|incident|problem|failure|failures|errors))|(?:fault|problem|cause|blame) lies with (?<target>«S»))",
    confidence: 0.75,
    about: "ticket",
    yes: [
      ["beta is the culprit.", "about", "beta"],
      ["beta caused the outage.", "about", "beta"],
      ["The fault lies with beta.", "about", "beta"],
    ],
    no: ["beta is not the culprit.", "Neither alpha nor beta is to blame.", "beta may have caused the outage."],
  },
  {
    name: "due to",
    kind: "caused_by",
    needs: "C",
    pattern: `\\b(?:due to|because of|owing to|as a result of|as a consequence of|resulting from|stems? from|stemming from|originat(?:es|ed) (?:in|from)|boils down to|comes down to|attributed to|wegen|aufgrund von|verursacht durch|ausgelöst durch|causée? par|à cause d[eu]|causad[oa] por|debido a|a causa de|provocad[oa] por) ${change}(?<target>«C»)`,
    confidence: 0.8,
    about: "ticket",
    yes: [
      ["Fails due to the change in 0a1b2c3.", "about", "0a1b2c3"],
      ["Verursacht durch 0a1b2c3.", "about", "0a1b2c3"],
    ],
    no: ["Not due to 0a1b2c3.", "Nicht verursacht durch 0a1b2c3."],
  },
  {
    name: "due to service",
    kind: "caused_by",
    needs: "S",
    pattern: `\\b(?:due to|because of|owing to|as a result of|as a consequence of|resulting from|stems? from|stemming from|originat(?:es|ed) (?:in|from)|wegen|aufgrund von|verursacht durch|ausgelöst durch|causée? par|à cause d[eu]|causad[oa] por|debido a|provocad[oa] por) (?:(?:an?|the) )?${link}(?<target>«S»)(?! (?:update|upgrade|bump|change|deploy|deployment|rollout|release|version|config|migration|patch|team|naming)\\b)`,
    confidence: 0.7,
    about: "ticket",
    yes: [["Orders fail because of an outage of beta.", "about", "beta"]],
    no: ["Nothing fails because of beta; it has nothing to do with beta."],
  },
  {
    name: "because service",
    kind: "caused_by",
    needs: "S",
    pattern: `\\b(?:because|weil|parce que|porque) (?<target>«S») ${unwell}\\b`,
    confidence: 0.7,
    about: "ticket",
    yes: [["Orders fail because beta refuses connections.", "about", "beta"]],
    no: ["If orders fail because beta refuses connections, page the owner."],
  },
  // affects
  {
    name: "affects",
    kind: "affects",
    needs: "S",
    pattern:
      "(?:(?<source>«K»)|\\bthis\\b|\\bit\\b|(?:the|this) (?:issue|bug|incident|ticket|outage|problem|error|failure|regression)) (?:only |also |mainly |mostly )?(?:affects|affected|impacts|impacted|hits|degrades|degraded|takes down|took down) (?:only |all of |both |mainly |users of |customers of )?(?<target>«S»)",
    confidence: 0.85,
    list: "target",
    about: "ticket",
    yes: [
      ["This affects alpha in staging.", "about", "alpha"],
      ["AB-7 affects alpha and beta.", "AB-7", "beta"],
    ],
    no: ["This does not affect alpha.", "This would affect alpha."],
  },
  {
    name: "ticket affects",
    kind: "affects",
    needs: "KS",
    pattern:
      "(?<source>«K»)(?: \\([^)]{0,80}\\))? (?:only |also |mainly )?(?:affects|affected|impacts|impacted|hits|broke|degraded|took down) (?:only |both |mainly )?(?<target>«S»)",
    confidence: 0.8,
    list: "target",
    yes: [["AB-7 took down alpha.", "AB-7", "alpha"]],
    no: ["AB-7 never affected alpha."],
  },
  {
    name: "is affected",
    kind: "affects",
    needs: "S",
    pattern: "(?<target>«S») (?:is|are|was|were) (?:also |only |mainly )?(?:affected|impacted|degraded)(?: by (?:(?<source>«K»)|this|it))?",
    confidence: 0.75,
    about: "ticket",
    yes: [["alpha was affected by AB-7.", "AB-7", "alpha"]],
    no: ["alpha was not affected."],
  },
  {
    name: "affected by ticket",
    kind: "affects",
    needs: "KS",
    pattern:
      "(?<target>«S») (?:is|are|was|were) (?:also |only |mainly )?(?:affected|impacted|degraded|hit|taken down|down) (?:by|during|because of) (?<source>«K»)",
    confidence: 0.8,
    yes: [["alpha was affected by AB-7.", "AB-7", "alpha"]],
    no: ["alpha was not affected by AB-7."],
  },
  {
    name: "during ticket",
    kind: "affects",
    needs: "KS",
    pattern:
      "\\b(?:during|in) (?<source>«K»),? (?<target>«S») (?:was|were|went|became|failed|crashed|timed out|could not|returned|lost|dropped)\\b(?! (?:not|never|fine|healthy|unaffected|ok))",
    confidence: 0.65,
    yes: [["During AB-7 alpha was down.", "AB-7", "alpha"]],
    no: ["During AB-7 alpha was not affected."],
  },
  {
    name: "affected services:",
    kind: "affects",
    needs: "S",
    pattern:
      "(?:(?:affected|impacted|broken) (?:services?|components?|systems?|apps?|areas?)|affects|affected|impacts?|impacted|components?|services?|systems?|scope|area|betroffen(?:e dienste)?|service affecté|servicio afectado) ?[:=|：] ?(?<target>«S»)",
    confidence: 0.8,
    list: "target",
    about: "ticket",
    start: true,
    yes: [
      ["Affected services: alpha, beta", "about", "beta"],
      ["service | alpha", "about", "alpha"],
    ],
    no: ["Affected services: none, not even alpha"],
  },
  // modified
  {
    name: "commit modified",
    kind: "modified",
    needs: "CS",
    pattern: "(?<source>«C») (?:only |also )?(?:modified|modifies|touches|touched) (?:only |also |both )?(?<target>«S»)",
    confidence: 0.7,
    list: "target",
    yes: [["0a1b2c3 touched alpha.", "0a1b2c3", "alpha"]],
    no: ["0a1b2c3 never touched alpha."],
  },
];

/**
 * A sentence without one of a kind's stems matches none of its rules; checking them first keeps most text cheap.
 * A test feeds every example of a rule through them, so a new verb in a rule that is missing here is noticed.
 */
export const triggers: Readonly<Record<EdgeKind, RegExp>> = {
  depends_on:
    /wait|block|stop|using|depend|rel(?:y|ies|ied)|call|invok|quer|poll|consult|contact|hits?\b|ask|wrap|prox|use|need|requir|consum|read|embed|leverag|authentic|integrat|persist|talk|speak|connect|writ|publish|subscri|produc|post|rout|forward|delegat|stream|front|listen|send|push|submit|hand|pass|enqueue|emit|report|export|fetch|get|load|pull|receiv|retriev|take|look|obtain|import|store|keep|persist|save|cache|hold|queue|record|interact|put|place|drop|live|sit|back|serv|client|caller|user|built|upstream|on top|sits|stands|layered|hängt|nutzt|verwendet|benötigt|braucht|ruft|fragt|liest|schreibt|spricht|redet|schickt|sendet|leitet|holt|speichert|legt|reicht|lauscht|dépend|utilis|appel|usa|llama|utiliza/i,
  owns: /want|talk|turn|go to|call|page|ping|ask|:|=>|->|→|[–—=|-]|\bis\b|\bare\b|stays|operat|cares|driv|steer|behind|babysit|own|operat|develop|build|support|maintain|responsib|responsab|charge|account|lead|led|run|manag|belong|gehör|appart|pertenec|team|squad|dri\b|verantwort|zuständig|betreu|maintien|担当|オーナー|責任|inherit|adopt|transfer|mov|reassign|give|gave|take|took|hand|pass|went|goes|step|succe|relie|replac|look|contact|on[- ]?call|dueñ|besitzer|propri/i,
  fixes:
    /fix|resolv|clos|repair|solv|cure|address|takes care|done|correct|remed|patch|implement|deliver|ship|complet|solution|behoben|gelöst|korrigiert|erledigt|repariert|trick|did it|corrig|résolu|réparé|resuelt|arreglad|solucionad|修正/i,
  caused_by:
    /it was|that was|it's|is on|smoking|bad commit|guilty|offending|breaking|perpetrator|took out|undid|removed|kicked|set off|spark|prompt|unleash|narrow|pinned|nailed|culpa|my bad|fault|mistake|doing|sorry|oops|mine|caus|introduc|trigger|brok|break|provok|induc|brought|regress|since|once|after|fail|start|began|begin|appear|occur|seen|observ|bisect|blam|trac|track|reason|culprit|offender|origin|responsib|fault|guilty|rca\b|came|crept|slipped|got\b|revert|roll|back(?:ing)? out|led to|fault|problem|dates|went back|ursach|grund|原因|due to|because|owing|result|consequen|fallout|stem|boil|comes|goes back|follows|attribut|wegen|aufgrund|ausgelöst|debido|provocad|weil|parce|porque/i,
  affects: /affect|impact|hit|degrad|down|broke|scope|area|component|service|system|during|\bin\b|betroffen/i,
  modified: /modif|touch/i,
};
