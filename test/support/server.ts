import { silent } from "../../src/core/connector.ts";
import { createServer, type HttpServer, type ServerOptions } from "../../src/http/server.ts";

/** A daemon's HTTP side on a free port of loopback; nothing listens before `start`. */
export function testServer(app: Parameters<typeof createServer>[0], options: Partial<ServerOptions> = {}): HttpServer {
  return createServer(app, { host: "127.0.0.1", port: 0, log: silent, version: "1.2.3", processMetrics: false, ...options });
}
