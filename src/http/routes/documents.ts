import { z } from "zod";
import { ContextError } from "../../core/errors.ts";
import { requestId } from "../access-log.ts";
import type { Served } from "../originals.ts";
import { fromThrown, toProblem } from "../problem.ts";
import { type Call, type Context, clientSignal, defineRoute, wantsEvents } from "../route.ts";
import { DeletedReply, FailureRow } from "../schemas.ts";
import { EventStream } from "../sse.ts";
import { failureOf, type Uploads } from "../uploads.ts";

const Uploaded = z.object({
  documents: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      bytes: z.int(),
      outcome: z.enum(["added", "changed", "unchanged", "deleted", "failed"]),
      failure: FailureRow.nullable(),
    }),
  ),
  runId: z.string(),
});
const Listed = z.object({
  documents: z.array(z.object({ id: z.string(), name: z.string(), bytes: z.int(), uploadedAt: z.string() })),
  enabled: z.boolean(),
});

function enabled({ uploads }: Context, reading: Served): Uploads {
  if (uploads !== null && reading.uploads) return uploads;
  throw new ContextError("NOT_FOUND", "This daemon takes no uploads.", { remedy: "Put the files into a folder that manifest.json names." });
}

type Tell = (event: string, data: unknown) => Promise<void>;

async function take(call: Call, context: Context, tell: Tell): Promise<z.infer<typeof Uploaded>> {
  const uploads = enabled(context, await context.reading(call.res));
  const app = context.daemon;
  if (app.running !== null) {
    call.req.resume();
    throw new ContextError("INDEX_RUNNING", `Index run ${app.running.runId} is still going.`);
  }
  const signal = clientSignal(call.res, context.stopping);
  let told = 0;
  const received = await uploads.receive(call.req, (bytes, total) => {
    if (bytes - told < 250_000 && bytes !== total) return;
    told = bytes;
    void tell("progress", { stage: "receive", done: bytes, total });
  });
  // what was received is indexed to its end, even when the client does not wait for it
  const { documents, report } = await uploads.index(app, received, context.stopping, (stage, done, total) => {
    if (!signal.aborted) void tell("progress", { stage, done, total });
  });
  const failed = documents.find((one) => one.failure !== null);
  if (failed?.failure != null && documents.every((one) => one.failure !== null)) throw failureOf(failed.failure);
  return { documents: documents.map((one) => ({ ...one })), runId: report.runId };
}

export const upload = defineRoute({
  method: "post",
  path: "/api/documents",
  scope: "write",
  summary: "Uploads documents and indexes them. With `Accept: text/event-stream` the events progress, then documents or error.",
  rawBody: {
    type: "multipart/form-data",
    about: "One or more files; the kind is read from their bytes, not from their names.",
    schema: {
      type: "object",
      required: ["file"],
      properties: { file: { type: "string", contentMediaType: "application/octet-stream", minLength: 1 } },
    },
  },
  replies: {
    201: { about: "What became of each file; the request fails where none could be read", schema: Uploaded, also: ["text/event-stream"] },
  },
  async handle(call, context) {
    if (!wantsEvents(call.req)) {
      call.res.status(201).json(await take(call, context, async () => {}));
      return;
    }
    using stream = new EventStream(call.res, context.heartbeatMs);
    try {
      await stream.send("documents", await take(call, context, (event, data) => stream.send(event, data)));
    } catch (thrown) {
      const error = fromThrown(thrown);
      if (error.code === "INTERNAL")
        context.log.error({ requestId: requestId(call.req), error: error.message, stack: error.stack }, "upload failed");
      await stream.send("error", toProblem(error, requestId(call.req)));
    }
  },
});

export const list = defineRoute({
  method: "get",
  path: "/api/documents",
  scope: "read",
  summary: "Documents that were uploaded here, newest first.",
  replies: { 200: { about: "Documents", schema: Listed } },
  async handle({ res }, { uploads, reading }) {
    const shown = (await reading(res)).uploads ? uploads : null;
    res.json({ documents: (await shown?.list()) ?? [], enabled: shown !== null });
  },
});

export const remove = defineRoute({
  method: "delete",
  path: "/api/documents/{id}",
  scope: "write",
  summary: "Removes an uploaded document from every index.",
  parameter: "Its record id, for example doc:uploads/runbook.pdf",
  replies: { 200: { about: "It is gone", schema: DeletedReply } },
  async handle({ rest, res }, context) {
    const reading = await context.reading(res);
    const report = await enabled(context, reading).remove(context.daemon, reading, rest, context.stopping);
    res.json({ id: rest, chunks: report.chunks.deleted });
  },
});
