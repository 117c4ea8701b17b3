import { findIdentifiers } from "../core/identifiers.ts";
import { foldWord, isStopWord } from "../core/words.ts";
import type { Tagged } from "./grammar.ts";
import type { Token } from "./tokens.ts";

/** A proper name of a claim: a run of capitalised words, or a joined name such as "checkout-api". */
export interface Name {
  readonly text: string;
  readonly tokens: readonly Token[];
  /** Joined by hyphens, dots, slashes or underscores: compared letter for letter. */
  readonly exact: boolean;
}

/** A place and what is from there, each line one family: "Germany" is borne by "German". */
const lines = `
united_states us usa u.s american america americans|united_kingdom uk u.k british britain briton|england english|scotland scottish scots|wales welsh|ireland irish
germany german germans|france french|spain spanish|italy italian|portugal portuguese|netherlands dutch holland|belgium belgian|switzerland swiss|austria austrian
sweden swedish|norway norwegian|denmark danish|finland finnish|iceland icelandic|poland polish|czech czechia|hungary hungarian|romania romanian|bulgaria bulgarian
greece greek|turkey turkish|russia russian soviet|ukraine ukrainian|serbia serbian|croatia croatian|israel israeli|egypt egyptian|morocco moroccan|nigeria nigerian
kenya kenyan|ethiopia ethiopian|china chinese|japan japanese|korea korean|vietnam vietnamese|thailand thai|india indian|pakistan pakistani|bangladesh bangladeshi
nepal nepalese|tibet tibetan|iran iranian persian|iraq iraqi|syria syrian|lebanon lebanese|jordan jordanian|australia australian|new_zealand zealand|canada canadian
mexico mexican|brazil brazilian|argentina argentine argentinian|chile chilean|peru peruvian|colombia colombian|venezuela venezuelan|cuba cuban|jamaica jamaican
africa african|asia asian|europe european|armenia armenian|luxembourg luxembourgish|indonesia indonesian|malaysia malaysian|philippines filipino philippine
singapore singaporean|california californian|texas texan|rome roman|paris parisian|london londoner|byzantium byzantine|christ christian christianity|islam islamic muslim
judaism jewish jews|buddha buddhist buddhism|hinduism hindu|catholic catholicism|kubernetes k8s|postgres postgresql|elasticsearch elastic|javascript js|typescript ts
`
  .trim()
  .split(/[|\n]/)
  .map((line) => line.trim().split(" "));
const familyOf = new Map<string, number>();
for (const [index, members] of lines.entries()) for (const member of members) familyOf.set(member, index);

/** Words that stand in names without telling them apart. */
const filler = new Set(
  "mr mrs ms dr sir lady lord saint st jr sr the of and de la le von van der inc ltd llc corp co company corporation group gmbh plc club fc f.c city county state province town river lake mount island islands university school album song film movie series novel book band team service department ministry republic kingdom king queen president prince princess i ii iii iv vi".split(
    " ",
  ),
);
const calendar = new Set(
  "january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday utc gmt usd eur gbp chf q1 q2 q3 q4".split(
    " ",
  ),
);

