import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A chat completion request as it arrived. */
export interface FakeRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string | null; readonly tool_call_id?: string }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly stream?: boolean;
  readonly response_format?: { readonly type: string };
  readonly headers: IncomingMessage["headers"];
}

/** What the server does with one request. */
export type FakeReply =
  | { readonly text: string; readonly model?: string; readonly pieceLength?: number }
  | { readonly toolCalls: readonly { readonly name: string; readonly arguments: string }[]; readonly text?: string }
  | { readonly status: number; readonly retryAfter?: number; readonly code?: string }
  /** HTTP 200 with a body that is no JSON. */
  | { readonly malformed: true }
  /** HTTP 200 with JSON that is no chat completion. */
  | { readonly wrongShape: true }
  /** A well-formed completion without content. */
  | { readonly empty: true }
  /** Takes the request and never answers. */
  | { readonly hang: true }
  /** Streams the text, then closes the connection without an end. */
  | { readonly cutAfter: string }
  /** 400, code context_length_exceeded. */
  | { readonly contextTooLong: true };

/** Replies in order, or a function of the request and its number from 0. */
export type FakeScript = readonly FakeReply[] | ((request: FakeRequest, n: number) => FakeReply);

export interface FakeOpenAi extends AsyncDisposable {
  /** Base URL with /v1, as CONTEXTD_LLM_BASE_URL wants it. */
  readonly url: string;
  readonly requests: readonly FakeRequest[];
  /** Requests that the script had no reply for, and paths it does not serve: a test asserts that it is empty. */
  readonly unexpected: readonly string[];
  close(): Promise<void>;
}

/**
 * A server that speaks OpenAI's chat completions over real HTTP on a free port of 127.0.0.1: whole and streamed replies, tool
 * calls in parallel and in pieces, and every way to fail. `await using fake = await startFakeOpenAi([{ text: "…" }])`.
 */
export async function startFakeOpenAi(script: FakeScript): Promise<FakeOpenAi> {
  const requests: FakeRequest[] = [];
  const unexpected: string[] = [];
  const server = createServer((incoming, outgoing) => {
    void readBody(incoming).then((body) => {
      if (incoming.method !== "POST" || incoming.url !== "/v1/chat/completions") {
        unexpected.push(`${incoming.method} ${incoming.url}`);
        sendError(outgoing, 404, "not served here");
        return;
      }
      const request: FakeRequest = { ...JSON.parse(body), headers: incoming.headers };
      const n = requests.push(request) - 1;
      const reply = typeof script === "function" ? script(request, n) : script[n];
      if (reply === undefined) {
        unexpected.push(`request ${n + 1}`);
        sendError(outgoing, 500, "the script has no reply left");
        return;
      }
      answer(outgoing, request, reply, n);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  return { url: `http://127.0.0.1:${port}/v1`, requests, unexpected, close, [Symbol.asyncDispose]: close };
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  let body = "";
  for await (const piece of incoming.setEncoding("utf8")) body += piece;
  return body;
}

function answer(outgoing: ServerResponse, request: FakeRequest, reply: FakeReply, n: number): void {
  if ("hang" in reply) return;
  if ("malformed" in reply) {
    outgoing.writeHead(200, { "content-type": "application/json" }).end('{"id": "chatcmpl-1", "choices": [{"mess');
    return;
  }
  if ("wrongShape" in reply) {
    outgoing.writeHead(200, { "content-type": "application/json" }).end('{"hello": "world"}');
    return;
  }
  if ("contextTooLong" in reply) {
    sendError(outgoing, 400, "This model's maximum context length is 8192 tokens.", "context_length_exceeded");
    return;
  }
  if ("status" in reply) {
    if (reply.retryAfter !== undefined) outgoing.setHeader("retry-after", String(reply.retryAfter));
    sendError(outgoing, reply.status, `scripted ${reply.status}`, reply.code);
    return;
  }
  if ("cutAfter" in reply) {
    outgoing.writeHead(200, { "content-type": "text/event-stream" });
    outgoing.write(event(request, n, { role: "assistant", content: reply.cutAfter }, null), () => outgoing.destroy());
    return;
  }
  if (request.stream === true) stream(outgoing, request, reply, n);
  else whole(outgoing, request, reply, n);
}

type Spoken = Extract<FakeReply, { text: string } | { toolCalls: unknown } | { empty: true }>;

function contentOf(reply: Spoken): string | null {
  return "empty" in reply ? null : (reply.text ?? null);
}

function callsOf(reply: Spoken): { id: string; type: "function"; function: { name: string; arguments: string } }[] {
  if (!("toolCalls" in reply)) return [];
  return reply.toolCalls.map((call, index) => ({ id: `call_${index}`, type: "function", function: call }));
}

const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };

function whole(outgoing: ServerResponse, request: FakeRequest, reply: Spoken, n: number): void {
  const calls = callsOf(reply);
  const message = { role: "assistant", content: contentOf(reply), ...(calls.length === 0 ? {} : { tool_calls: calls }) };
  const body = {
    id: `chatcmpl-${n}`,
    object: "chat.completion",
    created: 0,
    model: ("model" in reply && reply.model) || request.model,
    choices: [{ index: 0, message, finish_reason: calls.length === 0 ? "stop" : "tool_calls" }],
    usage,
  };
  outgoing.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function stream(outgoing: ServerResponse, request: FakeRequest, reply: Spoken, n: number): void {
  outgoing.writeHead(200, { "content-type": "text/event-stream" });
  const text = contentOf(reply) ?? "";
  const length = ("pieceLength" in reply && reply.pieceLength) || 7;
  for (let at = 0; at < text.length; at += length) outgoing.write(event(request, n, { content: text.slice(at, at + length) }, null));
  const calls = callsOf(reply);
  for (const [index, call] of calls.entries()) {
    const half = Math.ceil(call.function.arguments.length / 2);
    const first = { index, id: call.id, type: "function", function: { name: call.function.name, arguments: "" } };
    outgoing.write(event(request, n, { tool_calls: [first] }, null));
    for (const part of [call.function.arguments.slice(0, half), call.function.arguments.slice(half)]) {
      outgoing.write(event(request, n, { tool_calls: [{ index, function: { arguments: part } }] }, null));
    }
  }
  outgoing.write(event(request, n, {}, calls.length === 0 ? "stop" : "tool_calls"));
  outgoing.write(`data: ${JSON.stringify({ id: `chatcmpl-${n}`, model: request.model, choices: [], usage })}\n\n`);
  outgoing.end("data: [DONE]\n\n");
}

function event(request: FakeRequest, n: number, delta: object, finish: string | null): string {
  const piece = { id: `chatcmpl-${n}`, object: "chat.completion.chunk", created: 0, model: request.model };
  return `data: ${JSON.stringify({ ...piece, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
}

function sendError(outgoing: ServerResponse, status: number, message: string, code?: string): void {
  const error = { message, type: "error", param: null, code: code ?? null };
  outgoing.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ error }));
}
