import { randomUUID } from "node:crypto";
import { createServer as createHttpServer } from "node:http";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import compression from "compression";
import express, { type Express, type NextFunction, type Request, type Response } from "express";
import helmet from "helmet";
import type { App, Reading } from "../core/app.ts";
import type { Log } from "../core/connector.ts";
import { ContextError } from "../core/errors.ts";
import { accessLog, markRoute, requestId, requestIds } from "./access-log.ts";
import { Arrivals } from "./arrivals.ts";
import { type AuthOptions, type Caller, guardOrigin, isLoopback, needs, singleToken, type VerifyToken, viewerOf } from "./auth.ts";
import { docsPage } from "./docs-page.ts";
import { type ConfiguredHook, HookInbox, type HookName } from "./hooks.ts";
import { type LimitOptions, Limits } from "./limits.ts";
import { drain, listen } from "./listen.ts";
import type { Login } from "./login.ts";
import { Metrics } from "./metrics.ts";
import { openApi } from "./openapi.ts";
import { withServedLinks } from "./originals.ts";
import { defaultWebRoot, Pages } from "./pages.ts";
import { fromThrown, refuseUnread, sendProblem, validate } from "./problem.ts";
import { type Context, clientSignal, type Route } from "./route.ts";
import { routes } from "./routes/all.ts";
import { RunTracker } from "./runs.ts";
import { Streams } from "./streams.ts";
import { type UploadLimits, Uploads } from "./uploads.ts";

export interface ServerOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** One token with all rights (CONTEXTD_TOKEN). */
  readonly token?: string | null;
  /** What the command line on this machine shows: it stands in the data folder. */
  readonly localKey?: string;
  /** Named tokens; asked when `token` does not match. */
  readonly tokens?: { verify(token: string): Caller | null; list(): readonly unknown[] };
  /** Access tokens of an identity provider; asked when neither fits. */
  readonly oidc?: VerifyToken | null;
  /** Lets people log in on the page. */
  readonly login?: Login | null;
  /** True: a token is needed on loopback too, as behind a reverse proxy. */
  readonly requireToken?: boolean;
  /** Host names beside loopback ones under which a loopback daemon may be reached. */
  readonly allowedHosts?: readonly string[];
  /** Origins that may show the pages in a frame (a dashboard); none by default. */
  readonly frameAncestors?: readonly string[];
  readonly log: Log;
  readonly version: string;
  readonly webRoot?: string;
  readonly heartbeatMs?: number;
  readonly limits?: Partial<LimitOptions>;
  /** How long a question goes on without its client, which may take its stream up again; in ms. */
  readonly graceMs?: number;
  /** Adds figures of the process (memory, event loop) to /metrics. */
  readonly processMetrics?: boolean;
  /** How long open requests may take to end on stop, in ms. */
  readonly drainMs?: number;
  readonly newId?: () => string;
  /** Secrets of signed deliveries; a product without one is refused. */
  readonly hooks?: Partial<Record<HookName, ConfiguredHook>>;
  /** Incoming webhook of a channel that gets the answers to alerts. */
  readonly forwardAlertsTo?: string | null;
  /** Folder of uploaded documents, of the daemon's own; no uploads without it. */
  readonly uploads?: { readonly root: string } & Partial<UploadLimits>;
}

export interface HttpServer {
  /** Binds. @throws ContextError PORT_IN_USE, CONFIG_INVALID */
  start(): Promise<{ readonly url: string; readonly port: number }>;
  /** Takes no more, lets open requests end, cuts what is left after `drainMs`. */
  stop(): Promise<void>;
}

const BODY_LIMIT = "256kb";
/** Bytes: the longest query text, percent-encoded, and room for the rest. */
const MAX_HEADERS = 64_000;
const UPLOAD_LIMITS: UploadLimits = { maxFileBytes: 50e6, maxFiles: 20 };
/** Browser builds of the layout library, as those of pdf.js served from node_modules: the page loads nothing from elsewhere. */
const vendored = ["d3-dispatch", "d3-quadtree", "d3-timer", "d3-force"] as const;

