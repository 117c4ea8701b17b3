import { get } from "../lib/api.js";
import { h, outLink, show } from "../lib/dom.js";
import { ago, decoded, fullName, moment, percent, shortName } from "../lib/format.js";
import { graphOf, graphPicture } from "./graph.js";
import { fillWith, headed, problemBox, tableOf } from "./parts.js";
import { openEvidence, openRecord } from "./source.js";
import { timeLine } from "./time-line.js";

const serviceLink = (name) => h("a", { href: `/s/${encodeURIComponent(name)}` }, name);

const HEADS = ["Service", "Incidents", "Owner", "Last change", "Needs", "Needed by"];

/** The table of all services, with a filter. */
export function showServices(view, _rest, signal) {
  const place = h("div");
  show(view, h("h1", null, "Services"), place);
  fillWith(place, signal, async () => {
    const { services, total } = await get("/api/services?limit=500", signal);
    if (total === 0) return h("p", { class: "quiet" }, "No service is known yet. Index a source first.");
    const body = h("tbody");
    const fill = (text) => {
      const wanted = text.trim().toLowerCase();
      const rows = services.filter((one) => `${one.name} ${one.owners.join(" ")}`.toLowerCase().includes(wanted));
      show(
        body,
        rows.map((one) =>
          headed(
            HEADS,
            h(
              "tr",
              null,
              h("th", { scope: "row" }, serviceLink(one.name)),
              h(
                "td",
                null,
                one.openIncidents > 0
                  ? [
                      h("span", { class: "hot" }, `${one.openIncidents} open`),
                      h("span", { class: "fine" }, ` since ${moment(one.newestIncident, new Date())}`),
                    ]
                  : h("span", { class: "quiet" }, "none"),
              ),
              h("td", null, one.owners.join(", ") || h("span", { class: "quiet" }, "nobody known")),
              h("td", { class: "num" }, one.lastChange ? moment(one.lastChange, new Date()) : h("span", { class: "quiet" }, "none")),
              h("td", { class: "num" }, one.dependsOn),
              h("td", { class: "num" }, one.dependedOnBy),
            ),
          ),
        ),
        rows.length === 0 && h("tr", null, h("td", { colspan: 6, class: "quiet" }, "None of that name.")),
      );
    };
    const filter = h("input", {
      type: "search",
      id: "filter",
      placeholder: "Filter by name or owner",
      "data-first": true,
      oninput: (event) => fill(event.target.value),
    });
    fill("");
    return [
      h(
        "div",
        { class: "row filter" },
        h("label", { for: "filter", class: "aside" }, "Filter services"),
        filter,
        h("span", { class: "fine" }, `${total} services`),
      ),
      tableOf("Services", HEADS, [3, 4, 5], { class: "stacked" }, body),
    ];
  });
}

function evidenceButton(entry, title) {
  const [first] = entry.evidence;
  if (first === undefined) return null;
  return h(
    "button",
    { type: "button", class: "linkish why-button", "aria-label": `source: ${title}`, onclick: () => openEvidence(first, title) },
    "source",
  );
}

/** @param place "first" or "second" on a narrow screen, where everything stands in one column */
function entries(title, list, describe, empty, place = "") {
  return h(
    "section",
    { class: `panel ${place}` },
    h("h2", null, title, list.length > 0 && h("span", { class: "fine" }, ` ${list.length}`)),
    list.length === 0
      ? h("p", { class: "quiet" }, empty)
      : h(
          "ul",
          { class: "entries" },
          list.slice(0, 10).map((entry) => h("li", null, describe(entry))),
        ),
    list.length > 10 &&
      h(
        "details",
        null,
        h("summary", null, `${list.length - 10} more`),
        h(
          "ul",
          { class: "entries" },
          list.slice(10, 200).map((entry) => h("li", null, describe(entry))),
        ),
      ),
  );
}

/** Links to the same page for other stretches of time. */
function ranges({ name, asOf, window }) {
  const path = `/s/${encodeURIComponent(name)}`;
  const end = Date.parse(window?.to ?? asOf);
  const hours = [
    ["6 h", 6],
    ["48 h", 48],
    ["7 d", 168],
    ["30 d", 720],
  ];
  const current = window ? Math.round((end - Date.parse(window.from)) / 3_600_000) : null;
  return h(
    "nav",
    { class: "ranges fine", "aria-label": "Time" },
    hours.map(([text, length]) =>
      h("a", { href: `${path}?from=${end - length * 3_600_000}&to=${end}`, "aria-current": current === length ? "true" : null }, text),
    ),
    h("a", { href: path, "aria-current": window ? null : "true" }, "all"),
  );
}

