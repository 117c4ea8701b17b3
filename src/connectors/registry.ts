import { z } from "zod";
import type { Connector } from "../core/connector.ts";
import type { VisibleTo } from "../core/visibility.ts";
import { confluence } from "./confluence/index.ts";
import { documents } from "./documents/index.ts";
import { github } from "./github/index.ts";
import { jira } from "./jira/index.ts";
import { logs } from "./logs/index.ts";
import { loki } from "./loki/index.ts";
import { opensearch } from "./opensearch/index.ts";
import { pagerduty } from "./pagerduty/index.ts";
import { records } from "./records/index.ts";
import { statuspage } from "./statuspage/index.ts";

/** Every kind of source: a new one is its folder and its line here. */
export const connectors = [jira, github, confluence, logs, records, documents, statuspage, loki, opensearch, pagerduty] as const;

type ConfigOf<C> = C extends Connector<infer Config> ? Config : never;

/** One entry of the manifest's `sources`, told apart by `kind`. */
export type SourceConfig = ConfigOf<(typeof connectors)[number]> & { readonly visibleTo?: VisibleTo };

const Groups = z.array(z.string().min(1)).min(1);
const visibleTo = z
  .union([Groups, z.record(z.string().min(1), Groups)])
  .optional()
  .describe(
    'Groups that may see it: a list for all of it, or an object from a project, space, repository or folder to its list ("*": all others). Absent: everybody.',
  );

/** Places that a rule names and the source does not pull: a mistyped one would hide nothing. Folders are not listed anywhere. */
function unlisted(given: Readonly<Record<string, unknown>>): readonly string[] {
  const pulled = given.projects ?? given.spaces ?? given.repositories;
  if (!Array.isArray(pulled) || typeof given.visibleTo !== "object" || Array.isArray(given.visibleTo) || given.visibleTo === null)
    return [];
  const known = pulled.map((place) => `${String(place).toLowerCase()}/`);
  return Object.keys(given.visibleTo).filter((place) => place !== "*" && !known.some((one) => one.startsWith(`${place.toLowerCase()}/`)));
}

// the connectors' own type hides that each of them is an object with a literal kind
const configs = connectors.map(({ config }) => {
  const block = config as unknown as z.ZodObject;
  return block
    .safeExtend({ visibleTo })
    .superRefine((given, context) => {
      for (const place of unlisted(given)) {
        context.addIssue({ code: "custom", path: ["visibleTo", place], message: "is none of the places that are pulled" });
      }
    })
    .describe(block.description ?? "");
}) as unknown as readonly [z.core.$ZodTypeDiscriminable];

export const SourceConfig: z.ZodType<SourceConfig> = z.discriminatedUnion("kind", configs) as unknown as z.ZodType<SourceConfig>;

/** The connector that a configured source belongs to. */
export function connectorOf(config: SourceConfig): Connector<SourceConfig> {
  const found = (connectors as readonly { readonly kind: string }[]).find((connector) => connector.kind === config.kind);
  return found as Connector<SourceConfig>;
}
