import { actedOn, doesSomething, noName, things, verbs } from "./fragments.ts";
import type { PhraseRule } from "./phrase-rule.ts";

const done =
  "(?:kept|stored|written|saved|cached|persisted|recorded|queued|buffered|read|fetched|loaded|pulled|taken|looked up|sent|published|announced|posted|pushed|reported|forwarded|passed|handed|checked|validated|verified|resolved|rendered|booked|delivered|exported|streamed|logged|indexed|archived|uploaded|downloaded|imported|retrieved|obtained|derived|synced|mirrored|replicated|relayed|authenticated|authorised|authorized|signed|charged|counted|tracked|registered|enriched|resized|converted|translated|computed|calculated|generated|issued|hosted|backed|provided|supplied|put|placed|dropped|collected|gathered|stored away|picked up)";
const into = "(?:in|into|on|onto|to|from|through|via|by|against|with|at|over|inside|off)";

/** What a page about one service tells that it needs, or who needs it, without naming the service itself. */
export const pageNeeds: readonly PhraseRule[] = [
  {
    name: "what the page is about does",
    needs: "S",
    pattern: `(?:also |only |mainly |just )?(?=${doesSomething}\\b)(?:(?:${verbs.direct}|uses|needs|requires|consumes|reads)|(?:depends|relies|leans|builds|waits|blocks|listens) ${things}(?:(?:up)?on|for|to)|(?:${verbs.to}) ${things}(?:to|with|into|onto|through|via|against|over)|(?:${verbs.from}) ${things}(?:from|off|in|at|over|via)|(?:${verbs.in}) ${things}(?:in|into|on|onto|with)|(?:goes|runs|sits|lives) (?:through|via|on top of|on|in)) (?<target>«S»)(?! (?:team|page|list|board|client|library|sdk|protocol|format)\\b)`,
    confidence: 0.75,
    list: "target",
    about: "page",
    start: true,
    yes: [
      ["Reads the rates from beta.", "about", "beta"],
      ["Publishes to beta and delta.", "about", "delta"],
      ["- needs beta for sessions", "about", "beta"],
    ],
    no: ["Restart beta first.", "Reads nothing from beta.", "Check the lag on beta."],
  },
  {
    name: "what the page is about is fed by",
    needs: "S",
    pattern:
      "(?:it (?:is|runs) |is )?(?:fed|backed|driven|powered|supplied|filled|built|hosted|based|runs|running)(?: (?:only|mainly|directly))? (?:by|from|(?:up)?on(?: top of)?) (?<target>«S»)",
    confidence: 0.7,
    list: "target",
    about: "page",
    start: true,
    yes: [
      ["Fed by beta.", "about", "beta"],
      ["Built on top of beta and delta.", "about", "delta"],
    ],
    no: ["Fed by hand, not by beta."],
  },
  {
    name: "its things go to",
    needs: "S",
    pattern: `\\b(?:(?:is|are|gets?|get) (?:then |also |only |always |all |both |now |first )?(?!${actedOn})${done}(?: (?!(?:it|them|us)\\b)[\\w'-]{1,20}){0,3}? ${into}|(?<!\\b(?:is|are|be) )(?:goes|go|lives?|sits?|ends? up|lands?|arrives?|flows?|travels?|leaves?|passes|pass) (?:then |out |in |only |all |always |straight |directly )?(?:in|into|on|onto|to|from|through|via|over)|(?:all|every|any|most) [\\w-]{2,20} (?:passes|pass|crosses|cross|hits)|(?:signs?|logs?) in (?:only )?(?:with|via|through|at|against|over)|authenticates? (?:[\\w-]{1,20} )?(?:with|via|through|at|against|over)|(?<!\\b(?:requests?|traffic|calls?|load|users?|customers?|clients?|problems?|errors?|alerts?) )comes? (?:only |all |straight |directly )?(?:from|off|over|via|through)) (?<target>«S»)(?! (?:team|page|list|board|channel)\\b)${noName}`,
    confidence: 0.65,
    list: "target",
    about: "page",
    yes: [
      ["Positions are written to beta.", "about", "beta"],
      ["State lives in beta.", "about", "beta"],
      ["Login goes through beta.", "about", "beta"],
      ["Prices come from beta and delta.", "about", "delta"],
    ],
    no: [
      "Positions are read by beta.",
      "Results are live on beta.",
      "Positions are never written to beta.",
      "delta's positions are written to beta by hand, is that right?",
      "Requests come from beta.",
      "Bugs go to Ada Lovelace, not to beta.",
    ],
  },
  {
    name: "what another one says",
    needs: "S",
    pattern:
      "\\bwhat(?:ever)? (?<target>«S») (?:also )?(?:tells|sends|says|announces|reports|gives|delivers|hands|decides|publishes|produces|knows|wrote|writes|stores|holds)\\b",
    confidence: 0.65,
    about: "page",
    yes: [
      ["It runs whatever beta tells it to.", "about", "beta"],
      ["Draws what beta announces.", "about", "beta"],
    ],
    no: ["It does not matter what beta says.", "Nobody knows what beta reports."],
  },
  {
    name: "a part of it",
    needs: "S",
    pattern:
      "(?:[\\w-]{1,20} )?(?:db|databases?|datenbank|data ?stores?|stores?|storage|state|caches?|queues?|brokers?|bus|messaging|messages|events|streams?|topics?|index|search|auth(?:entication|orization)?|login|identity|tokens?|blobs?|files|objects?|sessions?|secrets|flags|mails?|e-mails?|pictures|images|payments?|prices|upstreams?|backends?|collaborators?|partners|peers|apis?|talks to|relies on|integrates with|speicher|warteschlange) ?: ?(?:(?:checked|kept|stored|sent|read|fetched|published|validated) (?:against|in|by|to|from|on) |from |in |via |through |on )?(?<target>«S»)(?=$|[.,;(]| and | \\()",
    confidence: 0.7,
    list: "target",
    about: "service",
    start: true,
    yes: [
      ["Database: beta", "about", "beta"],
      ["- Tokens: checked against beta", "about", "beta"],
      ["Queue: beta, delta", "about", "delta"],
    ],
    no: ["Database: none, beta was dropped", "Owner of the queue: beta team"],
  },
  {
    name: "a labelled line of names",
    needs: "S",
    pattern:
      "(?!(?:see|related|similar|affected|impacted|not|no|former|formerly|replaces|replaced|successor|predecessor|service|services|system|name|also|aka|alias|owner|team|who|contact|used|called|needed|consumers?|callers?|clients?|customers|dependents|downstreams?|status|tier|example|note|links?|docs?|except|unlike|incident|symptom|cause|first|then|step|check|hit|down|broken|out|title|page|tags?|labels?|nearly|almost|everything|everybody|all|most|many|some|others?)\\b)(?:[A-Z][\\w-]{1,24}(?: (?!(?:is|are|was|were|has|have|be)\\b)[\\w/-]{1,20}){0,6}) ?: ?(?:(?:the|our|from|in|via|through|on|at|by|to) )?(?<target>«S»)(?=(?:,? and «S»|, «S»)*(?: \\([^)]{0,60}\\))?[.;]?$)",
    confidence: 0.6,
    list: "target",
    about: "page",
    start: true,
    yes: [
      ["Login and rights: beta and delta", "about", "delta"],
      ["Input: beta.", "about", "beta"],
    ],
    no: ["See also: beta", "Used in tests: not beta", "Affected: beta"],
  },
  {
    name: "are its users",
    needs: "S",
    pattern:
      "(?:«S»(?:, |,? and )){0,6}(?<source>«S») (?:is|are) (?:its|the|one of its|among its) (?:only |main |biggest |two |three |other |sole )?(?:customers?|clients?|consumers?|users?|callers?|readers?|dependents)\\b(?! (?:of|for) (?!it\\b))",
    confidence: 0.75,
    before: "source",
    about: "service",
    yes: [
      ["alpha and beta are its customers.", "alpha", "about"],
      ["beta is the only caller.", "beta", "about"],
    ],
    no: ["alpha is not its client.", "Is alpha its client?"],
  },
  {
    name: "used by:",
    needs: "S",
    pattern:
      "(?:(?:used|called|needed|consumed) by|consumers?|callers?|clients|dependents|downstreams?(?: services?)?) ?[:=|]? ?(?<source>«S»)",
    confidence: 0.8,
    list: "source",
    about: "service",
    start: true,
    yes: [
      ["Consumers: beta, delta", "delta", "about"],
      ["Used by beta and delta.", "beta", "about"],
    ],
    no: ["Consumers: none, not even beta"],
  },
  {
    name: "dependencies:",
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
    name: "what the page is about does (de)",
    needs: "S",
    pattern:
      "\\b(?:(?:holt|liest|bezieht|bekommt|nimmt|schreibt|schickt|sendet|legt|speichert|lädt|fragt|meldet|schlägt|sucht|prüft|lässt|übergibt)(?: (?:er|sie|es|der dienst|die anwendung))?(?: sich)? (?:[\\wäöüÄÖÜß-]{1,30} ){0,3}?|(?:gehen|geht|laufen|läuft|kommen|kommt|landen|landet|liegen|liegt) (?:[\\wäöüÄÖÜß-]{1,30} ){0,2}?|, [\\wäöüÄÖÜß-]{1,30} )(?:bei|beim|von|vom|aus|in|im|ins|auf|an|ans|nach|über|durch) (?<target>«S»)",
    confidence: 0.65,
    about: "page",
    yes: [
      ["Namen schlägt sie in beta nach, legt sie neben das Bild ins beta.", "about", "beta"],
      ["Holt Daten aus delta, lässt sie von beta bewerten.", "about", "beta"],
      ["Vertragsdaten holt er sich bei beta.", "about", "beta"],
      ["Briefe gehen über beta raus.", "about", "beta"],
    ],
    no: ["Briefe gehen nicht über beta raus.", "delta legt sie auf beta?"],
  },
];
