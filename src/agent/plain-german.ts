import type { Rewording } from "./plain.ts";

/** German wordings of the commonest questions, put into the English that the rules know. */
export const germanRewordings: readonly Rewording[] = [
  {
    from: /(?<!\p{L})(?:warum|wieso|weshalb|weswegen)(?!\p{L})/gu,
    to: "why is",
    example: ["warum steht die ⟨service⟩?", "why is broken ⟨service⟩?"],
  },
  {
    from: /(?<!\p{L})was ist los mit(?!\p{L})/gu,
    to: "what is wrong with",
    example: ["was ist los mit ⟨service⟩?", "what is wrong with ⟨service⟩?"],
  },
  {
    from: /(?<!\p{L})(?:wem gehört|wer (?:besitzt|betreut|verantwortet|pflegt|kümmert sich um)|zuständig für|verantwortlich für|besitzer von|eigentümer von)(?!\p{L})/gu,
    to: "who owns",
    example: ["wem gehört ⟨service⟩?", "who owns ⟨service⟩?"],
  },
  {
    from: /(?<!\p{L})wer ist (?:für )?(?:den |die |das )?⟨service⟩ (?:zuständig|verantwortlich)/gu,
    to: "who owns ⟨service⟩",
    example: ["wer ist für ⟨service⟩ zuständig?", "who owns ⟨service⟩?"],
  },
  {
    from: /(?<!\p{L})wer hat (?:gerade )?(?:bereitschaft|rufbereitschaft)(?!\p{L})/gu,
    to: "who is on call",
    example: ["wer hat bereitschaft?", "who is on call?"],
  },
  {
    from: /(?<!\p{L})was hängt (?:alles )?(?:von|an) (?:der |dem )?⟨service⟩(?: ab)?/gu,
    to: "what depends on ⟨service⟩",
    example: ["was hängt von ⟨service⟩ ab?", "what depends on ⟨service⟩?"],
  },
  {
    from: /(?<!\p{L})(?:wovon hängt|von was hängt|was (?:braucht|benötigt|nutzt|verwendet)) (?:der |die |das )?⟨service⟩(?: ab)?/gu,
    to: "what does ⟨service⟩ depend on",
    example: ["wovon hängt ⟨service⟩ ab?", "what does ⟨service⟩ depend on?"],
  },
  {
    from: /(?<!\p{L})(?:wer|was) (?:nutzt|verwendet|benutzt|braucht|benötigt) (?:den |die |das )?⟨service⟩/gu,
    to: "what uses ⟨service⟩",
    example: ["wer nutzt ⟨service⟩?", "what uses ⟨service⟩?"],
  },
  {
    from: /(?<!\p{L})(?:was|welche)? ?(?:hat sich|wurde|änderungen)(.{0,40}?)(?: (?:geändert|verändert|ausgerollt|deployt))?(?=[?.!]|$)/gu,
    to: "what changed$1",
    example: ["was hat sich seit gestern an ⟨service⟩ geändert?", "what changed since yesterday in ⟨service⟩?"],
  },
  {
    from: /\bwhat changed( .{0,30}?)? an ⟨/g,
    to: "what changed$1 in ⟨",
    example: ["was hat sich an ⟨service⟩ geändert?", "what changed in ⟨service⟩?"],
  },
  {
    from: /(?<!\p{L})(?:offene[nr]?|aktuelle[nr]?) (?:störung(?:en)?|vorf(?:all|älle)|tickets?|incidents?)(?!\p{L})/gu,
    to: "open incidents",
    example: ["offene Störungen von ⟨service⟩?".toLowerCase(), "open incidents of ⟨service⟩?"],
  },
  {
    from: /(?<!\p{L})(?:passw(?:ort|örter)|kennw(?:ort|örter)|geheimnis|zugangsdaten)(?!\p{L})/gu,
    to: "what password",
    example: ["passwort von ⟨service⟩?", "what password of ⟨service⟩?"],
  },
  { from: /(?<!\p{L})hauptstadt(?!\p{L})/gu, to: "what capital", example: ["hauptstadt von ungarn?", "what capital von ungarn?"] },
  {
    from: /(?<!\p{L})(?:steht|hängt|ist kaputt|ist tot|ist weg|geht nicht|spinnt|lahmt)(?!\p{L})/gu,
    to: "broken",
    example: ["⟨service⟩ spinnt", "⟨service⟩ broken"],
  },
  { from: /(?<!\p{L})was ist(?!\p{L})/gu, to: "what is", example: ["was ist ⟨service⟩?", "what is ⟨service⟩?"] },
  { from: /(?<!\p{L})wie viele(?!\p{L})/gu, to: "how many", example: ["wie viele kunden?", "how many kunden?"] },
  { from: /(?<!\p{L})seit wann(?!\p{L})/gu, to: "since when", example: ["seit wann?", "since when?"] },
  { from: /(?<!\p{L})seit(?!\p{L})/gu, to: "since", example: ["seit 05:31", "since 05:31"] },
  { from: /(?<!\p{L})vorgestern(?!\p{L})/gu, to: "the day before yesterday", example: ["vorgestern", "the day before yesterday"] },
  { from: /(?<!\p{L})gestern(?!\p{L})/gu, to: "yesterday", example: ["gestern", "yesterday"] },
  { from: /(?<!\p{L})heute(?: (?:morgen|früh))(?!\p{L})/gu, to: "this morning", example: ["heute morgen", "this morning"] },
  { from: /(?<!\p{L})heute(?!\p{L})/gu, to: "today", example: ["heute", "today"] },
  { from: /(?<!\p{L})(?:in der )?letzte[nr]? nacht(?!\p{L})/gu, to: "last night", example: ["letzte nacht", "last night"] },
  { from: /(?<!\p{L})(?:in der )?letzte[nr]? woche(?!\p{L})/gu, to: "last week", example: ["letzte woche", "last week"] },
  { from: /(?<!\p{L})(?:in )?dieser? woche(?!\p{L})/gu, to: "this week", example: ["diese woche", "this week"] },
  {
    from: /(?<!\p{L})(?:in den )?letzten (\d{1,3}) (?:std|stunden|h)(?!\p{L})/gu,
    to: "in the last $1 hours",
    example: ["in den letzten 24 stunden", "in the last 24 hours"],
  },
  {
    from: /(?<!\p{L})(?:in den )?letzten (\d{1,3}) tagen?(?!\p{L})/gu,
    to: "in the last $1 days",
    example: ["letzten 3 tagen", "in the last 3 days"],
  },
  {
    from: /(?<!\p{L})(?:(?:von|vom|beim|bei|am) (?:der |dem |den )?|an (?:der|dem|den) )(?=⟨)/gu,
    to: "of ",
    example: ["status von ⟨service⟩", "status of ⟨service⟩"],
  },
  { from: /(?<!\p{L})(?:der|die|das|den|dem) (?=⟨)/gu, to: "", example: ["die ⟨service⟩", "⟨service⟩"] },
];
