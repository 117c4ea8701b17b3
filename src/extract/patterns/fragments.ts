/** Parts that several phrases share. */

/** What may stand between a subject and its verb. */
export const adverb =
  "(?:all |both |each |also |only |directly |currently |still |mainly |now |then |already |in turn |itself |therefore |thus |always |synchronously |asynchronously )?";

/** A service, or "it": what the page is about. */
export const target = "(?<target>«S»|\\bit\\b)";

/** What a ticket may call its trouble. */
export const problem = "(?:issue|bug|problem|incident|ticket|leak|crash|error|regression|outage|defect|fault|failure|race|deadlock)";
