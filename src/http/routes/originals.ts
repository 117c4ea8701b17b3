import { ContextError } from "../../core/errors.ts";
import type { RecordId } from "../../core/record.ts";
import { contentDisposition, originalOf } from "../originals.ts";
import { defineRoute } from "../route.ts";

export const original = defineRoute({
  method: "get",
  path: "/api/originals/{id}",
  scope: "read",
  summary: "The file that a document was read from, whole or by `Range`. PDF and plain text are shown, anything else is a download.",
  parameter: "The document's record id, for example doc:docs/runbook.pdf",
  replies: {
    200: { about: "The file", type: "application/octet-stream", also: ["application/pdf", "text/plain"] },
    206: { about: "Part of it", type: "application/octet-stream", also: ["application/pdf", "text/plain"] },
  },
  async handle({ rest, res }, { original }) {
    const record = await original(rest as RecordId, res);
    const file = record === null ? null : originalOf(record);
    if (file === null) {
      throw new ContextError("NOT_FOUND", `There is no file of "${rest}" here.`, {
        remedy: "Only documents have one, and only while it is where it was indexed; /api/records has the text.",
      });
    }
    res.setHeader("Content-Type", file.type);
    res.setHeader("Content-Disposition", contentDisposition(file));
    res.setHeader("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    res.setHeader("Cross-Origin-Resource-Policy", "same-origin");
    await new Promise<void>((resolve, reject) => {
      // private: who may see it is for the token to say, each time
      res.sendFile(file.path, { dotfiles: "allow", cacheControl: false, headers: { "Cache-Control": "private, no-cache" } }, (error) =>
        error === undefined || res.headersSent ? resolve() : reject(error),
      );
    });
  },
});
