import type { Corpus } from "../../core/answer.ts";
import { ContextError } from "../../core/errors.ts";
import type { Command } from "../command.ts";
import { answerText } from "../render.ts";
import { corpusOf } from "./search.ts";

export const askCommand: Command = {
  name: "ask",
  usage: 'ask "question" [--now ISO] [--corpus records|documents|all] [--no-llm] [--no-cache] [--stream]',
  about: "Answers a question, with a citation on every sentence.",
  options: {
    now: { type: "string" },
    corpus: { type: "string" },
    "no-llm": { type: "boolean" },
    "no-cache": { type: "boolean" },
    stream: { type: "boolean" },
  },
  async run({ args, values, json, io, signal, open }) {
    const question = args.join(" ");
    if (question.trim() === "") throw new ContextError("USAGE", 'ask needs a question: contextd ask "Why is checkout broken?"');
    const now = instantOf(values.now);
    const corpus: Corpus | undefined = corpusOf(values.corpus);
    const app = await open();
    const events = app.ask(question, {
      ...(now === undefined ? {} : { now }),
      ...(corpus === undefined ? {} : { corpus }),
      llm: values["no-llm"] !== true,
      cache: values["no-cache"] !== true,
      signal,
    });
    for (;;) {
      const step = await events.next();
      if (step.done === true) {
        io.status?.("");
        io.out(json ? JSON.stringify(step.value) : answerText(step.value));
        return step.value.status === "unavailable" ? 1 : 0;
      }
      if (values.stream !== true) continue;
      const event = step.value;
      if (event.type === "stage") io.note(`${event.name} (${event.ms.toFixed(0)} ms)`);
      if (event.type === "tool") io.note(`${event.call.tool} ${JSON.stringify(event.call.arguments)}: ${event.call.found} found`);
      if (event.type === "token") io.status?.(`being checked: ${event.text}`);
    }
  },
};

/** An ISO instant given as an option; throws USAGE when it is none. */
export function instantOf(value: string | boolean | undefined): Date | undefined {
  if (typeof value !== "string") return undefined;
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) throw new ContextError("USAGE", `"${value}" is not an ISO 8601 time such as 2026-03-12T02:10:00Z.`);
  return date;
}
