import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable, Writable } from "node:stream";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { createMcpServer, type McpApp } from "./server.ts";

/** Speaks MCP over standard input and output until the client closes it or the signal aborts. Nothing else may write to `output`. */
export async function serveMcpStdio(
  app: McpApp,
  options: { readonly version: string; readonly input: Readable; readonly output: Writable; readonly signal: AbortSignal },
): Promise<void> {
  const { version, input, output, signal } = options;
  const server = createMcpServer(app, version);
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
  });
  // the transport does not notice that the other side has gone
  const stop = (): void => void server.close();
  input.once("end", stop);
  input.once("close", stop);
  signal.addEventListener("abort", stop, { once: true });
  await server.connect(new StdioServerTransport(input, output));
  if (signal.aborted) stop();
  await closed;
}

/**
 * Handles one streamable HTTP request: stateless, so any process can serve any request. `body` is the parsed JSON where a
 * middleware has read it already. Who may call it is for the router in front to decide.
 */
export async function handleMcpHttp(
  app: McpApp,
  version: string,
  request: IncomingMessage,
  response: ServerResponse,
  body?: unknown,
): Promise<void> {
  if (request.method !== "POST") {
    response.writeHead(405, { allow: "POST", "content-type": "application/json" });
    response.end(
      JSON.stringify({ jsonrpc: "2.0", error: { code: -32_000, message: "This server keeps no sessions: use POST." }, id: null }),
    );
    return;
  }
  const server = createMcpServer(app, version);
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  response.once("close", () => void server.close());
  // the SDK's own types disagree about optional properties
  await server.connect(transport as unknown as Transport);
  await transport.handleRequest(request, response, body);
}
