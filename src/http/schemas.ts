import { z } from "zod";
import { Answer, Citation } from "../core/answer.ts";
import { type EdgeKind, edgeKinds, nodeKinds } from "../core/fact.ts";
import { LineBox } from "../core/lines.ts";

/** Shapes of requests and replies. Requests are validated with them, the OpenAPI document is made from them. */

const corpus = z.enum(["records", "documents", "all"]);
const instant = z.string().describe("ISO 8601 in UTC");

export const AskBody = z.strictObject({
  question: z.string({ error: "must be a text" }).describe("A question in plain words"),
  now: z.iso.datetime({ offset: true, error: "must be an ISO 8601 instant" }).optional().describe("Answers as of this instant"),
  corpus: corpus.optional(),
  session: z.string().max(200).optional().describe("Joins questions of one conversation"),
  stream: z.boolean().optional().describe("True: events instead of one reply, as with Accept: text/event-stream"),
  llm: z.boolean().optional().describe("False: by rules even where a model is configured"),
});

const queryText = z
  .string({ error: "is missing: put the words to look for into ?q=" })
  .trim()
  .min(1, "is empty: put the words to look for into ?q=")
  .regex(/[\p{L}\p{N}]/u, "holds no word to look for")
  .max(2000, "is longer than 2,000 characters");

export const SearchQuery = z.strictObject({
  q: queryText,
  k: z.coerce.number().int().min(1, "must be 1 to 50").max(50, "must be 1 to 50").default(5).describe("How many passages"),
  corpus: corpus.optional(),
  rerank: z
    .enum(["true", "false"])
    .default("true")
    .transform((value) => value === "true"),
});

export const SearchReply = z.object({
  query: z.string(),
  identifiers: z.array(z.string()).describe("Identifiers of the query that were looked for letter for letter"),
  missing: z.array(z.string()).describe("Those of them that nothing holds"),
  hits: z.array(
    z.object({
      rank: z.int().positive(),
      chunk: Citation,
      bm25Rank: z.int().positive().nullable(),
      vectorRank: z.int().positive().nullable(),
      cosine: z.number().nullable(),
      rrf: z.number().nullable(),
      rerank: z.number().nullable(),
    }),
  ),
  timings: z.record(z.string(), z.number()),
});

export const FailureRow = z.object({
  source: z.string(),
  id: z.string(),
  code: z.string(),
  message: z.string(),
  at: instant.optional().describe("When it happened"),
});

export const Evidence = z.object({
  record: z.string(),
  start: z.int().nonnegative(),
  end: z.int().nonnegative(),
  rule: z.string(),
  tier: z.int(),
  confidence: z.number(),
  at: instant,
});
export type Evidence = z.infer<typeof Evidence>;

const node = {
  id: z.string(),
  kind: z.enum(nodeKinds),
  label: z.string(),
};

/** Something that stands beside a service in the graph. */
export const Related = z.object({
  ...node,
  at: instant.nullable().describe("When it came to be: opened, committed, written"),
  open: z.boolean().nullable(),
  status: z.string().nullable(),
  severity: z.string().nullable(),
  author: z.string().nullable(),
  url: z.string().nullable(),
  /** The statement that ties it to the service. */
  since: instant,
  until: instant.nullable().describe("Null while it holds"),
  confidence: z.number(),
  evidence: z.array(Evidence),
  causes: z.array(z.object(node)).describe("What a record names as its cause; empty for all but incidents"),
});
export type Related = z.infer<typeof Related>;

export const ServiceView = z.object({
  id: z.string(),
  name: z.string(),
  aliases: z.array(z.string()),
  asOf: instant,
  window: z.object({ from: instant, to: instant }).nullable(),
  note: z.string().nullable().describe("Says so when another service than the named one is shown"),
  owners: z.array(Related),
  formerOwners: z.array(Related),
  openIncidents: z.array(Related),
  openTickets: z.array(Related).describe("Open tickets that affect it and are no incidents: tasks, wishes"),
  closedIncidents: z.array(Related),
  changes: z.array(Related),
  dependsOn: z.array(Related),
  dependedOnBy: z.array(Related),
  docs: z.array(z.object({ record: z.string(), title: z.string(), url: z.string().nullable(), updatedAt: instant })),
});
export type ServiceView = z.infer<typeof ServiceView>;

export const ServiceRow = z.object({
  id: z.string(),
  name: z.string(),
  owners: z.array(z.string()),
  openIncidents: z.int(),
  newestIncident: instant.nullable().describe("When the newest of the open ones was opened"),
  lastChange: instant.nullable(),
  dependsOn: z.int(),
  dependedOnBy: z.int(),
});
export type ServiceRow = z.infer<typeof ServiceRow>;

const limit = z.coerce.number().int().min(1, "must be 1 to 500").max(500, "must be 1 to 500");

export const ServicesQuery = z.strictObject({
  limit: limit.default(500),
  after: z.string().max(500).optional().describe("Goes on after this service, as `next` said"),
});
export const ServicesReply = z.object({ services: z.array(ServiceRow), total: z.int(), next: z.string().nullable() });

/** Grafana sends epoch milliseconds; people write ISO instants; an empty one is none. */
const MOMENT =
  /^(\d{1,14}|\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d))?$/;

function toDate(value: string): Date | undefined {
  return value === "" ? undefined : new Date(/^\d+$/.test(value) ? Number(value) : value);
}

const moment = z
  .string()
  .regex(MOMENT, "must be epoch milliseconds or an ISO 8601 instant")
  .transform(toDate)
  .refine((date) => date === undefined || !Number.isNaN(date.getTime()), "is no instant");

