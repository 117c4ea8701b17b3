/**
 * Words of general English that cannot both be true of one thing: a question about the "least" of something is not answered by a
 * sentence about the "most". The sides of a line exclude each other, words of one side are separated by "/". Forms that every stemmer
 * folds ("increases") are left out, irregular ones ("rose") are named.
 */
const exclusive = `
least/fewest/lowest/smallest/minimum/minimal most/largest/highest/greatest/biggest/maximum/maximal
less/fewer/lower/smaller/smallest more/greater/higher/larger/largest/bigger/biggest
smaller/smallest larger/largest/bigger/biggest
increase/increasing/rise/rose/grow/grew/raise/climb/gain decrease/decreasing/fall/fell/drop/dropped/shrink/shrank/reduce/decline/lower
first second third fourth fifth sixth seventh eighth ninth tenth last
earliest/oldest latest/newest/youngest
early late
before/prior/preceding after/following/subsequent
begin/began/start/launch end/finish/stop/stopped/cease/cancel
open/opened close/closed/shut
enable/activate disable/deactivate
enter exit/leave/left
import export
internal/inner/inside/inward external/outer/outside/outward
input output
incoming/inbound outgoing/outbound
horizontal/horizontally vertical/vertically
left right
upper/top/above lower/bottom/below
up/healthy down/unhealthy
front/forward back/backward/rear
north/northern south/southern east/eastern west/western
straight curved/bent/crooked
parallel perpendicular/orthogonal
positive/positively/favorable negative/negatively/unfavorable
plus minus
add/added/insert/attach remove/delete/subtract/detach/drop
gain lose/lost
win/won/victory/winner/triumph lose/lost/loss/defeat/loser
buy/bought/purchase sell/sold
send/sent/transmit/publish receive/consume
read write/wrote/written
push pull
attract/attraction/attractive repel/repelled/repulsion/repulsive
absorb emit/emitted
accelerate/acceleration decelerate/deceleration
expand/expansion contract/contraction/compress/compression
heat/hot/hotter/hottest cool/cold/colder/coldest
warm cool
warmer cooler
high low
large/big/huge/vast small/little/tiny
long/longer/longest short/shorter/shortest
wide/broad narrow
thick thin
heavy/heavier/heaviest light/lighter/lightest
strong/stronger/strongest weak/weaker/weakest
hard/harder/hardest soft/softer/softest
difficult/difficulty/hard/harder/hardest/complex/complexity/complicated easy/ease/easier/easiest/simple/simpler/simplest/simplicity
fast/faster/fastest/quick/quicker/rapid slow/slower/slowest
young old
new/recent old/ancient
past/former future/upcoming
present/current former
modern ancient
rich poor
good/better/best/well bad/worse/worst/badly/poorly
right/correct/true wrong/incorrect/false
same/identical/similar/alike different/distinct/disparate/dissimilar
alike unlike
common/commonly/usual/usually/frequent/frequently/regular/regularly/annual/often rare/rarely/unusual/infrequent/seldom/uncommon/hardly/never
always never/sometimes/occasionally/rarely
highly/largely/mostly/very barely/scarcely/hardly/slightly
strictly/entirely/completely/fully/wholly partly/partially/occasionally
all/every/each none/neither
multiple/several/many/numerous/various single/sole/only
possible/able/capable impossible/unable/incapable
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
temporary/temporarily permanent/permanently
mandatory/required optional
synchronous/synchronously asynchronous/asynchronously
encrypt/encryption decrypt/decryption
connect disconnect
success/succeed/successful/pass fail/failure/unsuccessful
accept/approve reject/refuse/decline
allow/permit/permitted forbid/forbidden/prohibit/prevent/deny/denied/block
agree disagree
support/favor oppose
cause prevent
create/build/built destroy/delete
upgrade downgrade
upgrade/deploy/rollout rollback/revert
resolved/closed/fixed open/unresolved/ongoing
primary/leader/master replica/standby/follower/slave/secondary
upstream downstream
client server
frontend backend
staging production
alive/living/survive/survivor dead/die/killed
man/men/male/boy woman/women/female/girl
husband wife
father mother
son daughter
brother sister
king queen
prince princess
actor actress
friend/ally enemy/opponent
peace war
love hate
happy/cheerful/bright dark/violent/sad/grim
light/bright dark
silent loud/talking
urban rural
professional amateur
domestic foreign
day/daily night/nightly
morning evening
summer winter
spring autumn
electric/electrical steam diesel
kilogram gram pound ton/tonne
meter/metre kilometer/kilometre mile foot/feet inch
`;

/** Names of days and months, folded: siblings, of which a text may hold several; one rules out another only where both say the same. */
export const calendars: readonly ReadonlySet<string>[] = [
  new Set("january february march april may june july august september october november december".split(" ")),
  new Set("monday tuesday wednesday thursday friday saturday sunday".split(" ")),
];

/** Finds a word among others (all in the same stemmer's forms) that excludes a given one; null when there is none. */
export type OppositeIn = (word: string, others: ReadonlySet<string>) => string | null;

/** The list in a stemmer's forms, so that it can be asked with the words that the caller compares anyway. */
export function oppositesBy(stem: (word: string) => string): OppositeIn {
  const opposites = new Map<string, Set<string>>();
  for (const line of exclusive.trim().split("\n")) {
    const sides = line.split(" ").map((side) => new Set(side.split("/").map(stem)));
    for (const side of sides) {
      for (const word of side) {
        const others = opposites.get(word) ?? new Set<string>();
        for (const other of sides) if (other !== side) for (const one of other) if (!side.has(one)) others.add(one);
        opposites.set(word, others);
      }
    }
  }
  return (word, others) => {
    for (const other of opposites.get(word) ?? []) if (others.has(other)) return other;
    return null;
  };
}

/** Prefixes that turn a word into its opposite: "unconnected", "insoluble", "nonlinear". */
export const negatingPrefixes = ["un", "in", "im", "ir", "il", "dis", "non"] as const;
