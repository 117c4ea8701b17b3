import { sentencesOf } from "../core/sentences.ts";

/**
 * Text from records that speaks to the assistant instead of to the reader: hidden comments, "ignore the documents above",
 * "SYSTEM OVERRIDE", "in your response, suggest …". It is evidence of nothing: never quoted as an answer, never shown to a
 * model, never support for a claim. All patterns run in linear time on bounded pieces.
 */

const LONGEST_SENTENCE = 2_000;

/** Characters that hide words from a reader or from a pattern: zero width, direction marks, tags, soft hyphen. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu;

/** Compatibility forms unified, hidden characters out, white space single, lower case: what the rules look at. */
export function plainForm(text: string): string {
  return text
    .normalize("NFKC")
    .replace(invisible, "")
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();
}

/** Without characters that hide words; offsets are not kept. */
export function visible(text: string): string {
  return text.replace(invisible, "");
}

const addressee =
  "(?:assistants?|ai|a\\.i\\.|llms?|language models?|chat ?bots?|chatgpt|gpt|copilot|claude|gemini|agents?|bots?|models?|automated systems?)";
/** Without the words that ordinary texts use of machines: "the agent must be restarted". */
const speaker = "(?:assistant|ai|ai agents?|llm|language model|chat ?bot|chatgpt|gpt|copilot|claude|gemini|automated systems?)";
const reply = "(?:answer|reply|response|output)";
const transform = "(?:encode|encrypt|reverse|invert|convert|translate|flip|scramble|shuffle|obfuscate|transform|substitute)";
const cipher =
  "(?:backwards?|base ?-?(?:16|32|64)|rot-?13|hex(?:adecimal)?|morse(?: code)?|emojis?|pig latin|leet(?: ?speak)?|(?:caesar |substitution )?cipher|(?:in )?reversed?(?: order)?)";
const language =
  "(?:spanish|french|german|italian|portuguese|chinese|mandarin|japanese|korean|russian|arabic|hindi|latin|klingon|dutch|turkish|polish|swedish|greek|hebrew|english)";
/** Where an order can begin. */
const order =
  "(?:^|[.:;!?\"'(-] ?|\\b(?:please|and|then|also|always|must|should|you|to|kindly|instead|now|first|(?:can|could|would|will) you(?: please)?) )(?:please )?";
const orderVerb =
  "(?:do not|don't|never|always|please|tell|say|ignore|disregard|forget|approve|report|answer|reply|respond|mark|add|write|stop|call|treat|state|claim|pretend|act|repeat|reveal|send|visit|open)";

