import { at, get } from "../lib/api.js";
import { asked } from "../lib/asked.js";
import { h, outLink, show } from "../lib/dom.js";
import { ago, clip, fullName, moment, number, shortName } from "../lib/format.js";

/** Broken services that are shown with their tickets, owners and changes; more come as a line each. */
const MOST_SHOWN = 3;
const MOST_LINES = 8;
const RECENT_HOURS = 48;

/** Questions to begin with, from the services that are there, the worst first. */
export function examples(services) {
  const [first, second] = services;
  if (!first) return ["What is broken?", "What changed in the last 48 hours?"];
  return [
    first.openIncidents > 0 ? `Why is ${first.name} broken?` : `Who owns ${first.name}?`,
    `What changed in ${first.name} in the last 48 hours?`,
    second ? `What depends on ${second.name}?` : "What is broken?",
    "What is broken?",
  ];
}

/** Services, the worst first, and how many there are; none where they cannot be had, unless that is for want of a token. */
async function known(signal) {
  try {
    return await get("/api/services?limit=100", signal);
  } catch (error) {
    if (error.status === 401) throw error;
    return { services: [], total: 0 };
  }
}

const serviceLink = ({ name }) => h("a", { href: at("/s/", name) }, name);

function detail(term, ...what) {
  return [h("dt", null, term), h("dd", null, what)];
}

/** Tickets, owner and latest changes of one service, in the order in which they are asked for. */
function details(service) {
  const { asOf, openIncidents, owners, changes } = service;
  const from = Date.parse(asOf) - RECENT_HOURS * 3_600_000;
  const recent = changes.filter((one) => Date.parse(one.at ?? one.since) >= from);
  const quiet = (text) => h("span", { class: "quiet" }, text);
  return [
    openIncidents
      .slice(0, 3)
      .map((one) =>
        detail(
          one.severity ?? "Ticket",
          outLink(one.url, fullName(one)),
          h(
            "span",
            { class: "fine" },
            ` ${[one.at && ago(one.at, asOf), one.status, one.causes.length > 0 && `caused by ${one.causes.map((cause) => shortName(cause)).join(", ")}`].filter(Boolean).join(" · ")}`,
          ),
        ),
      ),
    detail("Owner", owners.length > 0 ? owners.map(({ label }) => label).join(", ") : quiet("nobody known")),
    detail(
      `${RECENT_HOURS} h`,
      recent.length === 0
        ? quiet(changes.length === 0 ? "no change known" : `no change; the last one ${ago(changes[0].at ?? changes[0].since, asOf)}`)
        : recent
            .slice(0, 3)
            .map((one) =>
              h(
                "div",
                null,
                outLink(one.url, clip(fullName(one), 90)),
                h("span", { class: "fine" }, ` ${ago(one.at ?? one.since, asOf)}${one.author ? ` · ${one.author}` : ""}`),
              ),
            ),
      recent.length > 3 && h("a", { class: "fine", href: at("/s/", service.name) }, `${recent.length - 3} more`),
    ),
  ];
}

function brokenService(row, ask, signal) {
  const facts = h("dl", { class: "facts" });
  get(at("/api/services/", row.name), signal)
    .then((service) => show(facts, details(service)))
    .catch(() => {
      if (!signal.aborted) show(facts, detail("Owner", row.owners.join(", ") || "nobody known"));
    });
  return h(
    "li",
    { class: "broken" },
    h(
      "h3",
      null,
      serviceLink(row),
      " ",
      h("span", { class: "hot fine" }, `${row.openIncidents} open`),
      h("button", { type: "button", class: "linkish fine", onclick: () => ask(`Why is ${row.name} broken?`) }, "Why is it broken?"),
    ),
    facts,
  );
}

/** The last index run that ended; null: none has, undefined: that is not for this reader. */
async function lastRun(signal) {
  const reply = await get("/api/index/runs?limit=5", signal).catch(() => null);
  return reply === null ? undefined : (reply.runs.find(({ status }) => status !== "running") ?? null);
}

/** Until when the sources are known, and which of them are not: what was not read cannot be known to be broken. */
function readLine(run) {
  if (run === undefined) return null;
  if (run === null) return h("p", { class: "fine hot" }, "Nothing is indexed yet.");
  const failed = [...new Set((run.report?.failures ?? []).map(({ source }) => source))];
  return h(
    "p",
    { class: "fine" },
    `Sources read ${moment(run.startedAt, new Date())} UTC`,
    run.status === "failed" && h("span", { class: "hot" }, ", and that run failed"),
    failed.length > 0 && h("span", { class: "hot" }, `, not all of ${failed.join(", ")}`),
    (run.status !== "done" || failed.length > 0) && [" ", h("a", { href: "/#index" }, "See why")],
  );
}

/** Services with open incidents: what somebody who was just woken looks for. */
function brokenNow({ services, total }, run, ask, signal) {
  if (total === 0) return null;
  const open = services.filter((one) => one.openIncidents > 0);
  const lines = open.slice(MOST_SHOWN, MOST_SHOWN + MOST_LINES);
  const more = open.length - MOST_SHOWN - lines.length;
  return h(
    "section",
    { class: "now" },
    h("h2", null, "Broken now"),
    open.length > 0 &&
      h(
        "ul",
        null,
        open.slice(0, MOST_SHOWN).map((one) => brokenService(one, ask, signal)),
        lines.map(brokenLine),
      ),
    open.length === 0 && run !== null && h("p", null, `None of ${number(total)} services has an open incident that is known.`),
    more > 0 && h("p", { class: "fine" }, h("a", { href: "/#services" }, `${more} more`)),
    readLine(run),
  );
}

function brokenLine(row) {
  return h(
    "li",
    { class: "pair" },
    serviceLink(row),
    h("span", { class: "fine" }, h("span", { class: "hot" }, `${row.openIncidents} open`), owners(row)),
  );
}

function owners({ owners: names }) {
  return names.length > 0 && ` · ${names.slice(0, 2).join(", ")}`;
}

function askedBefore(ask) {
  const past = asked();
  if (past.length === 0) return null;
  return h(
    "section",
    { class: "history" },
    h("h2", null, "Asked before"),
    h(
      "ul",
      null,
      past
        .slice(0, 8)
        .map((one) =>
          h(
            "li",
            null,
            h("button", { type: "button", class: "linkish", onclick: () => ask(one.question) }, one.question),
            " ",
            h(
              "a",
              { class: "fine", href: at("/a/", one.id), title: "The answer as it was" },
              `${one.status}, ${moment(one.at, new Date())}`,
            ),
          ),
        ),
    ),
  );
}

/** What stands below the empty question: what is broken now, questions to begin with, and those asked before. */
export async function homeView(ask, signal) {
  const [all, run] = await Promise.all([known(signal), lastRun(signal)]);
  const questions = examples(all.services);
  return {
    hint: all.total > 0 ? questions[0] : null,
    parts: [
      brokenNow(all, run, ask, signal),
      h(
        "div",
        null,
        h(
          "section",
          { class: "examples" },
          h("h2", null, "For example"),
          h(
            "ul",
            null,
            questions.map((text) => h("li", null, h("button", { type: "button", class: "linkish", onclick: () => ask(text) }, text))),
          ),
        ),
        askedBefore(ask),
      ),
    ],
  };
}
