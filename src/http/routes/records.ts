import { ContextError } from "../../core/errors.ts";
import type { RecordId } from "../../core/record.ts";
import { defineRoute } from "../route.ts";
import { ChunkQuery, ChunkReply, RecordReply } from "../schemas.ts";

export const record = defineRoute({
  method: "get",
  path: "/api/records/{id}",
  scope: "read",
  summary: "A record as it was pulled: provenance.",
  parameter: "Its id, for example jira:JR-441",
  replies: { 200: { about: "The record and the source's own payload", schema: RecordReply } },
  async handle({ rest, res }, { reading }) {
    const found = (await reading(res)).record(rest as RecordId);
    if (found === null) throw new ContextError("NOT_FOUND", `There is no record "${rest}".`);
    res.json(found);
  },
});

export const chunk = defineRoute({
  method: "get",
  path: "/api/chunks/{id}",
  scope: "read",
  summary: "The exact paragraph that a citation shows, with its neighbours.",
  parameter: "Its id, for example jira:JR-441#1 (percent-encoded)",
  query: ChunkQuery,
  replies: { 200: { about: "The paragraph", schema: ChunkReply } },
  async handle({ rest, query, res }, { reading }) {
    const found = (await reading(res)).chunk(rest, query.around);
    if (found === null) {
      throw new ContextError("NOT_FOUND", `There is no paragraph "${rest}".`, {
        remedy: "It was removed or re-cut since it was cited; the answer's own page keeps the text as it was.",
      });
    }
    res.json(found);
  },
});
