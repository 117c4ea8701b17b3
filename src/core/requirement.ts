import { ContextError } from "./errors.ts";

/** A bound on a figure: "systems.rerank.ndcg10>=0.6", "p95Ms <= 500". */
export interface Requirement {
  readonly text: string;
  /** Path into the figures. */
  readonly figure: string;
  readonly least: boolean;
  readonly value: number;
}

/** @throws ContextError USAGE for what is not of the form FIGURE>=N or FIGURE<=N */
export function parseRequirement(text: string): Requirement {
  const parts = /^([\w.]+)(>=|<=)(-?[\d.]+)$/.exec(text.replace(/\s/g, ""));
  if (parts?.[1] === undefined || parts[3] === undefined)
    throw new ContextError("USAGE", `A requirement is FIGURE>=N or FIGURE<=N, such as "systems.rerank.ndcg10>=0.6", not "${text}".`);
  return { text, figure: parts[1], least: parts[2] === ">=", value: Number(parts[3]) };
}

/** A figure that is absent or no number meets nothing. */
export function isMet({ figure, least, value }: Requirement, figures: unknown): boolean {
  const found = figureAt(figures, figure);
  return typeof found === "number" && (least ? found >= value : found <= value);
}

/** The value at a dotted path ("systems.rerank.ndcg10"); undefined where the path ends early. */
export function figureAt(figures: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((at, key) => (typeof at === "object" && at !== null ? (at as Record<string, unknown>)[key] : undefined), figures);
}
