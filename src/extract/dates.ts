const months = "january february march april may june july august september october november december".split(" ");
const year = /\d{4}/;
const iso = /\b(\d{4})-(\d{2})(?:-(\d{2}))?(?:[T ](\d{2}):(\d{2})(?::(\d{2}))?(Z| ?UTC)?)?\b/;
const dayMonth = /\b(\d{1,2})(?:st|nd|rd|th|\.)? (?:of )?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?,? (\d{4})\b/i;
const monthDay = /\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})\b/i;

/** The first full date of a sentence as an instant, midnight UTC where no time is given; null when there is none. */
export function dateIn(text: string): string | null {
  if (!year.test(text)) return null;
  const plain = iso.exec(text);
  if (plain !== null) {
    const [, year, month, day = "01", hour = "00", minute = "00", second = "00"] = plain;
    return valid(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  }
  const words = dayMonth.exec(text);
  if (words !== null) return valid(spelled(words[3] ?? "", words[2] ?? "", words[1] ?? ""));
  const american = monthDay.exec(text);
  return american === null ? null : valid(spelled(american[3] ?? "", american[1] ?? "", american[2] ?? ""));
}

function spelled(year: string, month: string, day: string): string {
  const number = months.findIndex((name) => name.startsWith(month.toLowerCase())) + 1;
  return `${year}-${String(number).padStart(2, "0")}-${day.padStart(2, "0")}T00:00:00Z`;
}

function valid(instant: string): string | null {
  return Number.isNaN(Date.parse(instant)) ? null : instant;
}
