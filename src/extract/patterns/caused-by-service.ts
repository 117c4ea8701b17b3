import { problem } from "./fragments.ts";
import type { PhraseRule } from "./phrase-rule.ts";

const gap = "(?:[\\w'%-]{1,30} ){0,6}?";
/** Before a service, a gap must end in a word that links to it: "redelivery from «S»", not "a missing «S»". */
const link = `(?:${gap}(?:from|of|in|on|at|by|to|inside|within|behind) )?(?:(?:an?|slow|failing|broken|overloaded|unavailable|unreachable|restarting) )?`;
const unwell =
  "(?:(?:is|was|were|has|had) (?:been |too |so |completely |again |still |temporarily |out |in maintenance |under ){0,2}(?:down|slow|full|dead|gone|late|stuck|broken|stale|missing|empty|wrong|offline|out of|over|overload\\w*|unavailable|unreachable|unresponsive|restart\\w*|fail\\w*|throttl\\w*|block\\w*|reject\\w*|refus\\w*|read-only|load|trouble|problems|an? (?:outage|hiccup|leak|bug)|no (?:memory|disk|space|free|connections?)|lag\\w*|crash\\w*|(?:oom-?)?killed|rebooted|shut|switched)|went|ran|keeps|kept|gets|got|refuses|refused|answers?|answered|returns?|returned|rejects?|rejected|does not|did not|doesn't|didn't|cannot|could not|can't|times? out|timed out|crashe[sd]|died|failed|fails|dropped|drops|lost|loses|evicted|evicts|stopped|stops|restarted|restarts|swaps|swapped|thrashes|throttles|throttled|leaks|leaked|hangs|hung|stalls|stalled|lags|lagged|blocks|blocked|flaps|flapped)";

/** What tells that the trouble of a ticket comes from a service. */
export const causedByService: readonly PhraseRule[] = [
  {
    name: "caused by service",
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
    name: "ticket was caused by service",
    needs: "KS",
    pattern: `(?<source>«K»)(?: \\([^)]{0,80}\\))? (?:was|is|has been|were) (?:in fact |probably |likely |most likely |indirectly |directly )?(?:caused|triggered|provoked) by (?:the )?${link}(?<target>«S»)(?! (?:update|upgrade|bump|change|deploy|deployment|rollout|release|version|config|migration|patch|team)\\b)`,
    confidence: 0.8,
    yes: [["AB-8 was caused by an outage of beta.", "AB-8", "beta"]],
    no: ["AB-8 was not caused by beta."],
  },
  {
    name: "traced back to service",
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
    name: "service is to blame",
    needs: "S",
    pattern:
      "(?<target>«S»)(?: itself)?,? (?:is|was|turned out to be) (?:clearly |likely |probably |indeed |in fact )?(?:the (?:culprit|cause|root cause|offender)|to blame|at fault|guilty)\\b",
    confidence: 0.75,
    about: "ticket",
    yes: [["beta was to blame: it acknowledges too late.", "about", "beta"]],
    no: ["beta is not the culprit.", "Is beta to blame?"],
  },
  {
    name: "the cause is service",
    needs: "S",
    pattern: `\\b(?:root cause|cause|rca|culprit|offender|trigger|reason|ursache|grund|auslöser|schuld|what (?:broke|caused|did|started|triggered) (?:it|this))\\b(?! of| for| to)(?: (?:of (?:this|it|«K»)|here|daran|dafür))?(?: (?:is|was|ist|war)\\b ?:?| ?[:–—-]) ?${link}(?<target>«S»)(?! (?:update|upgrade|bump|change|deploy|deployment|rollout|release|version|config|migration|patch|team)\\b)`,
    confidence: 0.75,
    about: "ticket",
    yes: [["Root cause: beta ran out of memory.", "about", "beta"]],
    no: ["Failures to close cause beta deadlocks.", "The root cause is not beta."],
  },
  {
    name: "service is to blame",
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
    name: "due to service",
    needs: "S",
    pattern: `\\b(?:due to|because of|owing to|as a result of|as a consequence of|resulting from|stems? from|stemming from|originat(?:es|ed) (?:in|from)|wegen|aufgrund von|verursacht durch|ausgelöst durch|causée? par|à cause d[eu]|causad[oa] por|debido a|provocad[oa] por) (?!(?:(?:an?|the) )?(?:refactor\\w*|renam\\w*|lack|absence|removal|introduction|addition|migration|combination)\\b)(?:(?:an?|the) )?${link}(?<target>«S»)(?! (?:update|upgrade|bump|change|deploy|deployment|rollout|release|version|config|migration|patch|team|naming)\\b)`,
    confidence: 0.7,
    about: "ticket",
    yes: [["Orders fail because of an outage of beta.", "about", "beta"]],
    no: ["It shrinks due to the refactoring of beta.", "Nothing fails because of beta; it has nothing to do with beta."],
  },
  {
    name: "it is the service",
    needs: "S",
    pattern:
      "(?:^|[.;:,] |\\b(?:turns out|so|found it:) )(?:it is|it's|it was|that is|that's|that was|this is|the problem (?:is|was)|the trouble (?:is|was)|turned out to be|turns out to be|es ist|es war|das war) (?:the |just |only |again )?(?<target>«S»)(?=$|[:,.!]| [–—-] |,? (?:which|that|again|itself|once more)\\b)(?!(?:,| and) [^.]{0,40}\\b(?:owns?|team)\\b)",
    confidence: 0.65,
    about: "ticket",
    yes: [
      ["It is beta: one of the four disks is full.", "about", "beta"],
      ["The problem was beta, which ran out of disk.", "about", "beta"],
    ],
    no: ["It is not beta.", "Is it beta?", "It might be beta.", "It is beta who should know."],
  },
  {
    name: "service was ill, so",
    needs: "S",
    pattern:
      "(?<target>«S») (?:itself )?(?:is|was|were|had been|got|ran) (?:completely |again |partly |too )?(?:overloaded|down|unreachable|unavailable|full|stuck|slow|dead|throttled|restarting|out of [a-z]{2,12}|oom[- ]?killed)[^.;\\uE000-\\uE3FF]{0,30}, (?:so|hence|therefore|which is why|thus|and so) «S»",
    confidence: 0.65,
    about: "ticket",
    yes: [["beta was overloaded, so alpha ran into its timeout.", "about", "beta"]],
    no: ["beta was never overloaded, so it is something else.", "If beta was overloaded, so was alpha."],
  },
  {
    name: "not one but the other",
    needs: "S",
    pattern: `\\b(?:not|no) (?:(?:an?|our|the) )?(?:[\\w'-]{1,20} |«S» ){0,3}?(?:problem|issue|bug|fault|failure)(?: at all)?[:;,–-]{1,2} ?(?:it is |it's )?(?<target>«S») ${unwell}\\b`,
    confidence: 0.65,
    about: "ticket",
    denies: true,
    yes: [["Not a portal problem: beta restarts every minute.", "about", "beta"]],
    no: ["Not a problem of beta."],
  },
  {
    name: "because service",
    needs: "S",
    pattern: `\\b(?:because|weil|parce que|porque) (?<target>«S») ${unwell}\\b`,
    confidence: 0.7,
    about: "ticket",
    yes: [
      ["Orders fail because beta was out of disk.", "about", "beta"],
      ["Orders fail because beta refuses connections.", "about", "beta"],
    ],
    no: [
      "It hangs because beta is never asked on this path.",
      "It was slow because beta is the one we call first.",
      "If orders fail because beta refuses connections, page the owner.",
    ],
  },
];
