import { z } from "zod";
import { assemble, type Block } from "../../shared/blocks.ts";
import { decodeText } from "../decode.ts";
import type { Parsed } from "../parsed.ts";
import { markdownBlocks } from "./markdown.ts";

const LONGEST_OUTPUT = 4000;

const Text = z.union([z.string(), z.array(z.string()).transform((lines) => lines.join(""))]);
const Cell = z.object({
  cell_type: z.string(),
  source: Text.default(""),
  outputs: z.array(z.object({ text: Text.optional(), data: z.object({ "text/plain": Text.optional() }).optional() })).default([]),
});
const Notebook = z.object({ cells: z.array(Cell).optional(), worksheets: z.array(z.object({ cells: z.array(Cell) })).optional() });

/** A Jupyter notebook (nbformat 4): its Markdown as text, its code and what that printed as code. */
export function parseNotebook(bytes: Uint8Array): Parsed {
  const { cells, worksheets } = Notebook.parse(JSON.parse(decodeText(bytes)));
  const blocks: Block[] = [];
  for (const cell of cells ?? worksheets?.flatMap((sheet) => sheet.cells) ?? []) {
    if (cell.cell_type === "markdown") blocks.push(...markdownBlocks(cell.source));
    else if (cell.cell_type === "code") {
      blocks.push({ kind: "code", text: cell.source });
      const printed = cell.outputs
        .map((output) => output.text ?? output.data?.["text/plain"] ?? "")
        .join("\n")
        .trim();
      if (printed !== "") blocks.push({ kind: "code", text: printed.slice(0, LONGEST_OUTPUT) });
    } else blocks.push({ kind: "text", text: cell.source });
  }
  const title = blocks.find((block) => block.kind === "heading")?.text ?? null;
  return { ...assemble(blocks), mediaType: "application/x-ipynb+json", title, warnings: [] };
}
