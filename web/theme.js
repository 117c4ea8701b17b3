// Runs before the first paint, so that a chosen theme does not flash.
try {
  const chosen = localStorage.getItem("contextd.theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // no storage: the system's theme it is
}
