import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { HttpServer } from "../src/http/server.ts";
import { appDouble } from "./support/app-double.ts";
import { testServer } from "./support/server.ts";

describe("MCP over HTTP", () => {
  let url = "";
  let server: HttpServer;

  before(async () => {
    server = testServer(appDouble(), { token: "s3cret", requireToken: true });
    ({ url } = await server.start());
  });
  after(() => server.stop());

  async function connect(token: string): Promise<Client> {
    const client = new Client({ name: "test", version: "1" });
    const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    });
    // the SDK's own types disagree about optional properties
    await client.connect(transport as unknown as Transport);
    return client;
  }

  it("answers the official client's questions and searches", async () => {
    const client = await connect("s3cret");
    const names = (await client.listTools()).tools.map((tool) => tool.name);
    const answer = await client.callTool({ name: "ask", arguments: { question: "Why is checkout broken?" } });
    const search = await client.callTool({ name: "search", arguments: { query: "redis" } });
    const told = answer.structuredContent as { status: string; citations: unknown[] };
    const hits = (search.structuredContent as { hits: { text: string }[] }).hits;
    await client.close();

    assert.equal(client.getServerVersion()?.version, "1.2.3");
    assert.ok(names.includes("ask") && names.includes("search"), names.join());
    assert.equal(told.status, "answered");
    assert.ok(told.citations.length > 0);
    assert.match(hits[0]?.text ?? "", /redis/i);
  });

  it("names every tool, ask and search too, where one is called that there is not", async () => {
    const client = await connect("s3cret");
    const names = (await client.listTools()).tools.map((tool) => tool.name);
    const { content, isError } = await client.callTool({ name: "teleport", arguments: {} });
    await client.close();

    assert.equal(isError, true);
    assert.deepEqual(content, [{ type: "text", text: `There is no tool "teleport". The tools are ${names.join(", ")}.` }]);
  });

  it("lets nobody in without a token that is known", async () => {
    await assert.rejects(connect("wrong"), /401|not known/i);
    const reply = await fetch(`${url}/mcp`, { method: "POST", headers: { "content-type": "application/json" }, body: "{}" });

    assert.equal(reply.status, 401);
  });

  it("says that there are no sessions to open or end", async () => {
    const reply = await fetch(`${url}/mcp`, { headers: { authorization: "Bearer s3cret" } });

    assert.deepEqual([reply.status, reply.headers.get("allow")], [405, "POST"]);
  });
});
