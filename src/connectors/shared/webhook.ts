import type { RecordId } from "../../core/record.ts";

/** Headers of a delivery, names in lower case. */
export type DeliveryHeaders = Readonly<Record<string, string | undefined>>;

/** What one product's deliveries look like. All pure; `raw` is the body as it came, to the byte. */
export interface Webhook {
  /** Whether the sender knew the secret. In constant time. */
  isSigned(headers: DeliveryHeaders, raw: Uint8Array, secret: string): boolean;
  /** The same when a delivery is sent again; null where the product numbers none. */
  deliveryId(headers: DeliveryHeaders): string | null;
  /** The records it is about. What it says of them is only a hint: they are read again from the source. */
  records(headers: DeliveryHeaders, raw: Uint8Array): readonly RecordId[];
}
