import { once } from "node:events";
import type { Response } from "express";

/**
 * One server-sent event stream. Proxies are told not to buffer or transform it, and a comment every few seconds
 * keeps idle connections open (see nginx's X-Accel-Buffering and proxy_read_timeout).
 */
export class EventStream implements Disposable {
  readonly #res: Response;
  readonly #heartbeat: NodeJS.Timeout;

  constructor(res: Response, heartbeatMs: number) {
    this.#res = res;
    res.status(200);
    res.setHeader("Content-Type", "text/event-stream; charset=utf-8");
    res.setHeader("Cache-Control", "no-cache, no-transform");
    res.setHeader("X-Accel-Buffering", "no");
    res.flushHeaders();
    res.write("retry: 2000\n\n");
    this.#heartbeat = setInterval(() => {
      if (!res.writableEnded && !res.destroyed) res.write(": still here\n\n");
    }, heartbeatMs);
    this.#heartbeat.unref();
  }

  /** Sends one event; waits while the client reads more slowly than we write. Nothing happens once the client is gone. */
  async send(event: string, data: unknown, id?: string): Promise<void> {
    if (this.#res.writableEnded || this.#res.destroyed) return;
    // JSON holds no raw line break, so one data line is always enough
    const text = `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
    if (this.#res.write(text)) return;
    await Promise.race([once(this.#res, "drain"), once(this.#res, "close")]);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#heartbeat);
    if (!this.#res.writableEnded) this.#res.end();
  }
}
