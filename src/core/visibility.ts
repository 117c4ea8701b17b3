import type { SourceRecord } from "./record.ts";

/**
 * Who looks: everybody's view is what their groups may see. "all" is the command line, who reaches an open loopback
 * daemon, and administrators.
 */
export type Viewer = "all" | { readonly groups: readonly string[] };

/**
 * A place that records lie in: one space, project, repository or folder of one configured source. All records of a scope
 * are visible to the same people, so a set of scope ids says everything about what somebody may see.
 */
export interface Scope {
  readonly id: number;
  /** Label of the configured source. */
  readonly source: string;
  /** As `placeOf` has it. */
  readonly place: string;
}

/** `visibleTo` of a source: the groups that see all of it, or those that see one place each ("*": every place not named). */
export type VisibleTo = readonly string[] | Readonly<Record<string, readonly string[]>>;

/** Where a record lies at its source: the space, project or repository it states, else the folder in its id; "" where there is none. */
export function placeOf({ id, source, fields }: SourceRecord): string {
  const own = id.slice(id.indexOf(":") + 1);
  if (source === "confluence") return fields.space ?? "";
  if (source === "jira") return (fields.key ?? own).replace(/-\d+$/, "");
  if (source === "github" || fields.repository !== undefined) return fields.repository ?? "";
  if (source !== "documents" && source !== "logs") return "";
  const slash = own.lastIndexOf("/");
  return slash < 0 ? "" : own.slice(0, slash);
}

/** What the configuration says of who may see what. Sources that it does not know are seen by nobody but "all". */
export class Visibility {
  readonly #sources: ReadonlyMap<string, VisibleTo | undefined>;
  /** Every group that a rule names, sorted. */
  readonly groups: readonly string[];

  constructor(sources: Iterable<readonly [label: string, visibleTo: VisibleTo | undefined]>) {
    this.#sources = new Map(sources);
    const named = [...this.#sources.values()].flatMap((rule) =>
      rule === undefined ? [] : isList(rule) ? rule : Object.values(rule).flat(),
    );
    this.groups = [...new Set(named)].sort();
  }

  /** The viewer's groups as far as a rule names them; "all" where nothing is hidden from them. Equal texts see the same. */
  key(viewer: Viewer): string {
    if (viewer === "all" || this.groups.length === 0) return "all";
    const own = this.groups.filter((group) => viewer.groups.includes(group));
    const everywhere = [...this.#sources.values()].every((rule) =>
      lists(rule).every((groups) => groups.some((group) => own.includes(group))),
    );
    return everywhere ? "all" : JSON.stringify(own);
  }

  /** Whether the viewer may see any of a source. */
  sees(viewer: Viewer, source: string): boolean {
    if (viewer === "all") return true;
    if (!this.#sources.has(source)) return false;
    const rule = this.#sources.get(source);
    return rule === undefined || !isList(rule) || rule.some((group) => viewer.groups.includes(group));
  }

  /** Whether the viewer may see a place of a source. */
  seesPlace(viewer: Viewer, { source, place }: Pick<Scope, "source" | "place">): boolean {
    if (viewer === "all") return true;
    if (!this.#sources.has(source)) return false;
    const rule = this.#sources.get(source);
    if (rule === undefined) return true;
    const named = isList(rule) ? [rule] : Object.entries(rule).flatMap(([key, groups]) => (isWithin(place, key) ? [groups] : []));
    const groups = named.length > 0 || isList(rule) ? named : rule["*"] === undefined ? [] : [rule["*"]];
    // a place within two named ones is for those who may see both
    return groups.every((list) => list.some((group) => viewer.groups.includes(group)));
  }
}

function isList(rule: VisibleTo): rule is readonly string[] {
  return Array.isArray(rule);
}

function lists(rule: VisibleTo | undefined): readonly (readonly string[])[] {
  return rule === undefined ? [] : isList(rule) ? [rule] : Object.values(rule);
}

/**
 * "acme/checkout" lies within "acme", "Acme/Checkout" and "checkout/": a folder's name counts wherever it stands in a path,
 * since whether a path begins at the source's folder or above it is easily mistaken, and a rule must not fail open.
 */
function isWithin(place: string, named: string): boolean {
  const outer = named.toLowerCase().replace(/^\.?\/|\/$/g, "");
  return outer !== "" && `/${place.toLowerCase()}/`.includes(`/${outer}/`);
}
