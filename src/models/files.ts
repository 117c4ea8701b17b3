import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ContextError } from "../core/errors.ts";

/** The folder with the bundled models: beside src in a checkout, beside dist in an installed package. */
export const modelsDir = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "models");

/**
 * Path of a file of a model.
 * @throws ContextError MODEL_MISSING that names the file
 */
export function modelFile(folder: string, ...parts: readonly string[]): string {
  const path = join(folder, ...parts);
  if (!existsSync(path)) throw new ContextError("MODEL_MISSING", `The model file ${path} is missing.`);
  return path;
}

export function modelJson(folder: string, ...parts: readonly string[]): unknown {
  return JSON.parse(readFileSync(modelFile(folder, ...parts), "utf8"));
}
