import type { z } from "zod";

const TYPES: Readonly<Record<string, string>> = {
  string: "text in quotation marks",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list in [ ]",
  object: "a block in { }",
  record: "a block in { }",
};

/** What the schema library found, in our words: what is allowed there. Messages that the schema gives itself stay. */
export function problemOf(issue: z.core.$ZodIssue, absent: boolean): string {
  const must = absent ? "is missing; it must be" : "must be";
  switch (issue.code) {
    case "invalid_type":
      return `${must} ${TYPES[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return `${must} ${issue.values.length > 1 ? "one of " : ""}${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
    case "invalid_union": {
      const allowed = "options" in issue && Array.isArray(issue.options) ? (issue.options as unknown[]) : undefined;
      if (allowed === undefined) return absent ? "is missing" : "is of no form that is known here";
      return `${must} one of ${allowed.map((value) => JSON.stringify(value)).join(", ")}`;
    }
    case "too_small":
      if (issue.origin === "string" || issue.origin === "array") return "must not be empty";
      return `must be ${issue.inclusive === false ? "more than" : "at least"} ${issue.minimum}`;
    case "too_big":
      return `must be ${issue.inclusive === false ? "less than" : "at most"} ${issue.maximum}`;
    case "invalid_format":
      if (issue.format === "url") return "must be a whole address, such as https://example.com";
      if (issue.format === "datetime") return "must be a time such as 2026-01-31T09:00:00Z";
      return issue.message;
    default:
      return issue.message;
  }
}
