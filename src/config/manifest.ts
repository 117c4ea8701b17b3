import { z } from "zod";
import { isLoopback } from "../connectors/shared/base-url.ts";
import { ContextError } from "../core/errors.ts";
import { OidcSettings } from "../core/oidc.ts";
import { problemOf } from "../core/schema-problem.ts";
import { WebSearchConfig } from "../websearch/config.ts";

/** An IANA time zone that this machine knows. */
const TimeZone = z.string().refine(
  (zone) => {
    try {
      new Intl.DateTimeFormat("en", { timeZone: zone });
      return true;
    } catch {
      return false;
    }
  },
  { error: "is no known time zone, such as UTC or Europe/Berlin" },
);

const Names = z.record(z.string().min(1), z.array(z.string().min(1)));

/** An address that is itself a secret, so that nobody on the way may read it. */
const WebhookUrl = z.url().refine(
  (text) => {
    const { protocol, hostname } = new URL(text);
    return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
  },
  { error: "must begin with https://; plain http is accepted for loopback only" },
);

const Schedule = z.strictObject({
  cron: z.string().default("0 2 * * *").describe("When the index is brought up to date, in cron's five fields."),
  timezone: TimeZone.default("UTC").describe("IANA time zone of the clock that `cron` means."),
  jitterSeconds: z
    .int()
    .min(0)
    .max(3600)
    .default(0)
    .describe("A run begins up to so many seconds late, at random, so that many daemons do not all ask a source at once."),
  failureWebhook: WebhookUrl.optional().describe(
    "Incoming webhook (Slack, Mattermost or your own) that is told when a planned run failed, or a source of it. The address is a secret: `${NAME}`.",
  ),
});

const days = (fallback: number): z.ZodDefault<z.ZodInt> => z.int().min(1).max(36_500).default(fallback);

const Retention = z.strictObject({
  runDays: days(365).describe("Index runs in the history; the newest hundred stay in any case."),
  answerDays: days(365).describe("Answers behind their permanent links."),
  replyDays: days(180).describe("Replies of models to what was asked of them before."),
});

const Llm = z.strictObject({
  cheap: z.string().min(1).describe("Model id for extraction and rewriting."),
  frontier: z.string().min(1).describe("Model id for hard prose, answers and the judge."),
  judge: z.string().min(1).optional().describe("Model id of the judge, where it should be another one than the writer."),
  baseUrl: z.url().optional().describe("OpenAI-compatible endpoint; CONTEXTD_LLM_BASE_URL overrides it."),
  timeoutSeconds: z.number().positive().max(600).default(60).describe("Longest wait for one reply."),
  guard: z
    .boolean()
    .default(false)
    .describe("Let the cheap model look at questions that the guard's rules let through; it can only block."),
  verifier: z
    .boolean()
    .default(false)
    .describe(
      "Ask the cheap model about each claim of a draft that the rules do not refute; it can lower a label, or settle an uncertain one.",
    ),
  budgetUsd: z
    .strictObject({
      perRun: z.number().nonnegative().default(1).describe("Most that one index run may spend, US dollars."),
      perDay: z.number().nonnegative().default(5).describe("Most that may be spent on one day (UTC), questions included, US dollars."),
    })
    .default({ perRun: 1, perDay: 5 })
    .describe("What a call can cost at most is reserved before it is made; what does not fit is answered by rules."),
  prices: z
    .record(z.string(), z.strictObject({ inputPerMillion: z.number().nonnegative(), outputPerMillion: z.number().nonnegative() }))
    .default({})
    .describe("US dollars per million tokens, by model id; overrides the built-in table."),
});

const Models = z.strictObject({
  embedding: z
    .string()
    .min(1)
    .default("bundled")
    .describe(
      '"bundled" (MiniLM int8), "static-256" (no neural net), a folder with an ONNX model, the id of one on a hub, or "openai:<model>".',
    ),
  reranker: z
    .string()
    .min(1)
    .default("bundled")
    .describe('"bundled" (late interaction), a folder with a cross-encoder, the id of one on a hub, or "none".'),
});

const Telemetry = z.strictObject({
  otlpEndpoint: z
    .url()
    .optional()
    .describe(
      "OpenTelemetry collector that takes traces over HTTP, such as http://127.0.0.1:4318; OTEL_EXPORTER_OTLP_ENDPOINT overrides it.",
    ),
  headers: z.record(z.string(), z.string()).default({}).describe("Sent with each batch, such as a collector's key."),
  content: z.boolean().default(false).describe("Write questions, answers, prompts and tool arguments into spans."),
});

const Engines = z.strictObject({
  lexical: z.enum(["sqlite"]).default("sqlite").describe("Where words are searched."),
  vector: z
    .enum(["embedded", "chroma"])
    .default("embedded")
    .describe("Where vectors are searched: in this process, or by Chroma at CHROMA_URL."),
});

/**
 * The manifest's schema over the source kinds that are registered.
 * Strict: a key that is not known is an error that names it.
 */
