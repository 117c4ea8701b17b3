import { stemOf } from "./tokens.ts";

/** Words of general English that cannot both be true of one thing; the sides of a line exclude each other. */
const exclusive = `
least/fewest/lowest/smallest/minimum most/largest/highest/greatest/biggest/maximum
less/fewer/lower/smaller more/greater/higher/larger/bigger
smaller/smallest larger/largest/bigger/biggest
increase/rise/grow/raise/climb/gain decrease/fall/drop/shrink/reduce/decline/lower
earliest/oldest latest/newest/youngest
before/prior/preceding after/following/subsequent
begin/start/launch end/finish/stop/cease/cancel
open close/shut
enable/activate disable/deactivate
enter exit/leave
import export
internal/inner/inside/inward external/outer/outside/outward
input output
incoming/inbound outgoing/outbound
horizontal vertical
upper/top lower/bottom
north/northern south/southern
east/eastern west/western
positive/positively/favorable negative/negatively/unfavorable
add/insert/attach remove/delete/detach/drop
win/victory/winner/triumph lose/loss/defeat/loser
buy/purchase sell
send/transmit/publish receive/consume
read write
push pull
attract repel
absorb emit
accelerate decelerate
expand contract
hot cold
warm cool
large/big/huge/vast small/little/tiny
long short
heavy light
strong weak
difficult/hard easy/simple
fast/quick/rapid slow
good/better/best/well bad/worse/worst/badly/poorly
right/correct/true wrong/incorrect/false
same/identical different/distinct
common/frequent/frequently/regular/regularly/annual/often/commonly rare/infrequent/rarely/seldom/hardly/never
always never/sometimes/occasionally/rarely
highly/largely/mostly/very barely/scarcely/hardly/slightly
entirely/completely/fully/wholly partly/partially
all/every/each none/neither
multiple/several/many/numerous/various single/sole/only
possible/able/capable impossible/unable/incapable
safe dangerous/unsafe
public private
local remote
manual/manually automatic/automatically
static dynamic
synchronous asynchronous
encrypt decrypt
connect disconnect
success/succeed/successful/pass fail/failure/unsuccessful
accept/approve reject/refuse/decline
allow/permit forbid/prohibit/prevent/deny/block
agree disagree
support/favor oppose
create/build destroy/delete
primary/leader/master replica/standby/follower/secondary
upstream downstream
client server
frontend backend
staging production
man/male/boy woman/female/girl
husband wife
father mother
son daughter
brother sister
king queen
prince princess
actor actress
day night
morning evening
summer winter
happy/cheerful/bright dark/violent/sad/grim
light/bright dark
alive/living/survive/survivor dead/die/killed
victory defeat
peace war
rich poor
major minor
temporary/temporarily permanent/permanently
upgrade downgrade
upgrade/deploy/rollout rollback/revert
up/healthy down/unhealthy
resolved/closed/fixed open/unresolved/ongoing
mandatory/required optional
above below
love hate
friend/ally enemy/opponent
urban rural
professional amateur
silent loud/talking
domestic foreign
`;

/** Stem to the stems that exclude it. */
const opposites: ReadonlyMap<string, ReadonlySet<string>> = read();

function read(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const line of exclusive.trim().split("\n")) {
    const sides = line.split(" ").map((side) => new Set(side.split("/").map(stemOf)));
    for (const side of sides) {
      for (const word of side) {
        const others = found.get(word) ?? new Set<string>();
        for (const other of sides) if (other !== side) for (const one of other) if (!side.has(one)) others.add(one);
        found.set(word, others);
      }
    }
  }
  return found;
}

const prefixes = ["un", "in", "im", "ir", "il", "dis", "non"];

/** A word of `held` (stems) that excludes this one, by the list or by a negating prefix ("insoluble"); null when there is none. */
export function oppositeOf(stem: string, held: ReadonlySet<string>): string | null {
  for (const prefix of prefixes) {
    if (stem.startsWith(prefix) && stem.length - prefix.length >= 5 && held.has(stem.slice(prefix.length)))
      return stem.slice(prefix.length);
    if (stem.length >= 5 && held.has(prefix + stem)) return prefix + stem;
  }
  for (const other of opposites.get(stem) ?? []) if (held.has(other)) return other;
  return null;
}
