// A process of its own that pulls Jira, GitHub and Confluence into a store: killed-pull.ts STORE JIRA GITHUB CONFLUENCE,
// the last three addresses of servers. It begins when a message comes. Whoever started it kills it.
import { once } from "node:events";
import { confluence } from "../../src/connectors/confluence/index.ts";
import { githubParts } from "../../src/connectors/github/config.ts";
import { github } from "../../src/connectors/github/index.ts";
import { jira } from "../../src/connectors/jira/index.ts";
import type { IndexReport } from "../../src/core/app.ts";
import type { Connector } from "../../src/core/connector.ts";
import type { KnowledgeGraph } from "../../src/graph/knowledge-graph.ts";
import type { IndexSource } from "../../src/indexing/deps.ts";
import { loadGraph } from "../../src/indexing/load.ts";
import { openStore } from "../../src/store/open.ts";
import type { Store } from "../../src/store/store.ts";
import { indexDeps, runIndex } from "./indexing.ts";

export interface Addresses {
  readonly jira: string;
  readonly github: string;
  readonly confluence: string;
}

const account = { email: "me@users.example", token: "token-of-the-test" };

/** Pulls all three into the store, as `contextd index` does, over real HTTP. */
export async function pullAll(store: Store, at: Addresses): Promise<{ readonly report: IndexReport; readonly graph: KnowledgeGraph }> {
  const sources = [
    sourceOf(jira, { kind: "jira", baseUrl: at.jira, projects: ["JR"], ...account }),
    sourceOf(github, { kind: "github", baseUrl: at.github, token: account.token, repositories: ["acme/shop"], include: githubParts }),
    sourceOf(confluence, { kind: "confluence", baseUrl: at.confluence, spaces: ["OPS"], include: ["pages", "comments"], ...account }),
  ];
  const deps = indexDeps(store, sources, { io: { fetch, root: "/" } });
  loadGraph(deps);
  const { report } = await runIndex(deps);
  return { report, graph: deps.graph };
}

function sourceOf<Config>(connector: Connector<Config>, block: object): IndexSource {
  const config = connector.config.parse(block);
  return {
    label: connector.label(config),
    kind: connector.kind,
    pull: (io, cursor) => connector.pull(config, io, cursor),
    ...(connector.read ? { read: (io, id) => connector.read?.(config, io, id) ?? Promise.resolve(null) } : {}),
  };
}

if (import.meta.main) {
  const [path = "", jiraUrl = "", githubUrl = "", confluenceUrl = ""] = process.argv.slice(2);
  // loaded while the one before it runs: what takes long is no part of what is tested
  await Promise.all([import("@octokit/rest"), import("jira.js/cloud"), import("confluence.js/v1"), import("confluence.js/v2")]);
  await once(process, "message");
  process.disconnect();
  using store = openStore(path);
  await pullAll(store, { jira: jiraUrl, github: githubUrl, confluence: confluenceUrl });
}
