import { z } from "zod";
import type { RecordId } from "../../core/record.ts";
import { deliveryOf, isSignedBy } from "../shared/signature.ts";

/** Headers of a delivery from Jira Cloud, in lower case: its signature, and an id that stays the same when it is sent again. */
export const jiraHeaders = { signature: "x-hub-signature", delivery: "x-atlassian-webhook-identifier" } as const;

/** Whether the delivery was signed with the webhook's secret. */
export function isSignedByJira(raw: Uint8Array, signature: string | null | undefined, secret: string): boolean {
  return isSignedBy(raw, signature, secret);
}

const Delivery = z.object({
  issue: z.object({ key: z.string() }).nullish().catch(null),
  changelog: z
    .object({ items: z.array(z.record(z.string(), z.unknown())).catch([]) })
    .nullish()
    .catch(null),
});

/** The records that a delivery is about; what it says of them is only a hint, they are read again from the API. */
export function recordsOfJiraDelivery(raw: Uint8Array): readonly RecordId[] {
  const delivery = Delivery.safeParse(deliveryOf(raw));
  if (!delivery.success || !delivery.data.issue) return [];
  const keys = [delivery.data.issue.key];
  for (const item of delivery.data.changelog?.items ?? []) {
    // a moved issue: its old key is read, too, and found to be gone
    if (item.field === "Key" && typeof item.fromString === "string") keys.push(item.fromString);
  }
  return [...new Set(keys)].map((key): RecordId => `jira:${key}`);
}