/** The daemon's HTTP side over `app`; nothing listens until `start`. */
export function createServer(app: App, options: ServerOptions): HttpServer {
  const closing = new AbortController();
  const stopping = new AbortController();
  const arrivals = new Arrivals(() => performance.now());
  const common = { maxWaitMs: 30_000, perMinute: null, clock: () => performance.now(), settled: () => arrivals.settled() };
  const limits = new Limits({ ...common, concurrency: 8, queue: 256, ...options.limits });
  // two or three at a time keep the cores busy; more of them at once would only all be late
  const searches = new Limits({ ...common, concurrency: 3, queue: 512 });
  const newId = options.newId ?? randomUUID;
  const auth = authOf(options);
  const seen = (res: Response): Promise<Reading> => app.as(viewerOf(auth, res), clientSignal(res, stopping.signal));
  const context: Context = {
    daemon: app,
    reading: async (res) => withServedLinks(await seen(res)),
    original: async (id, res) => (await seen(res)).record(id)?.record ?? null,
    log: options.log,
    auth,
    login: options.login ?? null,
    runs: new RunTracker(app, options.log, stopping.signal),
    streams: new Streams({ graceMs: options.graceMs ?? 3_000, stopping: stopping.signal, newId }),
    metrics: new Metrics(app, { questions: limits, searches }, { version: options.version, process: options.processMetrics ?? true }),
    settled: common.settled,
    limits,
    searches,
    pages: new Pages(options.webRoot ?? defaultWebRoot),
    version: options.version,
    heartbeatMs: options.heartbeatMs ?? 15_000,
    closing: closing.signal,
    stopping: stopping.signal,
    newId,
    hooks: new HookInbox(app, options.log, options.hooks ?? {}, stopping.signal),
    forwardTo: options.forwardAlertsTo || null,
    uploads: options.uploads === undefined ? null : new Uploads(options.uploads.root, { ...UPLOAD_LIMITS, ...options.uploads }, newId),
  };
  const underWay = new Set<Promise<void>>();
  const server = createHttpServer({ maxHeaderSize: MAX_HEADERS }, build(context, options, underWay));
  arrivals.watch(server);
  server.on("clientError", refuseUnread);
  // longer than the idle time of common proxies, so that they close first and no request meets a closing socket
  server.keepAliveTimeout = 75_000;
  return {
    async start() {
      if (auth.required && !options.token && !options.oidc && !options.tokens?.list().length) {
        throw new ContextError("CONFIG_INVALID", `Listening on ${options.host} needs a token: others can reach it.`, {
          remedy: "Set CONTEXTD_TOKEN to a long random text, make one with `contextd token add`, or listen on 127.0.0.1.",
        });
      }
      await context.uploads?.clear();
      return listen(server, options.host, options.port);
    },
    async stop() {
      closing.abort();
      await drain(server, options.drainMs ?? 8_000, () => stopping.abort());
      stopping.abort();
      // work whose client has left too: what it uses is closed after this
      await Promise.all([context.runs.settled(), context.hooks.settled(), context.streams.settled(), Promise.allSettled([...underWay])]);
    },
  };
}

function authOf(options: ServerOptions): AuthOptions {
  const { token: given, localKey, tokens: named, oidc = null } = options;
  const first = given ? singleToken(given, { name: "CONTEXTD_TOKEN", scope: "admin", groups: [] }) : null;
  const local = localKey === undefined ? null : singleToken(localKey, { name: "command line", scope: "admin", groups: [], local: true });
  const verify: VerifyToken = (token) => first?.(token) ?? local?.(token) ?? named?.verify(token) ?? oidc?.(token) ?? null;
  const session = (req: Request): Caller | null => options.login?.sessions.find(req)?.caller ?? null;
  return { required: options.requireToken === true || !isLoopback(options.host), verify, session };
}

