import { randomBytes, timingSafeEqual } from "node:crypto";
import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { ContextError } from "../core/errors.ts";
import { type Caller, hashToken, type Scope, scopes } from "./auth.ts";

const Row = z.object({
  name: z.string(),
  scope: z.enum(scopes),
  /** Hex; the token itself is kept nowhere. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  createdAt: z.string(),
  groups: z.array(z.string()).default([]),
});
type Row = z.infer<typeof Row>;

/** Beside the store. */
export const TOKEN_FILE = "tokens.json";

/** What may be shown of a token. */
export type TokenRow = Omit<Row, "sha256">;

/**
 * Named tokens in a file beside the store, as hashes. Several processes may use it: a change by the command line holds
 * for the running daemon with its next request.
 */
export class TokenFile {
  readonly #path: string;
  #rows: readonly Row[] = [];
  #stamp = "";

  constructor(path: string) {
    this.#path = path;
  }

  /** Who the token stands for, null when it is unknown or revoked. All hashes are compared, each in constant time. */
  verify(token: string): Caller | null {
    const presented = hashToken(token);
    let caller: Caller | null = null;
    for (const { name, scope, groups, sha256 } of this.#read()) {
      if (timingSafeEqual(presented, Buffer.from(sha256, "hex"))) caller = { name, scope, groups };
    }
    return caller;
  }

  list(): readonly TokenRow[] {
    return this.#read().map(({ name, scope, groups, createdAt }) => ({ name, scope, groups, createdAt }));
  }

  /**
   * Makes a token and returns it: the only time that it can be read.
   * @throws ContextError BAD_REQUEST when the name is taken or empty
   */
  add(name: string, scope: Scope, groups: readonly string[], now: Date): string {
    const rows = this.#read();
    if (name.trim() === "") throw new ContextError("BAD_REQUEST", "A token needs a name.", { remedy: "Name who or what uses it." });
    if (rows.some((row) => row.name === name)) {
      throw new ContextError("BAD_REQUEST", `There is a token "${name}" already.`, { remedy: "Choose another name, or revoke it first." });
    }
    const token = `ctx_${randomBytes(32).toString("base64url")}`;
    this.#write([...rows, { name, scope, groups: [...groups], sha256: hashToken(token).toString("hex"), createdAt: now.toISOString() }]);
    return token;
  }

  /** @throws ContextError NOT_FOUND */
  revoke(name: string): void {
    const rows = this.#read();
    if (!rows.some((row) => row.name === name)) throw new ContextError("NOT_FOUND", `There is no token "${name}".`);
    this.#write(rows.filter((row) => row.name !== name));
  }

  #read(): readonly Row[] {
    const stat = statSync(this.#path, { throwIfNoEntry: false });
    const stamp = stat === undefined ? "" : `${stat.mtimeMs} ${stat.size} ${stat.ino}`;
    if (stamp === this.#stamp) return this.#rows;
    if (stat === undefined) this.#rows = [];
    else {
      try {
        this.#rows = z.array(Row).parse(JSON.parse(readFileSync(this.#path, "utf8")));
      } catch (cause) {
        // nobody gets in by a damaged file
        throw new ContextError("CONFIG_INVALID", `The token file ${this.#path} cannot be read.`, {
          cause,
          remedy: "Restore it, or remove it and make new tokens.",
        });
      }
    }
    this.#stamp = stamp;
    return this.#rows;
  }

  #write(rows: readonly Row[]): void {
    const temporary = `${this.#path}.new`;
    writeFileSync(temporary, `${JSON.stringify(rows, null, 2)}\n`, { mode: 0o600 });
    renameSync(temporary, this.#path);
  }
}
