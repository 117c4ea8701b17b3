import type { Check } from "../../core/connector.ts";
import { toContextError } from "../../core/errors.ts";

/** A line of doctor: what a call found, or how it failed and what to do. */
export async function checked(name: string, run: () => Promise<string>): Promise<Check> {
  try {
    return { name, ok: true, detail: await run(), remedy: null };
  } catch (error) {
    const { message, remedy } = toContextError(error);
    return { name, ok: false, detail: message, remedy };
  }
}