export function manifestSchema<Source extends z.ZodType>(source: Source) {
  return z.strictObject({
    $schema: z.string().optional().describe("For editors: ./manifest.schema.json."),
    name: z.string().min(1).describe("Shown on the page and in answers."),
    now: z.iso
      .datetime()
      .optional()
      .describe("Fixes the clock, for a world that is finished; every answer says that it speaks as of then."),
    sources: z.array(source),
    aliases: Names.default({}).describe("Service name to the other names people use for it. These always win over learned ones."),
    sourcePaths: Names.default({}).describe("Service name to path prefixes of its files; the longest prefix wins."),
    merges: z
      .strictObject({
        undo: z.array(z.string().min(1)).default([]).describe("Ids of merges (`contextd graph merges`) that are taken back."),
      })
      .default({ undo: [] }),
    oidc: OidcSettings.optional().describe("Takes access tokens of an OpenID Connect provider over HTTP."),
    uploads: z
      .strictObject({
        visibleTo: z
          .array(z.string().min(1))
          .min(1)
          .optional()
          .describe("Groups that may upload, and see what was uploaded. Absent: everybody."),
        ocr: z
          .boolean()
          .default(false)
          .describe("Read pages of PDFs that are pictures, in what is uploaded or given to `contextd ingest`."),
      })
      .prefault({})
      .describe("Documents that are uploaded over HTTP."),
    schedule: Schedule.prefault({}),
    retention: Retention.prefault({}).describe("How long what is old is kept; looked at after each planned run."),
    llm: Llm.optional(),
    models: Models.default({ embedding: "bundled", reranker: "bundled" }),
    engines: Engines.default({ lexical: "sqlite", vector: "embedded" }),
    webSearch: WebSearchConfig.optional(),
    telemetry: Telemetry.default({ headers: {}, content: false }),
  });
}

type ManifestOf<Source extends z.ZodType> = z.infer<ReturnType<typeof manifestSchema<Source>>>;
/** A manifest whose sources are not looked into here; each connector knows its own block. */
export type Manifest = ManifestOf<z.ZodType<{ readonly kind: string }>>;

const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/**
 * Replaces `${NAME}` in every string from the environment.
 * @param missing collects the references that the environment lacks, with the key where each stands
 */
function substitute(value: unknown, env: Readonly<Record<string, string | undefined>>, path: string, missing: string[]): unknown {
  if (typeof value === "string") {
    return value.replace(REFERENCE, (whole, name: string) => {
      const found = env[name];
      if (found === undefined || found === "") {
        missing.push(`${path}: ${whole} is not set in the environment`);
        return whole;
      }
      return found;
    });
  }
  if (Array.isArray(value)) return value.map((one, index) => substitute(one, env, `${path}[${index}]`, missing));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, substitute(one, env, path === "" ? key : `${path}.${key}`, missing)]),
    );
  }
  return value;
}

/**
 * A manifest file's text to its checked form. All problems are reported together.
 * @param file named in messages
 * @throws ContextError CONFIG_INVALID with every key, its problem and its place; CONFIG_ENV_MISSING when only references are missing
 */
export function parseManifest<Source extends z.ZodType>(
  text: string,
  source: Source,
  env: Readonly<Record<string, string | undefined>>,
  file: string,
): ManifestOf<Source> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new ContextError("CONFIG_INVALID", `${file} is not valid JSON: ${(error as Error).message}`, {
      cause: error,
      remedy: "Correct the JSON at the named place: often a missing comma or quotation mark.",
    });
  }
  const missing: string[] = [];
  const substituted = substitute(json, env, "", missing);
  const result = manifestSchema(source).safeParse(substituted);
  const problems = result.success
    ? []
    : result.error.issues.flatMap((issue) => describeIssue(issue, substituted)).filter((one) => !isReferenceProblem(one, missing));
  if (problems.length > 0) {
    throw new ContextError(
      "CONFIG_INVALID",
      `${file} has ${count(problems.length + missing.length, "problem")}:\n${[...problems, ...missing].map((one) => `  ${one}`).join("\n")}`,
      {
        detail: { problems: [...problems, ...missing] },
      },
    );
  }
  if (missing.length > 0 || !result.success) {
    throw new ContextError(
      "CONFIG_ENV_MISSING",
      `${file} refers to variables that are not set:\n${missing.map((one) => `  ${one}`).join("\n")}`,
      {
        detail: { missing },
      },
    );
  }
  return result.data;
}

/** A key that only fails because its variable is missing is told once, as missing. */
function isReferenceProblem(problem: string, missing: readonly string[]): boolean {
  return missing.some((one) => problem.startsWith(`${one.slice(0, one.indexOf(": $"))}:`));
}

function describeIssue(issue: z.core.$ZodIssue, root: unknown): string[] {
  const path = issue.path.reduce<string>(
    (text, key) => (typeof key === "number" ? `${text}[${key}]` : text === "" ? String(key) : `${text}.${String(key)}`),
    "",
  );
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => `${path === "" ? key : `${path}.${key}`}: is not a known key`);
  const value = issue.path.reduce<unknown>(
    (at, key) => (typeof at === "object" && at !== null ? (at as Record<PropertyKey, unknown>)[key] : undefined),
    root,
  );
  const shown = value === undefined ? "" : ` (it is ${JSON.stringify(value)?.slice(0, 60)})`;
  return [`${path === "" ? "the manifest" : path}: ${problemOf(issue, value === undefined)}${shown}`];
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}

/** The manifest's JSON Schema, for editors; checked in as manifest.schema.json. */
export function manifestJsonSchema(source: z.ZodType): object {
  const schema = z.toJSONSchema(manifestSchema(source), { io: "input", unrepresentable: "any" });
  return { title: "contextd manifest", ...schema };
}
