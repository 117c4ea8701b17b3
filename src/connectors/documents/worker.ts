import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { ContextError, toContextError } from "../../core/errors.ts";
import { parseDocument } from "./parse.ts";
import type { Reply, Request } from "./worker-protocol.ts";

/** The child process that parses one file after the other; the parent kills it when a file takes too much. */
async function answer(request: Request): Promise<Reply> {
  try {
    const bytes = await readFile(request.path).catch((cause: NodeJS.ErrnoException) => {
      throw new ContextError(cause.code === "ENOENT" ? "FILE_NOT_FOUND" : "FILE_UNREADABLE", `It cannot be opened: ${cause.code}`, {
        cause,
      });
    });
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const { signal } = new AbortController();
    const parsed = await parseDocument(bytes, request.name, { signal, ...(request.ocr ? { ocr: { onPage } } : {}) });
    return { type: "parsed", sha256, parsed };
  } catch (error) {
    const { code, message, remedy } = toContextError(error);
    return { type: "failed", code, message, remedy };
  }
}

/** Waits until the parent has been told: what comes then keeps this process busy. */
function onPage(): Promise<void> {
  return new Promise((resolve) => process.send?.({ type: "page" } satisfies Reply, () => resolve()));
}

process.on("message", (request: Request) => {
  void answer(request).then((reply) => process.send?.(reply));
});
// the parent is gone: so is the reason to live
process.on("disconnect", () => process.exit(0));
process.send?.({ type: "ready" } satisfies Reply);
