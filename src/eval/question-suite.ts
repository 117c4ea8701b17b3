import { basename, join } from "node:path";
import { ContextError } from "../core/errors.ts";
import { figureAt, isMet, parseRequirement } from "../core/requirement.ts";
import type { Suite, SuiteResult } from "./suite.ts";
import { askAll } from "./suite-ask.ts";
import { compare, readReport } from "./suite-compare.ts";
import { byKind, suiteFigures } from "./suite-figures.ts";
import { readSuite } from "./suite-file.ts";
import { openPlace } from "./suite-place.ts";
import { figureRows, type Report, reportHtml, reportRow, stageTable } from "./suite-report.ts";
import { withAndWithout } from "./suite-stages.ts";

const REPORT = "report.json";

/**
 * Anyone's questions put to the daemon: retrieval, answers, refusals, citations, guardrail, time and cost, each apart; the same with
 * each stage left out; and what changed since the last run. Requirements of the suite file make it a check.
 */
export const questions: Suite = {
  name: "suite",
  about: "FILE.jsonl {question, kind, expect: {entities?, records?, answer?, refuse?}, now?}",

  async run(options): Promise<SuiteResult> {
    const { path: file, log, signal, complete, progress, configured, out = null } = options;
    if (configured === undefined) throw new ContextError("INTERNAL", "The suite was not told of the configured daemon.");
    const { header, rows } = readSuite(file);
    const required = header.require.map(parseRequirement);
    const earlier = readReport(configured.compare ?? join(out ?? "", REPORT));
    if (configured.compare !== null && earlier === null)
      throw new ContextError("FILE_NOT_FOUND", `There is no report at ${configured.compare}.`);
    await using place = await openPlace({ file, header, configured, log, signal, progress });
    const deps = { ...place.deps(true), complete };
    // the first question pays for what is read once
    await askAll(rows.slice(0, 1), place, { deps, llm: false }, signal, () => {});
    const answers = await askAll(rows, place, { deps, llm: complete !== null }, signal, (done) => progress("questions", done, rows.length));
    const model = configured.stages === "all" ? complete : null;
    const configurations = configured.stages === "none" ? [] : await withAndWithout({ rows, place, complete: model, signal, progress });
    const figures = suiteFigures(answers);
    const named = { ...figures, byKind: byKind(answers), configurations };
    const report: Report = {
      at: configured.now().toISOString(),
      about: place.about,
      suite: basename(file),
      figures,
      byKind: named.byKind,
      configurations,
      required: required.map((one) => ({ text: one.text, met: isMet(one, named), value: figureAt(named, one.figure) ?? null })),
      comparison: earlier === null ? null : compare(earlier, answers, figures),
      rows: answers.map(reportRow),
    };
    return {
      figures: { ...named, comparison: report.comparison, rows: report.rows },
      table: tableOf(report),
      required: header.require,
      files: {
        [REPORT]: `${JSON.stringify(report, null, 2)}\n`,
        "report.html": reportHtml(report),
        "answers.jsonl": answers.map(({ id, verdict, answer }) => `${JSON.stringify({ id, verdict, answer })}\n`).join(""),
      },
    };
  },
};

/** Figures, then the stages, then what changed. */
function tableOf({ figures, configurations, comparison }: Report): string[][] {
  const changes =
    comparison === null
      ? []
      : [
          ["", ""],
          ["since", comparison.with],
          ["better, worse", `${comparison.better}, ${comparison.worse}`],
        ];
  const changed = (comparison?.rows ?? []).map(({ id, before, now }) => [`  ${id}`, `${before ?? "not asked"} → ${now ?? "not asked"}`]);
  return [
    ["", ""],
    ...figureRows(figures),
    ...(configurations.length === 0 ? [] : [["", ""], ...stageTable(configurations)]),
    ...changes,
    ...changed,
  ];
}
