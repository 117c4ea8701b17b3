import { problem } from "./fragments.ts";
import type { EdgePhrases } from "./phrase-rule.ts";

const closed = "(?:fix(?:es|ed)|resolve[sd]|close[sd]|repair(?:s|ed)|solve[sd]|cure[sd]|address(?:es|ed)|takes care of)";

export const fixes: EdgePhrases = {
  kind: "fixes",
  rules: [
    {
      name: "commit fixes",
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
      needs: "CK",
      pattern: `(?<source>«C»)(?: \\([^)]{0,80}\\))?,? (?:which |that |and )?(?:also |finally |now )?${closed} (?<target>«K»)`,
      confidence: 0.9,
      yes: [["The route came with fff1112; 0a1b2c3 fixes AB-7 by passing the port.", "0a1b2c3", "AB-7"]],
      no: ["0a1b2c3 never fixed AB-7."],
    },
    {
      name: "fixed by",
      needs: "C",
      pattern:
        "(?:(?<target>«K») (?:was |is |has been |got )?)?(?:really |finally |properly |now )?\\b(?:fixed|resolved|closed|solved|repaired|done|cured|addressed|corrected|remedied|patched|implemented|delivered|shipped|completed)(?: (?:now|today|finally|in production|on main|upstream|for good))?(?: (?:by|in|with|through|via|as of|as):?| ?:) (?:(?:the )?(?:commit|change|changeset|revision|sha|patch|hotfix|merge|merge of|merging) )?(?<source>«C»)",
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
      needs: "CK",
      pattern:
        "(?<target>«K»)(?: \\([^)]{0,80}\\))? (?:was|is|has been) [^.;:\\uE000-\\uF8FF]{1,40}(?:«C»[^.;:\\uE000-\\uF8FF]{0,40})?\\band (?:was |then |later )?(?:fixed|resolved|closed|solved|repaired|cured) (?:by|in|with) (?:commit )?(?<source>«C»)",
      confidence: 0.85,
      yes: [["AB-7 was caused by fff1112 and fixed by 0a1b2c3.", "0a1b2c3", "AB-7"]],
      no: ["AB-7 was caused by fff1112 and not fixed by 0a1b2c3."],
    },
    {
      name: "the fix is",
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
      needs: "C",
      pattern:
        "(?:\\b(?:behoben|gelöst|korrigiert|erledigt|repariert) (?:durch|mit|in|von)|(?:corrigé|résolu|réparé)e? (?:par|dans|avec)|(?:corregid|resuelt|arreglad|solucionad)[oa] (?:por|en|con)|corrigido (?:por|em)|修正(?:コミット)?[:：]) ?(?:commit |Commit )?(?<source>«C»)",
      confidence: 0.85,
      about: "ticket",
      yes: [["Behoben durch 0a1b2c3.", "0a1b2c3", "about"]],
      no: ["Nicht behoben durch 0a1b2c3."],
    },
  ],
};
