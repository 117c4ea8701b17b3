import type { Request, RequestHandler, Response } from "express";
import type { Log } from "../core/connector.ts";
import type { Metrics } from "./metrics.ts";

const ids = new WeakMap<Request, string>();
const routeNames = new WeakMap<Response, string>();

/** The request's id, as its log line and its X-Request-Id header have it. */
export function requestId(req: Request): string {
  return ids.get(req) ?? "";
}

/** Notes which route took the request: what logs and metrics are counted by. */
export function markRoute(res: Response, route: string): void {
  routeNames.set(res, route);
}

/** Gives each request an id: the caller's own where it is a plain one, so that it can be followed through a proxy. */
export function requestIds(newId: () => string): RequestHandler {
  return (req, res, next) => {
    const given = req.headers["x-request-id"];
    const id = typeof given === "string" && /^[\w.-]{1,64}$/.test(given) ? given : newId();
    ids.set(req, id);
    res.setHeader("X-Request-Id", id);
    next();
  };
}

/**
 * One line and one count a request. Only the route's pattern is logged: paths and queries hold names and questions.
 */
export function accessLog({ log, metrics }: { readonly log: Log; readonly metrics: Metrics }): RequestHandler {
  return (req, res, next) => {
    const started = performance.now();
    res.once("close", () => {
      const ms = performance.now() - started;
      const route = routeNames.get(res) ?? "other";
      const status = res.writableFinished ? res.statusCode : 499;
      metrics.request(req.method, route, status, ms / 1000);
      const fields = { requestId: requestId(req), method: req.method, route, status, ms: Math.round(ms * 10) / 10 };
      if (status >= 500 && status !== 503) log.error(fields, "request");
      else if (status === 503 || status === 429) log.warn(fields, "request");
      else if (route === "/healthz" || route === "/readyz" || route === "/metrics" || route === "other") log.debug(fields, "request");
      else log.info(fields, "request");
    });
    next();
  };
}
