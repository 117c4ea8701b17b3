import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string | null }[];
  readonly stream?: boolean;
}

export interface ScriptedModel extends AsyncDisposable {
  /** Base URL with /v1. */
  readonly url: string;
}

const PIECE = 40;

/** Four characters a token, as vendors count English. */
function usageOf({ messages }: ChatRequest, text: string): { readonly prompt_tokens: number; readonly completion_tokens: number } {
  const asked = messages.reduce((sum, { content }) => sum + (content?.length ?? 0), 0);
  return { prompt_tokens: Math.ceil(asked / 4), completion_tokens: Math.ceil(text.length / 4) };
}

/** A model whose replies are a function of the request, served by OpenAI's chat completions over HTTP on a free port of 127.0.0.1. */
export async function scriptedModel(reply: (request: ChatRequest) => string): Promise<ScriptedModel> {
  const server = createServer(async (incoming, outgoing) => {
    try {
      let body = "";
      for await (const piece of incoming.setEncoding("utf8")) body += piece;
      const request = JSON.parse(body) as ChatRequest;
      send(outgoing, request, reply(request));
    } catch (error) {
      outgoing.writeHead(500, { "content-type": "application/json" }).end(JSON.stringify({ error: { message: String(error) } }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function send(outgoing: ServerResponse, request: ChatRequest, text: string): void {
  const { model, stream } = request;
  const usage = usageOf(request, text);
  if (stream !== true) {
    const choices = [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" }];
    outgoing.writeHead(200, { "content-type": "application/json" });
    outgoing.end(JSON.stringify({ id: "scripted", object: "chat.completion", created: 0, model, choices, usage }));
    return;
  }
  outgoing.writeHead(200, { "content-type": "text/event-stream" });
  const chunk = { id: "scripted", object: "chat.completion.chunk", created: 0, model };
  const event = (fields: object): void => void outgoing.write(`data: ${JSON.stringify({ ...chunk, ...fields })}\n\n`);
  for (let at = 0; at < text.length; at += PIECE)
    event({ choices: [{ index: 0, delta: { content: text.slice(at, at + PIECE) }, finish_reason: null }] });
  event({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
  event({ choices: [], usage });
  outgoing.end("data: [DONE]\n\n");
}
