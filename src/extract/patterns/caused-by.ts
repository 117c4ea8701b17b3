import { causedByService } from "./caused-by-service.ts";
import { problem } from "./fragments.ts";
import type { EdgePhrases } from "./phrase-rule.ts";

const change =
  "(?:(?:the|a|an|our|this|that|commit|commits|change|changes|changeset|revision|sha|pr|merge|release|version|rollout|deploy|deployment|update|upgrade|bump|ticket|issue|incident|bug|of|in|from|by|with|to|on|der|die|das|dem|den|ein|eine|einer|diese[rsnm]?|umstellung|änderung|anpassung|umbau|einführung|aktualisierung|refactoring|von|aus|auf|mit|durch) ){0,6}";

export const causedBy: EdgePhrases = {
  kind: "caused_by",
  rules: [
    {
      name: "caused by commit",
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
      name: "caused by ticket",
      needs: "K",
      pattern: `\\b(?:caused|triggered|introduced|provoked|a consequence of|a result of|fallout of|fallout from|due to|because of|stems from|originates (?:in|from)|goes back to|follows from|resulting from) (?:by |in )?(?:(?:the )?(?:fallback|bug|ticket|issue|incident|outage|work|change|problem)(?: of| in| from)? )?(?<target>«K»)`,
      confidence: 0.85,
      about: "ticket",
      yes: [["Caused by AB-7 as far as we know.", "about", "AB-7"]],
      no: ["Not caused by AB-7.", "See also the similar AB-7 for beta (different cause)."],
    },
    {
      name: "ticket was caused by",
      needs: "K",
      pattern: `(?<source>«K»)(?: \\([^)]{0,80}\\))? (?:was|is|has been|were) (?:in fact |probably |likely |most likely |indirectly |directly )?(?:caused|introduced|triggered|provoked) (?:by|in|with) ${change}(?<target>«C»|«K»)`,
      confidence: 0.9,
      yes: [["AB-8 was caused by 0a1b2c3, which went out unnoticed.", "AB-8", "0a1b2c3"]],
      no: ["AB-8 was not caused by 0a1b2c3."],
    },
    {
      name: "since commit",
      needs: "C",
      pattern: `\\b(?:since(?: «K» \\(?)?|seit|(?:started|start|starts|began|broke|failed|appeared|happened|happens) (?:when|as soon as|the moment|right when|once|the day)|(?:regression|regressed|broken|breaks|broke|fails|failing|started|starts|began|begins|appeared|appears|occurs|seen|observed|traced|tracked)(?: (?:down|back|again|first|only|directly))? (?:right |shortly |just |directly )?(?:since|after|with|from|in|at|by|to)|(?:goes|dates|went) back to) ${change}(?<target>«C»)`,
      confidence: 0.8,
      unless:
        /\b(?:works?|working|fine|ok|okay|fixed|gone|healthy|stable|green|live|better|faster|back|resolved|deployed|running|released)\b|^\W*\d+ (?!errors|failures|timeouts|crashes|restarts|duplicates|retries)[a-z]+ $/i,
      about: "ticket",
      yes: [
        ["12 timeouts since 0a1b2c3.", "about", "0a1b2c3"],
        ["The lookup uses the wrong key since 0a1b2c3.", "about", "0a1b2c3"],
        ["Started with 0a1b2c3.", "about", "0a1b2c3"],
        ["Regression since 0a1b2c3.", "about", "0a1b2c3"],
      ],
      no: ["12 workers since 0a1b2c3.", "It works again since 0a1b2c3.", "0a1b2c3 is live since Monday.", "Fixed since 0a1b2c3."],
    },
    {
      name: "came in with commit",
      needs: "C",
      pattern: `\\b(?:regression|bug|problem|issue|leak|error|crash|defect|failure|it|this) (?:came|crept|slipped|got|was brought) (?:in )?(?:with|by|in|through) ${change}(?<target>«C»)`,
      confidence: 0.8,
      about: "ticket",
      yes: [["The regression came in with 0a1b2c3.", "about", "0a1b2c3"]],
      no: ["The route came with 0a1b2c3."],
    },
    {
      name: "came in with commit (de)",
      needs: "C",
      pattern: `\\b(?:kam|kommt|gekommen|eingeführt|eingebaut|eingeschleppt|entstanden|tritt|trat|passiert|kaputt|defekt)(?: [\\wäöüß]{1,20}){0,3} (?:mit|durch|seit|in|nach) ${change}(?<target>«C»)`,
      confidence: 0.75,
      about: "ticket",
      yes: [["Kam mit 0a1b2c3 rein.", "about", "0a1b2c3"]],
      no: ["Kam nicht mit 0a1b2c3 rein."],
    },
    {
      name: "comes from what a commit did",
      needs: "C",
      pattern:
        "\\b(?:comes?|came|stems?|stemmed|results?|resulted|originates?|follows?|arises?) (?:directly )?from (?:[\\w'-]{1,20} ){1,6}?(?:in|of|by|with|from) (?:commit )?(?<target>«C»)",
      confidence: 0.8,
      about: "ticket",
      yes: [["Comes from the limit in 0a1b2c3.", "about", "0a1b2c3"]],
      no: ["It does not come from the limit in 0a1b2c3."],
    },
    {
      name: "worked before commit",
      needs: "C",
      pattern:
        "\\b(?:work(?:s|ed)|was|were|is|fine|ok|okay|good|healthy|fast|green)(?: \\w+)? (?:before|until|till|up to|without) (?:commit )?(?<target>«C»)",
      confidence: 0.75,
      about: "ticket",
      yes: [["Works fine before 0a1b2c3.", "about", "0a1b2c3"]],
      no: ["It was not fixed before 0a1b2c3."],
    },
    {
      name: "because commit",
      needs: "C",
      pattern:
        "\\b(?:because|weil|porque|parce que) (?:commit )?(?<target>«C»)(?![^.;]{0,40}\\b(?:fix|resolv|repair|solv|might|may|could|should))",
      confidence: 0.75,
      about: "ticket",
      yes: [["alpha creates duplicates, because 0a1b2c3 switched the check off.", "about", "0a1b2c3"]],
      no: ["Not because 0a1b2c3 switched the check off.", "Closing because 0a1b2c3 might have fixed it."],
    },
    {
      name: "bisected",
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
      name: "own fault",
      needs: "C",
      pattern:
        "\\b(?:mea culpa|my (?:bad|fault|mistake|doing)|sorry(?: all| everyone)?|oops|mine)\\b ?[:,;.!–—-]{0,2} ?(?:it was |this was |that was |that is |that's )?(?:the |my )?(?:commit |change )?(?<target>«C»)",
      confidence: 0.8,
      about: "ticket",
      yes: [["Mea culpa: 0a1b2c3 made the pool far too small.", "about", "0a1b2c3"]],
      no: ["Not my fault: 0a1b2c3 is fine."],
    },
    {
      name: "the fault of",
      needs: "C",
      pattern: "\\b(?:fault|doing|work|handiwork) of (?:the )?(?:commit |change )?(?<target>«C»)",
      confidence: 0.8,
      about: "ticket",
      yes: [["The fault of 0a1b2c3: the limit is in seconds.", "about", "0a1b2c3"]],
      no: ["It is not the fault of 0a1b2c3."],
    },
    {
      name: "it was the commit",
      needs: "C",
      pattern:
        "(?:\\b(?:smoking gun|first bad commit|guilty commit|bad commit|offending commit|breaking commit|(?:responsible|faulty|breaking|triggering|offending|bad) (?:change|deploy|merge|release|pr|pull request)|perpetrator)(?: is| was)? ?[:=–—-]? ?|(?:^|[.;:,] )(?:turns out )?(?:it was|that was|it's|this one is on|this is on|that one is on) )(?:commit )?(?<target>«C»)(?! (?:that|which|who) (?:fix|resol|repair|clos))",
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
      needs: "C",
      pattern:
        "\\b(?:rolled back|reverted|backed out|took out|undid|removed) (?:commit )?(?<target>«C»)(?: \\([^)]{0,80}\\))?(?=(?:,| and| ->| →| =>)(?:(?!\\bnot\\b|n't\\b|\\bstill\\b|\\bno\\b)[^.;\\uE000-\\uF8FF]){0,60}?\\b(?:again|gone|fixed|stopped|fine|back|ok|okay|green|healthy|normal|recovered|solved|works?)\\b)",
      confidence: 0.75,
      about: "ticket",
      yes: [
        ["Rolled back 0a1b2c3 and they are upright again.", "about", "0a1b2c3"],
        ["20:40 rolled back 0a1b2c3, duplicates stopped", "about", "0a1b2c3"],
      ],
      no: ["Rolled back 0a1b2c3 and it did not help.", "Reverted 0a1b2c3, still not back."],
    },
    {
      name: "the cause lies in a commit",
      needs: "C",
      pattern:
        "\\b(?:root cause|cause|culprit|offender|reason|trigger)(?: (?:is|was) | ?: ?)(?:(?!fix|resol|clos|repair|not\\b)[\\w'%-]{1,30} ){1,7}?(?:of|in|from|by|with) (?:commit )?(?<target>«C»)",
      confidence: 0.8,
      about: "ticket",
      yes: [["The culprit: the ten minute cache of 0a1b2c3.", "about", "0a1b2c3"]],
      no: ["The cause is a leak that was fixed in 0a1b2c3.", "The cause is not the cache of 0a1b2c3."],
    },
    {
      name: "commit is to blame",
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
      needs: "K",
      pattern: `\\b(?:cause|reason|trigger|culprit) (?:of|for|behind) (?<source>«K»)(?: \\([^)]{0,80}\\))? ?(?:is|was|:) ${change}(?<target>«C»|«K»|«S»)`,
      confidence: 0.85,
      yes: [["The root cause of AB-7 was 0a1b2c3.", "AB-7", "0a1b2c3"]],
      no: ["The cause of AB-7 is unknown."],
    },
    {
      name: "commit caused ticket",
      needs: "CK",
      pattern:
        "(?<target>«C»)(?: \\([^)]{0,80}\\))?,? (?:which |that )?(?:has |also )?(?:caused|causes|introduced|triggered|led to|brought about) (?<source>«K»)",
      confidence: 0.85,
      yes: [["0a1b2c3 caused AB-7.", "AB-7", "0a1b2c3"]],
      no: ["0a1b2c3 has nothing to do with what caused AB-7."],
    },
    {
      name: "the cause is",
      needs: "",
      pattern: `\\b(?:root cause|root cause analysis|rca|cause|reason|culprit|offender|origin|trigger|ursache|grund|auslöser|schuld(?:ige[rs]?)?|causa|what (?:broke|caused|did|started|triggered) (?:it|this)|原因)(?: (?:of (?:this|it|«K»)|here|daran|dafür|hierfür))?(?: (?:is|was|seems to be|ist|war|es|は) | ?[:：] ?|は ?)${change}(?<target>«C»|«K»)`,
      confidence: 0.85,
      about: "ticket",
      yes: [
        ["Reason: 0a1b2c3, the rename, left the lookup unguarded.", "about", "0a1b2c3"],
        ["The culprit is commit 0a1b2c3.", "about", "0a1b2c3"],
      ],
      no: ["The cause is not 0a1b2c3.", "Cause unknown; 0a1b2c3 is unrelated."],
    },
    {
      name: "commit caused",
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
      name: "due to",
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
    ...causedByService,
  ],
};
