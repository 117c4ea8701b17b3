import type { ErrorCode } from "../../core/errors.ts";
import type { Parsed } from "./parsed.ts";

export interface Request {
  readonly path: string;
  /** For the extension. */
  readonly name: string;
  /** Read pages of PDFs that are pictures. */
  readonly ocr: boolean;
}

export type Reply =
  /** Sent once, when the process has started. */
  | { readonly type: "ready" }
  /** A page of pictures is about to be read; it has the time limit to itself. */
  | { readonly type: "page" }
  | { readonly type: "parsed"; readonly sha256: string; readonly parsed: Parsed }
  | { readonly type: "failed"; readonly code: ErrorCode; readonly message: string; readonly remedy: string };
