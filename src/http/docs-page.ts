import { codes } from "../core/errors.ts";
import { type Html, html } from "./html.ts";

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
}

interface Operation {
  readonly summary: string;
  readonly description?: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly description?: string; readonly content: Readonly<Record<string, { readonly schema: unknown }>> };
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
}

interface Document {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

function operation(path: string, method: string, op: Operation): Html {
  const body = op.requestBody === undefined ? [] : Object.entries(op.requestBody.content);
  return html`<section class="op"><h2><code><b>${method.toUpperCase()}</b> ${path}</code></h2><p>${op.summary} ${op.description ?? null}</p>
${
  op.parameters.length === 0
    ? null
    : html`<table><tbody>${op.parameters.map((one) => {
        return html`<tr><td><code>${one.name}</code></td><td>${one.in}${one.required ? ", required" : null}</td><td>${one.description ?? null}</td></tr>`;
      })}</tbody></table>`
}
${body.map(([type, { schema }]) => {
  return html`<p>Body: <code>${type}</code> ${op.requestBody?.description ?? null}</p><pre tabindex="0">${JSON.stringify(schema, null, 2)}</pre>`;
})}
<ul>${Object.entries(op.responses).map(([status, reply]) => html`<li><code>${status}</code> ${reply.description}</li>`)}</ul></section>`;
}

/** The OpenAPI document for reading: plain HTML, no script, nothing from elsewhere. */
export function docsPage(document: Document): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) => {
    return Object.entries(methods).map(([method, op]) => operation(path, method, op));
  });
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>HTTP interface · contextd</title>
<link rel="icon" href="/favicon.svg"><link rel="stylesheet" href="/app.css"></head><body><main class="docs">
<p><a href="/">contextd</a> ${document.info.version}</p><h1>HTTP interface</h1>
<p>Everything is JSON. The same as <a href="/openapi.json">OpenAPI 3.1</a>. Beyond loopback each request needs
<code>Authorization: Bearer &lt;token&gt;</code>. Ids in paths are percent-encoded: <code>#</code> as <code>%23</code>, <code>/</code> as <code>%2F</code>.</p>
${operations}
<h2>Errors</h2><p>Each error is an RFC 9457 problem: <code>type, title, status, detail, code, remedy, requestId</code>, and
<code>errors</code> naming the fields where the request was wrong.</p>
<table><tbody>${Object.entries(codes).map(([code, { status, remedy }]) => {
    return html`<tr id="error-${code}"><td><code>${code}</code></td><td>${status}</td><td>${remedy}</td></tr>`;
  })}</tbody></table></main></body></html>`.text;
}
