import { stem } from "../core/stem.ts";

/**
 * Words of general English that cannot both be true of one thing. A question about the "least" of something is not answered by a
 * sentence about the "most". Each line lists sides that exclude each other, words of one side separated by "/".
 */
const exclusive = `
least/fewest/lowest/smallest/minimum/minimal most/largest/highest/greatest/biggest/maximum/maximal
less/fewer/lower/smaller more/greater/higher/larger/bigger
increase/increases/increased/increasing/rise/rises/rose/grow/grew/grows/raise/raised decrease/decreases/decreased/decreasing/fall/fell/falls/drop/dropped/shrink/shrank/reduce/reduced/reduces/lower/lowered
first second third fourth fifth sixth seventh eighth ninth tenth last
earliest/oldest latest/newest/youngest
early late
before/prior/preceding after/following/subsequent
begin/began/begins/start/started/starts end/ended/ends/finish/finished/stop/stopped/stops
open/opened/opens close/closed/closes
enable/enabled/enables disable/disabled/disables
enter/enters/entering/entered exit/exits/exiting/exited/leave/leaves/left
import/imports/imported export/exports/exported
internal/inner/inside/inward external/outer/outside/outward
input/inputs output/outputs
incoming/inbound outgoing/outbound
horizontal/horizontally vertical/vertically
left right
upper/top/above lower/bottom/below
up down
front/forward back/backward/rear
north/northern south/southern east/eastern west/western
straight curved/bent/crooked
parallel perpendicular/orthogonal
positive/positively negative/negatively
plus minus
add/added/adds/insert/inserted remove/removed/removes/delete/deleted/deletes/subtract/subtracted
gain/gained/gains lose/lost/loses
win/won/wins lose/lost/loses
buy/bought/purchase/purchased sell/sold/sells
send/sent/sends/transmit/transmitted receive/received/receives
read/reads write/writes/wrote/written
push/pushed/pushes pull/pulled/pulls
attract/attracted/attraction/attractive repel/repelled/repulsion/repulsive
absorb/absorbs/absorbed emit/emits/emitted
accelerate/accelerates/accelerated/acceleration decelerate/decelerates/decelerated/deceleration
expand/expands/expanded/expansion contract/contracts/contracted/contraction/compress/compressed/compression
heat/heated/heating/hot/hotter/hottest cool/cooled/cooling/cold/colder/coldest
warm warmer cool cooler
high low
large/big/huge small/little/tiny
long/longer/longest short/shorter/shortest
wide/broad narrow
thick thin
heavy/heavier/heaviest light/lighter/lightest
strong/stronger/strongest weak/weaker/weakest
hard/harder/hardest soft/softer/softest
difficult/difficulty/harder/hardest/complex/complexity/complicated easy/ease/easier/easiest/simple/simpler/simplest/simplicity
fast/faster/fastest/quick/quicker/rapid slow/slower/slowest
young old
new/recent old/ancient
past/former future/upcoming
present/current former
modern ancient
rich poor
good/better/best bad/worse/worst
right/correct/true wrong/incorrect/false
same/identical/similar/alike different/distinct/disparate/dissimilar
alike unlike
common/usual/frequent/frequently/often/commonly/usually rare/unusual/infrequent/rarely/seldom/uncommon
always never/sometimes/occasionally/rarely
strictly/entirely/completely partly/partially/occasionally
all/every none
possible impossible
easy hard
safe dangerous/unsafe
public private
shared unshared/exclusive
local remote
manual/manually automatic/automatically
static dynamic
fixed/rigid flexible/variable/adjustable
constant variable
finite infinite
discrete continuous
analog/analogue digital
deterministic random/nondeterministic/probabilistic
physical virtual/logical
theoretical/theory practical/practice
abstract concrete
direct/directly indirect/indirectly
active passive
primary/main secondary/auxiliary/minor
major minor
maximum minimum
synchronous/synchronously asynchronous/asynchronously
encrypt/encrypted/encryption decrypt/decrypted/decryption
connect/connected disconnect/disconnected
success/succeed/succeeded/successful fail/failed/failure/fails
accept/accepted/accepts reject/rejected/rejects/refuse/refused
allow/allowed/allows/permit/permitted forbid/forbidden/prohibit/prohibited/prohibits/prevent/prevented/prevents/deny/denied/block/blocked
approve/approved reject/rejected
agree/agreed disagree/disagreed
support/supports/supported oppose/opposes/opposed
cause/causes/caused prevent/prevents/prevented
create/created/creates/build/built destroy/destroyed/destroys
primary replica/standby
master/leader slave/follower
upstream downstream
client server
frontend backend
staging production
male/man/men female/woman/women
husband wife
father mother
son daughter
king queen
day/daily night/nightly
morning evening
summer winter
spring autumn
land/road sea/ship/ships
import export
electric/electrical steam diesel
kilogram/kilograms gram/grams pound/pounds ton/tons/tonne/tonnes
meter/meters/metre/metres kilometer/kilometers/kilometre/kilometres mile/miles foot/feet inch/inches
january february march april june july august september october november december
monday tuesday wednesday thursday friday saturday sunday
`;

/** Word (stemmed) to, for each line it stands in, the words of the other sides. */
const opposites: ReadonlyMap<string, readonly ReadonlySet<string>[]> = read();

function read(): Map<string, Set<string>[]> {
  const found = new Map<string, Set<string>[]>();
  for (const line of exclusive.trim().split("\n")) {
    const sides = line.split(" ").map((side) => new Set(side.split("/").map(stem)));
    for (const [index, side] of sides.entries()) {
      const others = new Set(sides.flatMap((other, at) => (at === index ? [] : [...other].filter((word) => !side.has(word)))));
      for (const word of side) found.set(word, [...(found.get(word) ?? []), others]);
    }
  }
  return found;
}

/** A word (stemmed) among `others` that excludes this one; null when there is none. */
export function oppositeIn(word: string, others: ReadonlySet<string>): string | null {
  for (const side of opposites.get(word) ?? []) {
    for (const other of side) if (others.has(other)) return other;
  }
  return null;
}

const negatingPrefixes = ["un", "in", "im", "ir", "il", "dis", "non", "ab", "anti", "de", "mis"];

/** Whether two words differ by a negating prefix only, an adverb's ending aside: "connected" and "unconnected". */
export function negatesByPrefix(a: string, b: string): boolean {
  const [short = "", long = ""] = [a, b].map((word) => word.replace(/ly$/, "")).sort((x, y) => x.length - y.length);
  return short.length >= 4 && negatingPrefixes.some((prefix) => long === prefix + short);
}
