/** Kinds have their side, so that pictures of different services read alike: people left, services in the middle, what happened right. */
const SIDES = { engineer: -1, team: -1, service: 0, doc: 0.4, log: 0.9, ticket: 0.9, commit: 1.1 };

/**
 * Positions by force, by node id; the same graph always gives the same picture.
 * @returns {Map<string, { x: number, y: number }>} within the width and height
 */
export function layout(nodes, edges, width, height) {
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

/** Rough boxes of what stands in a picture, to see where a label still has room. */
export function roomIn(width) {
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
