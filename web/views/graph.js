import { get } from "../lib/api.js";
import { h, s, show } from "../lib/dom.js";
import { clip, fullName, percent, shortName } from "../lib/format.js";
import { layout, roomIn } from "../lib/graph-layout.js";
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

/** Pictures with more nodes have their edges' words, or the names of the outer nodes, under the pointer only. */
const MOST_WORDED = 20;
const MOST_NAMED = 45;

const narrow = matchMedia("(max-width: 560px)");

/** Two hops around what is named, as many nodes as there is room to name. */
export function graphOf(start, signal) {
  return get(`/api/graph?${new URLSearchParams({ ...start, hops: 2, limit: narrow.matches ? 18 : 40 })}`, signal);
}

function edgeText(edge, labelOf) {
  return `${labelOf(edge.source)} ${WORDS[edge.kind] ?? edge.kind} ${labelOf(edge.target)}`;
}

function nameOf(node) {
  return clip(node.kind === "log" ? node.label.replace(/^\S*T\S* /, "") : shortName(node), 20);
}

function lineOf(edge, place, labelOf, room, onPick) {
  const [from, to] = [place.get(edge.source), place.get(edge.target)];
  const word = WORDS[edge.kind] ?? edge.kind;
  // where there is no room it shows under the pointer
  const free = room?.place(word, from, to) ?? null;
  const { x, y } = free ?? { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 - 3 };
  const ends = { x1: from.x, y1: from.y, x2: to.x, y2: to.y };
  return s(
    "g",
    { class: `edge ${edge.validTo ? "past" : ""}`, "data-kind": edge.kind, onclick: () => onPick({ edge }) },
    s("line", { class: "hit", ...ends }),
    s("line", { ...ends, "marker-end": "url(#arrow)" }),
    s("title", null, `${edgeText(edge, labelOf)} (${percent(edge.confidence)})`),
    s("text", { x, y, class: free === null ? "edge-label crowded" : "edge-label" }, word),
  );
}

function dotOf(node, { x, y }, onPick) {
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
}

function arrow() {
  const box = { id: "arrow", viewBox: "0 0 8 8", refX: 19, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" };
  return s("defs", null, s("marker", box, s("path", { d: "M0,1L7,4L0,7" })));
}

function draw(nodes, edges, onPick) {
  const width = narrow.matches ? 400 : 640;
  const height = narrow.matches ? Math.min(760, 300 + nodes.length * 9) : Math.min(620, 300 + nodes.length * 5);
  const place = layout(nodes, edges, width, height);
  const label = new Map(nodes.map((node) => [node.id, shortName(node)]));
  const room = roomIn(width);
  for (const node of nodes) {
    const { x, y } = place.get(node.id);
    room.take([x - 10, y - 10, x + 10, y + 10]);
    room.take(room.boxOf(nameOf(node), x, y + 21, 5.8, 11));
  }
  const worded = nodes.length <= MOST_WORDED ? room : null;
  // beside the buttons, not in them: a cut name is not what a button is called
  const names = nodes
    .filter((node) => nodes.length <= MOST_NAMED || node.hop < 2)
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
    arrow(),
    edges.map((edge) => lineOf(edge, place, (id) => label.get(id), worded, onPick)),
    nodes.map((node) => dotOf(node, place.get(node.id), onPick)),
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

/** A box for each kind that is there, and one for what is over; `onChange` hears which kinds are hidden and whether the past is shown. */
function legend({ nodes, edges }, onChange) {
  const hidden = new Set();
  let past = true;
  const box = (change) => {
    const input = h("input", { type: "checkbox", checked: true });
    input.addEventListener("change", () => {
      change(input.checked);
      onChange(hidden, past);
    });
    return input;
  };
  const kindBox = (kind) => {
    const count = nodes.filter((node) => node.kind === kind).length;
    return h(
      "label",
      { "data-kind": kind },
      box((shown) => (shown ? hidden.delete(kind) : hidden.add(kind))),
      s("svg", { viewBox: "-11 -11 22 22", "aria-hidden": "true" }, s("path", { d: SHAPES[kind] })),
      ` ${kind} ${count}`,
    );
  };
  const pastBox = () =>
    h(
      "label",
      null,
      box((shown) => {
        past = shown;
      }),
      " what no longer holds",
    );
  return h(
    "div",
    { class: "legend", role: "group", "aria-label": "Kinds shown" },
    KINDS.filter((kind) => nodes.some((node) => node.kind === kind)).map(kindBox),
    edges.some((edge) => edge.validTo !== null) && pastBox(),
  );
}

/** The edges in words, each with the place that states it. */
function edgeList({ nodes, edges }) {
  const label = new Map(nodes.map((node) => [node.id, shortName(node)]));
  const line = (edge) => {
    const text = edgeText(edge, (id) => label.get(id) ?? id);
    const [place] = edge.evidence;
    const open = { type: "button", class: "linkish", "aria-label": `source: ${text}`, onclick: () => openEvidence(place, text) };
    return h("li", null, text, " ", place && h("button", open, "source"));
  };
  return h("details", null, h("summary", null, "The same as a list"), h("ul", { class: "edge-list" }, edges.map(line)));
}

/** The picture of a sub-graph, with a legend that filters by kind, and the same as a list. */
export function graphPicture(graph) {
  const picture = h("div", { class: "graph-frame" });
  const info = h("p", { class: "picked", role: "status" }, "Pick a node or a line.");
  const redraw = (hidden, past) => {
    const nodes = graph.nodes.filter((node) => node.hop === 0 || !hidden.has(node.kind));
    const ids = new Set(nodes.map((node) => node.id));
    const shown = graph.edges.filter((edge) => ids.has(edge.source) && ids.has(edge.target) && (past || edge.validTo === null));
    // what only hung on a hidden line would float about
    const tied = new Set(shown.flatMap((edge) => [edge.source, edge.target]));
    const kept = nodes.filter((node) => node.hop === 0 || tied.has(node.id));
    show(
      picture,
      draw(kept, shown, (what) => show(info, details(what, graph))),
    );
  };
  redraw(new Set(), true);
  return h(
    "div",
    null,
    legend(graph, redraw),
    picture,
    info,
    graph.leftOut > 0 && h("p", { class: "fine" }, `${graph.leftOut} more are left out.`),
    edgeList(graph),
  );
}
