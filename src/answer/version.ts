import { createHash } from "node:crypto";
import { VERIFIER_VERSION } from "../verify/version.ts";
import { answerMessages, correctMessages, judgeMessages, screenMessages } from "./prompts.ts";

/** Raised with every change of a rule that shapes answers (guard, rewriting, quoting, citing, correction). */
const ANSWERING_VERSION = "13";

/**
 * Names everything of the code that an answer depends on, for the answer cache's key: the rules, the verifier, and the wording of all
 * prompts, which is taken from the prompts themselves.
 */
export const answeringVersion = [ANSWERING_VERSION, VERIFIER_VERSION, promptsVersion()].join(".");

function promptsVersion(): string {
  const prompt = { question: "", passages: [], statements: [], asOf: "", fence: "" };
  const messages = [
    answerMessages({ ...prompt, again: false }),
    answerMessages({ ...prompt, again: true }),
    judgeMessages("", "", [], [], ""),
    correctMessages("", "", [], [], ""),
    screenMessages("", {}, ""),
  ];
  return createHash("sha256").update(JSON.stringify(messages)).digest("hex").slice(0, 12);
}
