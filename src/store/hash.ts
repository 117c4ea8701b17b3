import { hash } from "node:crypto";

/** JSON with sorted keys and without undefined: equal values give equal text on every machine. */
export function stableJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    part !== null && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : part,
  );
}

/** sha256 in hex. */
export function sha256(text: string): string {
  return hash("sha256", text, "hex");
}

/** sha256 of a value's content; the order of keys does not count. */
export function contentHash(value: unknown): string {
  return sha256(stableJson(value));
}
