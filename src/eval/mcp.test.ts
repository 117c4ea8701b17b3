import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough } from "node:stream";
import { after, before, describe, it } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { harbour, harbourNow as now, quickWorld } from "../../test/support/quick-world.ts";
import { createToolbox } from "../agent/toolbox.ts";
import { handleMcpHttp, serveMcpStdio } from "../mcp/serve.ts";
import type { McpApp } from "../mcp/server.ts";
import type { AgentWorld } from "./agent-world.ts";

describe("contextd over MCP, with the official client", () => {
  let world: AgentWorld;
  let app: McpApp;
  let http: Server;
  let client: Client;
  before(async () => {
    world = await quickWorld(harbour);
    app = {
      name: "harbour",
      now: () => now,
      ask: (question, options) => world.ask(question, { now, cache: false, ...options }),
      search: (query, { corpus: _, ...options }, signal) => world.search(query, options, signal),
      tools: createToolbox({
        graph: world.graph,
        generation: () => "1",
        records: world.store.records,
        chunks: world.store.chunks,
        search: world.search,
      }),
    };
    http = createServer((request, response) => void handleMcpHttp(app, "0.0.0", request, response));
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
    client = new Client({ name: "test", version: "0.0.0" });
    const url = new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`);
    await client.connect(new StreamableHTTPClientTransport(url) as unknown as Transport);
  });
  after(async () => {
    await client.close();
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
    world[Symbol.dispose]();
  });

  /** The text of a result. */
  async function text(name: string, args: Record<string, unknown>): Promise<{ readonly text: string; readonly isError: boolean }> {
    const result = await client.callTool({ name, arguments: args });
    const [first] = result.content as { text: string }[];
    return { text: first?.text ?? "", isError: result.isError === true };
  }

  it("lists ask, search and the six tools, with what they take", async () => {
    const { tools } = await client.listTools();

    assert.deepEqual(tools.map(({ name }) => name).sort(), [
      "ask",
      "find_owner",
      "get_active_incidents",
      "get_dependencies",
      "get_recent_changes",
      "get_service_context",
      "search",
      "semantic_search",
    ]);
    assert.deepEqual(tools.find(({ name }) => name === "get_dependencies")?.inputSchema.required, ["service", "direction"]);
  });

  it("answers a question with its citations", async () => {
    const { text: answer, isError } = await text("ask", { question: "Who owns the price service?" });

    assert.equal(isError, false);
    assert.match(answer, /Elif Kaya owns tariff \[1\]/);
    assert.match(answer, /\n\[1\] harbour\/parcels\/CODEOWNERS|\n\[1\] .*CODEOWNERS/);
  });

  it("refuses what no source states, as everywhere", async () => {
    const { text: answer } = await text("ask", { question: "Who owns label-printer?" });

    assert.equal(answer, "The provided documents do not contain enough information to answer this question.");
  });

  it("runs a tool and shows the places that state its result", async () => {
    const { text: content } = await text("get_dependencies", { service: "tariff", direction: "upstream" });

    const result = JSON.parse(content) as { services: { name: string }[]; evidence: { record: string; quote: string }[] };
    assert.deepEqual(result.services.map(({ name }) => name).sort(), ["gateway", "routing"]);
    assert.ok(result.evidence.some(({ record, quote }) => record === "confluence:page:501" && quote.includes("routing depends on tariff")));
  });

  it("searches paragraphs", async () => {
    const { text: content } = await text("search", { query: "RUN-7 draining", k: 2 });

    assert.match(content, /confluence:page:506/);
  });

  it("says what is wrong with a call instead of failing", async () => {
    assert.deepEqual(await text("find_owner", {}), {
      text: JSON.stringify({ error: "malformed arguments: service: Invalid input: expected string, received null" }),
      isError: true,
    });
    const unknown = await text("find_owner", { service: "no such thing" });
    assert.deepEqual([unknown.isError, (JSON.parse(unknown.text) as { error: string }).error], [true, "unknown service"]);
    assert.equal((await text("drop_everything", {})).isError, true);
    assert.equal((await text("ask", { question: "" })).isError, true);
  });

  it("keeps no sessions: anything but POST is told so", async () => {
    const response = await fetch(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`);

    assert.equal(response.status, 405);
    assert.equal(response.headers.get("allow"), "POST");
  });

  it("speaks the same over standard input and output, and ends with its input", async () => {
    const toServer = new PassThrough();
    const toClient = new PassThrough();
    const serving = serveMcpStdio(app, { version: "0.0.0", input: toServer, output: toClient, signal: new AbortController().signal });
    const other = new Client({ name: "test", version: "0.0.0" });
    // the stdio framing is the same on both sides
    await other.connect(new StdioServerTransport(toClient, toServer));

    const result = await other.callTool({ name: "find_owner", arguments: { service: "ledger" } });
    toServer.end();
    await serving;

    assert.match(JSON.stringify(result.content), /Elif Kaya/);
  });
});