function build(context: Context, options: ServerOptions, underWay: Set<Promise<void>>): Express {
  const web = express();
  web.disable("x-powered-by");
  web.set("query parser", "simple");
  web.use(requestIds(context.newId), accessLog(context));
  web.use(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'none'"],
          scriptSrc: ["'self'"],
          styleSrc: ["'self'"],
          imgSrc: ["'self'", "data:"],
          connectSrc: ["'self'"],
          manifestSrc: ["'self'"],
          formAction: ["'self'"],
          baseUri: ["'none'"],
          frameAncestors: options.frameAncestors?.length ? ["'self'", ...options.frameAncestors] : ["'none'"],
        },
      },
      // the frame-ancestors directive says it better; this older header knows no list
      frameguard: options.frameAncestors?.length ? false : { action: "deny" },
      strictTransportSecurity: false,
      referrerPolicy: { policy: "no-referrer" },
    }),
  );
  web.use(guardOrigin({ boundTo: options.host, allowedHosts: options.allowedHosts ?? [] }));
  web.use(compression({ filter: (req, res) => !isEvents(res) && compression.filter(req, res) }));
  mount(web, routes, context, underWay);
  const document = openApi(routes, context.version);
  const docs = docsPage(document as unknown as Parameters<typeof docsPage>[0]);
  const fixed = (path: string, type: string, text: string): void => {
    web.get(path, (_req, res) => void res.setHeader("Cache-Control", "no-cache").type(type).send(text));
    web.all(path, methodNotAllowed("GET, HEAD"));
  };
  fixed("/openapi.json", "json", JSON.stringify(document));
  fixed("/docs", "html", docs);
  for (const name of vendored) {
    const file = join(dirname(fileURLToPath(import.meta.resolve(name))), "..", "dist", `${name}.min.js`);
    web.get(`/vendor/${name}.js`, (_req, res) => res.sendFile(file, { maxAge: "1d" }));
  }
  const pdfjs = dirname(fileURLToPath(import.meta.resolve("pdfjs-dist/package.json")));
  for (const folder of ["legacy/build", "cmaps", "standard_fonts", "wasm"])
    web.use(`/vendor/pdfjs/${folder}`, express.static(join(pdfjs, folder), { index: false, maxAge: "1d" }));
  web.use(
    express.static(options.webRoot ?? defaultWebRoot, { index: false, dotfiles: "ignore", cacheControl: false, setHeaders: noCache }),
  );
  web.use((req: Request) => {
    throw new ContextError("NOT_FOUND", `There is nothing at ${req.path.slice(0, 200)}.`, { remedy: "/docs lists what there is." });
  });
  web.use((thrown: unknown, req: Request, res: Response, _next: NextFunction) => {
    const error = fromThrown(thrown);
    if (error.code === "INTERNAL")
      context.log.error({ requestId: requestId(req), error: error.message, stack: error.stack }, "request failed");
    if (res.headersSent) res.destroy();
    else sendProblem(res, error);
  });
  return web;
}

function noCache(res: Response): void {
  // revalidated each time (ETag), so that an upgrade is seen at once
  res.setHeader("Cache-Control", "no-cache");
}

function isEvents(res: Response): boolean {
  return String(res.getHeader("Content-Type") ?? "").startsWith("text/event-stream");
}

function methodNotAllowed(allow: string) {
  return (req: Request, res: Response): void => {
    res.setHeader("Allow", allow);
    throw new ContextError("METHOD_NOT_ALLOWED", `${req.method} is not possible here; ${allow} ${allow.includes(",") ? "are" : "is"}.`);
  };
}

/** Puts the routes of one path behind one pattern, and 405 behind those. */
function mount(web: Express, all: readonly Route[], context: Context, underWay: Set<Promise<void>>): void {
  const paths = [...new Set(all.map((route) => route.path))];
  for (const path of paths) {
    const operations = all.filter((route) => route.path === path);
    const brace = path.indexOf("{");
    const prefix = brace < 0 ? path : path.slice(0, brace);
    // without a capture express decodes nothing: a name may hold "/" and "%" as it likes
    const pattern = brace < 0 ? path : new RegExp(`^${prefix.replaceAll("/", "\\/")}.`);
    for (const route of operations) {
      const guard = route.scope === "public" ? [] : [needs(route.scope, context.auth)];
      const parser = route.body === undefined ? (route.before ?? []) : [jsonOnly, express.json({ limit: BODY_LIMIT, strict: false })];
      web[route.method](pattern, ...guard, ...parser, async (req: Request, res: Response) => {
        markRoute(res, route.path);
        const query = route.query === undefined ? undefined : validate(route.query, { ...req.query }, "query");
        const body = route.body === undefined ? undefined : validate(route.body, req.body === undefined ? {} : req.body, "body");
        const work = Promise.resolve(route.handle({ req, res, query, body, rest: brace < 0 ? "" : restOf(req, prefix) }, context));
        underWay.add(work);
        try {
          await work;
        } finally {
          underWay.delete(work);
        }
      });
    }
    const methods = operations.map((route) => route.method.toUpperCase());
    web.all(pattern, methodNotAllowed([...methods, ...(methods.includes("GET") ? ["HEAD"] : [])].join(", ")));
  }
}

function jsonOnly(req: Request, _res: Response, next: NextFunction): void {
  const hasBody = req.headers["transfer-encoding"] !== undefined || Number(req.headers["content-length"] ?? 0) > 0;
  if (hasBody && !req.is(["json", "+json"])) {
    throw new ContextError("MEDIA_UNSUPPORTED", "The body must be JSON.", { remedy: "Send the header Content-Type: application/json." });
  }
  next();
}

/** What follows the prefix in the path, decoded; as it is where the encoding is broken ("%" alone). */
function restOf(req: Request, prefix: string): string {
  const path = req.originalUrl.split("?", 1)[0] ?? "";
  const raw = path.slice(prefix.length);
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
}
