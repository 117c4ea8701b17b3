import type { z } from "zod";

/** A saved cursor, or null when there is none or it is of another version or configuration: then all is pulled again. */
export function readCursor<T>(shape: z.ZodType<T>, saved: string | null): T | null {
  if (saved === null || saved === "") return null;
  try {
    const parsed = shape.safeParse(JSON.parse(saved));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
