import type { Answer, Citation } from "../core/answer.ts";
import type { Failure, IndexEvent, IndexReport, RunRow } from "../core/app.ts";
import type { SearchResult } from "../core/chunk.ts";

/** An answer as a terminal shows it: text, numbered sources, what was looked for in vain, how it came about. */
export function answerText(answer: Answer): string {
  const lines = [answer.answer, ""];
  if (answer.citations.length > 0) {
    lines.push("Sources");
    for (const citation of answer.citations) lines.push(`  [${citation.n}] ${citationLine(citation)}`);
    lines.push("");
  }
  for (const looked of answer.lookedFor)
    if (looked.found === 0) lines.push(`Looked for in vain: ${looked.what}${looked.window === null ? "" : ` (${looked.window})`}`);
  for (const degraded of answer.trace.degraded ?? []) lines.push(`Note: ${degraded.message} (${degraded.code})`);
  const calls = answer.toolCalls.length === 0 ? "" : `, ${answer.toolCalls.length} tool call${answer.toolCalls.length === 1 ? "" : "s"}`;
  const spent = answer.trace.llm.calls === 0 ? "" : `, $${answer.trace.llm.costUsd.toFixed(4)}`;
  lines.push(`${answer.status} by ${answer.route}${calls}, as of ${answer.asOf}${spent}`);
  return lines.join("\n");
}

function citationLine(citation: Citation): string {
  const read = citation.ocr === undefined ? "" : ", read by OCR";
  const page = `${citation.page === null ? "" : `, page ${citation.page}`}${read}`;
  const text = citation.text.replace(/\s+/g, " ");
  const place = `${citation.title} (${citation.source}, chunk ${citation.chunk} of ${citation.of}${page})`;
  return `${place}${citation.url === null ? "" : `\n      ${citation.url}`}\n      ${text.length > 160 ? `${text.slice(0, 159)}…` : text}`;
}

export function searchText(result: SearchResult): string {
  if (result.passages.length === 0) return "Nothing found.";
  const lines: string[] = [];
  for (const [index, { chunk, ranks }] of result.passages.entries()) {
    const from = [
      ranks.bm25Rank === null ? null : `bm25 ${ranks.bm25Rank}`,
      ranks.vectorRank === null ? null : `vector ${ranks.vectorRank}`,
    ].filter((one) => one !== null);
    lines.push(
      `${index + 1}. ${chunk.title} (${chunk.source}, chunk ${chunk.ordinal} of ${chunk.of}${chunk.page === null ? "" : `, page ${chunk.page}`}; ${from.join(", ")})`,
    );
    lines.push(`   ${chunk.text.replace(/\s+/g, " ").slice(0, 200)}`);
  }
  if (result.missing.length > 0) lines.push(`No source holds: ${result.missing.join(", ")}`);
  return lines.join("\n");
}

/** What failed and why; the source's and the record's name are left out where the words after them say it. */
export function failureText({ source, id, message, code }: Failure): string {
  const place = message.startsWith(id) ? "" : `${id}: `;
  const from = place.startsWith(source) ? "" : `${source}: `;
  return `${from}${place}${message} (${code})`;
}

/**
 * What a run did, line by line.
 * @param dryRun it was only priced: graph and chunks are not known, and the price is an estimate
 * @param failuresTold each failure was shown as it came, and is not said again
 */
export function reportText(report: IndexReport, { dryRun = false, failuresTold = false } = {}): string {
  const { records, extraction, graph, chunks } = report;
  const usd = `$${extraction.costUsd.toFixed(4)}`;
  const spent = dryRun ? `estimated cost ${usd}` : `${extraction.llmCalls} model calls, ${usd}`;
  const built = [
    `graph       ${graph.nodes} nodes, ${graph.edges} edges`,
    `chunks      ${chunks.total} (${chunks.added} added, ${chunks.deleted} deleted)`,
  ];
  const lines = [
    `records     ${records.seen} seen: ${records.added} added, ${records.changed} changed, ${records.deleted} deleted${records.moved === undefined ? "" : ` (${records.moved} of them moved)`}, ${records.unchanged} unchanged, ${records.failed} failed`,
    `extraction  tier 1: ${extraction.tier1}, tier 2: ${extraction.tier2}, tier 3: ${extraction.tier3}, cached: ${extraction.cached}; ${spent}`,
    ...(dryRun ? [] : built),
    `time        ${(report.durationMs / 1000).toFixed(1)} s`,
  ];
  if (!failuresTold) for (const failure of report.failures) lines.push(`failed      ${failureText(failure)}`);
  return lines.join("\n");
}

/** A run of the history, with the records that it changed. */
export function runText({ id, trigger, startedAt, endedAt, status, report }: RunRow): string {
  const lines = [`${id}  by ${trigger}, ${startedAt} to ${endedAt ?? "now"}: ${status}`];
  if (report === null) return lines.join("\n");
  lines.push(reportText(report));
  for (const [what, ids] of Object.entries(report.changes ?? {})) {
    const more = report.records[what as "added" | "changed" | "deleted"] - ids.length;
    if (ids.length > 0) lines.push(`${what.padEnd(11)} ${ids.join(", ")}${more > 0 ? ` and ${more} more` : ""}`);
  }
  return lines.join("\n");
}

const BAR_WIDTH = 24;

/** One status line for a long run: stage, bar where the total is known, count. */
export function progressText(event: IndexEvent): string | null {
  if (event.type === "failure") return null;
  if (event.type === "record") return null;
  const { stage, done, total } = event;
  if (total === null || total === 0) return `${stage.padEnd(9)} ${done}`;
  const filled = Math.round((Math.min(done, total) / total) * BAR_WIDTH);
  return `${stage.padEnd(9)} ${"█".repeat(filled)}${"░".repeat(BAR_WIDTH - filled)} ${done}/${total}`;
}

/** Left-aligned columns, two blanks apart. */
export function tableText(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  return rows
    .map((row) => row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))).join("  "))
    .join("\n");
}
