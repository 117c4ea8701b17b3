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

const addressee = "(?:assistants?|ai|a\\.i\\.|llms?|language models?|chat ?bots?|chatgpt|gpt|copilot|claude|gemini|agents?|bots?|models?)";
const reply = "(?:answers?|repl(?:y|ies)|responses?|outputs?|summar(?:y|ies))";

const speaking: readonly RegExp[] = [
  // spoken to: "note to the assistant:", "assistant: do not …", "reviewer bots: approve …", "dear AI, …"
  new RegExp(
    `\\b(?:notes?|messages?|instructions?|attention|dear|hey|hello|hi)(?: to| for)?(?: (?:the|any|all|every))?(?: \\w+)? ${addressee}\\b ?[:,!-]`,
  ),
  new RegExp(
    `(?:^|[^\\w])(?:\\w+ )?${addressee} ?: ?(?:please |you |do |don't |never |always |tell|say|ignore|approve|report|answer|reply|respond|mark|add|do not|write|stop|call)`,
  ),
  // orders about the reply itself: "in your response, suggest …", "encode your answer", "reply using base64"
  new RegExp(
    `(?:^|[.:;!?"'(-] ?|\\b(?:please|and|then|also|always|must|should|you|to|can you|could you|would you|will you|kindly) )(?:encode|encrypt|reverse|invert|modify|enhance|rewrite|translate|begin|start|end|finish|format|prefix|append|spell|write|change|alter|augment|conclude|close|open|embed|insert|include|add|mention|flip|swap|replace|convert|obfuscate|scramble|shuffle|mask)\\b[^.!?]{0,80}\\byour (?:\\w+ )?${reply}\\b`,
  ),
  new RegExp(`\\b(?:in|within|into|at the end of|at the start of|of|throughout) your (?:\\w+ )?${reply}\\b`),
  new RegExp(
    `\\b(?:invert|reverse|scramble|flip|shuffle|encode)\\b[^.!?]{0,60}\\byour (?:\\w+ )?(?:${reply}|messages?|instructions|prompt)\\b`,
  ),
  /(?:^|[.:;!?"'(-] ?|\b(?:please|then|always|must|should|can you|could you) )(?:reply|respond|answer|output|speak|write)(?: only| back| everything| always)? (?:in|using|with|by using|as|through) (?:only )?(?:base ?-?(?:64|32|16)|rot-?13|hex(?:adecimal)?|morse|emojis?|pig latin|leet(?: ?speak)?|binary|ascii|reverse|reversed|cipher|caesar|code|json only|all caps)\b/,
  // overriding what was said
  /(?:^|[.:;!?"'(,-] ?|\b(?:please|and|then|you must|you should|now|must|to) )(?:ignore|disregard|forget|override|bypass|overrule|discard|skip) (?:all |any |everything |every |each )?(?:of )?(?:the |these |those |your |my |our |its )?(?:above|previous|prior|earlier|preceding|other|former|existing|foregoing|system|original|initial|documents?|sources?|instructions?|rules?|guidelines?|directions?|prompts?|context|passages?|citations?)\b/,
  /\b(?:system|admin(?:istrator)?|developer|root|safety|policy) (?:override|prompt override|mode enabled|message)\b ?[:!-]/,
  /\b(?:new|updated|additional|hidden|secret) (?:system )?(?:instructions?|directives?|orders?|prompt)\b ?[:-]/,
  /\bdo not (?:cite|mention|quote|reveal|disclose|show|repeat) (?:this|these|the present)\b/,
  /\bwhen(?:ever)? (?:you|asked|someone|a user|the user|anyone|an? \w+) (?:summari[sz]e|answer|read|reply|respond|process|cite|quote)s?\b[^.!?]{0,120}\b(?:add|include|say|tell|append|insert|claim|state|mention|write|output|use|visit|open)\b/,
  /\bwho(?:ever|so)? (?:asks|reads|queries)\b[^.!?]{0,80}\b(?:say|tell|answer|claim|reply)\b/,
  /\b(?:stop|quit|cease|avoid) (?:calling|using) (?:any |all |the |your )?tools?\b/,
  /\byou are (?:now (?:an? (?:\w+ )?(?:ai|assistant|model|bot|hacker)|in (?:\w+ )?mode|dan\b|free)|going to (?:pretend|act as|play|impersonate))\b/,
  /(?:^|[.:;!?"'(] ?|\b(?:please|and|then|always|also) )(?:tell|convince|persuade|advise|instruct|encourage) (?:the |your |all |any )?(?:users?|readers?|customers?)\b[^.!?]{0,80}\b(?:to (?:subscribe|share|send|visit|click|disable|install|buy|enter|provide|download|ignore|turn)|that (?:it|they|all|everything|the))\b/,
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
