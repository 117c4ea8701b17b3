import type { Route } from "../route.ts";
import { ask } from "./ask.ts";
import { cost } from "./cost.ts";
import { list, remove, upload } from "./documents.ts";
import { fields, nodegraph } from "./grafana.ts";
import { graph } from "./graph.ts";
import { healthz, metrics, readyz } from "./health.ts";
import { alertmanager, confluence, github, jira } from "./hooks.ts";
import { listRuns, oneRun, startRun } from "./index-runs.ts";
import { local } from "./local.ts";
import { begin, callback, logout, who } from "./login.ts";
import { mcp } from "./mcp.ts";
import { original } from "./originals.ts";
import { answer, home, servicePageRoute } from "./pages.ts";
import { chunk, record } from "./records.ts";
import { pauseSchedule, schedule } from "./schedule.ts";
import { search } from "./search.ts";
import { service, services } from "./services.ts";

/** Every operation of the daemon; the server, the OpenAPI document and the docs page read this list. */
export const routes: readonly Route[] = [
  home,
  ask,
  search,
  services,
  service,
  graph,
  record,
  chunk,
  original,
  startRun,
  listRuns,
  oneRun,
  schedule,
  pauseSchedule,
  upload,
  list,
  remove,
  cost,
  local,
  begin,
  callback,
  logout,
  who,
  mcp,
  github,
  jira,
  confluence,
  alertmanager,
  answer,
  servicePageRoute,
  nodegraph,
  fields,
  healthz,
  readyz,
  metrics,
];
