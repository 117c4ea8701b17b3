const TOKEN = "contextd.token";
/** Told to the window when the daemon does not answer. */
export const OFFLINE = "contextd-offline";
/** Told to the window when questions can be answered that could not be before. */
export const READY = "contextd-ready";

function token() {
  try {
    return sessionStorage.getItem(TOKEN);
  } catch {
    return null;
  }
}

/** Whether one was given on this page. */
export function hasToken() {
  return token() !== null;
}

export function forgetToken() {
  try {
    sessionStorage.removeItem(TOKEN);
  } catch {
    // no storage: none is kept
  }
}

export function keepToken(value) {
  try {
    sessionStorage.setItem(TOKEN, value);
  } catch {
    // no storage: it has to be given again on the next page
  }
}

/** What the daemon said went wrong, or that it cannot be reached. */
export class Problem extends Error {
  constructor({ title, detail, remedy, status, code, requestId }) {
    super(detail);
    Object.assign(this, { title, remedy, status, code, requestId });
  }
}

async function problemOf(response) {
  try {
    const body = await response.json();
    if (typeof body.detail === "string") return new Problem(body);
  } catch {
    // not ours: a proxy's page, perhaps
  }
  return new Problem({
    title: "Unexpected reply",
    detail: `The daemon replied with status ${response.status}.`,
    remedy: "Look at the daemon's log, or at the proxy in between.",
    status: response.status,
    code: "INTERNAL",
  });
}

/** The header that says who asks, where a token was given. */
export function authorization() {
  const held = token();
  return held ? { authorization: `Bearer ${held}` } : {};
}

async function send(path, options) {
  const headers = { accept: "application/json", ...authorization(), ...options.headers };
  try {
    return await fetch(path, { ...options, headers });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    window.dispatchEvent(new Event(OFFLINE));
    throw new Problem({
      title: "Not reachable",
      detail: "The daemon does not answer.",
      remedy: "Check that contextd runs, then try again. Nothing you typed is lost.",
      status: 0,
      code: "OFFLINE",
    });
  }
}

/** GET as JSON. */
export async function get(path, signal) {
  const response = await send(path, { signal });
  if (!response.ok && !(path === "/readyz" && response.status === 503)) throw await problemOf(response);
  return response.json();
}

/** POST of JSON, reply as JSON. */
export async function post(path, body, signal) {
  const response = await send(path, {
    method: "POST",
    signal,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw await problemOf(response);
  return response.json();
}

/** DELETE, reply as JSON. */
export async function remove(path, signal) {
  const response = await send(path, { method: "DELETE", signal });
  if (!response.ok) throw await problemOf(response);
  return response.json();
}

/** Whether one can log in here, and who is: `{login, name, scope, groups}`. */
export async function whoAmI(signal) {
  try {
    return await get("/auth/me", signal);
  } catch {
    return { login: false, name: null, scope: null, groups: [] };
  }
}

/** Where to log in, to come back to the page as it is. */
export function loginPath() {
  const here = location.hash.startsWith("#login=") ? "/" : `${location.pathname}${location.search}${location.hash}`;
  return `/auth/login?to=${encodeURIComponent(here)}`;
}

export async function logOut() {
  await send("/auth/logout", { method: "POST" });
  forgetToken();
}

/** Opens a file of this daemon. A plain link comes without the token, so where there is one the file is fetched with it. */
export async function openOriginal(event) {
  if (token() === null) return;
  event.preventDefault();
  const link = event.currentTarget;
  // before anything is waited for: later it would be a pop-up
  const tab = window.open("", "_blank");
  try {
    const [path, place] = link.getAttribute("href").split("#");
    const response = await send(path, { headers: { accept: "*/*" } });
    if (!response.ok) throw await problemOf(response);
    const file = URL.createObjectURL(await response.blob());
    const shown = tab !== null && (response.headers.get("content-disposition") ?? "").startsWith("inline");
    if (shown) tab.location.replace(place ? `${file}#${place}` : file);
    else {
      tab?.close();
      const name = decodeURIComponent(path.slice(path.lastIndexOf("/") + 1))
        .split("/")
        .pop();
      Object.assign(document.createElement("a"), { href: file, download: name }).click();
    }
  } catch (error) {
    tab?.close();
    link.textContent = error.message;
  }
}

/** Events of one reply as [name, data, id]. */
async function* eventsOf(response) {
  if (!response.ok) throw await problemOf(response);
  let rest = "";
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    rest += text;
    const blocks = rest.split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      const lines = block.split("\n");
      const field = (name) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      const data = field("data");
      if (field("event") !== undefined && data !== undefined) yield [field("event"), JSON.parse(data), field("id")];
    }
  }
}

const EVENTS = { accept: "text/event-stream" };
const LAST = new Set(["answer", "error", "run"]);
const ATTEMPTS = 4;

/** Events of a piece of work as [name, data], until its last one; a connection that breaks is taken up where it was. */
export async function* events(path, { body, signal } = {}) {
  let seen = null;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const headers = { ...EVENTS, ...(seen ? { "last-event-id": seen } : {}) };
      const sent =
        body === undefined
          ? { headers }
          : { method: "POST", headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(body) };
      for await (const [name, data, id] of eventsOf(await send(path, { ...sent, signal }))) {
        seen = id ?? seen;
        yield [name, data];
        if (LAST.has(name)) return;
      }
    } catch (error) {
      // only a connection that once worked is worth a second try
      if (signal?.aborted || seen === null || (error.status ?? 0) > 0) throw error;
    }
    if (seen === null || attempt === ATTEMPTS) return;
    await new Promise((resolve) => setTimeout(resolve, 400 * attempt));
  }
}

/** Sends files and gives the events of what becomes of them. */
export async function* upload(path, files, signal) {
  const form = new FormData();
  for (const file of files) form.append("file", file, file.name);
  yield* eventsOf(await send(path, { method: "POST", headers: EVENTS, body: form, signal }));
}

/** A path with an id in it. */
export const at = (prefix, id) => `${prefix}${encodeURIComponent(id)}`;
