/**
 * Every error contextd can show: HTTP status, exit code, and what the reader can do now.
 * HTTP problem details, exit codes, `doctor` and docs/errors.md read this list.
 */
export const codes = {
  USAGE: { status: 400, exit: 2, remedy: "Run `contextd --help` for the commands and their options." },
  CONFIG_MISSING: { status: 500, exit: 2, remedy: "Make one with `contextd init`, or name another with --manifest FILE." },
  CONFIG_INVALID: { status: 500, exit: 2, remedy: "Correct the named keys; manifest.schema.json describes all of them." },
  CONFIG_ENV_MISSING: { status: 500, exit: 2, remedy: "Set the variable, or take the reference out of the manifest." },
  DATA_DIR_UNWRITABLE: { status: 500, exit: 2, remedy: "Make the folder writable, or name another with --data-dir DIR." },
  STORE_NEWER: { status: 500, exit: 2, remedy: "Upgrade contextd, or use another --data-dir." },
  STORE_LOCKED: { status: 503, exit: 1, remedy: "Stop the process that holds it, then try again." },
  STORE_FULL: { status: 507, exit: 1, remedy: "Free space on that disk, then try again: what was written before is kept." },
  STORE_DAMAGED: { status: 500, exit: 1, remedy: "Restore a backup, or delete the file and index again." },
  PORT_IN_USE: { status: 500, exit: 2, remedy: "Stop what listens there, or choose another with --port N." },
  SOURCE_UNAUTHORIZED: { status: 502, exit: 3, remedy: "Renew the token; `contextd doctor` names the one in use." },
  SOURCE_FORBIDDEN: { status: 502, exit: 3, remedy: "Give the token the missing scope or access; `contextd doctor` names it." },
  SOURCE_NOT_FOUND: { status: 502, exit: 3, remedy: "Check the name in the manifest, and that the token may see it." },
  SOURCE_RATE_LIMITED: { status: 503, exit: 3, remedy: "Wait until the named time; the next run goes on from the last checkpoint." },
  SOURCE_UNAVAILABLE: { status: 502, exit: 3, remedy: "Look at the source's status; the next run goes on from the last checkpoint." },
  SOURCE_BAD_REPLY: { status: 502, exit: 3, remedy: "Check the base URL in the manifest; a login page or proxy may stand in between." },
  SOURCE_REFUSED: { status: 502, exit: 3, remedy: "Correct what the source names (a project, a filter, a branch) in the manifest." },
  SOURCE_REDIRECTED: { status: 502, exit: 3, remedy: "Put the new address into the manifest; credentials are not sent to another host." },
  RECORD_INVALID: { status: 422, exit: 3, remedy: "Correct this record at its source; the others were kept." },
  FILE_NOT_FOUND: {
    status: 404,
    exit: 2,
    remedy: "Check the path; those of the manifest start at its folder, those of a command at yours.",
  },
  FILE_UNREADABLE: { status: 422, exit: 3, remedy: "Check the file's permissions and whether it opens elsewhere." },
  FILE_EMPTY: { status: 422, exit: 3, remedy: "Nothing to index; remove the file or give it content." },
  FILE_ENCRYPTED: { status: 422, exit: 3, remedy: "Save a copy without a password." },
  FILE_NO_TEXT: { status: 422, exit: 3, remedy: 'The pages are pictures: set "ocr": true for the source, or index a text version.' },
  FILE_UNSUPPORTED: { status: 415, exit: 3, remedy: "Convert it to one of the formats that docs/connectors.md lists." },
  FILE_TOO_LARGE: { status: 413, exit: 3, remedy: "Split the file, or raise the limit in the manifest." },
  FILE_TIMEOUT: { status: 422, exit: 3, remedy: "The file took too long or too much memory to read; simplify or split it." },
  LLM_UNCONFIGURED: { status: 503, exit: 1, remedy: "Set CONTEXTD_LLM_BASE_URL or OPENAI_API_KEY, or ask with --no-llm." },
  LLM_UNAUTHORIZED: { status: 502, exit: 1, remedy: "Renew the model key." },
  LLM_RATE_LIMITED: { status: 503, exit: 1, remedy: "Wait, or raise the limit at the model's vendor." },
  LLM_UNAVAILABLE: { status: 502, exit: 1, remedy: "Check the model endpoint; answers go on without it." },
  LLM_BAD_REPLY: { status: 502, exit: 1, remedy: "Try another model; answers go on without it." },
  LLM_BUDGET: { status: 503, exit: 1, remedy: "Raise llm.budgetUsd in the manifest, or wait for the next day." },
  MODEL_MISSING: { status: 500, exit: 2, remedy: "Restore models/ from the repository, or set models in the manifest." },
  ENGINE_UNAVAILABLE: { status: 503, exit: 1, remedy: "Start the search engine named, or set engines back to the embedded ones." },
  INDEX_RUNNING: { status: 409, exit: 1, remedy: "Wait for the running index run; `contextd runs` and the page's Index tab show it." },
  INDEX_EMPTY: {
    status: 503,
    exit: 1,
    remedy: "Wait for the first run, or start one with `contextd index`; `contextd runs` shows how runs ended.",
  },
  NOT_FOUND: { status: 404, exit: 1, remedy: "Check the id or name." },
  BAD_REQUEST: { status: 400, exit: 2, remedy: "Correct the named fields; /docs describes the request." },
  METHOD_NOT_ALLOWED: { status: 405, exit: 2, remedy: "Use one of the methods named in the Allow header; /docs lists them." },
  PAYLOAD_TOO_LARGE: { status: 413, exit: 2, remedy: "Send less at once; /docs names the limits." },
  MEDIA_UNSUPPORTED: { status: 415, exit: 2, remedy: "Send the content type that /docs names for this request." },
  RATE_LIMITED: { status: 429, exit: 1, remedy: "Wait for the time in the Retry-After header." },
  UNAUTHORIZED: { status: 401, exit: 1, remedy: "Send `Authorization: Bearer <token>`." },
  FORBIDDEN: { status: 403, exit: 1, remedy: "Use a token with the needed scope." },
  IDENTITY_UNAVAILABLE: {
    status: 503,
    exit: 1,
    remedy: "Check that the daemon reaches the identity provider that the manifest's oidc names, then try again.",
  },
  OVERLOADED: { status: 503, exit: 1, remedy: "Try again after the named time." },
  CANCELLED: { status: 499, exit: 1, remedy: "It was stopped on request; run it again to go on." },
  INTERNAL: { status: 500, exit: 1, remedy: "This is a fault of contextd: please report it with the log." },
} as const satisfies Record<string, { status: number; exit: number; remedy: string }>;

