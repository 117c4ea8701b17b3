import { get } from "../lib/api.js";
import { h, s, show } from "../lib/dom.js";
import { clip, fullName, percent, shortName } from "../lib/format.js";
import { openEvidence } from "./source.js";

const KINDS = ["service", "engineer", "team", "ticket", "commit", "log", "doc"];
/** Signs differ in shape too, for those who see colours alike. */
const SHAPES = {
  service: "M-7,-7H7V7H-7Z",
  engineer: "M0,-8A8,8 0 1,1 0,8A8,8 0 1,1 0,-8Z",
  team: "M-8,-5A5,5 0 0,1 0,-5A5,5 0 0,1 8,-5L8,5A5,5 0 0,1 0,5A5,5 0 0,1 -8,5Z",
  ticket: "M0,-9L9,7H-9Z",
  commit: "M0,-9L9,0L0,9L-9,0Z",
  log: "M-8,-6H8M-8,0H8M-8,6H3",
  doc: "M-6,-8H3L7,-4V8H-6Z",
};
const WORDS = { owns: "owns", affects: "affects", fixes: "fixes", depends_on: "depends on", caused_by: "caused by", modified: "modified" };

/** Kinds have their side, so that pictures of different services read alike: people left, services in the middle, what happened right. */
const SIDES = { engineer: -1, team: -1, service: 0, doc: 0.4, log: 0.9, ticket: 0.9, commit: 1.1 };

const narrow = matchMedia("(max-width: 560px)");

/** Two hops around what is named, as many nodes as there is room to name. */
export function graphOf(start, signal) {
  return get(`/api/graph?${new URLSearchParams({ ...start, hops: 2, limit: narrow.matches ? 18 : 40 })}`, signal);
}

/** Positions by force; the same graph always gives the same picture. */
function layout(nodes, edges, width, height) {
  const points = nodes.map((node, at) => ({
    id: node.id,
    hop: node.hop,
    kind: node.kind,
    x: (SIDES[node.kind] ?? 0) * 150 + (at % 7),
    y: ((at * 37) % 100) - 50,
  }));
  const links = edges.map((edge) => ({ source: edge.source, target: edge.target }));
  const spread = Math.min(1, 26 / nodes.length + 0.25);
  globalThis.d3
    .forceSimulation(points)
    .force(
      "link",
      globalThis.d3
        .forceLink(links)
        .id((point) => point.id)
        .distance(95 * spread)
        .strength(0.35),
    )
    .force(
      "charge",
      globalThis.d3
        .forceManyBody()
        .strength(-420 * spread)
        .distanceMax(420),
    )
    .force("collide", globalThis.d3.forceCollide(34 * spread))
    .force("x", globalThis.d3.forceX((point) => (SIDES[point.kind] ?? 0) * 190).strength(0.16))
    .force(
      "y",
      globalThis.d3.forceY(0).strength((point) => (point.hop === 0 ? 0.4 : 0.09)),
    )
    .stop()
    .tick(nodes.length > 200 ? 120 : 260);
  const xs = points.map((point) => point.x);
  const ys = points.map((point) => point.y);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const fitX = (width - 150) / Math.max(1, right - left);
  const fitY = (height - 70) / Math.max(1, bottom - top);
  const place = new Map();
  for (const point of points) {
    place.set(point.id, { x: 70 + (point.x - left) * Math.min(fitX, 2.2), y: 26 + (point.y - top) * Math.min(fitY, 1.6) });
  }
  return place;
}

function edgeText(edge, labelOf) {
  return `${labelOf(edge.source)} ${WORDS[edge.kind] ?? edge.kind} ${labelOf(edge.target)}`;
}

