import { createHash, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { RecordId } from "../../core/record.ts";
import { deliveryOf, isSignedBy } from "../shared/signature.ts";
import type { Webhook } from "../shared/webhook.ts";

const id = z.union([z.string(), z.number()]).transform(String);
const content = z.object({ id }).optional().catch(undefined);
const Delivery = z.object({ page: content, blog: content, blogpost: content, content, pageId: id.optional().catch(undefined) });

/**
 * Deliveries about Confluence pages. Confluence Cloud signs nothing that an administrator can set up: an app signs as
 * Jira does, an automation rule can only send a fixed header, `x-contextd-secret`.
 */
export const confluenceWebhook: Webhook = {
  isSigned(headers, raw, secret) {
    const given = headers["x-contextd-secret"];
    if (given !== undefined && secret !== "") return timingSafeEqual(digest(given), digest(secret));
    return isSignedBy(raw, headers["x-hub-signature"], secret);
  },

  deliveryId: (headers) => headers["x-atlassian-webhook-identifier"] ?? null,

  records(_headers, raw) {
    const parsed = Delivery.safeParse(deliveryOf(raw));
    if (!parsed.success) return [];
    const { page, blog, blogpost, content: any, pageId } = parsed.data;
    const post = blog ?? blogpost;
    const found = page?.id ?? pageId ?? any?.id;
    return [...(post ? [`confluence:blogpost:${post.id}` as RecordId] : []), ...(found ? [`confluence:page:${found}` as RecordId] : [])];
  },
};

/** Of equal length whatever is hashed, as the comparison wants it. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
