import type { ErrorCode } from "../../core/errors.ts";
import type { Parsed } from "./parsed.ts";

export interface Request {
  readonly path: string;
  /** For the extension. */
  readonly name: string;
  /** When the content has this hash it need not be parsed. */
  readonly knownSha256: string | null;
}

export type Reply =
  /** Sent once, when the process has started. */
  | { readonly type: "ready" }
  | { readonly type: "parsed"; readonly sha256: string; readonly parsed: Parsed }
  | { readonly type: "unchanged" }
  | { readonly type: "failed"; readonly code: ErrorCode; readonly message: string; readonly remedy: string };
