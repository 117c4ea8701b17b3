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
come comes came let lets please thanks thank hi hey hello ok okay yes like really actually exactly even rather quite maybe perhaps
probably possibly kind sort thing things stuff bit lot lots way matter else s t re ve ll d m etc versus vs whether
der die das den dem des ein eine einen einem einer eines und oder ist sind war waren wird wurde werden wer wen wem was wie wo wann
warum um für von vom zu im in am an auf aus bei mit nach seit zum zur sich es er sie wir ich hat haben hatte gerade denn mal bitte
welche welcher welches jetzt noch
`;

/** What people on call say beside what they ask for: asking, knowing, being in charge, being broken. */
const talk = `
tell show give list name find explain describe say says said know knows known think see look looks looking want wants need needs help
ask asks asked asking call calls called calling contact page paged ping wake reach talk speak escalate notify inform alert ring message bother team teams
group crew squad engineer engineers developer developers person people somebody someone anybody anyone everybody everyone nobody human
colleague guy guys folks owner owners owns own owned owning ownership responsible responsibility responsibilities charge accountable
maintain maintains maintained maintainer maintainers maintaining belong belongs belonged behind care cares take takes taken took taking
handle handles handled handling run runs ran running keep keeps kept work works worked working hand hands handed handover transfer
lead leads leader main current currently present actual original previous previously former formerly earlier prior next old new newest
latest last recent recently lately first initial initially final finally ongoing active today still right moment time times total
exact complete whole entire full overall general common usual direct directly indirect indirectly immediate immediately
service services microservice microservices system systems component components app apps application applications server servers
backend platform infrastructure stack software product production prod live module modules part parts piece side thing code codebase
repo repository project database databases db
ticket tickets issue issues incident incidents outage outages bug bugs problem problems trouble troubles failure failures fault faults
error errors alarm alarms report reports reported case story task jira github confluence record records recorded source sources
happen happens happened happening occur occurs occurred start starts started starting begin begins began stop end wrong broken break
breaks broke breaking down fail fails failed failing fire dead die dies affected affect affects impact impacts impacted hit hits hurt
suffer suffers status state health healthy condition situation reason reasons cause causes caused causing root culprit blame blamed
responsible make makes made making bring brings brought introduce introduces introduced trigger triggers triggered result results lead
led explanation origin source change changes changed changing commit commits committed deploy deploys deployed deployment deployments
merge merges merged release releases released rollout rollouts roll rolled rollback update updates updated modification modified touch
touched push pushed land landed ship shipped pull request requests pr prs patch revision version fix fixes fixed fixing repair repaired
resolve resolved resolves resolution solve solved solves close closes closed open opened opens raised filed file created create remedy
remedied author authors authored wrote write written reviewer depend depends depended depending dependency dependencies dependent
dependents upstream downstream transitive transitively use uses used using user users caller callers consumer consumers client clients rely relies relying
require requires required connect connected talk talks hop hops blast radius neighbour neighbours neighbor neighbors log logs logged
logging line lines warning warnings trace traces pod message messages event events timeline detail details info information overview
summary summarize summarise everything anything something nothing evidence page pages document documents doc docs duty oncall rota
pager severity priority assigned assignee status reporter progress related relate relation link linked concern concerns involved
involve according back throw throws threw throwing return returns returned returning steps step levels level lie lies lying sit sits sitting stand stands standing relevant important interesting quick quickly
`;

/** Times, once the question's window is read. */
const time = `
january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec
monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun morning noon afternoon lunchtime lunch dawn evening night midnight
tonight yesterday today tomorrow day days week weeks weekend month months year years hour hours hrs minute minutes mins second seconds
h m d w utc gmt cet cest est edt pst pdt ago last past next this previous recent coming early late later earlier o'clock beginning
half quarter couple
`;

const split = (words: string): string[] => words.split(/\s+/).filter((word) => word !== "");

export const functionWords: ReadonlySet<string> = new Set(split(function_));
export const talkWords: ReadonlySet<string> = new Set(split(talk));
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
