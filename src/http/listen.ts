import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { ContextError } from "../core/errors.ts";

/**
 * Binds the server.
 * @throws ContextError PORT_IN_USE where something listens there already; CONFIG_INVALID where the address is not this machine's
 */
export async function listen(server: Server, host: string, port: number): Promise<{ readonly url: string; readonly port: number }> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen({ host, port }, resolve);
  try {
    await promise;
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : "";
    if (code === "EADDRINUSE") throw new ContextError("PORT_IN_USE", `Something listens on ${host}:${port} already.`, { cause });
    if (code === "EACCES") {
      throw new ContextError("CONFIG_INVALID", `This user may not listen on port ${port}.`, {
        cause,
        remedy: "Choose a port above 1023 with --port N.",
      });
    }
    throw new ContextError("CONFIG_INVALID", `Cannot listen on ${host}:${port}.`, {
      cause,
      remedy: "Give --host an address of this machine: 127.0.0.1, or 0.0.0.0 for all.",
    });
  } finally {
    server.off("error", reject);
  }
  const bound = (server.address() as AddressInfo).port;
  // "all addresses" is none that a browser can open
  const open = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  const name = open.includes(":") ? `[${open}]` : open;
  return { url: `http://${name}:${bound}`, port: bound };
}

/** Takes no new connections, waits for open requests, and cuts what is still open after `drainMs`. */
export async function drain(server: Server, drainMs: number, cut: () => void): Promise<void> {
  if (!server.listening) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  // connections of replies that end from now on
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const timer = setTimeout(() => {
    cut();
    // one turn for handlers to send their last word
    setTimeout(() => server.closeAllConnections(), 500).unref();
  }, drainMs);
  await promise;
  clearTimeout(timer);
  clearInterval(sweep);
}
