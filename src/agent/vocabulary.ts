import type { Intent } from "./intents.ts";

/**
 * The words in which people ask what the graph knows, by what they are about, as data. A word is only understood when the answer is one
 * about that: "release" belongs to a question for changes, and says something else in one for an owner.
 */
const words = {
  /** Asking itself, and what all answers are about. */
  any: `
tell show give list name find explain describe say says said know knows known think see look looks looking want wants need needs help
pls plz asap rn atm btw fyi thx ta cheers sorry guess wonder wondering curious urgent urgently quick quickly short briefly
main current currently present presently actual actually today tonight still right moment time times total exact complete whole entire
full overall general common usual direct directly indirect indirectly immediate immediately including included involving relevant
service services microservice microservices system systems component components app apps application applications server servers
backend platform infrastructure stack software product production prod live module modules part parts piece side thing code codebase
repo repository project database databases db
everything anything something nothing evidence record records recorded source sources fact facts detail details info information
overview summary summarize summarise happen happens happened happening occur occurs occurred concern concerns concerned concerning
page pages document documents documentation doc docs runbook runbooks postmortem glossary guide manual policy
long often far regarding involved involve according compare compared comparison
`,
  /** Verbs that say little: a text that answers has its own. */
  light: `
raise raises raised make makes made take takes took taken give gives given gave allow allows allowed let lets set sets hold holds held put
puts last lasts wait waits need needs mean means cause causes
`,
  people: `
ask asks asked asking call calls called calling contact page paged ping wake reach talk speak escalate notify inform alert ring message
bother team teams group crew squad engineer engineers developer developers person people somebody someone anybody anyone everybody
everyone nobody human colleague guy guys folks names named
`,
  ownership: `
owner owners owns own owned owning ownership responsible responsibility responsibilities charge accountable maintain maintains
maintained maintainer maintainers maintaining belong belongs belonged behind care cares take takes taken took taking handle handles
handled handling run runs ran running keep keeps kept work works worked working hand hands handed handover transfer lead leads leader
duty oncall rota pager
`,
  order: `
latest last recent recently lately old new newest oldest earlier previous previously former formerly prior first initial initially
original final finally worst biggest largest longest shortest quickest fastest youngest earliest
`,
  trouble: `
ticket tickets issue issues incident incidents outage outages bug bugs problem problems trouble troubles failure failures fault faults
error errors alarm alarms case story task jira github start starts started starting begin begins began stop end wrong broken break
breaks broke breaking down fail fails failed failing fire dead die dies affected affect affects impact impacts impacted hit hits hurt
suffer suffers status state health healthy condition situation throw throws threw throwing return returns returned returning acting
weird ongoing active progress away gone offline unavailable dies slow restart restarts restarted restarting killed

`,
  tickets: `
report reports reported reporter raise raises raised filed file created create open opened opens close closes closed resolve resolved
resolves solved fixed severity priority assigned assignee unassigned took taken picked related relate relation link linked
`,
  cause: `
reason reasons cause causes caused causing root culprit blame blamed responsible make makes made making bring brings brought introduce
introduces introduced trigger triggers triggered result results lead led explanation origin involved
`,
  changes: `
change changes changed changing commit commits committed deploy deploys deployed deployment deployments merge merges merged release
releases released rollout rollouts roll rolled rollback update updates updated modification modified touch touched push pushed land
landed ship shipped pull request requests pr prs unmerged pending patch revision version
`,
  fixes: `
fix fixes fixed fixing repair repaired resolve resolved resolves resolution solve solved solves close closes closed remedy remedied
patch patched address addressed
`,
  authors: `
author authors authored wrote write written reviewer merged committed made created
`,
  needs: `
depend depends depended depending dependency dependencies dependent dependents upstream downstream transitive transitively use uses used
using user users call calls called caller callers calling consumer consumers client clients rely relies relying require requires required
connect connected talk talks hop hops blast radius neighbour neighbours neighbor neighbors lie lies lying sit sits sitting stand stands
standing steps step levels level notice notices run work function operate start stop
`,
  logs: `
log logs logged logging line lines warning warnings trace traces pod message messages event events timeline
`,
} as const;

export type Subject = keyof typeof words;

const split = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter((word) => word !== ""));

export const vocabulary: Readonly<Record<Subject, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries(words).map(([subject, text]) => [subject, split(text)]),
) as Readonly<Record<Subject, ReadonlySet<string>>>;

/** All words of asking, whatever they are about. */
export const talkWords: ReadonlySet<string> = new Set(Object.values(vocabulary).flatMap((of) => [...of]));

const trouble = ["trouble", "tickets", "cause", "people", "logs"] as const;

/** What an answer of each kind speaks of. */
const reads: Readonly<Record<Intent, readonly Subject[]>> = {
  cause: [...trouble, "changes", "authors", "ownership", "fixes"],
  status: trouble,
  owner: ["people", "ownership"],
  oncall: ["people", "ownership", "order"],
  handover: ["people", "ownership", "order", "changes"],
  author: ["people", "authors", "changes"],
  changes: ["changes", "people", "authors", "order"],
  commit: ["changes", "authors", "people", "cause", "fixes", "tickets"],
  fix: ["fixes", "tickets", "changes", "people", "authors", "trouble"],
  "fixed-by": ["fixes", "tickets", "changes", "cause", "trouble"],
  incidents: [...trouble, "order"],
  ticket: [...trouble, "order"],
  reopened: [...trouble, "order"],
  duplicate: trouble,
  pull: ["changes", "people", "authors", "tickets", "order"],
  pulls: ["changes", "people", "authors", "tickets", "order"],
  introduced: ["changes", "authors", "people", "cause", "order"],
  dependencies: ["needs", "trouble", "people"],
  uses: ["needs", "trouble"],
  logs: ["logs", "trouble", "needs", "order"],
  trace: ["logs", "trouble"],
  person: ["people", "ownership", "tickets", "trouble", "changes", "authors", "fixes", "order"],
  relation: ["needs", "trouble", "tickets"],
  services: ["ownership", "people", "trouble", "tickets", "changes", "needs", "logs"],
  caused: [...trouble, "changes", "order"],
  assignee: [...trouble, "ownership"],
  overview: [...trouble, "ownership", "changes", "needs", "order"],
};

/** Whether answers of these kinds speak of what a word is about; of none: sentences of texts. */
export function understands(intents: readonly Intent[], word: string): boolean {
  if (vocabulary.any.has(word)) return true;
  return intents.length === 0
    ? vocabulary.light.has(word)
    : intents.some((intent) => reads[intent].some((subject) => vocabulary[subject].has(word)));
}
