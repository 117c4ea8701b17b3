import { stem } from "../core/stem.ts";
import { foldWord } from "../core/words.ts";

/** The words of general English and of operating software that the check of understanding knows, as data. */

/** How anything is asked and said: constrains no answer. */
const function_ = `
a an the this that these those it its he she they them his her their we us our you your i me my one ones who whom whose what which when
where why how is are was were be been being am do does did done doing has have had having can could may might must shall should will
would and or nor but if then than as so at by for from in into of off on onto out over to toward towards up upon with within via per
about above across after against along among around before behind below beneath beside between down during near past since through
throughout till until under while because due there here all any both each every few many much more most some such several other own
same another too very just also again still yet already ever now once not no never without only get gets got getting go goes going gone went
back come comes came let lets please thanks thank hi hey hello ok okay yes like really actually exactly even rather quite maybe perhaps
probably possibly kind sort thing things stuff bit lot lots way matter else s t re ve ll d m etc versus vs whether u im ur
der die das den dem des ein eine einen einem einer eines und oder ist sind war waren wird wurde werden wer wen wem was wie wo wann
warum um für von vom zu im in am an auf aus bei mit nach seit zum zur sich es er sie wir ich hat haben hatte gerade denn mal bitte
welche welcher welches jetzt noch
`;

/** Times, once the question's window is read. */
const time = `
january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec
monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun morning noon afternoon lunchtime lunch dawn evening night midnight
tonight yesterday today tomorrow day days week weeks weekend month months year years hour hours hrs minute minutes mins second seconds
h m d w utc gmt cet cest est edt pst pdt ago last past next this previous recent coming early mid late later earlier o'clock beginning
half quarter couple
`;

const split = (words: string): string[] => words.split(/\s+/).filter((word) => word !== "");

export const functionWords: ReadonlySet<string> = new Set(split(function_));
export const timeWords: ReadonlySet<string> = new Set(split(time));

/** Words that say the same of a fault or an event; one of a line stands for each of it. */
const alike = `
double doubly twice duplicate two redelivery
mail mails email emails
slow slowly slowness late latency delay delayed timeout timeouts seconds
crash crashes crashed crashing restart restarts restarting killed exit exits dies loop
memory ram oom rss heap
lose loses losing lost vanish vanishes vanished disappear disappeared missing drop drops dropped swallow swallows gone
refuse refuses refused reject rejects rejected deny denied
error errors fail fails failed failing failure 500 502 503 504 5xx
customer customers shopper shoppers user users
price prices pricing priced
big high higher heavy large
`;

const groups = alike
  .trim()
  .split("\n")
  .map((line) => new Set(split(line).map((word) => stem(word))));

/** Least characters that two forms of a word share when no stemmer joins them: "registration", "registered". */
const SHARED = 5;

/** Whether stemmed words hold a word: itself, another form of it, or one that says the same. */
export function heldIn(held: ReadonlySet<string>, word: string): boolean {
  const wanted = stem(foldWord(word));
  if (held.has(wanted)) return true;
  const same = groups.filter((group) => group.has(wanted));
  for (const one of held) {
    if (same.some((group) => group.has(one))) return true;
    if (wanted.length >= SHARED && one.length >= SHARED && one.slice(0, SHARED) === wanted.slice(0, SHARED)) return true;
  }
  return false;
}
