import { ContextError } from "../../core/errors.ts";
import type { GithubApi } from "./client.ts";
import type { GithubUser } from "./payload.ts";

/** As many as one GraphQL request asks for, and as are kept in the cursor. */
const TOGETHER = 100;
const MOST_NAMES = 5_000;

/** A login that may be a person's; bots and apps carry brackets. */
const personLogin = /^[A-Za-z0-9][A-Za-z0-9_-]{0,98}$/;

/**
 * Display names of accounts, which lists of pull requests and issues leave out. Each is looked up once, together with
 * all others of its page in one request, and kept in the cursor.
 */
export class AccountNames {
  readonly known: ReadonlyMap<string, string>;
  private readonly names: Map<string, string>;
  private readonly saved: Record<string, string | null>;
  private isRefused = false;

  /** @param saved names by login, null for accounts without one; what is learned is added to it */
  constructor(saved: Record<string, string | null>) {
    this.saved = saved;
    this.names = new Map(Object.entries(saved).filter((entry): entry is [string, string] => entry[1] !== null));
    this.known = this.names;
  }

  async learn(api: GithubApi, users: Iterable<GithubUser | null | undefined>): Promise<void> {
    const wanted = new Set<string>();
    for (const user of users) {
      if (!user || user.name || user.type === "Bot" || !personLogin.test(user.login)) continue;
      if (!Object.hasOwn(this.saved, user.login)) wanted.add(user.login);
    }
    const logins = [...wanted].slice(0, Math.max(0, MOST_NAMES - Object.keys(this.saved).length));
    for (let from = 0; from < logins.length && !this.isRefused; from += TOGETHER) {
      const asked = logins.slice(from, from + TOGETHER);
      try {
        for (const [login, name] of await api.displayNames(asked)) {
          this.saved[login] = name;
          if (name !== null) this.names.set(login, name);
        }
      } catch (error) {
        // pull requests then name people by their logins, which is poorer, but no reason to have none
        if (!(error instanceof ContextError) || !error.code.startsWith("SOURCE_")) throw error;
        api.note({ code: error.code }, "accounts cannot be looked up; people are named by their logins");
        this.isRefused = true;
      }
    }
  }
}
