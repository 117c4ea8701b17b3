import { germanRewordings } from "./plain-german.ts";

/**
 * Colloquial and German (plain-german.ts) wordings, put into the plain English ones that the rules of questions know. Only how something is asked
 * changes, never what is named: names are masked before. As data, each with an example that is its test.
 */
export interface Rewording {
  readonly from: RegExp;
  readonly to: string;
  readonly example: readonly [asked: string, plain: string];
}

export const rewordings: readonly Rewording[] = [
  // typed in a hurry
  {
    from: /\b(is|are|was|were|do|does|did|has|have|had|could|would|should)n['’]?t\b/g,
    to: "$1 not",
    example: ["which services dont use ⟨service⟩?", "which services do not use ⟨service⟩?"],
  },
  { from: /\bwhats\b|\bwat(?:'s| is)\b/g, to: "what is", example: ["whats up with ⟨service⟩", "what is up with ⟨service⟩"] },
  { from: /\bwhos\b/g, to: "who is", example: ["whos on call", "who is on call"] },
  { from: /^y (?=is|are|was|were|does|did|do\b)/g, to: "why ", example: ["y is ⟨service⟩ down", "why is ⟨service⟩ down"] },
  { from: /(?<=\s)w\/(?=\s)/g, to: "with", example: ["what is wrong w/ ⟨service⟩", "what is wrong with ⟨service⟩"] },
  {
    from: /\bmerged (?:of )?#?(?=\d{1,6}\b(?!-))/g,
    to: "merged pull request #",
    example: ["who merged 88?", "who merged pull request #88?"],
  },
  {
    from: /\bsev ?-?(\d) (?=(?:is|are|was|were)\b)/g,
    to: "sev$1 incidents ",
    example: ["which sev2 is open?", "which sev2 incidents is open?"],
  },
  { from: /\bprs\b/g, to: "pull requests", example: ["which prs are open?", "which pull requests are open?"] },
  { from: /\bpr\b/g, to: "pull request", example: ["which pr broke ⟨service⟩?", "which pull request broke ⟨service⟩?"] },
  { from: /\b(?:last|yester) ?nite\b/g, to: "last night", example: ["what broke last nite?", "what broke last night?"] },
  { from: /\bwho (?:dunn?it|done it)\b/g, to: "who did it", example: ["#7, who dunnit?", "pull request #7, who did it?"] },
  {
    from: /(?<![\p{L}\p{N}⟩#-]|pull request |ticket |issue )#(?=\d{1,6}\b)/gu,
    to: "pull request #",
    example: ["#310 who did it?", "pull request #310 who did it?"],
  },
  // on call
  {
    from: /\b(?:on|holding|carrying|taking|with) (?:the )?pager\b(?! ?duty)/g,
    to: "on call",
    example: ["who was on pager for ⟨team⟩?", "who was on call for ⟨team⟩?"],
  },
  {
    from: /\b(?:has|have|had|holds?|held|takes?|took|carries|carried|gets?|got|keeps?) (?:the )?pager\b(?! ?duty)/g,
    to: "is on call",
    example: ["who takes the pager for edge next week?", "who is on call for edge next week?"],
  },
  { from: /\bpager (?=for\b)/g, to: "on call ", example: ["pager for ⟨team⟩?", "on call for ⟨team⟩?"] },
  // trouble
  {
    from: /\b(?:anything|something|everything) (?:burning|ablaze|melting|smoking|exploding|falling over|falling apart|acting up)\b/g,
    to: "anything on fire",
    example: ["is anything burning right now?", "is anything on fire right now?"],
  },
  {
    from: /\bwhat(?:'s| is) (?:burning|ablaze|melting|smoking|falling over|acting up)\b/g,
    to: "what is on fire",
    example: ["what's burning?", "what is on fire?"],
  },
  {
    from: /\b(?:is )?(?:everything|all) (?:ok(?:ay)?|fine|alright|all right|good|well|in order|quiet) (?:with|at|in|on) (?:the )?⟨service⟩/g,
    to: "what is the status of ⟨service⟩",
    example: ["everything ok with ⟨service⟩ right now?", "what is the status of ⟨service⟩ right now?"],
  },
  {
    from: /\bhow(?:'s|s| is| are) (?:the )?⟨service⟩ (?:doing|holding up|going|looking|coping|behaving)\b/g,
    to: "what is the status of ⟨service⟩",
    example: ["hows ⟨service⟩ doing?", "what is the status of ⟨service⟩?"],
  },
  {
    from: /^⟨service⟩ (?:ok(?:ay)?|fine|alright|up|healthy|alive|down|broken|dead|slow|failing)(?: now| again| right now)? ?(?:\?+|$)/g,
    to: "what is the status of ⟨service⟩?",
    example: ["⟨service⟩ broken? who do i wake", "what is the status of ⟨service⟩? who do i wake"],
  },
  {
    from: /^⟨ticket⟩ (?:already |now )?(fixed|closed|resolved|done|open|solved)(?: yet| now| already)? ?\??$/g,
    to: "is ⟨ticket⟩ $1?",
    example: ["⟨ticket⟩ fixed yet", "is ⟨ticket⟩ fixed?"],
  },
  {
    from: /^⟨service⟩ (?:is |goes |gets )?(?:down|dead|gone|away|broken),? (?:who|what|which services?) (?:else )?(?:notices?|suffers?|breaks?|dies|feels? it|(?:is|are|gets?) (?:hit|hurt|affected|broken))\b/g,
    to: "what breaks when ⟨service⟩ is down",
    example: ["⟨service⟩ down who notices", "what breaks when ⟨service⟩ is down"],
  },
  {
    from: /\b(?:the )?(?:number|count|total) of (?=(?:open |closed )?(?:tickets|incidents|outages|bugs|issues|commits|changes|services|deploy\w+|pull requests)\b)/g,
    to: "how many ",
    example: ["number of commits by ⟨person⟩", "how many commits by ⟨person⟩"],
  },
  {
    from: /^([^?]{6,80}?),? since (?:which|what) (commit|change|release|deploy(?:ment)?)(?=\?*$)/g,
    to: "which $2 caused $1",
    example: ["labels are blank since which commit?", "which commit caused labels are blank?"],
  },
  // changes
  {
    from: /\b(?:did|has|have) (?:any(?:one|body)|some(?:one|body)) (?:been )?(?:touch(?:ed|ing)?|mess(?:ed|ing)? (?:about |around )?with|fiddl(?:e|ed|ing) (?:about |around )?with|play(?:ed|ing)? (?:about |around )?with|tweak(?:ed|ing)?|alter(?:ed|ing)?|edit(?:ed|ing)?)\b/g,
    to: "what changed in",
    example: ["did anyone touch ⟨service⟩ in the past 7 days?", "what changed in ⟨service⟩ in the past 7 days?"],
  },
  {
    from: /\bwho (?:touched|messed with|fiddled with|tweaked|altered|edited)\b/g,
    to: "who changed",
    example: ["who messed with ⟨service⟩ today?", "who changed ⟨service⟩ today?"],
  },
  // dependencies
  { from: /\bdeps\b/g, to: "dependencies", example: ["⟨service⟩ deps?", "⟨service⟩ dependencies?"] },
  {
    from: /\blean(s|ing)? (?:up)?on\b/g,
    to: "depend$1 on",
    example: ["what does ⟨service⟩ lean on?", "what does ⟨service⟩ depend on?"],
  },
  {
    from: /\b(what|who|which services?) (?:would|will|does|do|might|could) (?:suffer|be hurt|notice|break|stop|fail|be hit|be affected)\b.{0,40}\b(?:from losing|by losing|if we (?:lose|lost)|without|from the loss of|on the loss of) (?:the )?⟨service⟩/g,
    to: "$1 breaks when ⟨service⟩ is down, directly or indirectly",
    example: ["what would suffer from losing ⟨service⟩?", "what breaks when ⟨service⟩ is down, directly or indirectly?"],
  },
  {
    from: /\b(what|who|which services?) (?:would|will|might|could) (?:notice|feel|suffer(?: from)?|be (?:hit|hurt|affected|harmed) by) (?:an? |the )?(?:outage|loss|failure|downtime|crash|death) of (?:the )?⟨service⟩/g,
    to: "$1 breaks when ⟨service⟩ is down",
    example: ["which services would notice an outage of ⟨service⟩?", "which services breaks when ⟨service⟩ is down?"],
  },
  {
    from: /\b(?:stops?|quits?|ceases?|wo(?:uld|n't) stop) (?:working|functioning|to work|to function)\b(?= (?:if|when|once|should|without))/g,
    to: "breaks",
    example: ["what stops working if ⟨service⟩ is down?", "what breaks if ⟨service⟩ is down?"],
  },
  {
    from: /\bwhat (?:is|lies|sits|stands|comes) between (?:the )?⟨service⟩ and (?:the )?⟨service⟩/g,
    to: "does ⟨service⟩ depend on ⟨service⟩",
    example: ["what lies between ⟨service⟩ and ⟨service⟩?", "does ⟨service⟩ depend on ⟨service⟩?"],
  },
  {
    from: /⟨service⟩ (?:died|dies|croaks|goes bust|falls over|drops dead|keels over)\b/g,
    to: "⟨service⟩ goes down",
    example: ["who notices if ⟨service⟩ dies?", "who notices if ⟨service⟩ goes down?"],
  },
  {
    from: /\bwhat (?:do|would|will|might) (?:i|we|you) lose (?:if|when|once|with|without|should) (?:the )?⟨service⟩.*$/g,
    to: "what breaks when ⟨service⟩ is down?",
    example: ["what do we lose if ⟨service⟩ goes?", "what breaks when ⟨service⟩ is down?"],
  },
  {
    from: /\b(?:keep|store|save|write|hold)(s?) (?:(?:its|their|all|the|any|some) )?(?:own )?(?:data|state|tables?|rows|sessions|things|everything|anything) (?:in|on|into|to)(?= (?:the )?⟨service⟩)/g,
    to: "depend$1 on",
    example: ["which systems keep data in ⟨service⟩?", "which systems depend on ⟨service⟩?"],
  },
  {
    from: /\b(?:sit|run|stand|rest|hang|build)(s?) (?:on|off|upon)(?: top of)?(?= (?:the )?⟨service⟩)/g,
    to: "depend$1 on",
    example: ["what sits on ⟨service⟩?", "what depends on ⟨service⟩?"],
  },
  {
    from: /\b(do(?:es)?|did) (?:the )?⟨service⟩ (?:ever |still |also )?(?:touch|hit|query|access|speak to|know about|reach) (?:the )?⟨service⟩/g,
    to: "$1 ⟨service⟩ use ⟨service⟩",
    example: ["does ⟨service⟩ touch ⟨service⟩ in any way?", "does ⟨service⟩ use ⟨service⟩ in any way?"],
  },
  {
    from: /\ball the way (?:up|down)\b|\bat any distance\b|\bhowever far\b|\b(?:one|a) (?:step|hop|level) further\b/g,
    to: "transitively",
    example: ["if ⟨service⟩ dies what is affected, all the way up?", "what breaks when ⟨service⟩ is down transitively?"],
  },
  // owners
  {
    from: /\bwho(?:'s| is)? (?:the )?(?:person|people|engineers?|developers?|humans?|guys?|minds?|one|crew) (?:behind|in charge of|responsible for|on) (?:the )?⟨service⟩/g,
    to: "who owns ⟨service⟩",
    example: ["who is the person behind ⟨service⟩?", "who owns ⟨service⟩?"],
  },
  {
    from: /^.*\b(?:wake|page|ping|call|reach|contact|notify|tell) (?:some(?:body|one)|any(?:body|one)|the (?:right )?(?:person|people)) (?:up )?(?:about|for|because of|over) (?:the )?⟨service⟩.*$/g,
    to: "who owns ⟨service⟩?",
    example: ["i need to wake somebody up about ⟨service⟩, who would that be?", "who owns ⟨service⟩?"],
  },
  {
    from: /\bwho (?:carries|is carrying|wears|keeps|has|holds|got) (?:the )?(⟨(?:team|service)⟩|[a-z-]+)(?:'s)? (?:pager|beeper)\b/g,
    to: "who is on call for $1",
    example: ["who carries the ⟨team⟩ pager this week?", "who is on call for ⟨team⟩ this week?"],
  },
  {
    from: /\bwho (?:ran|had|held|was running|was behind|looked after|took care of|operated|was in charge of) (?:the )?⟨service⟩/g,
    to: "who owned ⟨service⟩",
    example: ["who ran the ⟨service⟩ in may 2026?", "who owned ⟨service⟩ in may 2026?"],
  },
  {
    from: /\b(?:who(?:'s| is) on the hook for|whose (?:baby|problem|job|turf|responsibility) is|who do i (?:bug|bother|nag|poke|hit up|shout at) (?:about|for)) (?:the )?⟨service⟩/g,
    to: "who owns ⟨service⟩",
    example: ["whose baby is ⟨service⟩?", "who owns ⟨service⟩?"],
  },
  {
    from: /^⟨service⟩ ?[-–—:,]? ?(?:who|wer)(?: owns it)? ?\??$/g,
    to: "who owns ⟨service⟩?",
    example: ["⟨service⟩ - who?", "who owns ⟨service⟩?"],
  },
  {
    from: /\bsince when (?:is|has|does|was) (?:the )?⟨service⟩ (?:been )?(?:owned by )?⟨(person|team)⟩(?:'s?)?/g,
    to: "since when does ⟨$1⟩ own ⟨service⟩",
    example: ["since when is ⟨service⟩ ⟨person⟩?", "since when does ⟨person⟩ own ⟨service⟩?"],
  },
  // causes and tickets
  {
    from: /^(is|was|has) (?=\d{1,6} (?:already |been )?(?:merged|closed)\b)/g,
    to: "$1 pull request #",
    example: ["is 88 merged?", "is pull request #88 merged?"],
  },
  {
    from: /\bwaiting (?:for|on) (?=⟨person⟩)/g,
    to: "assigned to ",
    example: ["tickets waiting for ⟨person⟩", "tickets assigned to ⟨person⟩"],
  },
  { from: /\bsev ?-?(\d)s\b/g, to: "sev$1 incidents", example: ["how many sev1s this year?", "how many sev1 incidents this year?"] },
  {
    from: /^who (?:has |first )?(reported|filed|raised) (?:that |the |an? )?(?!⟨|that\b|the\b|tickets?\b|incidents?\b|bugs?\b|issues?\b|it\b|this\b|pull\b)/g,
    to: "who $1 the ticket about ",
    example: ["who reported the mixed languages?", "who reported the ticket about mixed languages?"],
  },
  {
    from: /^([^?]{4,80}?) ?[-–,:;]? ?(?:was |is |were )?(?:fixed|solved|closed|resolved) (?:by|with|in) (?:which|what) (commit|change|pull request)/g,
    to: "which $2 fixed the $1",
    example: ["vat bug - fixed by which commit?", "which commit fixed the vat bug?"],
  },
  {
    from: /\b(which|what) (?:sha|hash|revision)(?= (?:is|was|did|has|caused|broke|fixed|closed)\b)/g,
    to: "$1 commit",
    example: ["which sha is behind ⟨ticket⟩?", "which commit is behind ⟨ticket⟩?"],
  },
  {
    from: /\bwhich of (?:the|these|those|our) (commit|change|release|deployment|merge)s\b/g,
    to: "which $1",
    example: ["which of the changes is responsible for ⟨ticket⟩?", "which change caused ⟨ticket⟩?"],
  },
  {
    from: /^([^?]{6,80}?),? (?:because of|thanks to|owing to) what(?=\?*$)/g,
    to: "why $1",
    example: ["trucks go in circles because of what?", "why trucks go in circles?"],
  },
  {
    from: /^([^?#]{4,80}?) ?[,:;.–-] ?(?:who did (?:it|this|that)|(?:what|which) (commit|change|pull request)(?: (?:was|did) (?:it|this|that))?(?:,? and who (?:made|wrote|did) (?:it|this|that))?)(?=\?*$)/g,
    to: "what caused $1",
    example: ["413 on uploads, which commit?", "what caused 413 on uploads?"],
  },
  {
    from: /^([^?]{6,80}?), (?:what|which) (?:ticket|issue|incident)(?: is (?:it|that|this))?,? and (?=which|what|who)/g,
    to: "which ticket is about $1 and ",
    example: [
      "prices too high, which ticket and which commit fixed it?",
      "which ticket is about prices too high and which commit fixed it?",
    ],
  },
  {
    from: /\b(what|who|which (?:commit|change|pull request|fix|release)) (?:ended|cured|stopped|mended|settled|healed|got rid of|sorted(?: out)?)(?= (?:it|this|that|⟨ticket⟩))/g,
    to: "$1 fixed",
    example: ["⟨ticket⟩: what ended it?", "⟨ticket⟩: what fixed it?"],
  },
  {
    from: /^(is|was|are|were) (?:the )?⟨service⟩ (?:really |also |perhaps |partly )?responsible for /g,
    to: "$1 ⟨service⟩ to blame for ",
    example: ["was ⟨service⟩ responsible for the lost orders?", "was ⟨service⟩ to blame for the lost orders?"],
  },
  {
    from: /\b(is|was) (?:it|that) (?:really |maybe |perhaps )?(?:the )?⟨(commit|service)⟩(?= ?\?*$)/g,
    to: "$1 ⟨$2⟩ to blame",
    example: ["cpu is high - was it ⟨commit⟩?", "cpu is high - was ⟨commit⟩ to blame?"],
  },
  {
    from: /\bis it (?:really )?(?:the )?⟨service⟩ (?:that|which|who) (?:breaks|broke|is breaking|kills|killed|causes|caused|takes down|took down|slows|slowed) (?:the )?⟨service⟩/g,
    to: "is ⟨service⟩ to blame for ⟨service⟩",
    example: ["is it the ⟨service⟩ that breaks ⟨service⟩?", "is ⟨service⟩ to blame for ⟨service⟩?"],
  },
  {
    from: /\bwhose (commit|change|release|deploy(?:ment)?|merge|pull request) (?:was|is|did|caused|broke) (?:it|that|this)\b/g,
    to: "which $1 caused it",
    example: ["orders vanish, whose commit was it?", "orders vanish, which commit caused it?"],
  },
  {
    from: /\bwhose fault (?:is|was|are)\b/g,
    to: "what caused",
    example: ["whose fault is ⟨ticket⟩?", "what caused ⟨ticket⟩?"],
  },
  {
    from: /\b(which|what) (commit|change|pull request|release|deploy(?:ment)?|update|merge|rollout) (?:is|was) (?:responsible|to blame|at fault|accountable) for\b/g,
    to: "$1 $2 caused",
    example: ["which deployment is responsible for lost seats?", "which deployment caused lost seats?"],
  },
  {
    from: /\b(?:what|which (?:commit|change)) (?:should|can|could|do|must|would) (?:we|i|one|you) (?:have to |need to )?(?:roll back|revert|undo|back out)(?: to (?:fix|solve|resolve|stop|save|get|bring))?/g,
    to: "what caused",
    example: ["what should we roll back to fix ⟨ticket⟩?", "what caused ⟨ticket⟩?"],
  },
  {
    from: /\b(which|what) (commit|change|pull request|release|deploy(?:ment)?|update|merge) (?:made|makes|led|got|messed up|wrecked|killed|took down|brought down)\b/g,
    to: "$1 $2 caused",
    example: ["which commit made ⟨service⟩ lose orders?", "which commit caused ⟨service⟩ lose orders?"],
  },
  {
    from: /\bis it (?:safe|ok(?:ay)?|fine|a good (?:idea|time)) to (?:deploy|redeploy|restart|release|roll out|merge|touch) (?:to )?(?:the )?⟨service⟩/g,
    to: "what is the status of ⟨service⟩",
    example: ["is it safe to deploy ⟨service⟩ now?", "what is the status of ⟨service⟩ now?"],
  },
  {
    from: /\bwho (?:should|must|has to|ought to|will|can|would) (?:fix|repair|handle|take|look at|solve) ⟨ticket⟩/g,
    to: "who is responsible for ⟨ticket⟩",
    example: ["who should fix ⟨ticket⟩?", "who is responsible for ⟨ticket⟩?"],
  },
  {
    from: /\bwhat did (?:it|this|that)(?=[?,.!;]|$| and\b)/g,
    to: "what caused it",
    example: ["⟨service⟩ is slow: what did it, who owns it?", "⟨service⟩ is slow: what caused it, who owns it?"],
  },
  {
    from: /\b(which|what) (commit|change|release|deploy(?:ment)?|update|merge|rollout) (?=(?!touched|changed|modified|fixed|closed|merged|deployed|added|introduced|removed|dropped|renamed|created|implemented|resolved|updated|reverted|solved|repaired|patched|addressed|released|landed|shipped|rolled|pushed|happened|related|needed|used|called|reviewed|approved|caused|affected)[a-z]{3,14}ed (?:the |our |all |some |my )?[a-z⟨])/g,
    to: "$1 $2 caused ",
    example: ["which change emptied the carts in march?", "which change caused emptied the carts in march?"],
  },
  {
    from: /\b(which|what) ticket (?:tracks?|is tracking|covers?|follows?|handles?|records?|documents?|is for|is about) (?:it|this|that)\b/g,
    to: "$1 ticket is open",
    example: ["who owns it and which ticket tracks it?", "who owns it and which ticket is open?"],
  },
  {
    from: /\b(?:what|anything|something) (?:was |got |has been |were |been )?(?:opened|filed|reported|raised|logged in jira)\b/g,
    to: "which tickets were opened",
    example: ["what was opened today?", "which tickets were opened today?"],
  },
  {
    from: /\bif ⟨service⟩ (?:goes|went|is|were|was|gets) (?:away|down|gone|offline|lost|dead|killed|unavailable),? (?:what|who|which services?)\b(?:[^?]*?((?:\b\w+ )?\b(?:indirect|further|transitiv|hops?|steps?|levels?)\w*(?: further)?))?[^?]*/g,
    to: "what breaks when ⟨service⟩ is down $1",
    example: ["if ⟨service⟩ goes away, what is hit?", "what breaks when ⟨service⟩ is down ?"],
  },
  {
    from: /\bwho(?:'d| would| might| could|'ll| will)? (?:know|knows) (?:the )?(?:most|best|more|anything|a lot|something)? ?(?:about|of) (?:the )?⟨service⟩/g,
    to: "who owns ⟨service⟩",
    example: ["who'd know most about ⟨service⟩?", "who owns ⟨service⟩?"],
  },
  {
    from: /\bwhat (?:do|did) we know about (?!⟨)/g,
    to: "which tickets are about ",
    example: ["what do we know about the lost orders?", "which tickets are about the lost orders?"],
  },
  {
    from: /^(?:is there |do we have |have we |are there )?anything (?:known )?(?:about|on|regarding) (?!⟨|fire)/g,
    to: "which tickets are about ",
    example: ["anything about discounts?", "which tickets are about discounts?"],
  },
  {
    from: /\bwho (?:handed|passed|gave|transferred) (?:over )?(?:the )?⟨service⟩ (?:over )?to ⟨(?:person|team)⟩(?:'s?)?/g,
    to: "who owned ⟨service⟩ before",
    example: ["who handed ⟨service⟩ to ⟨person⟩?", "who owned ⟨service⟩ before?"],
  },
  {
    from: /\bhow (?:are|is) (?:the )?⟨service⟩ (?:and|with|to) (?:the )?⟨service⟩ (?:connected|related|linked|wired together)/g,
    to: "does ⟨service⟩ depend on ⟨service⟩",
    example: ["how are ⟨service⟩ and ⟨service⟩ connected?", "does ⟨service⟩ depend on ⟨service⟩?"],
  },
  {
    from: /\b(is|was) (?:the )?⟨service⟩ (?:involved in|part of|related to|connected to|behind) (?:the )?⟨service⟩ (outage|incident|problems?|failures?|crash|errors?)\b/g,
    to: "$1 ⟨service⟩ to blame for the ⟨service⟩ $2",
    example: ["is ⟨service⟩ involved in the ⟨service⟩ outage?", "is ⟨service⟩ to blame for the ⟨service⟩ outage?"],
  },
  {
    from: /\b(what|which (?:ticket|issue|incident|bug)) did ⟨commit⟩ (?:sort out|end|cure|settle|get rid of|take care of|mend)/g,
    to: "$1 did ⟨commit⟩ fix",
    example: ["what did ⟨commit⟩ sort out?", "what did ⟨commit⟩ fix?"],
  },
  {
    from: /(?<=⟨ticket⟩.{0,60})\b(?:an? |the )?(?:copy|dupe?|double|repeat|repetition) of\b/g,
    to: "duplicate of",
    example: ["⟨ticket⟩ is a copy of what?", "⟨ticket⟩ is duplicate of what?"],
  },
  {
    from: /\bwho(?:'s| has| is) (?:got|having) ⟨ticket⟩/g,
    to: "who is assigned to ⟨ticket⟩",
    example: ["who's got ⟨ticket⟩?", "who is assigned to ⟨ticket⟩?"],
  },
  {
    from: /^(?:(?:what(?:'s| is)|which is) the |the |which )?(?:ticket|issue|incident|bug)(?: (?:nr|no|number|key|id)\.?)? (?:for|about|on|of) (?!⟨|which|the (?:on|last|next)\b)/g,
    to: "which ticket is about ",
    example: ["ticket nr for the late mails?", "which ticket is about the late mails?"],
  },
  {
    from: /^([^?]{6,80}?)(?: ?[,:;–-] ?| )(?:what|which) (?:ticket|issue|incident|bug)s? (?:is|was|asks for|is about|mentions?|covers?|tracks?|is for) (?:that|this|it|one)\b(?: one)?/g,
    to: "which ticket is about $1",
    example: ["wrong prices, which ticket is that?", "which ticket is about wrong prices?"],
  },
  {
    from: /^which (ticket|issue|incident|bug)s? (?:asks? for|mentions?|covers?|tracks?|describes?|deals? with) (?!⟨|it\b|this\b|that\b)/g,
    to: "which $1 is about ",
    example: ["which ticket tracks the zero quotes?", "which ticket is about the zero quotes?"],
  },
  {
    from: /^([^?]{6,80}?),? (?:is (?:this|that|it) )?(?:an? )?(?:known|already known)(?: issue| bug| problem)?(?=\?*$)/g,
    to: "which ticket is about $1",
    example: ["trips are charged double, known?", "which ticket is about trips are charged double?"],
  },
  ...germanRewordings,
];

/** A lower-case question in the words that the rules know. */
export function plainWords(masked: string): string {
  let text = masked;
  for (const { from, to } of rewordings) text = text.replace(from, to);
  return text;
}
