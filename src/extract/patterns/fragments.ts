/** Parts that several phrases share. */

/** What may stand between a subject and its verb. */
export const adverb =
  "(?:all |both |each |also |only |directly |currently |still |mainly |now |then |already |in turn |itself |therefore |thus |always |synchronously |asynchronously )?";

/** What another one does to a thing of ours for its own ends: "read by", "passed on by". */
export const actedOn =
  "(?:read|fetched|loaded|pulled|taken|looked up|retrieved|obtained|downloaded|imported|picked up|sent|published|announced|posted|pushed|reported|forwarded|passed|handed|put|placed|dropped|logged|queued|uploaded)(?: [\\w'-]{1,20}){0,3}? by ";

/** Not where a name only says of what kind another thing is: "in the «S» format", "a «S» client". */
export const noName =
  "(?! (?:clients?|librar(?:y|ies)|sdks?|protocol|formats?|style|naming|storage format|tsdb|source (?:tree|code)|code ?base|versions?|compatib\\w*|config\\w*|instability|syntax|semantics|conventions?|data model|\\d+\\.\\d)\\b)";

/** A service, or "it": what the page is about. */
export const target = `(?<target>«S»|\\bit\\b)${noName}`;

/** What is sent, kept or read: a few words before the preposition, none of them opening another clause. */
export const things = "(?:(?!wh(?:at|ich|ere|en|ile|o) )[\\w'.*/-]{1,30} ){0,5}?";

/** What a ticket may call its trouble. */
export const problem = "(?:issue|bug|problem|incident|ticket|leak|crash|error|regression|outage|defect|fault|failure|race|deadlock)";

/** Verbs whose object, or what stands behind their preposition, is what the subject needs. */
export const verbs = {
  /** "calls «S»" */
  direct:
    "calls?|(?<!, )called|invokes?|query|queries|queried|polls?|consults?|contacts?|hits?|asks?|wraps?|prox(?:y|ies)|fronts|scrapes?|embeds?|leverages?",
  /** "writes orders to «S»" */
  to: "talks?|speaks?|connects?|writes?|publish(?:es)?|subscribes?|produces?|posts?|routes?|forwards?|delegates?|proxies|streams?|sends?|pushe?s?|submits?|hands|passes|enqueues?|emits?|reports|exports?|persists?|authenticates?|integrates?|tells|notifies|informs|alerts|reaches|announces?|ships|uploads?|delivers?|dispatches|mirrors|replicates?|syncs|synchroni[sz]es|flushes|dumps|feeds|appends?|registers?|signs in|logs in|logs on|falls back|redirects?|relays|broadcasts?|transmits?|hooks|plugs|taps|attaches|validates?|checks|verif(?:y|ies)|resolves|renders|books|reserves?|charges|pays",
  /** "fetches the rates from «S»" */
  from: "reads?|fetch(?:es)?|gets?|loads?|pulls?|receives?|consumes?|retrieves?|takes?|looks up|obtains?|imports?|subscribes?|streams?|downloads?|picks(?: up)?|collects?|drains|copies|quer(?:y|ies)|requests?|learns|hears|draws|derives|renders|syncs|polls|sources|restores?|scrapes?|tails|grabs|orders|asks|buys|borrows|gathers|builds",
  /** "stores its sessions in «S»" */
  in: "stores?|keeps?|persists?|saves?|caches?|holds?|queues|records|interacts|puts?|places?|drops|lives?|sits?|books|logs|parks|buffers|tracks|spools|archives?|indexes|writes?|locks|leaves|remembers|files",
} as const;

/** A verb in the third person that opens a sentence whose subject is what the page is about: "Reads orders from «S»". */
export const doesSomething =
  "(?:depends|relies|leans|builds|calls|invokes|queries|polls|consults|contacts|asks|wraps|proxies|fronts|scrapes|uses|needs|requires|consumes|reads|embeds|leverages|talks|speaks|connects|writes|publishes|subscribes|produces|posts|routes|forwards|delegates|streams|sends|pushes|submits|hands|passes|enqueues|emits|exports|persists|authenticates|integrates|tells|notifies|informs|announces|ships|uploads|delivers|dispatches|mirrors|replicates|syncs|appends|registers|signs in|logs in|falls back|redirects|relays|broadcasts|listens|fetches|gets|loads|pulls|receives|retrieves|takes|looks|obtains|imports|downloads|picks|collects|drains|copies|learns|hears|derives|renders|waits|blocks|stores|keeps|saves|caches|holds|puts|places|drops|books|buffers|tracks|archives|indexes|validates|checks|verifies|resolves|goes|runs|sits|lives)";