export type ErrorCode = keyof typeof codes;

export interface ErrorOptions {
  readonly cause?: unknown;
  /** Facts for logs and problem details; never a secret. */
  readonly detail?: Readonly<Record<string, unknown>>;
  /** Replaces the list's remedy where the place knows better. */
  readonly remedy?: string;
}

/** The one error class. The message says what happened and where; the remedy what to do now. */
export class ContextError extends Error {
  readonly code: ErrorCode;
  readonly remedy: string;
  readonly detail: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "ContextError";
    this.code = code;
    this.remedy = options.remedy ?? codes[code].remedy;
    this.detail = options.detail ?? {};
  }

  get status(): number {
    return codes[this.code].status;
  }

  get exit(): number {
    return codes[this.code].exit;
  }
}

/** What is wrong with a store's file by SQLite's code, or the system's, and the end of a sentence about it; null for what is a fault of ours. */
export function storeFault(code: string): { readonly code: ErrorCode; readonly what: string; readonly remedy?: string } | null {
  if (/^SQLITE_(NOTADB|CORRUPT)/.test(code)) return { code: "STORE_DAMAGED", what: "is damaged, or is no database" };
  if (/^(SQLITE_FULL|ENOSPC|EDQUOT)/.test(code)) return { code: "STORE_FULL", what: "cannot grow: its disk is full" };
  if (code.startsWith("SQLITE_BUSY")) return { code: "STORE_LOCKED", what: "is being written by another process" };
  if (/^SQLITE_(CANTOPEN|READONLY|PERM)/.test(code)) return { code: "DATA_DIR_UNWRITABLE", what: `cannot be written (${code})` };
  if (!code.startsWith("SQLITE_IOERR")) return null;
  const remedy = "Look at the disk that it lies on: it may be full, gone or failing.";
  return { code: "DATA_DIR_UNWRITABLE", what: `cannot be read or written (${code})`, remedy };
}

/** Anything thrown, as a ContextError: an abort becomes CANCELLED, the unknown INTERNAL with its cause kept. */
export function toContextError(error: unknown): ContextError {
  if (error instanceof ContextError) return error;
  if (error instanceof Error && error.name === "AbortError") return new ContextError("CANCELLED", "Stopped on request.", { cause: error });
  const fault = error instanceof Error && "code" in error && typeof error.code === "string" ? storeFault(error.code) : null;
  if (fault !== null) return new ContextError(fault.code, `The index ${fault.what}.`, { ...fault, cause: error });
  const message = error instanceof Error ? error.message : String(error);
  return new ContextError("INTERNAL", message, { cause: error });
}
