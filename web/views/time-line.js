import { h, s } from "../lib/dom.js";
import { fullName, moment, shortName } from "../lib/format.js";

const ROW = 26;
const LEFT = 74;
const narrow = matchMedia("(max-width: 560px)");

function span(service) {
  const { window, asOf, changes, openIncidents, closedIncidents } = service;
  if (window) return [Date.parse(window.from), Date.parse(window.to)];
  const end = Date.parse(asOf);
  const times = [...changes.slice(0, 20), ...openIncidents, ...closedIncidents.slice(0, 5)]
    .map((one) => Date.parse(one.at ?? one.since))
    .filter((time) => time <= end);
  const start = times.length > 0 ? Math.min(...times) : end - 7 * 86_400_000;
  return [start - (end - start) * 0.05 - 3_600_000, end];
}

/** Incidents as bars, changes as signs, on one scale of time. */
export function timeLine(service) {
  const width = narrow.matches ? 360 : 640;
  const [from, to] = span(service);
  const x = (time) => LEFT + ((Math.min(Math.max(time, from), to) - from) / Math.max(1, to - from)) * (width - LEFT - 12);
  const incidents = [...service.openIncidents, ...service.closedIncidents.slice(0, 5)];
  const changes = service.changes.filter((one) => Date.parse(one.at ?? one.since) >= from);
  if (incidents.length + changes.length === 0) return h("p", { class: "quiet" }, "Nothing happened that is known.");
  const rows = incidents.map((one, n) => {
    const open = one.open !== false && !one.until;
    const [start, end] = [x(Date.parse(one.at ?? one.since)), x(open ? to : Date.parse(one.until ?? one.since))];
    const y = 8 + n * ROW;
    return s(
      "g",
      { class: open ? "bar open" : "bar" },
      s("title", null, `${fullName(one)}: from ${moment(one.at ?? one.since)}${open ? ", still open" : ` to ${moment(one.until)}`}`),
      s("rect", { x: start, y, width: Math.max(3, end - start), height: 12, rx: 2 }),
      s("text", { x: LEFT - 8, y: y + 10, "text-anchor": "end" }, shortName(one).slice(0, 11)),
    );
  });
  const bottom = 8 + incidents.length * ROW;
  const marks = changes.map((one) => {
    const at = x(Date.parse(one.at ?? one.since));
    return s(
      "g",
      { class: "mark" },
      s("title", null, `${fullName(one)}: ${moment(one.at ?? one.since)}`),
      s("path", { d: `M${at},${bottom}l6,7l-6,7l-6,-7Z` }),
    );
  });
  const height = bottom + 40;
  const axis = [0, 0.5, 1].map((share) => {
    const time = from + (to - from) * share;
    return s(
      "text",
      { class: "axis", x: x(time), y: height - 4, "text-anchor": ["start", "middle", "end"][share * 2] },
      moment(new Date(time).toISOString(), service.asOf),
    );
  });
  return s(
    "svg",
    {
      class: "time-line",
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      "aria-label": `Time line: ${incidents.length} incidents, ${changes.length} changes`,
    },
    s("line", { x1: LEFT, x2: width - 12, y1: height - 18, y2: height - 18 }),
    changes.length > 0 && s("text", { x: LEFT - 8, y: bottom + 11, "text-anchor": "end" }, "changes"),
    rows,
    marks,
    axis,
  );
}
