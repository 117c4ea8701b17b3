import type { Direction } from "../lookups.ts";

const S = "⟨service⟩";
const upstreamCues = [
  /\bupstream\b|\bdependents?\b|\bdependants?\b|\bcallers?\b|\bconsumers?\b|\bclients?\b|\bblast radius\b/,
  new RegExp(
    `\\b(?:who|what|which|whom)\\b[^?]{0,40}\\b(?:depends?|relies|rely|uses?|calls?|needs?|requires?|consumes?|talks?|connects?|reads?|writes?|invokes?|depending|using|calling|relying) (?:directly |still |also |up)?(?:on |upon |to |from )?(?:the )?(?:\\w+ )?${S}`,
  ),
  new RegExp(
    `\\b(?:services?|components?|systems?|apps?|ones?|everything|anything|everyone|anyone|all|those|things?|that) (?:that |which |who )?(?:\\w+ )?(?:depends?|relies|rely|uses?|calls?|needs?|requires?|consumes?|talks?|connects?|invokes?|depending|using|calling|relying) (?:directly )?(?:on |upon |to |from )?(?:the )?${S}`,
  ),
  new RegExp(`${S} (?:is |are |was |being )?(?:also )?(?:used|called|needed|required|consumed|invoked|relied)\\b`),
  new RegExp(`\\b(?:is|was|are) (?:the )?${S} (?:used|called|needed|required|consumed|invoked|relied)\\b`),
  new RegExp(`\\b(?:if|when|once|should|with|without|were|while) (?:the )?${S}`),
  new RegExp(
    `\\b(?:impact|effect|consequences?|outage|loss|failure|crash|death) of (?:the )?(?:\\w+ )?${S}|${S} (?:outage|failure|downtime)`,
  ),
  /\b(?:hit|affected|impacted|hurt|broken|suffer\w*|breaks?|fails?) (?:by|if|when)\b/,
  new RegExp(`${S} (?:feeds?|serves?|supplies)\\b`),
  new RegExp(`\\busers of (?:the )?${S}|\\bin front of (?:the )?${S}`),
];
const downstreamCues = [
  /\bdownstream\b|\bdependenc(?:y|ies)\b/,
  new RegExp(
    `${S}(?:'s)? (?:itself |also |still |directly |really |actually |currently )?(?:depends?|relies|rely|uses?|calls?|needs?|requires?|consumes?|talks?|connects?|reads?|writes?|invokes?|depending)\\b(?! by)`,
  ),
  new RegExp(`\\b(?:used|called|needed|required|consumed|invoked) by (?:the )?${S}`),
  new RegExp(`\\bbehind (?:the )?${S}`),
];

/** Downstream is what a service needs, upstream who needs it; "neighbours" are both. */
export function directionsOf(asked: string): readonly Direction[] {
  const masked = asked.replace(/\bit\b/g, S);
  const up = upstreamCues.some((cue) => cue.test(masked));
  const down = downstreamCues.some((cue) => cue.test(masked));
  if (/\bneighbou?rs?\b|\bboth (?:ways|directions)\b|\bupstream and downstream\b|\bdownstream and upstream\b/.test(masked))
    return ["downstream", "upstream"];
  if (/\bdownstream\b/.test(masked)) return ["downstream"];
  if (/\bupstream\b/.test(masked)) return ["upstream"];
  return up && !down
    ? ["upstream"]
    : up && down && upstreamCues.slice(1).some((cue) => cue.test(masked)) && !/\bdependenc(?:y|ies) of\b/.test(masked)
      ? ["upstream"]
      : ["downstream"];
}
