import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Request, Response } from "express";
import { type Html, html, safeUrl } from "./html.ts";
import type { PastAnswer, Related, ServiceView } from "./schemas.ts";

const TITLE = "<title>contextd</title>";
const VIEW = "<!-- view -->";

/** The web page's frame, with content set in on the server so that links, previews and readers without scripts get it too. */
export class Pages {
  readonly #shell: string;

  constructor(webRoot: string) {
    this.#shell = readFileSync(join(webRoot, "index.html"), "utf8");
  }

  send(req: Request, res: Response, title: string | null, content: Html | null, status = 200): void {
    let page = this.#shell;
    // replacement by function: a "$" in a title must stay one
    if (title !== null) page = page.replace(TITLE, () => html`<title>${title} · contextd</title>`.text);
    if (content !== null) page = page.replace(VIEW, () => content.text);
    res.vary("Accept");
    res.setHeader("Cache-Control", "no-cache");
    res.status(status).type("html");
    if (req.method === "HEAD") res.end();
    else res.send(page);
  }
}

/** Whether the client would rather have JSON than a page. `preferred` is what it gets when it does not care. */
export function wantsJson(req: Request, preferred: "json" | "html"): boolean {
  const order = preferred === "json" ? ["json", "html"] : ["html", "json"];
  return req.accepts(order) === "json";
}

function day(instant: string | null): string {
  return instant === null ? "" : instant.slice(0, 16).replace("T", " ");
}

function list(title: string, entries: readonly Related[]): Html {
  if (entries.length === 0) return html``;
  return html`<h2>${title}</h2><ul>${entries.map((entry) => {
    const url = safeUrl(entry.url);
    const label = url === null ? html`${entry.label}` : html`<a href="${url}" rel="noreferrer">${entry.label}</a>`;
    return html`<li>${label} <small>${day(entry.at)}${entry.status === null ? "" : ` ${entry.status}`}</small></li>`;
  })}</ul>`;
}

/** A service as a plain page; the scripts replace it with the live one. */
export function servicePage(view: ServiceView): Html {
  return html`<article class="plain"><h1>${view.name}</h1>${view.note === null ? null : html`<p class="note">${view.note}</p>`}
<p>As of ${day(view.asOf)} UTC${view.window === null ? null : html`, ${day(view.window.from)} to ${day(view.window.to)}`}</p>
${list("Owners", view.owners)}${list("Open incidents", view.openIncidents)}${list("Last changes", view.changes.slice(0, 20))}
${list("Depends on", view.dependsOn)}${list("Depended on by", view.dependedOnBy)}${list("Closed incidents", view.closedIncidents)}
</article>`;
}

/** An earlier answer as a plain page. */
export function answerPage({ answer, changed }: PastAnswer): Html {
  return html`<article class="plain"><h1>${answer.question}</h1><p>${answer.answer}</p><ol>${answer.citations.map((citation) => {
    const now = changed.find((one) => one.n === citation.n);
    return html`<li value="${citation.n}">${citation.title}${now === undefined ? null : html` <strong>(${now.change} since)</strong>`}
<blockquote>${citation.text}</blockquote></li>`;
  })}</ol><p>As of ${day(answer.asOf)} UTC</p></article>`;
}

/** A page that only says what went wrong. */
export function problemPage(title: string, detail: string, remedy: string): Html {
  return html`<article class="plain"><h1>${title}</h1><p>${detail}</p><p>${remedy}</p></article>`;
}

/** The folder of the web page in a checkout (`web/`) and in an installed package alike. */
export const defaultWebRoot = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "web");
