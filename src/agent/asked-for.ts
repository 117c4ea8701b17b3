const graphNouns =
  /\b(?:owner|owners|team|teams|commit|commits|change|changes|ticket|tickets|incident|incidents|outage|outages|issue|issues|bug|bugs|service|services|dependenc(?:y|ies)|dependents?|callers?|clients?|consumers?|users|causes?|root|reasons?|culprit|status|state|health|impact|blast|logs?|traces?|errors?|warnings?|deployments?|deploys?|releases?|rollouts?|rollbacks?|author|authors|person|people|engineers?|developers?|severity|priority|assignee|reporter|fix|fixes|hops?|neighbou?rs?|pull|last|latest|newest|first|current|currently|previous|former|open|new|on-?call|sev ?-?\d+|happening|going|up|wrong|broken|down|failing|affected|it|he|she|they|that|this|there|⟨\w+⟩|upstream|downstream|pods?|changed|deployed|merged|fire|problems?|alerts?)\b/;
const measure = /\bhow (?:many|much|long|often|big|large|fast|old|far|high)\b ?((?:[a-z][a-z0-9-]* ?){0,3})/;
const askedNoun =
  /\b(?:what|which)(?:'s| is| are| was| were)? (?:the |an? |our |their )?((?:[a-z-]+ ){0,3}[a-z-]+?) (?:of|for|used|in|on|behind|that|to|per|from|at|did|does|do|has|have|is|was|were|are|can|should|must|will)\b/;
/** Things that no edge holds; asking for them is asking the texts. */
const foreign =
  /\b(?:phone|telephone|mobile|e-?mail address|address|salary|birthday|hobby|revenue|profit|turnover|price|cost|costs|money|dollars?|euros?|budget|password|passphrase|secret|api key|credentials?|customers?|shoppers?|visitors?|stock|weather|capital|population|age|hometown|languages?|framework|licen[cs]e|operating system|cloud provider|uptime|availability|throughput|qps|rps|cpu|vendor|hardware|whereabouts|connection string|slo|sla|ttl|timeout|port|version|runbook|definition|meaning|url|ip)\b/;

/** The thing asked for, where it is none that the graph holds; null where it is, or nothing is asked for by name. */
export function attributeOf(masked: string): string | null {
  if (/\bwho (?:has |had )?(?:reviewed|approved|tested|verified)\b/.test(masked)) return "reviewers";
  // a service is called like the word: "the email of somebody"
  if (/⟨service⟩(?: address| number)? of ⟨person⟩|⟨person⟩(?:'s)? ⟨service⟩ (?:address|number)/.test(masked)) return "contact address";
  if (
    /\bwhen (?:will|is|are)\b.{0,40}\b(?:be|get|going to be|expected to be)\b|\bhow long will\b|\bhow long (?:until|till|is it going)\b.{0,40}(?:\b(?:fix|resolv|(?:⟨service⟩|it|we|they|everything) (?:is|are|comes?) (?:back|up)|over|done|finish|repair|restor|take)|⟨ticket⟩)|\beta\b/.test(
      masked,
    )
  )
    return "eta";
  // how long a ticket was open is told by its two dates
  if (/\bhow long (?:was|is|has|did|were|does) (?:it )?⟨ticket⟩|\bhow long .{0,30}\b(?:fix|resolve|close|solve) ⟨ticket⟩/.test(masked))
    return null;
  const many = measure.exec(masked);
  if (many) {
    const harmed = /\bhow many (?:[\p{L}-]+ ){1,4}?(?:⟨\w+⟩|hit|hurt|affected|impacted|complained|lost|suffered)/u.exec(masked)?.[0];
    if (harmed !== undefined && /\b(?:people|users?|customers?|persons|clients|accounts|shoppers?|visitors?|orders?)\b/.test(harmed))
      return harmed.replace(
        /(?: (?:because of|due to|owing to|thanks to|during|in|by|from|through|with|after|since|the))* ⟨\w+⟩$| (?:did|were|was|has|have|had)(?: \S+)?$/g,
        "",
      );
    const noun = (many[1] ?? "").trim();
    const counted = noun.replace(/ ?\b(?:is|are|was|were|did|do|does|has|have|had|got|get|can|could|will|would)\b.*$/, "");
    if (/^how many/.test(many[0]) && graphNouns.test(counted)) return null;
    // "how much did the outage cost us": the thing comes last
    const named = /^(?:(?:did|does|do|has|have|had|will|would|is|was|the|an?|it|this|that)\b ?)*$/.test(noun)
      ? foreign.exec(masked)?.[0]
      : undefined;
    return named ?? many[0].trim();
  }
  if (/\bwhere (?:is|are|was|'s) ⟨person⟩/.test(masked)) return "whereabouts";
  const noun = askedNoun.exec(masked)?.[1];
  if (noun !== undefined && !graphNouns.test(noun) && (foreign.test(noun) || /\bof ⟨(?:person|ticket|commit|team)⟩/.test(masked)))
    return noun;
  const loose = foreign.exec(masked)?.[0];
  return loose !== undefined &&
    /\b(?:what|which|how|tell me|give me|show me|where)\b/.test(masked) &&
    !/\bwhy\b|\bwho\b|\bwhat (?:made|caused|broke)\b/.test(masked)
    ? loose
    : null;
}
