import type { Block } from "../../shared/blocks.ts";

/** Rows in one block, so that a chunk can hold some of them and no block grows without end. */
const ROWS_A_BLOCK = 40;

/** Rows of cells as text, one line a row, cells parted by " | "; line ends within a cell become blanks. */
export function rowBlocks(rows: readonly (readonly string[])[]): Block[] {
  const blocks: Block[] = [];
  for (let i = 0; i < rows.length; i += ROWS_A_BLOCK) {
    const lines = rows.slice(i, i + ROWS_A_BLOCK).map((row) =>
      row
        .map((cell) => cell.replace(/\s+/g, " ").trim())
        .join(" | ")
        .replace(/( \| )+$/, ""),
    );
    blocks.push({ kind: "text", text: lines.join("\n") });
  }
  return blocks;
}
