import type { EdgePhrases } from "./phrase-rule.ts";

export const affects: EdgePhrases = {
  kind: "affects",
  rules: [
    {
      name: "affects",
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
      needs: "S",
      pattern:
        "(?<target>«S») (?:is|are|was|were) (?:also |only |mainly )?(?:affected|impacted|degraded)(?: by (?:(?<source>«K»)|this|it))?",
      confidence: 0.75,
      about: "ticket",
      yes: [["alpha was affected by AB-7.", "AB-7", "alpha"]],
      no: ["alpha was not affected."],
    },
    {
      name: "affected by ticket",
      needs: "KS",
      pattern:
        "(?<target>«S») (?:is|are|was|were) (?:also |only |mainly )?(?:affected|impacted|degraded|hit|taken down|down) (?:by|during|because of) (?<source>«K»)",
      confidence: 0.8,
      yes: [["alpha was affected by AB-7.", "AB-7", "alpha"]],
      no: ["alpha was not affected by AB-7."],
    },
    {
      name: "during ticket",
      needs: "KS",
      pattern:
        "\\b(?:during|in) (?<source>«K»),? (?<target>«S») (?:was|were|went|became|failed|crashed|timed out|could not|returned|lost|dropped)\\b(?! (?:not|never|fine|healthy|unaffected|ok))",
      confidence: 0.65,
      yes: [["During AB-7 alpha was down.", "AB-7", "alpha"]],
      no: ["During AB-7 alpha was not affected."],
    },
    {
      name: "affected services:",
      needs: "S",
      pattern:
        "(?:(?:affected|impacted|broken) (?:services?|components?|systems?|apps?|areas?)|(?:services?|components?|systems?|apps?) (?:affected|impacted|involved|hit|down)|hit|broken|down|casualt(?:y|ies)|victims?|ausgefallen|gestört|affects|affected|impacts?|impacted|components?|component\\/s|component\\(s\\)|services?|systems?|scope|impact|area|betroffen(?:e dienste)?|service affecté|servicio afectado) ?[:=|：] ?(?<target>«S»)",
      confidence: 0.8,
      list: "target",
      about: "ticket",
      start: true,
      yes: [
        ["Affected services: alpha, beta", "about", "beta"],
        ["service | alpha", "about", "alpha"],
        ["Services affected: alpha, beta", "about", "beta"],
      ],
      no: ["Affected services: none, not even alpha"],
    },
  ],
};
