import { adverb, target, things, verbs } from "./fragments.ts";
import { pageNeeds } from "./page-needs.ts";
import type { EdgePhrases } from "./phrase-rule.ts";

const source = `(?<source>«S»|\\bit\\b|\\bthey\\b|\\band\\b|,(?! which\\b| that\\b)),? (?:which |that |(?:in turn|however|too|for its part), )?${adverb}`;
/** What goes back to who asked is no need of the one who answers. */
const noAnswer = "(?! (?:[\\w'-]{1,20} ){0,4}?(?:responses?|repl(?:y|ies)|answers?) |(?<!writes?)(?: [\\w'-]{1,20}){0,3}? back )";
/** Who receives requests is needed by who sends them. */
const noRequest =
  "(?! (?:[\\w'-]{1,20} ){0,2}?(?:http|errors?|exceptions?|[45]\\d\\d|timeouts?|requests?|calls?|queries|traffic|instructions?|commands?|alerts?|called|asked|used)\\b)";

export const dependsOn: EdgePhrases = {
  kind: "depends_on",
  rules: [
    {
      name: "depends on",
      needs: "S",
      pattern: `${source}(?:depends?|depended|relies|relied|rely|dependent|leans?|hinges?|builds?) (?:heavily |directly |only |also |both |either |entirely )?(?:up)?on ${target}`,
      confidence: 0.9,
      list: "target",
      yes: [
        ["alpha depends on beta.", "alpha", "beta"],
        ["gamma-api also relies directly on beta for sessions and on delta for charges.", "gamma-api", "delta"],
        ["gamma-api reads the topic, so it depends on beta.", "gamma-api", "beta"],
        ["gamma-api, in turn, leans on beta.", "gamma-api", "beta"],
        ["alpha is new. Both it and delta depend on beta.", "alpha", "beta"],
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
      needs: "S",
      pattern: `(?<source>«S»|\\bit\\b) (?:used to (?:depend (?:up)?on|rely on|call|use|need|query|(?:write|talk|connect|publish|send|route|post|push|report) (?:[\\w'-]{1,30} ){0,4}?(?:in)?to|(?:read|fetch|get|take|load|pull|receive|keep|store|cache|poll) (?:[\\w'-]{1,30} ){0,4}?(?:from|off|in|on))|formerly (?:depended on|called|used)|previously (?:depended on|called|used)) ${target}`,
      confidence: 0.8,
      effect: "past",
      yes: [
        ["alpha used to depend on beta.", "alpha", "beta"],
        ["alpha is new. It used to talk to beta.", "alpha", "beta"],
      ],
      no: ["alpha is used to load beta."],
    },
    {
      name: "depended until",
      needs: "S",
      pattern:
        "\\b(?:until|till|before|formerly|previously|originally)\\b[^.;:\\uE000-\\uF8FF]{0,40}(?<source>«S»|\\bit\\b) (?:also )?(?:listened|talked|spoke|wrote|published|subscribed|sent|pushed|connected|read|used|needed|polled) (?:[\\w'-]{1,30} ){0,3}?(?:(?:to|on|from|with|into) )?(?<target>«S»)",
      confidence: 0.8,
      effect: "past",
      yes: [["Until August alpha listened on beta as well.", "alpha", "beta"]],
      no: ["Before the outage alpha had never called beta."],
    },
    {
      name: "no longer depends on",
      needs: "S",
      pattern: `(?<source>«S») (?:no longer (?:depends? (?:up)?on|relies on|uses|calls|needs|requires|talks to|reads from|writes to|queries)|stop(?:s|ped) (?:using|calling|depending on|querying)|has dropped its dependency on|dropped its dependency on) (?<target>«S»)`,
      confidence: 0.85,
      effect: "ends",
      yes: [],
      no: [],
    },
    {
      name: "does not depend any more",
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
      needs: "S",
      pattern: `${source}(?:${verbs.direct}) ${target}`,
      confidence: 0.85,
      list: "target",
      yes: [
        ["alpha calls beta, delta and gamma-api.", "alpha", "gamma-api"],
        ["alpha and delta call beta.", "alpha", "beta"],
        ["delta calls it.", "delta", "about"],
        ["alpha asks beta for its flags and nothing else.", "alpha", "beta"],
      ],
      no: ["alpha is one service, called beta.", "alpha never calls beta.", "alpha should call beta.", "alpha could have called beta."],
    },
    {
      name: "uses",
      needs: "S",
      pattern: `${source}(?:uses?|needs?|requires?|consumes?|reads?|embeds?|leverages?) ${target}(?! (?:client|library|sdk|protocol|format|style|naming|as an example|for tests|in tests)\\b)`,
      confidence: 0.8,
      list: "target",
      yes: [["alpha uses beta over HTTP.", "alpha", "beta"]],
      no: ["alpha uses a beta version of the library.", "alpha no longer uses beta."],
    },
    {
      name: "talks to",
      needs: "S",
      pattern: `${source}(?:${verbs.to})${noAnswer} ${things}(?:to|with|into|onto|through|via|against|over) ${target}`,
      confidence: 0.8,
      list: "target",
      yes: [
        ["alpha talks to beta.", "alpha", "beta"],
        ["alpha routes to beta, delta and gamma-api.", "alpha", "delta"],
        ["alpha sends every order to beta.", "alpha", "beta"],
      ],
      no: [
        "alpha sends the response to beta.",
        "alpha reports the error back to beta.",
        "A beta sharding tool, which talks to alpha, is new.",
        "alpha cannot connect to beta yet.",
      ],
    },
    {
      name: "goes through",
      needs: "S",
      pattern: "(?<source>«S») (?:goes|go|runs|reaches \\w+|talks to \\w+) (?:(?:always|only|now) )?(?:through|via) (?<target>«S»)",
      confidence: 0.75,
      yes: [["alpha goes through beta for everything.", "alpha", "beta"]],
      no: ["alpha never goes through beta."],
    },
    {
      name: "listens on",
      needs: "S",
      pattern: `${source}(?:listens?|subscribes?|subscribed|publish(?:es)?|produces?|emits?|consumes?|queues?|announces?|broadcasts?|posts?) ${things}(?:to|on|from|off|via) ${target}`,
      confidence: 0.8,
      list: "target",
      yes: [
        ["alpha listens to beta.", "alpha", "beta"],
        ["alpha publishes its events on beta.", "alpha", "beta"],
      ],
      no: ["It is shown when alpha announces and when crews report through beta.", "alpha no longer listens to beta."],
    },
    {
      name: "reads from",
      needs: "S",
      pattern: `${source}(?:${verbs.from})${noRequest} ${things}(?:from|off|in|at|over|via) ${target}(?! team\\b)`,
      confidence: 0.75,
      list: "target",
      yes: [
        ["alpha fetches the rates from beta.", "alpha", "beta"],
        ["alpha, gamma-api and delta all read the table from beta.", "alpha", "beta"],
      ],
      no: [
        "alpha gets requests from beta.",
        "It is a call, which gets called from beta.",
        "alpha imports its tools from the beta source tree.",
        "alpha gets HTTP 500 from beta.",
      ],
    },
    {
      name: "waits for",
      needs: "S",
      pattern: `${source}(?:waits?|waited|waiting|blocks?|blocked) (?:[\\w'-]{1,30} ){0,5}?(?:for|on) ${target}`,
      confidence: 0.65,
      yes: [["alpha waits up to 9 s for beta.", "alpha", "beta"]],
      no: ["alpha never waits for beta.", "alpha waited while Ada Lovelace fixed beta."],
    },
    {
      name: "keeps in",
      needs: "S",
      pattern: `${source}(?:${verbs.in}) ${things}(?:in|into|on|onto|with) ${target}(?! (?:team|page|list|board|agenda|hold)\\b)`,
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
      needs: "S",
      pattern: `(?<target>«S»|\\bit\\b) (?:is|are) ${adverb}(?:used|called|queried|consumed|needed|required|invoked|polled|read|depended on|relied on) (?:only )?(?:by|from) (?<source>«S»)`,
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
      needs: "S",
      pattern: `(?<source>«S») (?:is|runs|are|sits|stands|lives) (?:directly |right )?(?:backed by|served by|(?:an?|the (?:only|main|biggest|sole|one|other|last)) (?:client|consumer|user|subscriber|caller|reader|customer) of|(?:an? |just |only )+(?:\\w+ )?(?:layer|wrapper|facade|shim|proxy|cache|view|adapter|client|front|front[- ]?end|api) (?:over|around|for|on top of|in front of|on|to|before)|a producer (?:for|of)|built on|dependent on|sits in front of|stands in front of|runs on top of|in front of|on top of|layered on) ${target}`,
      confidence: 0.75,
      yes: [["alpha is backed by beta.", "alpha", "beta"]],
      no: ["alpha is not backed by beta."],
    },
    {
      name: "which the other needs",
      needs: "S",
      pattern:
        "(?<target>«S»),? (?:(?:on |from |of |to )?which|that|(?:from )?where) (?<source>«S») (?:also |then |in turn )?(?:needs|uses|calls|reads|consumes|polls|queries|requires|drains|listens to|depends on|relies on|picks|takes|gets|fetches|collects|subscribes to|waits for)(?: (?:it|them|those|these|everything|all))?(?: (?:up|off|out))?(?=$|[.,;)]| (?:from|for|to|in|on|at|when|and|too|as|there)\\b)",
      confidence: 0.75,
      yes: [["delta drops a message on beta, which alpha picks up.", "alpha", "beta"]],
      no: ["beta, which alpha never reads, is full."],
    },
    {
      name: "by calling",
      needs: "S",
      pattern: "(?<source>«S»)[^.;:]{0,80}? by (?:calling|asking|querying|using|polling|invoking) (?<target>«S»)",
      confidence: 0.7,
      list: "target",
      yes: [["The alpha consumes orders and pays out by calling beta and delta.", "alpha", "delta"]],
      no: ["alpha could be fixed by calling beta."],
    },
    {
      name: "cannot do without",
      needs: "S",
      pattern: `(?<source>«S»|\\bit\\b) (?:itself )?(?:cannot|can't|can not|could not|does not|doesn't|will not|won't|is not able to) (?:even )?(?:work|run|start|boot|function|live|do [a-z]{2,10}|answer|serve|operate|exist|be used|come up) without ${target}`,
      confidence: 0.8,
      list: "target",
      denies: true,
      yes: [["alpha cannot work without beta.", "alpha", "beta"]],
      no: ["alpha can work without beta."],
    },
    {
      name: "needs nothing but",
      needs: "S",
      pattern:
        "(?:(?<source>«S»|\\bit\\b) (?:needs|uses|requires|calls|depends on|relies on|talks to|has) (?:nothing|nobody|no one|no(?: other)? [\\w-]{1,20}) (?:but|except(?: for)?|other than|besides|apart from) (?<target>«S»)|\\b(?:apart from|besides|except(?: for)?|other than) (?<target>«S»),? (?<source>«S»|it) (?:needs|uses|requires|calls|depends on|has)(?= (?:nothing|nobody|no)\\b))",
      confidence: 0.8,
      denies: true,
      yes: [
        ["alpha needs nothing but beta.", "alpha", "beta"],
        ["alpha is new. Apart from beta it needs nothing.", "alpha", "beta"],
      ],
      no: ["alpha needs nothing from beta."],
    },
    {
      name: "dependency of",
      needs: "S",
      pattern: "(?:dependency|dependence) (?:of|from|between) (?<source>«S») (?:on|to|and) (?<target>«S»)",
      confidence: 0.75,
      yes: [["There is a hard dependency of alpha on beta.", "alpha", "beta"]],
      no: ["The dependency of alpha on beta was removed."],
    },
    {
      name: "has a dependency on",
      needs: "S",
      pattern: "(?<source>«S») has (?:a|an|one|its only) (?:\\w+ )?dependency(?:, on|: on| on|:|,) ?(?<target>«S»)",
      confidence: 0.8,
      list: "target",
      yes: [["alpha has a hard dependency on beta.", "alpha", "beta"]],
      no: ["alpha has no dependency on beta."],
    },
    {
      name: "depends on (de, fr, es)",
      needs: "S",
      pattern:
        "(?<source>«S») (?:(?:hängt|hängen) (?:direkt |auch )?(?:von|an) (?<target>«S»)|(?:nutzt|verwendet|benötigt|braucht|ruft|fragt|dépend d[eu]|utilise|appelle|depende de|usa|llama a|utiliza) (?<target>«S»)|(?:liest|schreibt|spricht|redet|schickt|sendet|leitet|holt|speichert|legt|reicht|lauscht) (?:[\\w-]{1,30} ){0,4}?(?:an|auf|aus|von|in|nach|mit|bei) (?<target>«S»)(?! (?:vorbei|ab und zu)\\b)|wartet (?:[\\w-]{1,30} ){0,4}?auf (?<target>«S»))",
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
    ...pageNeeds,
  ],
};
