import { isAlias, isMap, isPair, isScalar, isSeq, type Node, parseAllDocuments, type YAMLMap } from "yaml";

/** Statements of configuration files: which services there are, how else they are called, what they need, whose they are. */

interface Place {
  readonly start: number;
  readonly end: number;
}

export type Statement =
  /** `weight` orders sources: a catalogue over a compose file over a deployment. */
  | { readonly type: "service"; readonly name: string; readonly rule: string; readonly score: number; readonly place: Place }
  | {
      readonly type: "alias";
      readonly service: string;
      readonly name: string;
      readonly rule: string;
      readonly score: number;
      readonly place: Place;
    }
  | { readonly type: "path"; readonly service: string; readonly path: string; readonly place: Place }
  | {
      readonly type: "depends";
      readonly service: string;
      readonly on: string;
      readonly how: "listed" | "variable" | "address";
      readonly place: Place;
    }
  | { readonly type: "owner"; readonly service: string; readonly owner: string; readonly kind: "team" | "engineer"; readonly place: Place }
  | { readonly type: "person"; readonly login: string; readonly name: string | null; readonly email: string | null; readonly place: Place }
  | { readonly type: "team"; readonly name: string; readonly label: string; readonly members: readonly string[]; readonly place: Place };

const longestFile = 400_000;
const workloads = new Set(["Deployment", "StatefulSet", "DaemonSet", "Service", "Rollout", "CronJob"]);

/** The service whose chart a file of values belongs to, by its folder, else by its repository; null for other files. */
function chartOf(path: string, repository: string | undefined): string | null {
  const parts = path.split("/");
  if (!/^values(?:[-._][\w.-]{1,40})?\.ya?ml$/i.test(parts.pop() ?? "")) return null;
  const folder = parts.findLast((part) => !/^(?:charts?|helm(?:-charts?)?|deploy(?:ment)?s?|k8s|environments?|env|values)$/i.test(part));
  return folder ?? repository?.split("/").at(-1) ?? null;
}

/** Blocks of a chart's values that are parts of every chart, not services. */
const generalBlock =
  /^(?:image|app|main|config(?:Map)?|settings|controller|deployment|server|global|common|pod|container|service|ingress|resources|probes?|livenessProbe|readinessProbe|autoscaling|serviceAccount|podAnnotations|metrics|secrets?)$/i;

/**
 * Reads docker-compose, Kubernetes and Backstage files and the values of Helm charts. A file that is none of these states nothing.
 * @param offset where the file's text begins in the record's body; all places are offsets into the body
 * @param file its path, and the repository that it lies in
 */
