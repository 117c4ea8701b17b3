import { Html, html } from "../http/html.ts";
import type { SuiteAnswer } from "./suite-ask.ts";
import type { Comparison } from "./suite-compare.ts";
import type { SuiteFigures } from "./suite-figures.ts";
import { isRight } from "./suite-judge.ts";
import type { StageRow } from "./suite-stages.ts";

/** A row as report.json keeps it: small enough to be compared with in years. */
export interface ReportRow {
  readonly id: string;
  readonly kind: string;
  readonly question: string;
  readonly verdict: SuiteAnswer["verdict"];
  readonly why: readonly string[];
  readonly status: string;
  readonly refusal: string | null;
  readonly answer: string;
  readonly recall10: number | null;
  readonly citations: SuiteAnswer["citations"];
  readonly ms: number;
}

export interface Report {
  /** When it was made, ISO. */
  readonly at: string;
  /** What was asked: name and size. */
  readonly about: string;
  readonly suite: string;
  readonly figures: SuiteFigures;
  readonly byKind: Readonly<Record<string, { readonly n: number; readonly right: number }>>;
  readonly configurations: readonly StageRow[];
  /** Figures that the suite requires, and whether they are reached. */
  readonly required: readonly { readonly text: string; readonly met: boolean; readonly value: unknown }[];
  readonly comparison: Comparison | null;
  readonly rows: readonly ReportRow[];
}

export function reportRow({ id, kind, question, verdict, why, recall10, citations, ms, answer }: SuiteAnswer): ReportRow {
  return {
    id,
    kind,
    question,
    verdict,
    why,
    status: answer.status,
    refusal: answer.refusal,
    answer: answer.answer,
    recall10,
    citations,
    ms,
  };
}

export function percent(value: number | null): string {
  return value === null ? "–" : `${(100 * value).toFixed(1)} %`;
}

/** Header and rows of the table "with and without each stage". */
export function stageTable(rows: readonly StageRow[]): string[][] {
  const header =
    "writer,stages,right,answered,refused,recall@10,faithful,cited: precision,cited: recall,wrong shown,guard,p50 ms,p95 ms,US$";
  return [
    header.split(","),
    ...rows.map(({ writer, stages, figures, wrong, cacheHits }) => [
      writer,
      cacheHits === null ? stages : `${stages} (${cacheHits} from the cache)`,
      `${figures.right}/${figures.n}`,
      `${figures.answerable.answered}/${figures.answerable.n}`,
      `${figures.unanswerable.refused}/${figures.unanswerable.n}`,
      percent(figures.recall10),
      percent(figures.faithfulness),
      percent(figures.citationPrecision),
      percent(figures.citationRecall),
      wrong === null ? "" : `${wrong.shown}/${wrong.written}`,
      `${figures.guardrail.hits}/${figures.guardrail.n}, ${figures.guardrail.falseAlarms} false`,
      String(figures.p50Ms),
      String(figures.p95Ms),
      figures.costUsd.toFixed(4),
    ]),
  ];
}

const styleSheet = new Html(`
:root { color-scheme: light dark; --line: #8885; --good: #1a7f37; --bad: #c62828; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
table { border-collapse: collapse; font-size: .9rem; } div.wide { overflow-x: auto; }
th, td { text-align: left; vertical-align: top; padding: .3rem .7rem .3rem 0; border-bottom: 1px solid var(--line); }
.good { color: var(--good); } .bad { color: var(--bad); } p.note, small { opacity: .75; }
details { max-width: 46rem; } summary { cursor: pointer; }`);

