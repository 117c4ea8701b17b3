const HOUR_MS = 3_600_000;

/**
 * "2026-08-20 22:58" as a clock in that zone shows it: what JQL and CQL read, in the zone of the token's user.
 * In the hour that a zone repeats in autumn it gives the time one hour before, so that nothing falls between the two.
 */
export function localMinute(at: Date, zone: string): string {
  const shown = wallClock(at, zone);
  return wallClock(new Date(at.getTime() + HOUR_MS), zone) === shown || wallClock(new Date(at.getTime() - HOUR_MS), zone) === shown
    ? wallClock(new Date(at.getTime() - 2 * HOUR_MS), zone)
    : shown;
}

function wallClock(at: Date, zone: string): string {
  const parts = new Intl.DateTimeFormat("en-CA", {
    timeZone: zone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).formatToParts(at);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? "";
  return `${part("year")}-${part("month")}-${part("day")} ${part("hour")}:${part("minute")}`;
}

/** Whether this machine knows the zone. */
export function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
