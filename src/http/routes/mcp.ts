import { z } from "zod";
import { callerKey } from "../auth.ts";
import { clientSignal, defineRoute } from "../route.ts";

const Message = z.looseObject({ jsonrpc: z.literal("2.0").optional(), method: z.string().optional() });
const Call = z.looseObject({ method: z.literal("tools/call"), params: z.looseObject({ name: z.string() }) });

/** The tools that the messages call, so that they wait for their turn like everybody's questions and searches. */
function toolsOf(body: unknown): string[] {
  return (Array.isArray(body) ? body : [body]).flatMap((message) => {
    const call = Call.safeParse(message);
    return call.success ? [call.data.params.name] : [];
  });
}

export const mcp = defineRoute({
  method: "post",
  path: "/mcp",
  scope: "read",
  summary: "The Model Context Protocol over streamable HTTP: the six graph tools, ask and search. Stateless, so GET and DELETE get 405.",
  body: z.union([Message, z.array(Message).max(20)]),
  replies: {
    200: { about: "JSON-RPC replies", schema: z.looseObject({}) },
    406: { about: "The Accept header does not name both JSON and events, as the protocol asks", schema: z.looseObject({}) },
    202: { about: "Notifications were taken; there is no body" },
  },
  async handle({ req, res, body }, { reading, limits, searches, stopping, version }) {
    const app = await reading(res);
    const tools = toolsOf(body);
    const caller = callerKey(req, res);
    const signal = clientSignal(res, stopping);
    const questions = tools.filter((name) => name === "ask");
    for (const _question of questions) limits.spend(caller);
    using _turn = tools.length === 0 ? null : await (questions.length > 0 ? limits : searches).enter(caller, signal);
    // only who speaks MCP pays for loading it
    const { handleMcpHttp } = await import("../../mcp/serve.ts");
    const done = new Promise<void>((resolve) => {
      res.once("close", resolve);
    });
    await handleMcpHttp(app, version, req, res, body);
    // the transport may give the request back before its reply is out
    await done;
  },
});
