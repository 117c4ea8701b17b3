import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { covers, ownerRules } from "./codeowners.ts";
import { namesFor, noHints, recordFor } from "./testing.ts";
import { createTier1 } from "./tier1.ts";

const tier1 = createTier1();

function edges(path: string, content: string, known: Parameters<typeof namesFor>[0] = {}): string[] {
  const record = recordFor({ id: `github:file:acme/shop/${path}`, prose: content, fields: { repository: "acme/shop", path } });
  const others = namesFor(known).data.entries;
  const declarations = [
    ...tier1.declare(record),
    ...others.flatMap((entry) =>
      entry.spellings.map((name) => ({
        node: entry.node,
        name,
        rule: entry.node.startsWith("service") ? "jira.component" : "person.login",
        score: 0.8,
        span: null,
      })),
    ),
  ];
  return tier1.extract(record, tier1.names(declarations, noHints)).facts.map((fact) => {
    const quote = record.body.slice(fact.span.start, fact.span.end);
    return `${fact.source.split(":")[1]} ${fact.kind} ${fact.target.split(":")[1]} «${quote}»`;
  });
}

describe("CODEOWNERS", () => {
  const text = [
    "# comment line",
    "*                       @acme/everyone",
    "*.js                    @js-owner #inline comment",
    "/build/logs/            @doctocat",
    "docs/*                  docs@users.example",
    "apps/                   @octocat",
    "/docs/                  @doctocat @acme/writers",
    "**/logs                 @log-team",
    "/apps/ @octocat",
    "/apps/github",
    "/path\\ with\\ spaces/    @space-owner",
    "services/**/handler.ts  @handlers",
    "!/not-supported/        @ignored",
    "[section]               @ignored-too",
    "/CaseSensitive/         @case",
  ].join("\n");
  const owners = (path: string): readonly string[] | undefined =>
    ownerRules(text, text.length).findLast((rule) => covers(rule, path.split("/")))?.owners;

  it("follows GitHub's rules of matching and precedence", () => {
    assert.deepEqual(owners("README.md"), ["@acme/everyone"]);
    assert.deepEqual(owners("src/index.js"), ["@js-owner"]);
    assert.deepEqual(owners("build/logs/today.txt"), ["@log-team"]);
    assert.deepEqual(owners("docs/getting-started.md"), ["@doctocat", "@acme/writers"]);
    assert.deepEqual(owners("pkg/docs/a.md"), ["@acme/everyone"]);
    assert.deepEqual(owners("pkg/apps/x.go"), ["@octocat"]);
    assert.deepEqual(owners("apps/github/main.go"), []);
    assert.deepEqual(owners("path with spaces/a.txt"), ["@space-owner"]);
    assert.deepEqual(owners("services/a/b/handler.ts"), ["@handlers"]);
    assert.deepEqual(owners("services/handler.ts"), ["@handlers"]);
    assert.deepEqual(owners("casesensitive/a"), ["@acme/everyone"]);
    assert.deepEqual(owners("not-supported/a"), ["@acme/everyone"]);
  });

  it("names the owners of a service by the last line that covers its folder, and shows that line", () => {
    const content =
      "*  @acme/everyone\n/services/billing/ @ann @acme/money\n/services/ledger/ @bob\n/services/ledger/ @carol\n/services/*/docs/ @dan\n/services/report/\n";

    assert.deepEqual(edges(".github/CODEOWNERS", content), [
      "ann owns billing «/services/billing/ @ann @acme/money»",
      "money owns billing «/services/billing/ @ann @acme/money»",
      "carol owns ledger «/services/ledger/ @carol»",
    ]);
  });
});

describe("compose files", () => {
  it("gives dependencies from depends_on in both forms, from links and from addresses", () => {
    const content = `
x-common: &common
  restart: always
services:
  billing:
    <<: *common
    container_name: money-1
    depends_on:
      ledger:
        condition: service_healthy
      mysql: {}
    environment:
      CACHE_URL: redis://session-cache:6379/0
      REPORT_ADDR: report:8080
      LOG_LEVEL: debug
      BIND_HOST: 0.0.0.0
  ledger:
    depends_on: [mysql]
    environment:
      - BROKERS=broker:9092
      - SELF_URL=http://localhost:80
  mysql:
    image: mysql:8
  session-cache:
    image: redis
  report: {}
  broker: {}
`;

    assert.deepEqual(edges("docker-compose.yml", content), [
      "billing depends_on ledger «ledger:»",
      "billing depends_on mysql «mysql: {}»",
      "billing depends_on session-cache «CACHE_URL: redis://session-cache:6379/0»",
      "billing depends_on report «REPORT_ADDR: report:8080»",
      "ledger depends_on mysql «depends_on: [mysql]»",
      "ledger depends_on broker «- BROKERS=broker:9092»",
    ]);
  });

  it("draws nothing to a name that nobody declares as a service", () => {
    assert.deepEqual(edges("compose.yaml", "services:\n  billing:\n    depends_on:\n    - grafana\n"), []);
  });

  it("reads no broken and no unrelated file", () => {
    assert.deepEqual(edges("compose.yaml", "services:\n  a: [\n  : : :\n\t- x"), []);
    assert.deepEqual(edges("config.yaml", "server:\n  port: 80\n"), []);
  });
});

describe("Kubernetes manifests", () => {
  it("gives dependencies from container variables", () => {
    const content = `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: billing
spec:
  template:
    spec:
      containers:
      - name: app
        env:
        - name: LEDGER_SERVICE_HOST
          value: ledger
        - name: PG_DSN
          value: postgres://user:secret@orders-db:5432/x
---
apiVersion: v1
kind: Service
metadata:
  name: ledger
---
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: orders-db
`;

    assert.deepEqual(edges("k8s/all.yaml", content), [
      "billing depends_on ledger «- name: LEDGER_SERVICE_HOST»",
      "billing depends_on orders-db «- name: PG_DSN»",
    ]);
  });
});

describe("catalogue files", () => {
  const content = `
apiVersion: backstage.io/v1alpha1
kind: Component
metadata:
  name: billing
  title: Money Service
  annotations:
    example.org/also-known-as: "invoicing, old-billing"
    example.org/source-paths: "src/money/"
spec:
  type: service
  owner: group:default/finance
  dependsOn:
    - component:default/ledger
    - resource:default/mysql
---
apiVersion: backstage.io/v1alpha1
kind: Component
metadata: { name: ledger }
spec: { type: service, owner: user:default/ann }
---
apiVersion: backstage.io/v1alpha1
kind: Resource
metadata: { name: mysql }
spec: { type: database, owner: finance }
---
apiVersion: backstage.io/v1alpha1
kind: Component
metadata: { name: shared-lib }
spec: { type: library, owner: finance }
`;

  it("gives owners and dependencies", () => {
    assert.deepEqual(
      edges("catalog-info.yaml", content, { engineers: { ann: "ann" } }).map((edge) => edge.replace(/ «.*/, "")),
      ["finance owns billing", "billing depends_on ledger", "billing depends_on mysql", "ann owns ledger", "finance owns mysql"],
    );
  });

  it("gives other names and paths", () => {
    const record = recordFor({ id: "github:file:acme/shop/catalog-info.yaml", prose: content, fields: { path: "catalog-info.yaml" } });
    const names = tier1.names(tier1.declare(record), noHints);

    for (const name of ["Money Service", "invoicing", "old-billing", "Billing"])
      assert.deepEqual(names.find(name, "service"), ["service:billing"], name);
    assert.equal(names.serviceOfPath("src/money/a.go"), "service:billing");
    assert.deepEqual(names.find("shared-lib", "service"), []);
  });
});
