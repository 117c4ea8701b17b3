import { refusals } from "../../core/answer.ts";
import { plainForm } from "../instructions.ts";
import { quiet, type Run, type Stage } from "../run.ts";
import { undisguised } from "./disguise.ts";
import { foreignRules, withoutDiacritics } from "./guard-languages.ts";

/** Longest question, in characters: room for a pasted stack trace, none for a pasted book. */
export const LONGEST_QUESTION = 4_000;

/** Kinds that are told by what a question wants, not by its length. */
export const attackKinds = ["instructions", "persona", "override", "secret", "tools"] as const;

export type GuardKind = "empty" | "over-long" | (typeof attackKinds)[number];

export interface GuardVerdict {
  readonly kind: GuardKind;
  /** Stands after "This question cannot be answered: ". */
  readonly reason: string;
}

/** What each kind is, as it stands behind "This question cannot be answered: ". */
export const reasons: Readonly<Record<GuardKind, string>> = {
  empty: "it is empty",
  "over-long": `it is longer than ${LONGEST_QUESTION} characters`,
  instructions: "it asks for the assistant's own instructions, not for what the sources say",
  persona: "it asks the assistant to play another role or to leave its rules",
  override: "it asks for an answer without the sources or against the rules of citing them",
  secret: "it asks for the value of a secret, which is never shown",
  tools: "it asks for tools to be called without end",
};

/** Whether a question may go on. Rules only; text that a question merely quotes ("which commit says '…'") is not held against it. */
export function checkQuestion(question: string): GuardVerdict | null {
  if (!/\S/.test(question)) return verdict("empty");
  if (question.length > LONGEST_QUESTION) return verdict("over-long");
  if (!/[\p{L}\p{N}]/u.test(withoutMarkup(question))) return { kind: "empty", reason: "it holds no word to look for" };
  return [question, ...undisguised(question)].map(kindOf).find((kind) => kind !== null) ?? null;
}