/** The report as one page: no script, nothing loaded from anywhere, all text escaped. */
export function reportHtml(report: Report): string {
  const { figures, rows, comparison, required } = report;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${report.suite}: ${figures.right} of ${figures.n} right</title>
<style>${styleSheet}</style>
</head>
<body>
<h1>${report.suite}: ${figures.right} of ${figures.n} right</h1>
<p class="note">${report.about} · ${report.at}</p>
${required.length === 0 ? null : html`<h2>Required</h2>${tableOf([["figure", "it is", ""], ...required.map(({ text, met, value }) => [text, String(value), verdictOf(met, met ? "met" : "short")])])}`}
<h2>Figures</h2>
${tableOf([["figure", "value"], ...figureRows(figures)])}
<h2>By kind</h2>
${tableOf([["kind", "right"], ...Object.entries(report.byKind).map(([kind, { n, right }]) => [kind, `${right}/${n}`])])}
${comparison === null ? null : comparisonPart(comparison)}
${
  report.configurations.length === 0
    ? null
    : html`<h2>With and without each stage</h2>
<p class="note">Writer "scripted": a careless model over HTTP that gets one sentence wrong in every second answer, repeats it when asked to correct, and judges by shared words. Its answers are quotes from what was retrieved, so "right" says little there; "wrong shown" is what counts.</p>
<div class="wide">${tableOf(stageTable(report.configurations))}</div>`
}
<h2>Questions</h2>
<div class="wide">${tableOf([["", "kind", "question", "verdict", "recall@10", "ms"], ...rows.map(questionRow)])}</div>
<p class="note">Citation precision and recall, and faithfulness: ALCE's definitions (arXiv 2305.14627), with contextd's own deterministic verifier in the place of the entailment model.</p>
</body>
</html>
`;
  return page.text;
}

type Cell = string | Html;

function tableOf([header = [], ...rows]: readonly (readonly Cell[])[]): Html {
  return html`<table><thead><tr>${header.map((cell) => html`<th>${cell}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>\n`)}</tbody></table>`;
}

function verdictOf(good: boolean, text: string): Html {
  return html`<span class="${good ? "good" : "bad"}">${text}</span>`;
}

export function figureRows(figures: SuiteFigures): string[][] {
  const { answerable, unanswerable, guardrail } = figures;
  return [
    ["right", `${figures.right}/${figures.n} ${percent(figures.rightRate)}`],
    ["answerable: answered", `${answerable.answered}/${answerable.n} ${percent(figures.answerRate)}`],
    ["  correct, partial, wrong", `${answerable.correct}, ${answerable.partial}, ${answerable.wrong}`],
    ["unanswerable: refused", `${unanswerable.refused}/${unanswerable.n} ${percent(figures.refusalRate)}`],
    ...(figures.unavailable === 0 ? [] : [["unavailable", String(figures.unavailable)]]),
    ["recall@10 of retrieval", percent(figures.recall10)],
    ["faithful sentences", percent(figures.faithfulness)],
    ["citation precision", percent(figures.citationPrecision)],
    ["citation recall", percent(figures.citationRecall)],
    ["guardrail: stopped, false alarms", `${guardrail.hits}/${guardrail.n}, ${guardrail.falseAlarms}`],
    ["ms, median and 95 %", `${figures.p50Ms}, ${figures.p95Ms}`],
    ["model calls, US$", `${figures.llmCalls}, ${figures.costUsd.toFixed(4)}`],
  ];
}

function questionRow({ id, kind, question, verdict, why, answer, recall10, ms }: ReportRow): Cell[] {
  const body = html`<details><summary>${question}</summary><p>${answer}</p>${why.length === 0 ? null : html`<small>${why.join("; ")}</small>`}</details>`;
  return [id, kind, body, verdictOf(isRight(verdict), verdict), percent(recall10), String(ms)];
}

function comparisonPart({ with: earlier, better, worse, rows, figures }: Comparison): Html {
  const changed = Object.entries(figures).filter(([name]) => !/Ms$/.test(name));
  return html`<h2>Since the run of ${earlier}</h2>
<p>${better} better, ${worse} worse.</p>
${rows.length === 0 ? null : tableOf([["", "question", "before", "now", ""], ...rows.map((row) => [row.id, row.question, row.before ?? "", row.now ?? "", row.change])])}
${changed.length === 0 ? null : tableOf([["figure", "before", "now"], ...changed.map(([name, { before, now }]) => [name, String(before), String(now)])])}`;
}
