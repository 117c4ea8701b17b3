const HISTORY = "contextd.history";
const SESSION = "contextd.session";
const KEPT = 30;

/** Questions that were asked on this device, newest first: `{question, id, status, at}`. */
export function asked() {
  try {
    const kept = JSON.parse(localStorage.getItem(HISTORY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((one) => typeof one?.question === "string") : [];
  } catch {
    return [];
  }
}

export function remember(question, { id, status }) {
  const rest = asked().filter((one) => one.question !== question);
  const entry = { question, id, status, at: new Date().toISOString() };
  try {
    localStorage.setItem(HISTORY, JSON.stringify([entry, ...rest].slice(0, KEPT)));
  } catch {
    // no storage: no history
  }
}

/** What joins the questions of this tab, so that "and who owns it?" is understood. */
export function session() {
  try {
    const known = sessionStorage.getItem(SESSION);
    if (known !== null) return known;
    // crypto.randomUUID is missing where the page came by plain http from another machine
    const made = [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    sessionStorage.setItem(SESSION, made);
    return made;
  } catch {
    // no storage: each question stands alone
    return undefined;
  }
}

/** Who comes after does not go on with somebody else's questions. */
export function endSession() {
  try {
    sessionStorage.removeItem(SESSION);
  } catch {
    // no storage: there was none
  }
}
