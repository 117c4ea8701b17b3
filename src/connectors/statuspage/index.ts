import { z } from "zod";
import { defineConnector, type Io } from "../../core/connector.ts";
import { ContextError } from "../../core/errors.ts";
import { labels } from "../../core/labels.ts";
import type { SourceRecord } from "../../core/record.ts";
import { BaseUrl } from "../shared/base-url.ts";
import { checked } from "../shared/checked.ts";
import { statedOnly, toRecord } from "../shared/draft.ts";
import { issuesOf } from "../shared/jsonl.ts";
import { redactJson } from "../shared/redact.ts";
import { toInstant } from "../shared/time.ts";
import { Transport } from "../shared/transport.ts";

const StatuspageConfig = z
  .strictObject({
    kind: z.literal("statuspage"),
    baseUrl: BaseUrl.describe("A public status page, such as https://www.githubstatus.com."),
  })
  .describe("Incidents of a vendor's status page (Atlassian Statuspage)");
type StatuspageConfig = z.infer<typeof StatuspageConfig>;

const Incident = z.object({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  impact: z.string().nullish(),
  shortlink: z.string().nullish(),
  created_at: z.string(),
  updated_at: z.string().nullish(),
  resolved_at: z.string().nullish(),
  components: z.array(z.object({ name: z.string() })).catch([]),
  incident_updates: z.array(z.object({ body: z.string(), created_at: z.string() })).catch([]),
});
type Incident = z.infer<typeof Incident>;

/** The 50 latest incidents of a status page that runs on Statuspage; older ones stay as they were read. */
export const statuspage = defineConnector<StatuspageConfig>({
  kind: "statuspage",
  config: StatuspageConfig,
  label: (config) => `statuspage ${config.baseUrl}`,

  async *pull(config, io) {
    for (const payload of await incidents(config, io)) {
      const incident = Incident.safeParse(payload);
      if (incident.success) {
        yield { type: "record", record: incidentToRecord(incident.data), raw: redactJson(payload) };
      } else {
        const error = new ContextError("RECORD_INVALID", `An incident of ${config.baseUrl} does not fit: ${issuesOf(incident.error)}`);
        yield { type: "failed", id: "statuspage:unknown", error };
      }
    }
    // the list shows the latest only: what it does not show is not gone
    yield { type: "end", scan: "delta" };
  },

  async check(config, io) {
    const run = async () => `readable, ${(await incidents(config, io, 1)).length} incidents`;
    return [await checked(`statuspage ${config.baseUrl}`, run)];
  },
});

async function incidents({ baseUrl }: StatuspageConfig, io: Io, tries?: number): Promise<readonly unknown[]> {
  const limits = { maxRequests: 10, concurrency: 1, timeoutSeconds: 30 };
  const transport = new Transport({
    io,
    product: "The status page",
    baseUrl,
    headers: { accept: "application/json" },
    limits,
    ...(tries ? { tries } : {}),
  });
  const page = z.object({ incidents: z.array(z.unknown()) }).safeParse(await transport.json(`${baseUrl}/api/v2/incidents.json`));
  if (page.success) return page.data.incidents;
  throw new ContextError("SOURCE_BAD_REPLY", `${baseUrl} answers, but not as a status page does: ${issuesOf(page.error)}`);
}

function incidentToRecord(incident: Incident): SourceRecord {
  const updates = [...incident.incident_updates].sort((a, b) => a.created_at.localeCompare(b.created_at));
  const components = incident.components.map((component) => component.name);
  const createdAt = toInstant(incident.created_at);
  const resolvedAt = toInstant(incident.resolved_at);
  return toRecord({
    id: `statuspage:${incident.id}`,
    source: "web",
    kind: "ticket",
    title: incident.name,
    url: incident.shortlink ?? null,
    author: null,
    bot: false,
    createdAt,
    updatedAt: toInstant(incident.updated_at) ?? createdAt ?? "1970-01-01T00:00:00Z",
    prose: { text: [incident.name, ...updates.map((update) => update.body)].join("\n\n") },
    footer: [
      { label: labels.status, value: incident.status },
      { label: labels.severity, value: incident.impact },
      { label: labels.components, value: components },
      { label: labels.opened, value: createdAt },
      { label: labels.resolved, value: resolvedAt },
    ],
    fields: statedOnly({
      ticketType: "Incident",
      status: incident.status,
      open: resolvedAt === null,
      severity: incident.impact,
      components,
      resolvedAt,
    }),
  });
}
