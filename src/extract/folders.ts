/** Where repositories keep their services: "services/checkout/main.go" belongs to checkout. */
const strong = new Set(["services", "service", "apps", "applications", "microservices", "workloads"]);
const weak = new Set(
  "src packages pkg infra cmd modules components backend backends projects charts deploy deployments k8s kubernetes helm systems servers platform".split(
    " ",
  ),
);
const never = new Set(
  "docs doc documentation test tests testing spec specs scripts script tools tooling ci build dist common shared lib libs utils util proto protos pb api internal vendor third_party node_modules examples example samples config configs hack assets public static main java kotlin go python app core cmd types models terraform github workflows base overlays templates".split(
    " ",
  ),
);

export interface ServiceFolder {
  /** "services/checkout/" */
  readonly path: string;
  readonly name: string;
  /** Its container says that services live there, not just sources. */
  readonly strong: boolean;
}

/** The folder of a path that by its place may be a service's; null when the path has none. */
export function serviceFolder(path: string): ServiceFolder | null {
  const parts = path.split("/").filter((part) => part !== "");
  if (parts.length === 0 || never.has((parts[0] ?? "").replace(/^\./, ""))) return null;
  for (const [at, part] of parts.entries()) {
    const lower = part.toLowerCase();
    const name = parts[at + 1];
    if (name === undefined) return null;
    if (!strong.has(lower) && !weak.has(lower)) continue;
    if (strong.has(name.toLowerCase()) || weak.has(name.toLowerCase())) continue;
    if (never.has(name.toLowerCase()) || !/^[\p{L}\p{N}][\p{L}\p{N}_.-]*$/u.test(name)) return null;
    // "src/main.go" is a file, "src/Orders.API/" a folder
    if (name.includes(".") && ((parts[at + 2] === undefined && !path.endsWith("/")) || name.endsWith(".d"))) return null;
    return { path: `${parts.slice(0, at + 2).join("/")}/`, name, strong: strong.has(lower) };
  }
  return null;
}
