import { at, get } from "../lib/api.js";
import { h, show } from "../lib/dom.js";
import { moment } from "../lib/format.js";
import { fillWith, headed, tableOf } from "./parts.js";

const HEADS = ["Service", "Incidents", "Owner", "Last change", "Needs", "Needed by"];

function quiet(text) {
  return h("span", { class: "quiet" }, text);
}

function incidentsOf({ openIncidents, newestIncident }) {
  if (openIncidents === 0) return quiet("none");
  const when = `${openIncidents === 1 ? "since" : "newest"} ${moment(newestIncident, new Date())}`;
  return [h("span", { class: "hot" }, `${openIncidents} open`), h("span", { class: "fine" }, ` ${when}`)];
}

function row(service) {
  const { name, owners, lastChange, dependsOn, dependedOnBy } = service;
  return headed(
    HEADS,
    h(
      "tr",
      null,
      h("th", { scope: "row" }, h("a", { href: at("/s/", name) }, name)),
      h("td", null, incidentsOf(service)),
      h("td", null, owners.join(", ") || quiet("nobody known")),
      h("td", { class: "num" }, lastChange ? moment(lastChange, new Date()) : quiet("none")),
      h("td", { class: "num" }, dependsOn),
      h("td", { class: "num" }, dependedOnBy),
    ),
  );
}

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
      const found = services.filter((one) => `${one.name} ${one.owners.join(" ")}`.toLowerCase().includes(wanted));
      const none = h("tr", null, h("td", { colspan: HEADS.length, class: "quiet" }, "None of that name."));
      show(body, found.length > 0 ? found.map(row) : none);
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
