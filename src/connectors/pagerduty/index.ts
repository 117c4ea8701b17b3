import { z } from "zod";
import { defineConnector, type Io } from "../../core/connector.ts";
import { ContextError } from "../../core/errors.ts";
import { labels } from "../../core/labels.ts";
import type { Instant, SourceRecord } from "../../core/record.ts";
import { BaseUrl } from "../shared/base-url.ts";
import { checked } from "../shared/checked.ts";
import { statedOnly, toRecord } from "../shared/draft.ts";
import { issuesOf } from "../shared/jsonl.ts";
import { pullLimits } from "../shared/limits.ts";
import { distinctPeople, person } from "../shared/people.ts";
import { redactJson } from "../shared/redact.ts";
import { toInstant } from "../shared/time.ts";
import { Transport } from "../shared/transport.ts";
import { unfit } from "../shared/unfit.ts";

const DAY_MS = 86_400_000;
const PAGE_SIZE = 100;

const PagerdutyConfig = z
  .strictObject({
    kind: z.literal("pagerduty"),
    baseUrl: BaseUrl.default("https://api.pagerduty.com").describe("https://api.eu.pagerduty.com for accounts in Europe."),
    token: z.string().min(1).describe("A REST API key; read-only suffices."),
    services: z.array(z.string().min(1)).optional().describe("Names of the services to read; all of them without it."),
    daysBack: z.int().min(0).max(60).default(30).describe("Shifts that ended up to so many days ago are kept."),
    daysAhead: z.int().min(0).max(30).default(14).describe("Shifts that begin in so many days are read."),
    maxRequests: pullLimits.maxRequests,
    timeoutSeconds: pullLimits.timeoutSeconds,
  })
  .describe("Who is on call for which service, from PagerDuty");
type PagerdutyConfig = z.infer<typeof PagerdutyConfig>;

const text = z.string().nullish().catch(null);

const Service = z.object({
  id: z.string().regex(/^\w+$/),
  name: z.string().min(1),
  description: text,
  html_url: text,
  created_at: text,
  escalation_policy: z.object({ id: z.string(), summary: text }),
  teams: z.array(z.object({ summary: z.string() })).catch([]),
});
type Service = z.infer<typeof Service>;

const Oncall = z.object({
  escalation_policy: z.object({ id: z.string() }),
  escalation_level: z.number(),
  schedule: z.object({ summary: text }).nullish().catch(null),
  user: z.object({ id: z.string(), name: text, summary: text, email: text }),
  /** Both null of somebody who is always on call. */
  start: text,
  end: text,
});
type Oncall = z.infer<typeof Oncall>;

/** The shifts of each service as one record: owners in time. Small and whole, so every pull reads all of it. */
export const pagerduty = defineConnector<PagerdutyConfig>({
  kind: "pagerduty",
  config: PagerdutyConfig,
  label: ({ baseUrl, services }) => `pagerduty ${new URL(baseUrl).host}${services === undefined ? "" : ` ${services.join(",")}`}`,

  async *pull(config, io) {
    const transport = transportOf(config, io);
    const shifts = new Map<string, Oncall[]>();
    // whole days, so that a pull an hour later asks for the same shifts
    const today = Math.floor(transport.now().getTime() / DAY_MS) * DAY_MS;
    const since = new Date(today - config.daysBack * DAY_MS).toISOString();
    const until = new Date(today + (config.daysAhead + 1) * DAY_MS).toISOString();
    for await (const payload of list(config, transport, "oncalls", { since, until, "include[]": "users" })) {
      const oncall = Oncall.safeParse(payload);
      if (!oncall.success) yield unfit("pagerduty:oncall:unknown", issuesOf(oncall.error));
      else {
        const policy = oncall.data.escalation_policy.id;
        shifts.set(policy, [...(shifts.get(policy) ?? []), oncall.data]);
      }
    }
    const now = transport.now().toISOString();
    for await (const payload of list(config, transport, "services", { sort_by: "name" })) {
      const service = Service.safeParse(payload);
      if (!service.success) yield unfit("pagerduty:service:unknown", issuesOf(service.error));
      else if (config.services === undefined || config.services.includes(service.data.name)) {
        const own = shifts.get(service.data.escalation_policy.id) ?? [];
        yield { type: "record", record: serviceToRecord(service.data, own, now), raw: redactJson({ ...service.data, oncalls: own }) };
      }
    }
    yield { type: "end", scan: "full" };
  },

  async check(config, io) {
    const transport = transportOf(config, io, 1);
    const run = (what: "services" | "oncalls") => async () => {
      for await (const _ of list(config, transport, what, {}, 1)) break;
      return "readable";
    };
    const name = `pagerduty ${new URL(config.baseUrl).host}`;
    return [await checked(`${name} services`, run("services")), await checked(`${name} on-call shifts`, run("oncalls"))];
  },
});

