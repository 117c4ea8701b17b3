import type { ConfluenceApi } from "./client.ts";
import { ConfluencePage } from "./payload.ts";
import { DEEPEST } from "./to-record.ts";

/** Where pages lie in their spaces: titles and parents, as far as a run has met them. */
export class Places {
  readonly titles = new Map<string, string>();
  readonly parents = new Map<string, string>();
  private readonly api: ConfluenceApi;

  constructor(api: ConfluenceApi) {
    this.api = api;
  }

  learn(pageId: string, title: string, parent: string | null | undefined): void {
    this.titles.set(pageId, title);
    if (parent) this.parents.set(pageId, parent);
  }

  /** Whether all pages above are known without asking for one. */
  isPlaced(parent: string | null): boolean {
    let at = parent;
    for (let depth = 0; at !== null && depth < DEEPEST; depth += 1) {
      if (!this.titles.has(at)) return false;
      at = this.parents.get(at) ?? null;
    }
    return true;
  }

  /** Reads the pages above that no listing has shown; "" is the title of one that the token may not see. */
  async learnAncestors(parent: string | null): Promise<void> {
    let at = parent;
    for (let depth = 0; at !== null && depth < DEEPEST; depth += 1) {
      if (!this.titles.has(at)) {
        const above = ConfluencePage.safeParse(await this.api.page("page", at));
        this.learn(at, above.success ? above.data.title : "", above.success ? above.data.parentId : null);
      }
      at = this.parents.get(at) ?? null;
    }
  }
}