/** The names of a claim. A capital at the start of the sentence counts only where the tagger or the next word says so. */
export function namesOf(claim: string, tokens: readonly Token[], tagged: readonly Tagged[]): Name[] {
  const names: Name[] = [];
  let run: Token[] = [];
  const close = (): void => {
    if (run.some((token) => !filler.has(token.folded) && !/^\d/.test(token.folded)))
      names.push({ text: claim.slice(run[0]?.start, run.at(-1)?.end).replace(/['’]s?$/, ""), tokens: run, exact: false });
    run = [];
  };
  for (const [at, token] of tokens.entries()) {
    if (isJoinedName(token.text)) {
      close();
      names.push({ text: token.text.replace(/['’]s?$/, ""), tokens: [token], exact: true });
      continue;
    }
    const previous = run.at(-1);
    const apart = previous !== undefined && /['’]s?$/.test(previous.text);
    if (apart) close();
    if (isNamePart(token, tokens[at + 1], tagged)) run.push(token);
    else if (!(run.length > 0 && (token.folded === "of" || token.folded === "the") && isCapital(tokens[at + 1]))) close();
  }
  close();
  return names;
}

/** Compounds of ordinary language, which are no names: "well-known", "cloud-based". */
const ordinaryCompound =
  /^(?:well|co|non|re|pre|post|self|multi|high|low|long|short|full|half|ex|anti|inter|intra|semi|sub|super|ultra|cross|fast|slow|first|second|third|new|old|all|mid|much|so|ever|open|one|two|three|four|five|six|seven|eight|nine|ten|world|part|hard|on|off|in|up|down|over|under|out)-|-(?:based|like|only|known|old|year|style|wide|free|made|up|to|of|in|out|off|on|down|back|time|level|term|scale|specific|related|aware|friendly|ready|driven|long|size|sized|day|hour|minute|second|house|door|end|side|class|called)$|\d/;

/** A name that is written joined: "checkout-api", "payments_db", "api.example.com". */
export function isJoinedName(text: string): boolean {
  if (/^\p{Ll}[\p{Ll}\p{N}]*(?:-[\p{Ll}\p{N}]+)+$/u.test(text)) return !ordinaryCompound.test(text);
  if (/[_/@#]/.test(text) && /\p{L}/u.test(text)) return true;
  return /^\p{Ll}[\p{Ll}\p{N}]*(?:\.[\p{Ll}\p{N}]+)+$/u.test(text) && !/^(?:e\.g|i\.e)$/.test(text);
}

function isCapital(token: Token | undefined): boolean {
  return token?.capital === true && !token.mark;
}

function isNamePart(token: Token, next: Token | undefined, tagged: readonly Tagged[]): boolean {
  if (!token.capital || token.mark || token.text === "I" || token.folded === "please" || calendar.has(token.folded)) return false;
  const inner = token.text.slice(1);
  const shouted = /\p{Lu}/u.test(inner);
  if (!token.initial) return !isStopWord(token.folded) || (shouted && token.folded !== "not");
  if (isStopWord(token.folded)) return false;
  if (shouted) return true;
  const proper = tagged.some((word) => word.start <= token.start && token.start < word.end && word.proper);
  return proper || (isCapital(next) && !isStopWord(next?.folded ?? ""));
}

/** What a source says, prepared for looking names up in it. */
export interface KnownNames {
  readonly words: ReadonlySet<string>;
  readonly families: ReadonlySet<number>;
  /** Initials of its runs of capitalised words, lower case. */
  readonly initials: ReadonlySet<string>;
  /** Its words in capitals throughout ("DWP"), lower case. */
  readonly acronyms: ReadonlySet<string>;
  /** First four letters of its capitalised words. */
  readonly capitals: ReadonlySet<string>;
  /** Folded text, single spaces. */
  readonly text: string;
}

export function knownNames(text: string, tokens: readonly Token[]): KnownNames {
  const words = new Set<string>();
  const families = new Set<number>();
  const initials = new Set<string>();
  const capitals = new Set(tokens.filter((token) => token.capital).map((token) => token.folded.slice(0, 4)));
  const acronyms = new Set(tokens.filter((token) => /^\p{Lu}{2,}s?$/u.test(token.text)).map((token) => token.folded.replace(/s$/, "")));
  const folded = foldWord(text).replace(/\s+/g, " ");
  let run = "";
  for (const token of tokens) {
    words.add(token.folded);
    for (const part of token.folded.split(/[-_./:@#'’]/)) if (part !== "") words.add(part);
    if (token.capital || (/^(?:of|the|and|for|de)$/.test(token.folded) && run !== "")) {
      if (token.capital) run += token.folded[0] ?? "";
      if (run.length > 1) for (let from = 0; from + 2 <= run.length; from += 1) initials.add(run.slice(from));
    } else run = "";
  }
  for (const word of words) {
    const family = familyOf.get(word);
    if (family !== undefined) families.add(family);
  }
  for (const [index, members] of lines.entries())
    if (members.some((member) => member.includes("_") && folded.includes(member.replace("_", " ")))) families.add(index);
  return { words, families, initials, acronyms, capitals, text: folded };
}

/** Words of a name that the source does not know; [] when it holds the name, in part at least where the rest cannot be another's. */
export function unknownParts(name: Name, known: KnownNames): Token[] {
  const whole = foldWord(name.text).replace(/\s+/g, " ");
  if (name.exact) return known.text.includes(whole) || spelledApart(whole, known) ? [] : [...name.tokens];
  const family = familyOf.get(whole.replaceAll(" ", "_"));
  if (family !== undefined && known.families.has(family)) return [];
  const significant = name.tokens.filter((token) => !filler.has(token.folded) && !/^(?:of|the)$/.test(token.folded));
  if (significant.length > 1 && known.acronyms.has(significant.map((token) => token.folded[0]).join(""))) return [];
  return significant.filter((token) => !isKnown(token, known));
}

function isKnown(token: Token, known: KnownNames): boolean {
  const { folded } = token;
  if (known.words.has(folded)) return true;
  const family = familyOf.get(folded);
  if (family !== undefined && known.families.has(family)) return true;
  const singular = folded.replace(/s$/, "");
  if (known.words.has(singular) || known.words.has(`${folded}s`)) return true;
  if (/^\p{Lu}[\p{Lu}.]{1,5}$/u.test(token.text) && known.initials.has(folded.replaceAll(".", ""))) return true;
  // "Chris" beside "Christopher"
  if (
    folded.length >= 4 &&
    known.capitals.has(folded.slice(0, 4)) &&
    [...known.words].some((word) => word.startsWith(folded) && word.length > folded.length + 2)
  )
    return true;
  if (folded.includes("-") && folded.split("-").every((part) => known.words.has(part))) return true;
  // "GitHub", "Git Hub"; "CheckoutService" beside "checkout service"
  if (folded.length >= 6 && known.text.replaceAll(" ", "").includes(folded)) return true;
  return folded.length >= 6 && !/\d/.test(folded) && [...known.words].some((word) => oneLetterApart(folded, word));
}

/** "checkout-api" is borne by "checkout api" or "CheckoutApi". */
function spelledApart(name: string, known: KnownNames): boolean {
  if (findIdentifiers(name).length > 0) return false;
  const bare = name.replace(/[-_.]/g, "");
  return bare.length >= 5 && known.text.replace(/[-_. ]/g, "").includes(bare);
}

/** A slip of the pen inside a long name: one letter more, less or other, the first and the last the same. */
function oneLetterApart(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || a === b || a[0] !== b[0] || a.at(-1) !== b.at(-1) || b.length < 6) return false;
  let at = 0;
  while (at < Math.min(a.length, b.length) && a[at] === b[at]) at += 1;
  const skipA = a.length >= b.length ? 1 : 0;
  const skipB = b.length >= a.length ? 1 : 0;
  return a.slice(at + skipA) === b.slice(at + skipB);
}