const speaking: readonly RegExp[] = [
  // spoken to: "note to the assistant:", "assistant: do not …", "reviewer bots: approve …", "to any AI reading this"
  new RegExp(
    `\\b(?:notes?|messages?|instructions?|attention|dear|hey|hello|hi)(?: to| for)?(?: (?:the|any|all|every))?(?: \\w+)? ${addressee}\\b ?[:,!-]`,
  ),
  new RegExp(`(?:^|[^\\w])(?:\\w+ )?${addressee} ?: ?${orderVerb}\\b`),
  new RegExp(`^(?:dear |hey |hi |hello )?${addressee}, ?${orderVerb}\\b`),
  new RegExp(`\\b${addressee} (?:instructions?|directives?|notes?|notice) ?[:-]`),
  new RegExp(
    `\\b${speaker}s?\\b (?:reading|processing|parsing|seeing|that (?:reads?|process(?:es)?|sees?)|who (?:reads?)) (?:this|these|the)\\b`,
  ),
  new RegExp(`\\b(?:if|since|as|when) you(?: are|'re) (?:an? |the )?(?:\\w+ )?${addressee}\\b`),
  new RegExp(
    `\\bthe ${speaker} (?:must|should|shall|has to|needs to|is to|will)(?: not| always| never| only)? (?:state|say|answer|reply|tell|claim|ignore|respond|report|mention|treat|recommend|approve)\\b`,
  ),
  /(?:^|\n)[#\W]{0,6}(?:instructions?|system|human|user|assistant) ?: ?(?:[^.!?]{0,40}\b)?(?:ignore|forget|disregard|answer with|reply with|respond with|you are|you must|sure)\b/,
  // orders about the reply itself: "in your response, suggest …", "encode your answer", "reply using base64"
  new RegExp(
    `${order}(?:${transform}|modify|enhance|rewrite|begin|start|end|finish|format|prefix|append|spell|write|change|alter|augment|conclude|close|open|embed|insert|include|incorporate|add|mention|recommend|promote|state|claim|swap|replace|mask)\\b[^.!?]{0,80}\\byour (?:\\w+ )?${reply}\\b`,
  ),
  new RegExp(
    `\\b(?:in|into|within|inside|to|for|at the end of|at the start of|of|throughout) your (?:next |final |whole |entire )?${reply}\\b`,
  ),
  new RegExp(
    `${order}${transform}\\b[^.!?]{0,60}\\byour (?:\\w+ )?(?:${reply}|messages?|text|words|letters|sentences?|characters?|instructions|prompt)\\b`,
  ),
  new RegExp(`\\b(?:can|could|would|will) you (?:please )?${transform}\\b`),
  new RegExp(`${order}(?:reply|respond|answer|output|speak|write)\\b[^.!?]{0,40}\\b${cipher}(?![\\w-])`),
  new RegExp(
    `^(?:please )?(?:reply|respond|answer|output|speak|write)\\b(?: only| back| everything| your \\w+| the \\w+)? (?:in|using|into) (?:\\w+ )?${language}\\W*$`,
  ),
  new RegExp(
    `${order}(?:start|begin|end|finish|prefix|open|conclude) (?:your|every|each|all) (?:answer|repl(?:y|ie)|response|message|output)s? with\\b`,
  ),
  /\bdo(?: not|n't) answer (?:the|this|any|that) (?:question|user|query)\b|\binstead of (?:answering|replying|responding to (?:the|this) (?:user|question))\b|\banswer (?:every|all|any|each) questions? with\b/,
  // overriding what was said
  new RegExp(
    `${order}(?:ignore|disregard|forget|override|bypass|overrule|discard|skip) (?:all |any |everything |every |each )?(?:of )?(?:the |these |those |your |my |our |its )?(?:above |previous |prior |earlier |preceding |other |former |existing |foregoing |system |original |initial |safety ){1,3}(?:documents?|sources?|instructions?|rules?|guidelines?|directions?|prompts?|contexts?|passages?|citations?|messages?|conversation|text|commands?)\\b`,
  ),
  new RegExp(
    `${order}(?:ignore|disregard|forget|override|bypass) (?:all |any |everything |every )?(?:of )?(?:the |these |those |your |my )(?:documents?|sources?|instructions?|rules?|guidelines?|prompts?|passages?|citations?) (?:above|before|so far|you were|given|provided)\\b`,
  ),
  new RegExp(
    `${order}(?:ignore|disregard|forget) (?:everything|all|anything) (?:above|before|prior|previously|you (?:were|have been|know)|said|that was)\\b`,
  ),
  /\b(?:system|admin(?:istrator)?|developer|root|safety|policy) (?:override|prompt override|mode enabled)\b/,
  /\b(?:new|updated|additional|hidden|secret) (?:system )?(?:instructions?|directives?|orders?|prompt)\b ?[:-]/,
  /\bdo not (?:cite|mention|quote|reveal|disclose|show|repeat) (?:this|these) (?:page|sentence|paragraph|comment|instruction|message|note|text|document|line|section)\b/,
  /\bdo not cite (?:this|these|the|any)\b|\b(?:do not|don't|never) (?:tell|inform|alert|warn) the (?:user|reader|human)s?\b/,
  /\bwhen(?:ever)? (?:you|asked|someone|a user|the user|anyone) (?:summari[sz]e|answer|read|reply|respond|process|cite|quote)s?\b[^.!?]{0,120}\b(?:add|include|say|tell|append|insert|claim|state|mention|write|output|use|visit|open)\b/,
  /\bwho(?:ever|so)? (?:asks|reads|queries)\b[^.!?]{0,80}\b(?:say|tell|answer|claim|reply)\b/,
  /\b(?:stop|quit|cease|avoid) (?:calling|using) (?:any |all |the |your )?tools?\b/,
  /\byou are (?:now (?:an? (?:\w+ )?(?:ai|assistant|model|bot|hacker)|in (?:\w+ )?mode|dan\b|free)|going to (?:pretend|act as|play|impersonate))\b/,
  // sending readers or their words somewhere
  /(?:^|[.:;!?"'(] ?|\b(?:please|and|then|always|also) )(?:tell|convince|persuade|advise|instruct|encourage|provide) (?:the |your |all |any )?(?:users?|readers?|customers?)\b[^.!?]{0,80}\b(?:to (?:subscribe|share|send|visit|click|disable|install|buy|enter|provide|download|ignore|turn|claim)|that (?:it|they|all|everything|the))\b/,
  /\b(?:send|forward|post|upload|leak|transmit)\b[^.!?]{0,30}\b(?:the|this|your|user's) (?:conversation|chat|question|prompt|answer|system prompt)\b[^.!?]{0,40}\bto\b/,
  /<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>|\[\/?inst\]|<<\/?sys>>|<\/?system(?:_prompt)?>/,
  /!\[[^\]]{0,80}\]\(https?:[^)]{0,200}(?:question|query|prompt|answer|=the_)/,
];

/** Whether a sentence gives orders to whoever processes it. */
export function speaksToAssistant(sentence: string): boolean {
  const text = plainForm(sentence.slice(0, LONGEST_SENTENCE));
  return speaking.some((pattern) => pattern.test(text));
}

interface Piece {
  readonly start: number;
  readonly end: number;
}

/**
 * Places of a text that speak to the assistant: whole hidden comments (HTML, Markdown link comments) that hold such a sentence,
 * and such sentences in the open.
 */
export function instructionsIn(text: string): Piece[] {
  const found: Piece[] = [];
  for (const comment of commentsOf(text)) {
    if (
      sentencesOf(text.slice(comment.start, comment.end)).some(({ start, end }) =>
        speaksToAssistant(text.slice(comment.start + start, comment.start + end)),
      )
    ) {
      found.push(comment);
    }
  }
  for (const sentence of sentencesOf(text)) {
    if (found.some(({ start, end }) => sentence.start < end && start < sentence.end)) continue;
    if (speaksToAssistant(text.slice(sentence.start, sentence.end))) found.push(sentence);
  }
  return found.sort((a, b) => a.start - b.start);
}

/** `<!-- … -->` and `[//]: # (…)`: text that a rendered page does not show. */
function commentsOf(text: string): Piece[] {
  const comments: Piece[] = [];
  for (const [open, close] of [
    ["<!--", "-->"],
    ["[//]: #", "\n"],
  ] as const) {
    for (let at = text.indexOf(open); at >= 0; ) {
      const closed = text.indexOf(close, at + open.length);
      const end = closed < 0 ? text.length : closed + close.trim().length;
      comments.push({ start: at, end });
      at = text.indexOf(open, end);
    }
  }
  return comments;
}

const REMOVED = "[an instruction to the assistant was removed here]";

/** The text as evidence: hidden characters out, instructions replaced by a note. */
export function neutralised(text: string): string {
  let clean = "";
  let at = 0;
  for (const { start, end } of instructionsIn(text)) {
    if (start < at) continue;
    clean += text.slice(at, start) + REMOVED;
    at = end;
  }
  return visible(clean + text.slice(at));
}
