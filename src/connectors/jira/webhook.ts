import { z } from "zod";
import type { RecordId } from "../../core/record.ts";
import { deliveryOf, isSignedBy } from "../shared/signature.ts";
import type { Webhook } from "../shared/webhook.ts";

const Delivery = z.object({
  issue: z.object({ key: z.string() }),
  changelog: z
    .object({ items: z.array(z.record(z.string(), z.unknown())).catch([]) })
    .nullish()
    .catch(null),
});

/** Deliveries of Jira Cloud: issues made, edited, deleted, linked and commented. */
export const jiraWebhook: Webhook = {
  isSigned: (headers, raw, secret) => isSignedBy(raw, headers["x-hub-signature"], secret),

  deliveryId: (headers) => headers["x-atlassian-webhook-identifier"] ?? null,

  records(_headers, raw) {
    const delivery = Delivery.safeParse(deliveryOf(raw));
    if (!delivery.success) return [];
    const keys = [delivery.data.issue.key];
    for (const item of delivery.data.changelog?.items ?? []) {
      // a moved issue: its old key is read, too, and found to be gone
      if (item.field === "Key" && typeof item.fromString === "string") keys.push(item.fromString);
    }
    return [...new Set(keys)].map((key): RecordId => `jira:${key}`);
  },
};
