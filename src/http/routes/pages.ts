import { ContextError } from "../../core/errors.ts";
import { mayRead } from "../auth.ts";
import { answerPage, problemPage, servicePage, wantsJson } from "../pages.ts";
import { Problem } from "../problem.ts";
import { defineRoute } from "../route.ts";
import { PastAnswer, ServiceView, WindowQuery } from "../schemas.ts";
import { findService, windowOf } from "../service.ts";
import { pastAnswer, serviceView } from "../views.ts";

export const home = defineRoute({
  method: "get",
  path: "/",
  scope: "public",
  summary: "The web page.",
  replies: { 200: { about: "HTML", type: "text/html" } },
  handle({ req, res }, { pages }) {
    pages.send(req, res, null, null);
  },
});

/** Pages hold data, but a browser's navigation carries no token: without one the frame alone is sent, and its scripts ask. */
export const answer = defineRoute({
  method: "get",
  path: "/a/{id}",
  scope: "public",
  summary: "An earlier answer as it was, and what its sources say now. JSON unless a page is asked for.",
  parameter: "The answer's id",
  replies: {
    200: { about: "The answer", schema: PastAnswer, also: ["text/html"] },
    404: { about: "None of this id", type: "application/problem+json", schema: Problem, also: ["text/html"] },
  },
  async handle({ req, res, rest }, { reading, auth, pages }) {
    const json = wantsJson(req, "json");
    if (!(await mayRead(auth, req, res))) {
      if (json) throw new ContextError("UNAUTHORIZED", "This request needs a token.");
      pages.send(req, res, "Answer", null);
      return;
    }
    const app = await reading(res);
    const found = app.answer(rest);
    if (found === null) {
      const error = new ContextError("NOT_FOUND", `There is no answer "${rest}".`, {
        remedy: "Ask the question again; old answers are removed in time.",
      });
      if (json) throw error;
      pages.send(req, res, "No such answer", problemPage("No such answer", error.message, error.remedy), 404);
      return;
    }
    const view = pastAnswer(found, (id) => app.chunk(id)?.chunk ?? null);
    res.vary("Accept");
    if (json) res.json(view);
    else pages.send(req, res, found.question, answerPage(view));
  },
});

/** The link-out page of a dashboard. Names come as they are: with "#", "/", "&" or "%", encoded or cut short. */
export const servicePageRoute = defineRoute({
  method: "get",
  path: "/s/{service}",
  scope: "public",
  summary: "One service, for a dashboard's data link; `from` and `to` in epoch ms. A page unless JSON is asked for.",
  parameter: "Its name; where none is called so, the nearest is shown, with a note",
  query: WindowQuery,
  replies: {
    200: { about: "The service", schema: ServiceView, also: ["text/html"] },
    404: { about: "None is called so", type: "application/problem+json", schema: Problem, also: ["text/html"] },
  },
  async handle({ req, res, rest, query }, { reading, auth, pages }) {
    const json = wantsJson(req, "html");
    if (!(await mayRead(auth, req, res))) {
      if (json) throw new ContextError("UNAUTHORIZED", "This request needs a token.");
      pages.send(req, res, rest, null);
      return;
    }
    const app = await reading(res);
    const found = findService(app.graph, rest);
    const node = found.type === "one" ? found.node : found.nearest;
    if (node === null) {
      const error = found.type === "none" ? found.error : new ContextError("NOT_FOUND", `No service is called "${rest}".`);
      if (json) throw error;
      pages.send(req, res, rest, problemPage(rest, error.message, error.remedy), 404);
      return;
    }
    const now = app.now();
    const view = serviceView(app.graph, node, {
      now: now.toISOString(),
      window: windowOf(query, now),
      note: found.type === "one" ? null : `No service is called "${rest}"; this is the nearest name.`,
      record: (id) => app.record(id)?.record ?? null,
      about: app.documentsAbout(node),
    });
    res.vary("Accept");
    if (json) res.json(view);
    else pages.send(req, res, view.name, servicePage(view));
  },
});
