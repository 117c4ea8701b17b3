import type { Block } from "../../shared/blocks.ts";
import { child, descendants, elements, textOf, type Xml } from "./xml.ts";

/** DrawingML (ECMA-376): what presentations, sheets and documents draw alike. */

/** The paragraphs below a node as one block. */
export function paragraphs(node: Xml): Block[] {
  const lines = [...descendants(node, "p")].map(paragraphText).filter((line) => line.trim() !== "");
  return lines.length === 0 ? [] : [{ kind: "text", text: lines.join("\n") }];
}

/** A paragraph's text, line breaks as such. */
export function paragraphText(paragraph: Xml): string {
  return elements(paragraph)
    .map((run) =>
      run.name === "br"
        ? "\n"
        : run.name === "r" || run.name === "fld"
          ? textOf(child(run, "t") ?? { name: "", attributes: {}, children: [] })
          : "",
    )
    .join("");
}

/** A chart as rows: its title, the names of its series, then a row for each category. */
export function chartRows(chart: Xml): Block[] {
  const [title] = [...descendants(chart, "title")].flatMap((one) => paragraphs(one));
  const series = [...descendants(chart, "ser")].map((one) => ({
    name: [...cached(child(one, "tx")).values()].join(" "),
    categories: cached(child(one, "cat") ?? child(one, "xVal")),
    values: cached(child(one, "val") ?? child(one, "yVal")),
  }));
  if (series.length === 0) return title ? [title] : [];
  const categories = new Map(series.flatMap((one) => [...one.categories]));
  const places = [...new Set(series.flatMap((one) => [...one.values.keys()]))].sort((a, b) => a - b);
  const rows = places.map((at) => [categories.get(at) ?? "", ...series.map((one) => one.values.get(at) ?? "")].join(" | "));
  return [
    ...(title ? [title] : []),
    { kind: "text", text: [["", ...series.map(({ name }) => name)].join(" | ").trim(), ...rows].join("\n") },
  ];
}

/** The values that a chart keeps of the cells it shows, by their places. */
function cached(reference: Xml | null): ReadonlyMap<number, string> {
  const points = reference === null ? [] : [...descendants(reference, "pt")];
  const values = new Map(points.map((point) => [Number(point.attributes.idx ?? 0), textOf(child(point, "v") ?? point).trim()]));
  const plain = child(reference, "v");
  return plain === null ? values : new Map([[0, textOf(plain).trim()]]);
}
