import type { EdgePhrases } from "./phrase-rule.ts";

export const modified: EdgePhrases = {
  kind: "modified",
  rules: [
    {
      name: "commit modified",
      needs: "CS",
      pattern: "(?<source>«C») (?:only |also )?(?:modified|modifies|touches|touched) (?:only |also |both )?(?<target>«S»)",
      confidence: 0.7,
      list: "target",
      yes: [["0a1b2c3 touched alpha.", "0a1b2c3", "alpha"]],
      no: ["0a1b2c3 never touched alpha."],
    },
  ],
};
