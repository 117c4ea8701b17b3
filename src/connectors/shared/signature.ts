import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * Whether "sha256=<hex>" is the HMAC-SHA256 of the bytes as they came. In constant time.
 * The bytes must be the raw body: parsed and written again, JSON is another text.
 */
export function isSignedBy(raw: Uint8Array, header: string | null | undefined, secret: string): boolean {
  const hex = /^sha256=([0-9a-f]{64})$/i.exec(header?.trim() ?? "")?.[1];
  if (hex === undefined || secret === "") return false;
  return timingSafeEqual(Buffer.from(hex, "hex"), createHmac("sha256", secret).update(raw).digest());
}

/** The JSON of a delivery's body; null when it is none. */
export function deliveryOf(raw: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(raw));
  } catch {
    return null;
  }
}
