import type { Pulled } from "../../core/connector.ts";
import { labels } from "../../core/labels.ts";
import type { Instant, RecordId, SourceRecord } from "../../core/record.ts";
import { statedOnly, toRecord } from "../shared/draft.ts";
import { redactJson } from "../shared/redact.ts";
import type { RepositoryPull } from "./progress.ts";

/** "@acme/payments" where an owner stands; slugs of teams are letters, digits, hyphens and underscores. */
const teamNames = /(?:^|\s)@([A-Za-z0-9-]+\/[\w-]+)(?=\s|$)/gm;
const MOST_TEAMS = 500;

function teamId(team: string): RecordId {
  return `github:team:${team}`;
}

/** Takes down the teams that a CODEOWNERS file names; those that no repository names any more are gone. */
export function* noteTeams({ state, progress }: RepositoryPull, codeowners: string): Generator<Pulled> {
  const uncommented = codeowners.replace(/^\s*#.*$/gm, "");
  const named = new Set([...uncommented.matchAll(teamNames)].map(([, team = ""]) => team.toLowerCase()).slice(0, MOST_TEAMS));
  const before = Object.keys(state.teams);
  state.teams = Object.fromEntries([...named].map((team) => [team, state.teams[team] ?? null]));
  const still = new Set(Object.values(progress.cursor.repositories).flatMap((repository) => Object.keys(repository.teams)));
  for (const team of before) if (!still.has(team)) yield { type: "gone", id: teamId(team) };
}

/** Members of the noted teams. One that the token may not see stays a name. */
export async function* pullTeams({ api, io, state, progress }: RepositoryPull): AsyncGenerator<Pulled> {
  for (const [team, etag] of Object.entries(state.teams)) {
    const [org = "", slug = ""] = team.split("/");
    const id = teamId(team);
    const read = await api.members(org, slug, etag);
    if (read === null) {
      io.log.debug({ team }, "the token may not see the team's members");
      state.teams[team] = null;
      if (io.known?.(id)) yield { type: "gone", id };
    } else if (read === "unchanged") yield { type: "unchanged", id };
    else {
      state.teams[team] = read.etag;
      const logins = [...read.logins].sort();
      const fingerprint = logins.join(",");
      if (io.known?.(id)?.fingerprint === fingerprint) yield { type: "unchanged", id };
      else {
        const record = teamToRecord(org, slug, logins, api.transport.now().toISOString());
        yield { type: "record", record, raw: redactJson({ team, members: logins, fingerprint }) };
      }
    }
  }
  if (Object.keys(state.teams).length > 0) yield progress.checkpoint();
}

/**
 * A team as a record. Its text is the group of a service catalogue, the format in which teams and their members are
 * commonly written down, so that it is read as one of these.
 * @see https://backstage.io/docs/features/software-catalog/descriptor-format#kind-group
 */
function teamToRecord(org: string, slug: string, logins: readonly string[], seenAt: Instant): SourceRecord {
  const lines = [
    "apiVersion: backstage.io/v1alpha1",
    "kind: Group",
    "metadata:",
    `  name: ${JSON.stringify(slug)}`,
    "spec:",
    "  type: team",
  ];
  const members = logins.length === 0 ? ["  members: []"] : ["  members:", ...logins.map((login) => `    - ${JSON.stringify(login)}`)];
  return toRecord({
    id: teamId(`${org}/${slug}`),
    source: "github",
    kind: "file",
    title: `Team ${org}/${slug}`,
    url: null,
    author: null,
    bot: false,
    createdAt: null,
    updatedAt: seenAt,
    prose: { text: [...lines, ...members].join("\n") },
    footer: [{ label: labels.path, value: `${org}/${slug}.team.yaml` }],
    fields: statedOnly({ path: `${org}/${slug}.team.yaml`, people: logins.map((login) => ({ login })) }),
  });
}
