import type { Pulled } from "../../core/connector.ts";
import { ContextError } from "../../core/errors.ts";

/** One record that does not have the expected shape, which costs this record only. */
export function unfit(id: string, why: string): Extract<Pulled, { type: "failed" }> {
  return { type: "failed", id, error: new ContextError("RECORD_INVALID", `${id} does not fit: ${why}`) };
}