function page(service, graph) {
  const { asOf, window } = service;
  const aliases = service.aliases.filter((alias) => alias !== service.name);
  const person = (entry) => [
    h("b", null, entry.label),
    h(
      "span",
      { class: "fine" },
      ` ${entry.kind}${Date.parse(entry.since) === 0 ? "" : `, since ${moment(entry.since, asOf)}`} · ${percent(entry.confidence)} `,
    ),
    evidenceButton(entry, `${entry.label} owns ${service.name}`),
  ];
  const incident = (entry) => [
    h(
      "span",
      { class: entry.open === false || entry.until ? "quiet" : "hot" },
      entry.severity ?? (entry.open === false ? "closed" : entry.open === null && !entry.until ? "perhaps open" : "open"),
    ),
    " ",
    outLink(entry.url, fullName(entry)),
    h(
      "span",
      { class: "fine" },
      ` ${entry.at ? `${moment(entry.at, asOf)}, ${ago(entry.at, asOf)}` : ""}${entry.status ? ` · ${entry.status}` : ""} `,
    ),
    entry.causes.length > 0 && h("span", { class: "fine" }, `caused by ${entry.causes.map((cause) => shortName(cause)).join(", ")} `),
    evidenceButton(entry, `${entry.label} affects ${service.name}`),
  ];
  const ticket = (entry) => [
    outLink(entry.url, fullName(entry)),
    h("span", { class: "fine" }, ` ${entry.at ? moment(entry.at, asOf) : ""}${entry.status ? ` · ${entry.status}` : ""} `),
    evidenceButton(entry, `${shortName(entry)} affects ${service.name}`),
  ];
  const change = (entry) => [
    outLink(entry.url, fullName(entry)),
    h(
      "span",
      { class: "fine" },
      ` ${moment(entry.at ?? entry.since, asOf)}, ${ago(entry.at ?? entry.since, asOf)}${entry.author ? ` · ${entry.author}` : ""} `,
    ),
    evidenceButton(entry, `${entry.label} modified ${service.name}`),
  ];
  const dependency = (words) => (entry) => [serviceLink(entry.label), " ", evidenceButton(entry, words(entry.label))];
  return [
    h(
      "header",
      { class: "past" },
      h(
        "div",
        null,
        h("h1", null, service.name),
        h(
          "p",
          { class: "fine" },
          aliases.length > 0 && `also ${aliases.slice(0, 6).join(", ")} · `,
          window ? `${moment(window.from)} to ${moment(window.to)} UTC` : `as of ${moment(asOf)} UTC`,
        ),
      ),
      h(
        "div",
        { class: "row" },
        ranges(service),
        h("a", { class: "button", href: `/#q=${encodeURIComponent(`Why is ${service.name} broken?`)}` }, "Ask why it is broken"),
      ),
    ),
    service.note && h("p", { class: "note" }, service.note),
    h(
      "div",
      { class: "columns" },
      h(
        "div",
        null,
        entries("Open incidents", service.openIncidents, incident, window ? "None in this time." : "None known.", "first"),
        service.openTickets.length > 0 && entries("Other open tickets", service.openTickets, ticket, ""),
        h("section", { class: "panel" }, h("h2", null, "Time line"), timeLine(service)),
        entries("Last changes", service.changes, change, window ? "None in this time." : "None known."),
        service.closedIncidents.length > 0 && entries("Closed incidents", service.closedIncidents, incident, ""),
      ),
      h(
        "div",
        null,
        entries("Owner", service.owners, person, "Nobody is known to own it.", "second"),
        service.formerOwners.length > 0 &&
          entries(
            "Before",
            service.formerOwners,
            (entry) => [entry.label, h("span", { class: "fine" }, ` until ${moment(entry.until, asOf)} `)],
            "",
            "second",
          ),
        entries(
          "Depends on",
          service.dependsOn,
          dependency((name) => `${service.name} depends on ${name}`),
          "Nothing known.",
        ),
        entries(
          "Depended on by",
          service.dependedOnBy,
          dependency((name) => `${name} depends on ${service.name}`),
          "Nothing known.",
        ),
        entries(
          "Documents",
          service.docs,
          (doc) => [
            h("button", { type: "button", class: "linkish", onclick: () => openRecord(doc.record) }, doc.title),
            h("span", { class: "fine" }, ` ${moment(doc.updatedAt, asOf)}`),
          ],
          "None names it.",
        ),
        graph && graph.nodes.length > 1 && h("section", { class: "panel graph-panel" }, h("h2", null, "Around it"), graphPicture(graph)),
      ),
    ),
  ];
}

/** A name that was cut at "#" in a link continues in the address' hash. */
function wholeAddress(path) {
  if (location.hash === "") return { path, query: location.search };
  const [hash, query = ""] = location.hash.split("?", 2);
  return { path: `${path}${encodeURIComponent(decoded(hash))}`, query: location.search || (query && `?${query}`) };
}

/** The page of one service at /s/{name}. */
export async function showService(view, path, signal) {
  const load = (name, query) => get(`/s/${name}${query}`, signal);
  show(view, h("p", { class: "quiet", role: "status" }, "Loading…"));
  try {
    const whole = wholeAddress(path);
    let service = await load(whole.path, whole.query).catch((error) => {
      if (whole.path === path || error.status !== 404) throw error;
      return null;
    });
    if (service === null || (service.note && whole.path !== path)) service = await load(path, location.search);
    const graph = await graphOf({ node: service.id }, signal).catch(() => null);
    document.title = `${service.name} · contextd`;
    show(view, page(service, graph));
  } catch (error) {
    if (!signal.aborted) show(view, problemBox(error, error.status === 404 ? null : () => showService(view, path, signal)));
  }
}
