import { diagram, type End, most, type Refusal, type Retries, type StageName, stageNames } from "./diagram.ts";

const BEGIN = "<!-- drawn from src/answer/diagram.ts: npm run generate -->";
const END = "<!-- end of the drawing -->";

const endings: Readonly<Record<Exclude<End, "refused">, string>> = { answered: "answered", replayed: "replayed" };

/** The table of stages as a Mermaid flow chart; arrows that cost a search or a round are dotted. */
export function drawing(): string {
  const lines = ["flowchart TD"];
  const refusals = new Set<Refusal>();
  const arrow = (from: StageName, to: StageName | End, label: string, costs?: keyof Retries): void => {
    const { refusal } = diagram[from];
    if (to === "refused") refusals.add(refusal);
    const target = to === "refused" ? `refused_${refusal}` : to;
    lines.push(
      costs === undefined
        ? `  ${from} -- ${label} --> ${target}`
        : `  ${from} -. "${label}, at most ${most[costs]} ${most[costs] === 1 ? costs.slice(0, -1) : costs}" .-> ${target}`,
    );
  };
  for (const stage of stageNames) {
    const { yes, no, yesCosts, noCosts, spent } = diagram[stage];
    // one arrow where both lead to the same
    if (yes === no) arrow(stage, yes, "on");
    else {
      arrow(stage, yes, "yes", yesCosts);
      arrow(stage, no, "no", noCosts);
    }
    if (yesCosts !== undefined || noCosts !== undefined) arrow(stage, spent ?? "refused", `"${spentOf(yesCosts, noCosts)} spent"`);
  }
  lines.push(...Object.entries(endings).map(([end, text]) => `  ${end}([${text}])`));
  lines.push(...[...refusals].map((refusal) => `  refused_${refusal}(["refused: ${refusal}"])`));
  return lines.join("\n");
}

function spentOf(...costs: readonly (string | undefined)[]): string {
  return [...new Set(costs.filter((cost) => cost !== undefined))].join(" or ");
}

/** The page with the drawing as it should be; a page without a place for it is thrown back. */
export function withDrawing(page: string): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin < 0 || end < begin) throw new Error("the page has no place for the drawing");
  return `${page.slice(0, begin + BEGIN.length)}\n\`\`\`mermaid\n${drawing()}\n\`\`\`\n${page.slice(end)}`;
}
