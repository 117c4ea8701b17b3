import { searchReply } from "../../core/citation.ts";
import { callerKey } from "../auth.ts";
import { clientSignal, defineRoute } from "../route.ts";
import { SearchQuery, SearchReply } from "../schemas.ts";

export const search = defineRoute({
  method: "get",
  path: "/api/search",
  scope: "read",
  summary: "Finds passages by words, identifiers and meaning.",
  query: SearchQuery,
  replies: { 200: { about: "Passages, best first", schema: SearchReply } },
  async handle({ query, req, res }, { reading, searches, stopping }) {
    const app = await reading(res);
    const { q, k, corpus, rerank } = query;
    const options = { k, rerank, ...(corpus === undefined ? {} : { corpus }) };
    const signal = clientSignal(res, stopping);
    using _turn = await searches.enter(callerKey(req, res), signal);
    res.json(searchReply(await app.search(q, options, signal)));
  },
});