function kindOf(question: string): GuardVerdict | null {
  const whole = plainForm(question);
  if (!/[\p{L}\p{N}]/u.test(whole)) return verdict("empty");
  const spelled = whole.replace(/\bsystem[_-]?prompt/g, "system prompt");
  // who puts all of it into quotation marks asks it
  const asked = /\p{L}{2}/u.test(withoutQuotes(spelled)) ? withoutQuotes(spelled) : spelled.replace(/["'`«»]/g, "");
  for (const [kind, patterns] of rules) if (patterns.some((pattern) => pattern.test(asked))) return verdict(kind);
  const foreign = withoutDiacritics(asked);
  for (const [kind, patterns] of foreignRules) if (patterns.some((pattern) => pattern.test(foreign))) return verdict(kind);
  if (/\b(?:continue|complete|finish|repeat|start|begin)\b/.test(asked) && quotes(whole).some((quote) => ownInstructions.test(quote))) {
    return verdict("instructions");
  }
  return asksForSecret(asked) ? verdict("secret") : null;
}

/** What a browser would show: a question that is nothing but markup asks nothing. */
function withoutMarkup(text: string): string {
  return text.replace(/<(script|style)\b[^<>]{0,200}>[^<]{0,2000}<\/\1>|<\/?[a-z][^<>]{0,200}>/gi, " ");
}

function verdict(kind: GuardKind): GuardVerdict {
  return { kind, reason: reasons[kind] };
}

const quoted = /"[^"]{1,400}"|`[^`]{1,400}`|(?<![\p{L}\p{N}])'[^']{1,400}'(?![\p{L}\p{N}])|«[^»]{1,400}»/gu;

function withoutQuotes(text: string): string {
  return text.replace(quoted, '""');
}

function quotes(text: string): string[] {
  return [...text.matchAll(quoted)].map(([quote]) => quote);
}

/** Where an order can begin: at the start of a sentence or clause, or after a polite opening. "Should I ignore …" is none. */
const order =
  "(?:^|[.!?:;,\\n] ?|\\b(?:please|and|then|now|just|so|first|instead|also|kindly|you (?:can|must|should|will|may)|(?:can|could|would|will) you|i want you to|i need you to|you are going to|let's|must|to) )(?:please |just |now |simply |kindly )?";

const instructionWord = "(?:prompts?|instructions?|guidelines?|directives?|configuration|programming|initiali[sz]ation|preamble)";
const ownInstructions =
  /\bi was (?:told|instructed|given|asked)\b|\b(?:system|initial|original|hidden|secret|developer|starting) (?:prompts?|instructions?|messages?)\b|\bmy (?:instructions|prompt|rules|guidelines)\b/;

const rules: readonly (readonly [GuardKind, readonly RegExp[]])[] = [
  [
    "instructions",
    [
      new RegExp(
        `\\byour (?:own |full |exact |complete |entire |current |very )?(?:system|initial|original|starting|first|hidden|secret|previous|internal|base|core|developer|custom)? ?${instructionWord}\\b`,
      ),
      /\byour (?:system|hidden|secret|internal|initial|developer) (?:message|rules?|settings?|text|context)\b/,
      new RegExp(
        `${order}(?:show|print|reveal|repeat|output|display|dump|leak|encode|translate|give|tell|write|paste|recite|list|expose|share|echo|disclose|summari[sz]e|spell|quote|read)\\b[^.!?]{0,60}(?<!\\b(?:about|builds?|uses?|owns?|changed|sets?) (?:the |a )?)\\b(?:system (?:prompt|message|instructions?)|(?:initial|hidden|secret|original|developer|starting) (?:prompt|instructions?))\\b(?! (?:for|in|of|on|to|from)\\b)`,
      ),
      new RegExp(
        `${order}(?:repeat|print|output|copy|recite|echo|replay|write out|show|encode|translate)\\b[^.!?]{0,30}\\b(?:(?:the|everything|all|text|words|message|content|lines|what(?:ever)? is|what was) )?(?:text |words |lines |content )?(?:above|before this (?:line|message|point)|preceding (?:text|message))\\b`,
      ),
      /\bwhat (?:were|was|are|is)\b[^.!?]{0,20}\b(?:those|these|the previous|the above|previous) (?:instructions|prompts|rules)\b(?! (?:for|in|of|on|to|from)\b)/,
      /\b(?:were|was|are) you (?:told|instructed|given|asked|programmed|prompted|configured|trained)\b(?! (?:about|in|by|of) \w)/,
      /\byou (?:(?:are|were|'re) )?(?:not )?(?:supposed|allowed|permitted|forbidden|meant) (?:not )?(?:to (?:tell|say|reveal|show|share|disclose|talk)|from (?:telling|saying|revealing|showing|sharing))\b/,
      /\b(?:are|were) you (?:not )?(?:supposed|allowed|permitted|forbidden|meant) (?:not )?(?:to (?:tell|say|reveal|show|share|disclose|talk)|from (?:telling|saying|revealing|showing|sharing))\b/,
      /\byour (?:own |full |exact |complete |entire |current )?(?:rules?|restrictions?|limitations?|constraints?|context(?: window)?|setup|safeguards?|purpose)\b(?! (?:for|in|on|of|to|against) )/,
      /\b(?:rules?|guidelines?|instructions?|topics?|things?|subjects?|restrictions?|constraints?)\b(?: that)?(?: are| were| do| must| should| can| can't| cannot| did)? you\b/,
      /\bwhat (?:can't|cannot|can not|shouldn't|mustn't|won't|aren't|are not|may not|must not) you\b|\byou (?:can't|cannot|can not|won't|must not|may not|refuse to) (?:talk|discuss|tell|say|reveal|share|mention|disclose)\b/,
      /\b(?:print|select|cat|echo|log|return|dump|sudo|printf|show|get|reveal)\b[^.!?]{0,12}\bsystem prompts?\b(?! (?:of|in|for|from) )|\{\{? ?system prompt/,
      /\bsystem prompts?\b[^.!?]{0,30}\b(?:like you|of yours|you (?:have|were|use|follow))\b/,
      new RegExp(`${order}dump (?:all |the |your )*prompts?\\b`),
      new RegExp(
        `${order}(?:echo|print|show|output|repeat|reveal|share|display)\\b[^.!?]{0,20}\\b(?:setup|system|hidden|internal) (?:instructions?|messages?|prompts?)\\b(?! (?:for|in|of|on|to|from)\\b)`,
      ),
      new RegExp(
        `${order}(?:repeat|recite|echo|copy)(?: me)? (?:everything|all(?: text)?|the (?:text|words|lines?)) (?:above|before|preceding)`,
      ),
      /\b(?:above|before|preceding|ahead of|prior to) (?:this|my|the current) (?:(?:very )?first )?(?:line|message|point|prompt|sentence|text|word|question)\b/,
      /\b(?:first|initial|earlier|hidden|very first)\b[^.!?]{0,30}\b(?:this|our) (?:conversation|chat|session|dialog(?:ue)?)\b|\b(?:the|this|our) (?:conversation|chat) so far\b|\bcontext window right now\b/,
      /\bmy (?:system )?(?:prompt|instructions|guidelines)\b/,
      /\b(?:developers?|operators?|creators?|makers|vendors?|admins?)\b[^.!?]{0,40}\b(?:gave|give|told|tell|wrote|put|set|instructed)\b[^.!?]{0,40}\b(?:you|our (?:chat|conversation)|this (?:chat|conversation)|before i (?:came|arrived))\b/,
      /<\/?system(?:_prompt)?>|<\|(?:im_start|im_end|system|endoftext)\|>|\[\/?inst\]|<<\/?sys>>/,
    ],
  ],
  [
    "persona",
    [
      new RegExp(
        `${order}(?:pretend|imagine|role-?play|act) (?:to be|you are|you're|that you|as (?:if|though) you|as an? (?:\\w+ ){0,3}(?:ai|assistant|model|chat ?bot|hacker|persona|character|dan\\b)|being)`,
      ),
      /^you are (?:a|an|the) (?:\w+ ){0,3}(?:assistant|ai|model|chat ?bot|bot)\b|\byou are dan\b/,
      /\b(?:ai|you|assistant|model|bot|answer|respond|reply)\b[^.!?]{0,60}\b(?:no|without(?: any)?|ignor(?:es?|ing)(?: all)?) (?:rules|limits|limitations|restrictions|filters?|safety|guidelines|censorship)\b/,
      new RegExp(`${order}(?:simulate|emulate) (?:a|an|being) (?:\\w+ ){0,3}(?:console|terminal|shell|ai|assistant|model|hacker)\\b`),
      /\byou are (?:now |going to |about to )(?:pretend|act|become|play|be\b|roleplay|an? |in )/,
      /\b(?:an?|your|my) (?:unrestricted|unfiltered|uncensored|unaligned|jailbroken|evil) (?:\w+ ){0,2}(?:ai|bot|oracle|assistant|model|version|twin|genie|self)\b/,
      /\b(?:bot|ai|assistant|model|oracle|persona|character) (?:that|who|which) (?:never|always|does not|doesn't|cannot|can't) (?:refuses?|complies|comply|obeys?|cites?|says? no|declines?)\b/,
      /\b(?:game|story|world|scenario|play|scene)\b[^.!?]{0,20}\b(?:in which|where) you (?:are|have|play)\b/,
      /\bfrom now on,? you\b|\bstay in character\b|\bbreak(?:ing)? (?:of )?character\b|\bdo anything now\b|\bjailbr(?:eak|oken) (?:mode|prompt|yourself|you)\b|\b(?:dan|god|developer|debug|unrestricted|jailbreak) mode (?:enabled|on\b|activated)/,
      new RegExp(
        `${order}(?:enter|enable|activate|switch (?:in)?to|go into) (?:dan|god|developer|unrestricted|jailbreak|evil|unfiltered) mode\\b`,
      ),
      /\byou (?:are|have)\b[^.!?]{0,60}\bno (?:restrictions|filters|limitations|limits|ethic\w*|moral\w*|guidelines|rules)\b/,
    ],
  ],
  [
    "override",
    [
      new RegExp(
        `${order}(?:ignore|disregard|forget|override|bypass|overrule|disobey|drop|skip|omit|leave out|remove|disable|turn off|set aside)\\b(?: about)? (?:all |any |every |everything |the |these |those |your |my |our |its |of |previous |prior |above |earlier |preceding |existing |other |system |safety |usual |normal |given ){0,6}(?:instructions?|rules?|guidelines?|directions?|prompts?|citations?|sources?|safeguards?|guardrails?|restrictions?|filters?|constraints?|(?:\\[\\d{1,3}\\] )?marks?|footnotes?|(?:you were told|you know|said) (?:above|before|so far))\\b(?! (?:in|of|from|for|on) (?:the |our |this |that )?[\\w-]+)`,
      ),
      new RegExp(
        `${order}(?:forget|ignore|disregard) (?:everything|all|anything|what(?:ever)?)\\b[^.!?]{0,20}\\b(?:above|before|previous(?:ly)?|said|told|so far|prior|earlier)\\b`,
      ),
      new RegExp(
        `${order}(?:answer|reply|respond|write|tell|say|state|make|invent|guess|give)\\b[^.!?]{0,80}\\b(?:from your own (?:knowledge|memory|training)|without (?:any |the |using |giving |citing |checking )*(?:sources?|citations?|references?|evidence|documents|looking (?:anything|it|that) up|checking|verification)|(?:up|without) (?:looking|verifying))\\b`,
      ),
      /\b(?:use|using|with|from|rely on|relying on) (?:your |outside |external |general |own |prior |world ){1,3}(?:knowledge|memory|training)\b/,
      /\b(?:don't|do not|no need to|never|stop) (?:cite|citing|use (?:any )?(?:sources|citations)|give (?:any )?(?:sources|citations)|add (?:any )?(?:sources|citations))\b|\bno need for (?:any )?(?:sources?|citations?|evidence)\b/,
      new RegExp(`${order}guess (?:the|a|who|what|which|why|how|at)\\b`),
      new RegExp(
        `${order}(?:set|put|leave|push)\\b[^.!?]{0,30}\\b(?:sources?|passages?|documents|citations?|evidence|rules|instructions)\\b[^.!?]{0,10}\\b(?:aside|away|out of it)\\b`,
      ),
      /\b(?:answer|reply|respond)\b[^.!?]{0,30}\bfrom (?:your |pure )?(?:intuition|memory|gut|imagination|instinct|the top of your head)\b/,
      /\b(?:rules?|instructions?|guidelines?) (?:above|so far|you (?:were|have been) given)\b[^.!?]{0,20}\b(?:no longer|don't|do not) (?:apply|count|hold|matter)\b/,
      /\b(?:you personally|your (?:own|personal|honest)) (?:reckon|think|guess|believe|opinion|hunch|feeling|view)\b/,
      /\bwithout looking (?:anything|it|that|things) up\b|\bmake (?:something|it|one) up\b|\byou (?:already|just) (?:confirmed|agreed|admitted|established)\b/,
      new RegExp(
        `${order}(?:start|begin|end|finish|prefix|open) (?:your|the|every|each) (?:answer|reply|response|message|output)s? with\\b`,
      ),
    ],
  ],
  [
    "tools",
    [
      new RegExp(
        `${order}(?:call|run|invoke|use|execute|repeat|try|query)\\b[^.!?]{0,60}\\b(?:in (?:a|an endless|an infinite) loop|forever|endlessly|infinitely|\\d{2,} times|(?:hundreds|thousands|millions) of times)\\b`,
      ),
      new RegExp(
        `(?:${order}(?:keep|continue)|\\b(?:never|do not|don't) stop) (?:on )?(?:calling|running|invoking|using|searching|querying|repeating)\\b[^.!?]{0,60}\\b(?:tools?|forever|search|endlessly|without (?:stopping|end|pause))\\b`,
      ),
      new RegExp(
        `${order}(?:call|run|invoke|use|execute|repeat|query|search)\\b[^.!?]{0,60}\\b(?:again and again|over and over|non-?stop|without (?:stopping|end|pause)|until i (?:tell|say|stop))\\b`,
      ),
      /\b(?:every|all|each)(?: of)?(?: the| your)? tools?\b[^.!?]{0,40}\b(?:loop|times|repeatedly|forever|again and again)\b/,
    ],
  ],
];

const qualifier =
  "(?:api|access|auth|authentication|authori[sz]ation|bearer|oauth2?|admin|bot|deploy(?:ment)?|personal|jwt|service account|session|refresh|app|webhook|github|gitlab|jira|confluence|slack|aws|gcp|azure|openai|npm|vault)";
/** Nouns whose value is a secret. A bare "key" or "token" is not: partition keys and token buckets are everyday words. */
const secretNoun = `(?:pass(?:words?|phrases?|codes?|wd)|credentials?|creds|secrets?(?: values?| keys?| access keys?| strings?)?|(?:api|access|private|encryption|signing|ssh|master|license|account|shared|hmac)[ -]keys?|${qualifier}[ -]tokens?|(?:connection|connect) strings?|[a-z0-9]+(?:_[a-z0-9]+)*_(?:token|key|secret|password|passwd|pwd|dsn|credentials?)s?)`;
/** The noun is the head of its phrase: "the password policy" and "token expiry" ask for no secret. */
const head =
  "(?=\\s*(?:$|[?.!,;:)]|(?:is|are|was|were|for|of|used|in|on|that|which|to|from|by|at|and|or|so|as|here|now|please|we|value|values|plain|environment|env|variables?|i|does|do|with|stored)\\b))";
const filler =
  "(?:(?!\\b(?:how|where|who|whom|whose|why|when|whether|if|which|what|about|rotat\\w*|expir\\w*|commits?|tickets?|issues?|runbooks?|docs?|documents?|pages?|incidents?|alerts?|services?|owners?|teams?|steps?|procedure|process|policy|logs?|errors?|pull|changes?|people|engineers?|that|broken|leak\\w*)\\b)[\\w'./-]+ ){0,8}";

const secretRules: readonly RegExp[] = [
  new RegExp(
    `${order}(?:print|show|reveal|give|tell|display|dump|paste|output|send|read|expose|leak|cat|echo|share|disclose|fetch|get|list|hand over|write|provide|extract|decrypt|decode|remind)\\b(?: me| us| out)?(?: of)? ${filler}${secretNoun}${head}`,
  ),
  new RegExp(`\\bwhat(?: is|'s| are|'re| was| were) (?!an? )${filler}${secretNoun}${head}(?! used for\\s*\\??$)(?! for\\s*\\??$)`),
  new RegExp(`\\b(?:which|what) values? (?:does|do|has|is|are|of|for)\\b ${filler}${secretNoun}\\b`),
  new RegExp(
    `\\b(?:which|what) (?:[\\w'-]+ ){0,3}(?!secrets? )${secretNoun} (?:is|are|was|does|do|did|has|have|should|can|must|we|i)\\b(?!\\s(?:(?:being |going to be |about to |be )?(?:rotated|expired|expiring|missing|invalid|leaked|revoked|rejected|compromised|needed|required|deprecated|affected|expire)))`,
  ),
  new RegExp(
    `${order}(?:read|cat|print|show|paste|open|dump|output|give|send|display|list)\\b[^.!?]{0,60}(?:/etc/(?:passwd|shadow)|\\bid_(?:rsa|ed25519|ecdsa)\\b|~/\\.(?:ssh|aws|kube|netrc|npmrc)|\\.env\\b|\\.pem\\b|kubeconfig\\b)`,
  ),
  /\b(?:in|as) (?:plain ?text|clear ?text|the clear)\b[^.!?]{0,40}$/,
];

function asksForSecret(asked: string): boolean {
  return secretRules.some((pattern, index) => {
    if (!pattern.test(asked)) return false;
    // "in plain text" alone is a format; it counts when a secret is named as well
    return index < secretRules.length - 1 || new RegExp(secretNoun).test(asked);
  });
}

/** Stops what is no question for the sources. Off-topic questions pass: the sources refuse them. */
export function guard(): Stage {
  return quiet(async (run: Run) => {
    const stopped = checkQuestion(run.question);
    if (stopped === null) return { ok: true, detail: {} };
    return { ok: false, set: { reason: refusals.guardrail(stopped.reason) }, detail: { kind: stopped.kind } };
  });
}