/** For pages: a link that was cut short still opens. */
export const WindowQuery = z.object({ from: moment.optional().catch(undefined), to: moment.optional().catch(undefined) });
export const StrictWindowQuery = z.strictObject({ from: moment.optional(), to: moment.optional() });

export const GraphQuery = z.strictObject({
  node: z
    .string()
    .min(1, "is empty")
    .max(500)
    .optional()
    .describe("A service, ticket, person or commit; without it and a text: all services and what they depend on"),
  text: z.string().min(1, "is empty").max(4000).optional().describe("Starts from everything that the text names"),
  hops: z.coerce.number().int().min(0, "must be 0, 1 or 2").max(2, "must be 0, 1 or 2").default(2),
  kinds: z
    .string()
    .regex(new RegExp(`^(${edgeKinds.join("|")})(,(${edgeKinds.join("|")}))*$`), `must be some of ${edgeKinds.join(",")}`)
    .transform((value) => value.split(",") as EdgeKind[])
    .optional()
    .describe("Edge kinds to follow, comma-separated"),
  at: z
    .union([z.literal("ever"), z.iso.datetime({ offset: true })])
    .optional()
    .describe("Edges that held then; `ever` for all"),
  limit: z.coerce.number().int().min(1).max(1000).default(200).describe("Most nodes"),
});

export const GraphReply = z.object({
  nodes: z.array(
    z.object({
      ...node,
      hop: z.int(),
      aliases: z.array(z.string()),
      open: z.boolean().nullable(),
      status: z.string().nullable(),
      at: instant.nullable(),
      url: z.string().nullable(),
    }),
  ),
  edges: z.array(
    z.object({
      id: z.string(),
      source: z.string(),
      target: z.string(),
      kind: z.enum(edgeKinds),
      confidence: z.number(),
      evidence: z.array(Evidence),
      validFrom: instant,
      validTo: instant.nullable(),
    }),
  ),
  leftOut: z.int(),
});

const person = z.looseObject({ name: z.string().optional(), login: z.string().optional() });
const copies = z
  .array(z.object({ id: z.string(), title: z.string(), url: z.string().nullable() }))
  .describe("Other documents with the same content, byte for byte: the first hundred");
export const RecordReply = z.object({
  record: z.looseObject({
    id: z.string(),
    source: z.string(),
    kind: z.string(),
    title: z.string(),
    url: z.string().nullable(),
    author: person.nullable(),
    createdAt: instant.nullable(),
    updatedAt: instant,
    body: z.string(),
  }),
  raw: z.unknown().describe("The payload as the source gave it, secrets redacted"),
  copies,
});

const chunk = z.looseObject({
  id: z.string(),
  ordinal: z.int(),
  of: z.int(),
  heading: z.array(z.string()),
  page: z.int().nullable(),
  text: z.string(),
  title: z.string(),
  source: z.string(),
  url: z.string().nullable(),
  span: z.object({ record: z.string(), start: z.int(), end: z.int() }),
  lines: z.array(LineBox).optional().describe("The lines of its page that it stands on, in fractions of the page; PDFs only"),
  ocr: z.number().optional().describe("Read from a picture, with this confidence"),
});
export const ChunkQuery = z.strictObject({
  around: z.coerce.number().int().min(0, "must be 0 to 5").max(5, "must be 0 to 5").default(1).describe("Neighbours on each side"),
});
export const ChunkReply = z.object({ chunk, before: z.array(chunk), after: z.array(chunk), copies });

export const IndexBody = z.strictObject({
  source: z.string().min(1).max(100).optional().describe("Only sources of this kind"),
  full: z.boolean().optional().describe("Forgets cursors and pulls all again"),
  dryRun: z.boolean().optional().describe("Prices the run, changes nothing"),
});

export const RunProgress = z.object({
  stage: z.string().nullable(),
  done: z.int(),
  total: z.int().nullable(),
  records: z.record(z.string(), z.int()),
  failures: z.int(),
});
export type RunProgress = z.infer<typeof RunProgress>;

const counts = z.record(z.string(), z.number());
export const Run = z.object({
  id: z.string(),
  trigger: z.string(),
  startedAt: instant,
  endedAt: instant.nullable(),
  status: z.enum(["running", "done", "partial", "failed", "cancelled"]),
  progress: RunProgress.nullable().describe("While it runs"),
  report: z
    .looseObject({
      runId: z.string(),
      records: counts,
      extraction: counts,
      graph: counts,
      chunks: counts,
      failures: z.array(FailureRow),
      durationMs: z.number(),
    })
    .nullable(),
});
export type Run = z.infer<typeof Run>;

export const RunsQuery = z.strictObject({ limit: limit.default(20) });
export const RunsReply = z.object({ runs: z.array(Run), running: z.string().nullable() });
export const RunStarted = z.object({ runId: z.string(), url: z.string() });

/** An earlier answer, and which of its sources read differently today. */
export const PastAnswer = z.object({
  answer: Answer,
  changed: z.array(z.object({ n: z.int(), chunkId: z.string(), change: z.enum(["edited", "gone"]), now: z.string().nullable() })),
});
export type PastAnswer = z.infer<typeof PastAnswer>;

export const NotReady = z.object({
  ready: z.boolean(),
  reasons: z.array(z.object({ code: z.string(), message: z.string(), remedy: z.string() })),
});

export const DeletedReply = z.object({ id: z.string(), chunks: z.int() });
