import { findIdentifiers } from "../../core/identifiers.ts";
import { keywords } from "../../core/keywords.ts";
import { visible } from "../instructions.ts";
import { quiet, type Run, type Stage } from "../run.ts";
import { subQuestions } from "../sub-questions.ts";

/** Spells out the names of a question: "is cart down?" to "is cart down? (cartservice)". Deterministic. */
export type ExpandNames = (question: string) => readonly string[];

interface Strategy {
  readonly name: "as asked" | "names" | "keywords" | "sub-questions" | "wider window";
  readonly query: string;
  readonly parts?: readonly string[];
}

/**
 * The question as a query, another way each time: its own words with the canonical names of what it mentions; its keywords, which find
 * passages that share the subject but not the form of the question; its sub-questions, each for itself, where it holds several; at last
 * its own words again over a wider window. The window grows with each attempt (documents.ts).
 */
export function rewrite(expandNames: ExpandNames): Stage {
  return quiet(async (run: Run) => {
    const attempt = run.query === "" ? 0 : run.attempt + 1;
    const question = visible(run.question).replace(/\s+/g, " ").trim();
    const all = strategies(question, expandNames(question));
    const { name, query, parts = [] } = all[Math.min(attempt, all.length - 1)] ?? { name: "as asked", query: question };
    return {
      ok: true,
      set: { query, parts, attempt },
      detail: {
        query,
        ...(parts.length === 0 ? {} : { parts }),
        ...(run.question === run.asked ? {} : { standalone: run.question }),
        strategy: name,
      },
    };
  });
}

function strategies(question: string, names: readonly string[]): Strategy[] {
  const lower = question.toLowerCase();
  const unsaid = names.filter((name) => !lower.includes(name.toLowerCase()));
  const named = (query: string): string => (unsaid.length === 0 ? query : `${query} (${unsaid.join(", ")})`);
  const asked = named(question);
  const parts = subQuestions(question, [...names, ...findIdentifiers(question).map(({ text }) => text)]);
  return [
    ...(parts.length < 2 ? [] : [{ name: "sub-questions", query: asked, parts } as const]),
    { name: unsaid.length > 0 ? "names" : "as asked", query: asked },
    { name: "keywords", query: named(keywords(question)) },
    { name: "wider window", query: asked },
  ];
}