export function readManifest(
  text: string,
  offset: number,
  file: { readonly path: string; readonly repository?: string | undefined },
): Statement[] {
  const chart = chartOf(file.path, file.repository);
  if (text.length > longestFile || (chart === null && !/^(?:services|kind|apiVersion):|^\s+-?\s*kind:/m.test(text))) return [];
  let documents: ReturnType<typeof parseAllDocuments>;
  try {
    documents = parseAllDocuments(text, { prettyErrors: false, strict: false, uniqueKeys: false, logLevel: "silent" });
  } catch {
    return [];
  }
  const out: Statement[] = [];
  const place = (node: unknown): Place => {
    const range = (node as Node | null | undefined)?.range;
    const from = range?.[0] ?? 0;
    const start = text.lastIndexOf("\n", from - 1) + 1;
    const end = text.indexOf("\n", from);
    return { start: offset + start + leadOf(text, start), end: offset + (end < 0 ? text.length : end) };
  };
  if (!Array.isArray(documents)) return [];
  for (const document of documents) {
    const reader = new Reader(document, place, out);
    const root = document.contents;
    if (!isMap(root)) continue;
    const kind = reader.text(root, "kind");
    if (kind === null && chart !== null) reader.chartValues(root, chart);
    else if (kind === null) reader.compose(root);
    else if (kind === "ConfigMap") reader.configMap(root);
    else if (workloads.has(kind)) reader.workload(root);
    else if (/^backstage\.io\//.test(reader.text(root, "apiVersion") ?? "") || ["Component", "Resource", "Group", "User"].includes(kind))
      reader.catalogue(root, kind);
  }
  return out;
}

function leadOf(text: string, start: number): number {
  let at = start;
  while (text[at] === " " || text[at] === "\t") at += 1;
  return at - start;
}

class Reader {
  private readonly document: { readonly anchors?: unknown };
  private readonly place: (node: unknown) => Place;
  private readonly out: Statement[];

  constructor(document: unknown, place: (node: unknown) => Place, out: Statement[]) {
    this.document = document as { readonly anchors?: unknown };
    this.place = place;
    this.out = out;
  }

  private resolve(node: unknown): unknown {
    return isAlias(node) ? node.resolve(this.document as never) : node;
  }

  private child(map: unknown, key: string): unknown {
    const resolved = this.resolve(map);
    return isMap(resolved) ? this.resolve(resolved.get(key, true)) : null;
  }

  text(map: unknown, key: string): string | null {
    const node = this.child(map, key);
    return isScalar(node) && node.value !== null ? String(node.value) : null;
  }

  /** The pairs of a map, and of what it merges in with "<<". */
  private pairs(node: unknown): { readonly key: string; readonly keyNode: unknown; readonly value: unknown }[] {
    const map = this.resolve(node);
    if (!isMap(map)) return [];
    return map.items.flatMap((item) => {
      if (!isPair(item) || !isScalar(item.key)) return [];
      const key = String(item.key.value);
      const value = this.resolve(item.value);
      return key === "<<" ? [] : [{ key, keyNode: item.key, value }];
    });
  }

  private strings(node: unknown): { readonly text: string; readonly node: unknown }[] {
    const list = this.resolve(node);
    if (isSeq(list)) {
      return list.items.flatMap((item) => {
        const value = this.resolve(item);
        return isScalar(value) && value.value !== null ? [{ text: String(value.value), node: value }] : [];
      });
    }
    return this.pairs(list).map(({ key, keyNode }) => ({ text: key, node: keyNode }));
  }

  compose(root: YAMLMap): void {
    for (const { key: service, keyNode, value } of this.pairs(this.child(root, "services"))) {
      if (!isMap(value) && !(isScalar(value) && value.value === null)) continue;
      this.out.push({ type: "service", name: service, rule: "compose.name", score: 0.9, place: this.place(keyNode) });
      const container = this.text(value, "container_name") ?? this.text(value, "hostname");
      if (container !== null && /^[\w.-]+$/.test(container))
        this.out.push({
          type: "alias",
          service,
          name: container,
          rule: "compose.container",
          score: 0.85,
          place: this.place(this.child(value, "container_name") ?? this.child(value, "hostname")),
        });
      for (const { path, node } of this.buildFolders(value)) this.out.push({ type: "path", service, path, place: this.place(node) });
      for (const field of ["depends_on", "links"]) {
        for (const { text, node } of this.strings(this.child(value, field))) {
          this.out.push({ type: "depends", service, on: text.split(":")[0] ?? text, how: "listed", place: this.place(node) });
        }
      }
      this.environment(service, this.child(value, "environment"));
      this.flags(service, this.child(value, "command"));
    }
  }

  /** The folder that a service is built from; the repository's root is nobody's. */
  private buildFolders(service: unknown): { readonly path: string; readonly node: unknown }[] {
    const build = this.child(service, "build");
    const context = isScalar(build) ? String(build.value ?? "") : (this.text(build, "context") ?? "");
    const file = this.text(build, "dockerfile") ?? "";
    const folder = [context, file.includes("/") ? file.slice(0, file.lastIndexOf("/")) : ""]
      .map((part) => part.replace(/^(?:\.\/)+|\/+$/g, "").replace(/^\.$/, ""))
      .filter((part) => part !== "")
      .join("/");
    return /^[\w-][\w./-]*$/.test(folder) && !folder.includes("..") ? [{ path: `${folder}/`, node: build }] : [];
  }

  /** Variables that hold another service's address: "CART_ADDR", "DB_URL=postgres://orders-db:5432/x". */
  environment(service: string, node: unknown): void {
    const list = this.resolve(node);
    const variables = isMap(list)
      ? this.pairs(list).map(({ key, keyNode, value }) => ({
          name: key,
          value: isScalar(value) && value.value !== null ? String(value.value) : "",
          node: keyNode,
        }))
      : this.strings(list).map(({ text, node: item }) => {
          const at = text.indexOf("=");
          return at < 0 ? { name: text, value: "", node: item } : { name: text.slice(0, at), value: text.slice(at + 1), node: item };
        });
    for (const variable of variables) this.variable(service, variable.name, variable.value, this.place(variable.node));
  }

  /** "env" of a container: a list of names and values, or what a compose file has. */
  private containerEnvironment(service: string, node: unknown): void {
    const list = this.resolve(node);
    if (!isSeq(list) || !list.items.some((item) => isMap(this.resolve(item)))) {
      this.environment(service, node);
      return;
    }
    for (const item of list.items) {
      const key = this.text(item, "name");
      if (key !== null) this.variable(service, key, this.text(item, "value") ?? "", this.place(this.resolve(item)));
    }
  }

  /** "--redis-addr=redis:6379" */
  private flags(service: string, node: unknown): void {
    const list = this.resolve(node);
    for (const { text, node: item } of isScalar(list) ? [{ text: String(list.value ?? ""), node: list }] : this.strings(list)) {
      for (const match of text.matchAll(/(?:^|\s)--?([A-Za-z][\w.-]{0,60})=(\S{1,300})/g))
        this.variable(service, (match[1] ?? "").replace(/[.-]/g, "_"), match[2] ?? "", this.place(item));
    }
  }

  /** Values of a Helm chart: variables of the chart's service, or of the one whose block they stand in. */
  chartValues(root: YAMLMap, chart: string): void {
    const own = this.text(root, "fullnameOverride") ?? this.text(root, "nameOverride") ?? chart;
    const walk = (node: unknown, service: string, depth: number): void => {
      for (const { key, keyNode, value } of this.pairs(node)) {
        if (/^(?:env|environment|extraEnv|envVars|extraEnvVars)$/i.test(key)) this.containerEnvironment(service, value);
        else if (isMap(value) && depth < 4) walk(value, depth === 0 && !generalBlock.test(key) ? key : service, depth + 1);
        else if (depth > 0 && isScalar(value) && typeof value.value === "string")
          this.variable(service, key.replace(/(?<=[a-z0-9])(?=[A-Z])/g, "_"), value.value, this.place(keyNode));
      }
    };
    walk(root, own, 0);
  }

  /** Variables that a workload takes from a map that is called after it. */
  configMap(root: YAMLMap): void {
    const metadata = this.child(root, "metadata");
    const name =
      this.text(this.child(metadata, "labels"), "app") ?? this.text(metadata, "name")?.replace(/-(?:config(?:map)?|env|settings|cm)$/, "");
    if (name !== undefined && !/[{}$]/.test(name)) this.environment(name, this.child(root, "data"));
  }

  private variable(service: string, name: string, value: string, place: Place): void {
    const subject = addressOf(name);
    if (subject !== null && !/^(?:localhost|127\.|0\.0\.0\.0|::1)/.test(value))
      this.out.push({ type: "depends", service, on: subject, how: "variable", place });
    // "DB_HOST: players-db": an address variable may hold nothing but a name
    const bare =
      subject !== null && /^[A-Za-z][\w-]{0,62}(?:\.[\w-]{1,63}){0,6}$/.test(value) && value !== "localhost"
        ? [value.split(".")[0] ?? value]
        : [];
    for (const host of [...bare, ...hostsOf(value)]) {
      const inner = addressOf(host);
      this.out.push({ type: "depends", service, on: inner ?? host, how: "address", place });
    }
  }

  workload(root: YAMLMap): void {
    const metadata = this.child(root, "metadata");
    const name = this.text(metadata, "name");
    if (name === null || /[{}$]/.test(name)) return;
    const place = this.place(this.child(metadata, "name"));
    this.out.push({ type: "service", name, rule: "kubernetes.name", score: 0.85, place });
    const labels = this.child(metadata, "labels");
    for (const key of ["app.kubernetes.io/name", "app", "app.kubernetes.io/component"]) {
      const label = this.text(labels, key);
      if (label !== null && label !== name && !/[{}$]/.test(label)) {
        this.out.push({
          type: "alias",
          service: name,
          name: label,
          rule: "kubernetes.label",
          score: 0.8,
          place: this.place(this.child(labels, key)),
        });
        break;
      }
    }
    const pod = this.child(this.child(this.child(root, "spec"), "template"), "spec");
    const containers = this.resolve(this.child(pod, "containers"));
    if (!isSeq(containers)) return;
    for (const item of containers.items) {
      this.containerEnvironment(name, this.child(item, "env"));
      this.flags(name, this.child(item, "args"));
    }
  }

  catalogue(root: YAMLMap, kind: string): void {
    const metadata = this.child(root, "metadata");
    const spec = this.child(root, "spec");
    const name = this.text(metadata, "name");
    if (name === null) return;
    const nameNode = this.child(metadata, "name");
    const place = this.place(nameNode);
    if (kind === "Group") {
      const label = this.text(this.child(spec, "profile"), "displayName") ?? this.text(metadata, "title") ?? name;
      this.out.push({
        type: "team",
        name,
        label,
        members: this.strings(this.child(spec, "members")).map((one) => refName(one.text)),
        place,
      });
      return;
    }
    if (kind === "User") {
      const profile = this.child(spec, "profile");
      this.out.push({ type: "person", login: name, name: this.text(profile, "displayName"), email: this.text(profile, "email"), place });
      return;
    }
    if (kind !== "Component" && kind !== "Resource") return;
    if (/^(?:library|documentation|template)$/.test(this.text(spec, "type") ?? "")) return;
    this.out.push({ type: "service", name, rule: "catalogue.name", score: 0.95, place });
    const alias = (text: string, node: unknown): void => {
      if (text !== "" && text !== name)
        this.out.push({ type: "alias", service: name, name: text, rule: "catalogue.alias", score: 0.92, place: this.place(node) });
    };
    alias(this.text(metadata, "title") ?? "", this.child(metadata, "title"));
    for (const { key, value } of this.pairs(this.child(metadata, "annotations"))) {
      if (!isScalar(value) || typeof value.value !== "string") continue;
      const values = value.value
        .split(",")
        .map((one) => one.trim())
        .filter((one) => one !== "");
      if (/(?:also-known-as|aliases|alias|aka|other-names|former-names?|old-names?)$/.test(key))
        for (const one of values) alias(one, value);
      else if (/(?:source-paths?|paths?|directory|folder)$/.test(key))
        for (const path of values)
          if (/^[\w./-]+$/.test(path)) this.out.push({ type: "path", service: name, path, place: this.place(value) });
    }
    const owner = this.text(spec, "owner");
    if (owner !== null)
      this.out.push({
        type: "owner",
        service: name,
        owner: refName(owner),
        kind: /^user:/i.test(owner) ? "engineer" : "team",
        place: this.place(this.child(spec, "owner")),
      });
    for (const { text, node } of this.strings(this.child(spec, "dependsOn"))) {
      if (/^(?:component|resource):|^[^:]+$/i.test(text))
        this.out.push({ type: "depends", service: name, on: refName(text), how: "listed", place: this.place(node) });
    }
  }
}

/** "group:default/commerce" names commerce. */
function refName(reference: string): string {
  return reference.slice(Math.max(reference.lastIndexOf("/"), reference.lastIndexOf(":")) + 1).trim();
}

/** "PRODUCT_CATALOG_ADDR" is an address of "product catalog"; null for variables that are no address. */
export function addressOf(name: string): string | null {
  const match =
    /^([A-Za-z][A-Za-z0-9_]{0,60}?)_(?:SERVICE_)?(?:(?:GRPC|HTTP|BASE|API|SERVER|BOOTSTRAP|BROKER)_)?(?:ADDR|ADDRESS|ADDRESSES|HOST|HOSTNAME|HOSTS|URL|URI|ENDPOINT|SERVERS|BROKERS|DSN)$/i.exec(
      name,
    );
  return match?.[1]?.replaceAll("_", " ").toLowerCase() ?? null;
}

/** Host names in a variable's value: of URLs, "host:port" and "Host=…" forms; "${POSTGRES_HOST}" gives the variable's name. */
function hostsOf(value: string): string[] {
  const hosts = new Set<string>();
  for (const match of value.matchAll(
    /(?:\/\/(?:[^/@\n]{0,200}@)?|\b(?:Host|Server|Data Source)=)(\$\{?[A-Z_][A-Z0-9_]{0,60}|[A-Za-z][\w-]{0,62})/g,
  ))
    hosts.add((match[1] ?? "").replace(/^\$\{?/, ""));
  for (const part of value.split(",")) {
    const match =
      /^\s*(\$\{?[A-Z_][A-Z0-9_]{0,60}(?::[^}]{0,60})?\}?|[A-Za-z][\w-]{0,62}(?:\.[\w-]{1,63}){0,6}):(?:\d{2,5}|\$\{?[A-Z_]{1,60}\}?)\s*$/.exec(
        part,
      );
    if (match?.[1] !== undefined) hosts.add(match[1].replace(/^\$\{?/, "").split(/[.:}]/)[0] ?? "");
  }
  return [...hosts].filter((host) => host !== "" && host !== "localhost");
}
