import { at, get } from "../lib/api.js";
import { h, outLink, show } from "../lib/dom.js";
import { ago, decoded, fullName, moment, percent, shortName } from "../lib/format.js";
import { graphOf, graphPicture } from "./graph.js";
import { problemBox } from "./parts.js";
import { openEvidence, openRecord } from "./source.js";
import { timeLine } from "./time-line.js";

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

function ownerLine({ name, asOf }, entry) {
  const since = Date.parse(entry.since) === 0 ? "" : `, since ${moment(entry.since, asOf)}`;
  return [
    h("b", null, entry.label),
    h("span", { class: "fine" }, ` ${entry.kind}${since} · ${percent(entry.confidence)} `),
    evidenceButton(entry, `${entry.label} owns ${name}`),
  ];
}

function formerOwnerLine({ asOf }, entry) {
  return [entry.label, h("span", { class: "fine" }, ` until ${moment(entry.until, asOf)} `)];
}

function incidentState({ severity, open, until }) {
  if (severity) return severity;
  if (open === false) return "closed";
  return open === null && !until ? "perhaps open" : "open";
}

function incidentLine({ name, asOf }, entry) {
  const when = entry.at ? `${moment(entry.at, asOf)}, ${ago(entry.at, asOf)}` : "";
  return [
    h("span", { class: entry.open === false || entry.until ? "quiet" : "hot" }, incidentState(entry)),
    " ",
    outLink(entry.url, fullName(entry)),
    h("span", { class: "fine" }, ` ${when}${entry.status ? ` · ${entry.status}` : ""} `),
    entry.causes.length > 0 && h("span", { class: "fine" }, `caused by ${entry.causes.map((cause) => shortName(cause)).join(", ")} `),
    evidenceButton(entry, `${entry.label} affects ${name}`),
  ];
}

function ticketLine({ name, asOf }, entry) {
  return [
    outLink(entry.url, fullName(entry)),
    h("span", { class: "fine" }, ` ${entry.at ? moment(entry.at, asOf) : ""}${entry.status ? ` · ${entry.status}` : ""} `),
    evidenceButton(entry, `${shortName(entry)} affects ${name}`),
  ];
}

function changeLine({ name, asOf }, entry) {
  const at = entry.at ?? entry.since;
  return [
    outLink(entry.url, fullName(entry)),
    h("span", { class: "fine" }, ` ${moment(at, asOf)}, ${ago(at, asOf)}${entry.author ? ` · ${entry.author}` : ""} `),
    evidenceButton(entry, `${entry.label} modified ${name}`),
  ];
}

function neededLine({ name }, entry) {
  return [h("a", { href: at("/s/", entry.label) }, entry.label), " ", evidenceButton(entry, `${name} depends on ${entry.label}`)];
}

function needingLine({ name }, entry) {
  return [h("a", { href: at("/s/", entry.label) }, entry.label), " ", evidenceButton(entry, `${entry.label} depends on ${name}`)];
}

function documentLine({ asOf }, { record, title, updatedAt }) {
  return [
    h("button", { type: "button", class: "linkish", onclick: () => openRecord(record) }, title),
    h("span", { class: "fine" }, ` ${moment(updatedAt, asOf)}`),
  ];
}

function heading(service) {
  const { name, asOf, window } = service;
  const aliases = service.aliases.filter((alias) => alias !== name);
  return h(
    "header",
    { class: "past" },
    h(
      "div",
      null,
      h("h1", null, name),
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
      h("a", { class: "button", href: `/#q=${encodeURIComponent(`Why is ${name} broken?`)}` }, "Ask why it is broken"),
    ),
  );
}

/** What happened on the left, who and what stands around it on the right. */
function page(service, graph) {
  const of = (line) => (entry) => line(service, entry);
  /** A list that is left out where it is empty. */
  const ifAny = (title, list, line, place) => list.length > 0 && entries(title, list, of(line), "", place);
  const none = service.window ? "None in this time." : "None known.";
  return [
    heading(service),
    service.note && h("p", { class: "note" }, service.note),
    h(
      "div",
      { class: "columns" },
      h(
        "div",
        null,
        entries("Open incidents", service.openIncidents, of(incidentLine), none, "first"),
        ifAny("Other open tickets", service.openTickets, ticketLine),
        h("section", { class: "panel" }, h("h2", null, "Time line"), timeLine(service)),
        entries("Last changes", service.changes, of(changeLine), none),
        ifAny("Closed incidents", service.closedIncidents, incidentLine),
      ),
      h(
        "div",
        null,
        entries("Owner", service.owners, of(ownerLine), "Nobody is known to own it.", "second"),
        ifAny("Before", service.formerOwners, formerOwnerLine, "second"),
        entries("Depends on", service.dependsOn, of(neededLine), "Nothing known."),
        entries("Depended on by", service.dependedOnBy, of(needingLine), "Nothing known."),
        entries("Documents", service.docs, of(documentLine), "None names it."),
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
