import { ContextError } from "../../core/errors.ts";
import { clientSignal, defineRoute } from "../route.ts";
import { ServicesQuery, ServicesReply, ServiceView, StrictWindowQuery } from "../schemas.ts";
import { findService, windowOf } from "../service.ts";
import { serviceRows, serviceView } from "../views.ts";

export const services = defineRoute({
  method: "get",
  path: "/api/services",
  scope: "read",
  summary: "All services: those with the gravest open incident first, of equally grave ones the newest, then by name.",
  query: ServicesQuery,
  replies: { 200: { about: "One page of services", schema: ServicesReply } },
  async handle({ query, res }, { reading, stopping }) {
    const app = await reading(res);
    await app.graph.load?.(clientSignal(res, stopping));
    const rows = serviceRows(app.graph, app.now().toISOString());
    const start = query.after === undefined ? 0 : rows.findIndex((row) => row.id === query.after) + 1;
    if (query.after !== undefined && start === 0)
      throw new ContextError("NOT_FOUND", "The service that `after` names is not known (any more).");
    const page = rows.slice(start, start + query.limit);
    const next = start + page.length < rows.length ? (page.at(-1)?.id ?? null) : null;
    res.json({ services: page, total: rows.length, next });
  },
});

export const service = defineRoute({
  method: "get",
  path: "/api/services/{name}",
  scope: "read",
  summary: "One service: owners now and before, open incidents, last changes, dependencies both ways, documents.",
  parameter: "Its name, another spelling of it, or its id",
  query: StrictWindowQuery,
  replies: { 200: { about: "The service", schema: ServiceView } },
  async handle({ query, rest, res }, { reading }) {
    const app = await reading(res);
    const found = findService(app.graph, rest);
    if (found.type !== "one") throw found.error;
    const now = app.now();
    res.json(
      serviceView(app.graph, found.node, {
        now: now.toISOString(),
        window: windowOf(query, now),
        note: null,
        record: (id) => app.record(id)?.record ?? null,
        about: app.documentsAbout(found.node),
      }),
    );
  },
});
