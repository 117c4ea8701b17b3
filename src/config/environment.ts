/** A variable that the daemon reads, besides those that the manifest refers to by `${NAME}`. */
interface Variable {
  readonly name: string;
  readonly about: string;
}

/** Every variable that code reads; docs/configuration.md is made from it, and a test compares it with the code. */
export const environment: Readonly<Record<string, readonly Variable[]>> = {
  "Language model": [
    {
      name: "CONTEXTD_LLM_BASE_URL",
      about: "An OpenAI-compatible endpoint, over `llm.baseUrl`. With neither this nor a key, everything works without a model.",
    },
    { name: "OPENAI_API_KEY", about: "Its key; alone, it means OpenAI's own endpoint." },
    { name: "CONTEXTD_LLM_CHEAP", about: "Model id, over `llm.cheap`." },
    { name: "CONTEXTD_LLM_FRONTIER", about: "Model id, over `llm.frontier`." },
    { name: "CONTEXTD_LLM_JUDGE", about: "Model id, over `llm.judge`." },
  ],
  HTTP: [
    {
      name: "CONTEXTD_TOKEN",
      about: "A bearer token with all rights; needed, unless there are named ones, as soon as the daemon listens beyond loopback.",
    },
    { name: "CONTEXTD_REQUIRE_TOKEN", about: "`1`: a token is needed on loopback too, as behind a reverse proxy." },
    { name: "CONTEXTD_ALLOWED_HOSTS", about: "Names under which a loopback daemon may be reached, comma-separated." },
    { name: "CONTEXTD_FRAME_ANCESTORS", about: "Origins that may show the pages in a frame, comma-separated." },
    { name: "CONTEXTD_GITHUB_WEBHOOK_SECRET", about: "Secret of GitHub's signed deliveries; without it they are refused." },
    { name: "CONTEXTD_JIRA_WEBHOOK_SECRET", about: "The same for Jira." },
    { name: "CONTEXTD_CONFLUENCE_WEBHOOK_SECRET", about: "The same for Confluence." },
    { name: "CONTEXTD_ALERT_FORWARD_URL", about: "Incoming webhook of a channel that gets the answers to alerts." },
  ],
  Engines: [{ name: "CHROMA_URL", about: "Where Chroma listens, for `engines.vector: chroma`; http://127.0.0.1:8000 unless told." }],
  "Logs and traces": [
    { name: "CONTEXTD_LOG", about: "debug, info, warn, error or silent." },
    { name: "ORT_DISABLE_TELEMETRY", about: "`1` unless told otherwise: the runtime of the bundled models reports to nobody." },
    { name: "OTEL_EXPORTER_OTLP_ENDPOINT", about: "OpenTelemetry collector, over `telemetry.otlpEndpoint`." },
    { name: "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", about: "The same, taken as it is." },
    { name: "OTEL_EXPORTER_OTLP_HEADERS", about: "`key=value,…`, sent with each batch." },
    { name: "OTEL_EXPORTER_OTLP_TRACES_HEADERS", about: "The same, for traces only." },
    { name: "OTEL_SERVICE_NAME", about: "What sends; `contextd` unless told." },
    { name: "OTEL_RESOURCE_ATTRIBUTES", about: "`key=value,…` of what sends." },
    { name: "OTEL_SDK_DISABLED", about: "`true`: no traces, whatever else is set." },
  ],
  Evaluation: [{ name: "CONTEXTD_EVAL_CACHE", about: "Folder that vectors are kept in between runs of `contextd eval`." }],
};