/** Items of a list by offset, as far as there are more. */
async function* list(
  { baseUrl }: PagerdutyConfig,
  transport: Transport,
  what: "services" | "oncalls",
  query: Readonly<Record<string, string>>,
  limit = PAGE_SIZE,
): AsyncGenerator<unknown> {
  const Page = z.object({ [what]: z.array(z.unknown()), more: z.boolean().nullish() });
  for (let offset = 0; ; ) {
    const parameters = new URLSearchParams({ ...query, limit: String(limit), offset: String(offset) });
    const page = Page.safeParse(await transport.json(`${baseUrl}/${what}?${parameters}`));
    if (!page.success) throw new ContextError("SOURCE_BAD_REPLY", `PagerDuty's answer at /${what} does not fit: ${issuesOf(page.error)}`);
    const items = page.data[what] as readonly unknown[];
    yield* items;
    if (page.data.more !== true || items.length === 0) return;
    offset += items.length;
  }
}

/** "On call: Rahul Sharma for checkout-api from 2026-03-09T08:00:00Z to 2026-03-16T08:00:00Z", a line a shift. */
function serviceToRecord(service: Service, oncalls: readonly Oncall[], now: Instant): SourceRecord {
  const shifts = oncalls
    .map((oncall) => ({
      ...oncall,
      start: toInstant(oncall.start),
      end: toInstant(oncall.end),
      name: oncall.user.name ?? oncall.user.summary ?? "",
    }))
    .filter(({ name }) => name !== "")
    .sort(
      (a, b) => a.escalation_level - b.escalation_level || (a.start ?? "").localeCompare(b.start ?? "") || a.name.localeCompare(b.name),
    );
  const lines = shifts.map(({ name, start, end, schedule, escalation_level: level }) => {
    const time = `${start ? ` from ${start}` : ""}${end ? ` to ${end}` : ""}`;
    const how = [level > 1 ? `level ${level}` : "", schedule?.summary ?? ""].filter((part) => part !== "").join(", ");
    return `On call: ${name} for ${service.name}${time}${how === "" ? "" : ` (${how})`}`;
  });
  const rota = rotaOf(
    service.name,
    shifts.filter((shift) => shift.escalation_level === 1),
  );
  const createdAt = toInstant(service.created_at);
  // a record is as new as the shift that runs, so that nothing changes while nobody takes over
  const began = shifts.flatMap(({ start }) => (start !== null && start <= now ? [start] : [])).sort();
  return toRecord({
    id: `pagerduty:service:${service.id}`,
    source: "web",
    kind: "page",
    title: `On-call schedule of ${service.name}`,
    url: service.html_url ?? null,
    author: null,
    bot: false,
    createdAt,
    updatedAt: began.at(-1) ?? createdAt ?? "1970-01-01T00:00:00Z",
    prose: { text: [`On-call schedule of ${service.name}`, service.description, rota, lines.join("\n")].filter(Boolean).join("\n\n") },
    footer: [
      { label: labels.service, value: service.name },
      { label: labels.ancestors, value: service.escalation_policy.summary },
      { label: labels.teams, value: service.teams.map(({ summary }) => summary) },
    ],
    fields: statedOnly({
      service: service.name,
      people: distinctPeople(shifts.map(({ name, user }) => person({ name, email: user.email }))),
    }),
  });
}

/** The first level as people write a rota down, who takes over on which day, which is how questions for it are answered. */
function rotaOf(name: string, shifts: readonly { readonly name: string; readonly start: Instant | null }[]): string | null {
  const dated = shifts.flatMap((shift) => (shift.start === null ? [] : [{ name: shift.name, start: shift.start }]));
  const last = dated.at(-1);
  if (last === undefined) return null;
  const rows = dated.map((shift) => `${shift.start.slice(0, 10)} | ${shift.name}`);
  return [`On-call rota, handover at ${last.start.slice(11, 16)} UTC:`, "", `From | ${name}`, ...rows].join("\n");
}

function transportOf(config: PagerdutyConfig, io: Io, tries?: number): Transport {
  return new Transport({
    io,
    product: "PagerDuty",
    baseUrl: config.baseUrl,
    headers: { accept: "application/vnd.pagerduty+json;version=2", authorization: `Token token=${config.token}` },
    limits: { ...config, concurrency: 1 },
    explain: ({ status }) => {
      if (status === 401)
        return { remedy: "Make a new REST API key (Integrations, API Access Keys); check that baseUrl is of its region." };
      return status === 403 ? { remedy: "Give the key the scopes services.read, schedules.read and oncalls.read." } : null;
    },
    ...(tries === undefined ? {} : { tries }),
  });
}
