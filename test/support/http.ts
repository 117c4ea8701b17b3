import { request } from "node:http";
import { z } from "zod";
import type { HttpServer, ServerOptions } from "../../src/http/server.ts";
import { appDouble } from "./app-double.ts";
import { testServer } from "./server.ts";

/** A daemon's HTTP side that listens, and how it is reached. */
export async function serve(
  app = appDouble(),
  options: Partial<ServerOptions> = {},
): Promise<{ url: string; port: number; server: HttpServer }> {
  const server = testServer(app, options);
  return { ...(await server.start()), server };
}

/** A request without a client's own tidying of paths and headers. */
export function raw(
  port: number,
  path: string,
  headers: Record<string, string> = {},
  method = "GET",
  body = "",
): Promise<{ status: number; text: string; headers: Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path, method, headers }, (res) => {
      let text = "";
      res.setEncoding("utf8");
      res.on("data", (part: string) => {
        text += part;
      });
      res.on("end", () => resolve({ status: res.statusCode ?? 0, text, headers: res.headers }));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** A question; a text is sent as it is, whatever it may be. */
export function ask(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}/api/ask`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

/** The events of a stream that has ended. */
export function eventsOf(text: string): { id: string | undefined; event: string; data: unknown }[] {
  return text.split("\n\n").flatMap((block) => {
    const line = (name: string): string | undefined =>
      block
        .split("\n")
        .find((one) => one.startsWith(`${name}: `))
        ?.slice(name.length + 2);
    const event = line("event");
    return event === undefined ? [] : [{ id: line("id"), event, data: JSON.parse(line("data") ?? "null") as unknown }];
  });
}

const Last = z.looseObject({ code: z.string().optional(), status: z.union([z.string(), z.number()]).optional() });

/** The data of the last event. */
export function lastOf(events: readonly { readonly data: unknown }[]): z.infer<typeof Last> {
  return Last.parse(events.at(-1)?.data);
}

/** Asks the metrics until they say so. */
export async function active(url: string, line: string): Promise<void> {
  for (;;) {
    const text = await (await fetch(`${url}/metrics`)).text();
    if (text.includes(line)) return;
  }
}
