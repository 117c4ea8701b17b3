import { z } from "zod";
import type { Connector } from "../core/connector.ts";
import { confluence } from "./confluence/index.ts";
import { documents } from "./documents/index.ts";
import { github } from "./github/index.ts";
import { jira } from "./jira/index.ts";
import { logs } from "./logs/index.ts";
import { records } from "./records/index.ts";
import { statuspage } from "./statuspage/index.ts";

/** Every kind of source: a new one is its folder and its line here. */
export const connectors = [jira, github, confluence, logs, records, documents, statuspage] as const;

type ConfigOf<C> = C extends Connector<infer Config> ? Config : never;

/** One entry of the manifest's `sources`, told apart by `kind`. */
export type SourceConfig = ConfigOf<(typeof connectors)[number]>;

// the connectors' own type hides what z.discriminatedUnion asks for: that each of them is an object with a literal kind
const configs = connectors.map((connector) => connector.config) as unknown as readonly [z.core.$ZodTypeDiscriminable];

export const SourceConfig: z.ZodType<SourceConfig> = z.discriminatedUnion("kind", configs) as unknown as z.ZodType<SourceConfig>;

/** The connector that a configured source belongs to. */
export function connectorOf(config: SourceConfig): Connector<SourceConfig> {
  const found = (connectors as readonly { readonly kind: string }[]).find((connector) => connector.kind === config.kind);
  return found as Connector<SourceConfig>;
}
