import { openOriginal } from "./api.js";

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  append(node, children);
  return node;
}

/** Puts children in: nodes as they are, everything else as text, never as markup. */
export function append(node, children) {
  for (const child of [children].flat(5)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return node;
}

/** An HTML element: h("a", { class: "x", onclick: f }, "text", …). */
export function h(name, attributes, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** An SVG element. */
export function s(name, attributes, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

/** Replaces everything in the node. */
export function show(node, ...children) {
  node.replaceChildren();
  return append(node, children);
}

/** A link to an original, or plain text where the address is none that may be followed. */
export function outLink(url, text, attributes = {}) {
  if (isOriginal(url)) return h("a", { ...attributes, href: url, rel: "noopener", target: "_blank", onclick: openOriginal }, text);
  if (!isWeb(url)) return h("span", attributes, text);
  return h("a", { ...attributes, href: url, rel: "noreferrer noopener", target: "_blank" }, text);
}

/** Whether it is a file that this daemon sends. */
function isOriginal(url) {
  return typeof url === "string" && url.startsWith("/api/originals/");
}

/** Whether an address leads to a web page: records may hold others ("javascript:"). */
export function isWeb(url) {
  if (typeof url !== "string" || !URL.canParse(url)) return false;
  return ["http:", "https:"].includes(new URL(url).protocol);
}