/** Rough boxes of what stands in a picture, to see where a label still has room. */
function roomIn(width) {
  const taken = [];
  const boxOf = (text, x, y, sign, height) => {
    const half = (text.length * sign) / 2;
    return [x - half, y - height, x + half, y + 2];
  };
  const free = (box) =>
    box[0] >= 0 && box[2] <= width && taken.every((one) => one[2] < box[0] || one[0] > box[2] || one[3] < box[1] || one[1] > box[3]);
  return {
    take: (box) => void taken.push(box),
    boxOf,
    /** Where along a line the text fits; null: nowhere. */
    place(text, from, to) {
      for (const share of [0.5, 0.4, 0.6, 0.3, 0.7]) {
        const at = { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share - 3 };
        const box = boxOf(text, at.x, at.y, 5, 9);
        if (!free(box)) continue;
        taken.push(box);
        return at;
      }
      return null;
    },
  };
}

function nameOf(node) {
  return clip(node.kind === "log" ? node.label.replace(/^\S*T\S* /, "") : shortName(node), 20);
}

function draw(nodes, edges, onPick) {
  const width = narrow.matches ? 400 : 640;
  const height = narrow.matches ? Math.min(760, 300 + nodes.length * 9) : Math.min(620, 300 + nodes.length * 5);
  const place = layout(nodes, edges, width, height);
  const label = new Map(nodes.map((node) => [node.id, shortName(node)]));
  const many = nodes.length > 45;
  const room = roomIn(width);
  for (const node of nodes) {
    const { x, y } = place.get(node.id);
    room.take([x - 10, y - 10, x + 10, y + 10]);
    room.take(room.boxOf(nameOf(node), x, y + 21, 5.8, 11));
  }
  const lines = edges.map((edge) => {
    const [from, to] = [place.get(edge.source), place.get(edge.target)];
    const text = edgeText(edge, (id) => label.get(id));
    const word = WORDS[edge.kind] ?? edge.kind;
    const at = nodes.length <= 20 ? room.place(word, from, to) : null;
    const { x, y } = at ?? { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 - 3 };
    return s(
      "g",
      { class: `edge ${edge.validTo ? "past" : ""}`, "data-kind": edge.kind, onclick: () => onPick({ edge }) },
      s("line", { class: "hit", x1: from.x, y1: from.y, x2: to.x, y2: to.y }),
      s("line", { x1: from.x, y1: from.y, x2: to.x, y2: to.y, "marker-end": "url(#arrow)" }),
      s("title", null, `${text} (${percent(edge.confidence)})`),
      // where there is no room it shows under the pointer
      s("text", { x, y, class: at === null ? "edge-label crowded" : "edge-label" }, word),
    );
  });
  const dots = nodes.map((node) => {
    const { x, y } = place.get(node.id);
    const pick = () => onPick({ node });
    return s(
      "g",
      {
        class: `node hop${node.hop} ${node.open === true ? "open" : ""}`,
        "data-kind": node.kind,
        transform: `translate(${x.toFixed(1)},${y.toFixed(1)})`,
        tabindex: 0,
        role: "button",
        "aria-label": `${node.kind} ${fullName(node)}`,
        onclick: pick,
        onkeydown: (event) => {
          if (event.key === "Enter" || event.key === " ") {
            event.preventDefault();
            pick();
          }
        },
      },
      s("path", { d: SHAPES[node.kind] ?? SHAPES.service }),
      s("title", null, `${node.kind}: ${fullName(node)}`),
    );
  });
  // beside the buttons, not in them: a cut name is not what a button is called
  const names = nodes
    .filter((node) => !many || node.hop < 2)
    .map((node) => {
      const { x, y } = place.get(node.id);
      return s("text", { class: `name hop${node.hop}`, x, y: y + 21, "aria-hidden": "true" }, nameOf(node));
    });
  return s(
    "svg",
    {
      class: "graph",
      viewBox: `0 0 ${width} ${height}`,
      role: "group",
      "aria-label": `Graph of ${nodes.length} nodes and ${edges.length} edges`,
    },
    s(
      "defs",
      null,
      s(
        "marker",
        { id: "arrow", viewBox: "0 0 8 8", refX: 19, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" },
        s("path", { d: "M0,1L7,4L0,7" }),
      ),
    ),
    lines,
    dots,
    names,
  );
}

/** What was picked: a node with ways on, or an edge with the places that state it. */
function details({ node, edge }, graph) {
  const label = (id) => {
    const found = graph.nodes.find((one) => one.id === id);
    return found ? shortName(found) : id;
  };
  if (edge) {
    return [
      h("b", null, edgeText(edge, label)),
      ` · ${percent(edge.confidence)}`,
      edge.validTo && " · no longer true",
      edge.evidence.map((one, n) =>
        h(
          "button",
          { type: "button", class: "linkish", onclick: () => openEvidence(one, edgeText(edge, label)) },
          n === 0 ? "Show where it says so" : `also ${one.record}`,
        ),
      ),
    ];
  }
  return [
    h("span", { class: "fine" }, node.kind),
    " ",
    h("b", null, fullName(node)),
    node.status && ` · ${node.status}`,
    node.kind === "service" && h("a", { href: `/s/${encodeURIComponent(node.label)}` }, "Open the service"),
    h("a", { href: `/#q=${encodeURIComponent(`What is known about ${shortName(node)}?`)}` }, "Ask about it"),
  ];
}

/** The picture of a sub-graph, with a legend that filters by kind, and the same as a list. */
export function graphPicture(graph) {
  const hidden = new Set();
  let past = true;
  const picture = h("div", { class: "graph-frame" });
  const info = h("p", { class: "picked", role: "status" }, "Pick a node or a line.");
  const pick = (what) => show(info, details(what, graph));
  const redraw = () => {
    const nodes = graph.nodes.filter((node) => node.hop === 0 || !hidden.has(node.kind));
    const ids = new Set(nodes.map((node) => node.id));
    const shown = graph.edges.filter((edge) => ids.has(edge.source) && ids.has(edge.target) && (past || edge.validTo === null));
    // what only hung on a hidden line would float about
    const tied = new Set(shown.flatMap((edge) => [edge.source, edge.target]));
    show(
      picture,
      draw(
        nodes.filter((node) => node.hop === 0 || tied.has(node.id)),
        shown,
        pick,
      ),
    );
  };
  redraw();
  const pastBox = h("input", { type: "checkbox", checked: true });
  pastBox.addEventListener("change", () => {
    past = pastBox.checked;
    redraw();
  });
  const label = new Map(graph.nodes.map((node) => [node.id, shortName(node)]));
  return h(
    "div",
    null,
    h(
      "div",
      { class: "legend", role: "group", "aria-label": "Kinds shown" },
      KINDS.filter((kind) => graph.nodes.some((node) => node.kind === kind)).map((kind) => {
        const count = graph.nodes.filter((node) => node.kind === kind).length;
        const box = h("input", { type: "checkbox", checked: true });
        box.addEventListener("change", () => {
          if (box.checked) hidden.delete(kind);
          else hidden.add(kind);
          redraw();
        });
        return h(
          "label",
          { "data-kind": kind },
          box,
          s("svg", { viewBox: "-11 -11 22 22", "aria-hidden": "true" }, s("path", { d: SHAPES[kind] })),
          ` ${kind} ${count}`,
        );
      }),
      graph.edges.some((edge) => edge.validTo !== null) && h("label", null, pastBox, " what no longer holds"),
    ),
    picture,
    info,
    graph.leftOut > 0 && h("p", { class: "fine" }, `${graph.leftOut} more are left out.`),
    h(
      "details",
      null,
      h("summary", null, "The same as a list"),
      h(
        "ul",
        { class: "edge-list" },
        graph.edges.map((edge) => {
          const text = edgeText(edge, (id) => label.get(id) ?? id);
          const [place] = edge.evidence;
          return h(
            "li",
            null,
            text,
            " ",
            place &&
              h(
                "button",
                { type: "button", class: "linkish", "aria-label": `source: ${text}`, onclick: () => openEvidence(place, text) },
                "source",
              ),
          );
        }),
      ),
    ),
  );
}
