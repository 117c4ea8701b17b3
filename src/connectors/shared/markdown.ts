import type { Assembled, Heading } from "./blocks.ts";

/**
 * Where the headings and code blocks of a cleaned Markdown text stand; the text itself stays as it was written.
 * Line by line, ATX headings and fences only: what GitHub bodies and README files are made of.
 */
export function outlineMarkdown(text: string): Pick<Assembled, "headings" | "code"> {
  const headings: Heading[] = [];
  const code: { start: number; end: number }[] = [];
  let fence: { readonly mark: string; readonly start: number } | null = null;
  let at = 0;
  for (const line of text.split("\n")) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== null) {
      if (mark?.startsWith(fence.mark) && line.trim() === mark) {
        code.push({ start: fence.start, end: at + line.length });
        fence = null;
      }
    } else if (mark !== undefined) {
      fence = { mark, start: at };
    } else {
      const heading = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/.exec(line);
      if (heading?.[1] && heading[2]) {
        headings.push({ at, level: heading[1].length, text: heading[2].replace(/[ \t]#+[ \t]*$/, "").trim() });
      }
    }
    at += line.length + 1;
  }
  // an open fence runs to the end, as in CommonMark
  if (fence !== null) code.push({ start: fence.start, end: text.length });
  return { headings, code };
}
