/** "12 Mar 02:10" in UTC; with its year unless that is the year of `now`. */
export function moment(instant, now) {
  if (!instant) return "";
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return "";
  const sameYear = now && date.getUTCFullYear() === new Date(now).getUTCFullYear();
  const day = date.toLocaleDateString("en-GB", {
    day: "numeric",
    month: "short",
    ...(sameYear ? {} : { year: "numeric" }),
    timeZone: "UTC",
  });
  const time = date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: "UTC" });
  return `${day} ${time}`;
}

/** How long before `now`: "3 h ago". */
export function ago(instant, now) {
  const seconds = (new Date(now) - new Date(instant)) / 1000;
  if (!Number.isFinite(seconds)) return "";
  if (seconds < 0) return moment(instant, now);
  for (const [unit, size] of [
    ["d", 86400],
    ["h", 3600],
    ["min", 60],
  ]) {
    if (seconds >= size) return `${Math.floor(seconds / size).toLocaleString("en")} ${unit} ago`;
  }
  return "just now";
}

/** A part of an address as people write it; as it is where it is not encoded. */
export function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function duration(ms) {
  if (ms < 1) return "<1 ms";
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

export function number(value) {
  return Number(value).toLocaleString("en");
}

export function percent(value) {
  return `${Math.round(value * 100)} %`;
}

export function clip(text, length) {
  return text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`;
}

/** What people call a node in passing: a ticket by its key, a commit by seven signs of its sha. */
export function shortName({ id, kind, label }) {
  const key = id.slice(id.indexOf(":") + 1);
  if (kind === "ticket") return key.includes("#") ? key.slice(key.lastIndexOf("#")) : key;
  if (kind === "commit") return key.slice(0, 7);
  return label;
}

/** The short name with the title, where the title does not begin with it. */
export function fullName(node) {
  const short = shortName(node);
  return node.label.toLowerCase().startsWith(short.toLowerCase()) ? node.label : `${short} ${node.label}`;
}

/** Where a passage stands in its record: "page 7", "paragraph 3 of 12"; nothing where it is the whole. */
export function placeIn({ page, chunk, of }) {
  if (page) return `page ${page}`;
  return of > 1 ? `paragraph ${chunk} of ${of}` : "";
}

/** A passage's text without the title that it begins with, since that stands above it. */
export function withoutTitle({ title, text }) {
  const rest = text.startsWith(title) ? text.slice(title.length).trimStart() : text;
  return rest === "" ? text : rest;
}
