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
  readonly #folders: ReadonlyMap<string, string>;
  /** Every group that a rule names, sorted. */
  readonly groups: readonly string[];

  /** @param folders by label: the place of a source's own folder, where "/private" begins */
  constructor(
    sources: Iterable<readonly [label: string, visibleTo: VisibleTo | undefined]>,
    folders: ReadonlyMap<string, string> = new Map(),
  ) {
    this.#sources = new Map(sources);
    this.#folders = folders;
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
    if (isList(rule)) return rule.some((group) => viewer.groups.includes(group));
    const own = this.#folders.get(source) ?? "";
    const named = mostSpecific(Object.keys(rule).filter((key) => key !== "*" && isWithin(place, key, own)));
    // a place within two named ones of which neither is in the other is for those who may see both
    return (named.length > 0 ? named : ["*"]).every((key) => rule[key]?.some((group) => viewer.groups.includes(group)) ?? true);
  }
}

function isList(rule: VisibleTo): rule is readonly string[] {
  return Array.isArray(rule);
}

function lists(rule: VisibleTo | undefined): readonly (readonly string[])[] {
  return rule === undefined ? [] : isList(rule) ? [rule] : Object.values(rule);
}

/** "acme/vault" says all there is to say of it where "acme" is named too. */
function mostSpecific(keys: readonly string[]): readonly string[] {
  return keys.filter((key) => !keys.some((other) => partsOf(other).length > partsOf(key).length && isWithin(partsOf(other), key, "")));
}

/**
 * "acme/checkout" lies within "acme", "Acme/Checkout" and "checkout/": as in a .gitignore, a name counts wherever it stands in
 * a path, and "/private" at its beginning only. Whether that is the source's folder or the manifest's is easily mistaken,
 * and a rule must not fail open: both are taken.
 */
function isWithin(place: string, named: string, own: string): boolean {
  const outer = partsOf(named);
  // "/" names all there is
  if (outer === "") return true;
  const whole = `/${partsOf(place)}/`;
  if (!named.startsWith("/")) return whole.includes(`/${outer}/`);
  return whole.startsWith(`/${outer}/`) || (own !== "" && whole.startsWith(`/${partsOf(own)}/${outer}/`));
}

/** A path in lower case, without what may stand before and after its names. */
function partsOf(path: string): string {
  return path.toLowerCase().replace(/^\.?\/|\/$/g, "");
}
