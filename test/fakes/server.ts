import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What the server does with one request instead of answering it as the product would. */
export type Trouble = Reply | "hang" | "reset" | "cut" | ((seen: Seen) => Reply | null);

/**
 * A local server that speaks a product's protocol over real HTTP. Requests it does not know fail the test:
 * `unexpected` collects them. Troubles are dealt out first, one a request.
 */
export abstract class FakeServer implements AsyncDisposable {
  readonly requests: Seen[] = [];
  readonly unexpected: string[] = [];
  readonly troubles: Trouble[] = [];
  /** Runs before each answer: edits between two pages are made here. */
  beforeEach: ((seen: Seen, index: number) => void) | null = null;
  private server: Server | null = null;
  url = "";

  protected abstract answer(seen: Seen): Reply | null;

  async start(): Promise<this> {
    this.server = createServer((request, response) => void this.handle(request, response));
    await new Promise<void>((resolve) => this.server?.listen(0, "127.0.0.1", resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => this.server?.close(resolve));
  }

  /** Requests since the last call. */
  take(): readonly Seen[] {
    return this.requests.splice(0);
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url ?? "/", this.url);
    const seen: Seen = {
      method: request.method ?? "GET",
      path: decodeURIComponent(url.pathname),
      query: url.searchParams,
      headers: request.headers,
      body: Buffer.concat(chunks).toString("utf8"),
    };
    this.beforeEach?.(seen, this.requests.length);
    this.requests.push(seen);
    let trouble = this.troubles.shift();
    if (typeof trouble === "function") trouble = trouble(seen) ?? undefined;
    if (trouble === "hang") return;
    if (trouble === "reset") return void request.socket.destroy();
    const reply = trouble === "cut" || trouble === undefined ? this.answer(seen) : trouble;
    if (reply === null) {
      this.unexpected.push(`${seen.method} ${seen.path}?${seen.query}`);
      response.writeHead(404, { "content-type": "application/json" }).end('{"message":"no such path in the fake"}');
      return;
    }
    if (trouble === "cut") {
      response.writeHead(reply.status, { ...reply.headers, "content-length": String(Buffer.byteLength(reply.body)) });
      response.write(reply.body.slice(0, Math.floor(reply.body.length / 2)), () => request.socket.destroy());
      return;
    }
    response.writeHead(reply.status, reply.headers);
    response.end(reply.status === 304 ? undefined : reply.body);
  }
}

export function json(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers: { "content-type": "application/json;charset=UTF-8", ...headers }, body: JSON.stringify(body) };
}

/** A reply as it stands in replies/*.http: status line, headers, empty line, body. */
export function sample(name: string): Reply {
  const { start, headers, body } = message(name);
  return { status: Number(start.split(" ")[1]), headers, body: body.trim() };
}

/** A webhook delivery as it stands in replies/*.http; the body to the byte. */
export function delivery(name: string): { readonly headers: Readonly<Record<string, string>>; readonly body: Uint8Array } {
  const { headers, body } = message(name);
  return { headers, body: new TextEncoder().encode(body) };
}

function message(name: string): { readonly start: string; readonly headers: Record<string, string>; readonly body: string } {
  const text = readFileSync(fileURLToPath(new URL(`./replies/${name}.http`, import.meta.url)), "utf8").replaceAll("\r\n", "\n");
  const split = text.indexOf("\n\n");
  const [start = "", ...lines] = text.slice(0, split < 0 ? undefined : split).split("\n");
  const headers = Object.fromEntries(
    lines.filter((line) => line.includes(": ")).map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]),
  );
  return { start, headers, body: split < 0 ? "" : text.slice(split + 2) };
}
