import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { parse, parseAllDocuments } from "yaml";
import { environment } from "../src/config/environment.ts";
import { routes } from "../src/http/routes/all.ts";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");
const variables = new Set(Object.values(environment).flatMap((some) => some.map(({ name }) => name)));
const paths = new Set(routes.map(({ path }) => path));

describe("the files in deploy", () => {
  it("copy only what is there into the image", () => {
    const copied = read("deploy/Dockerfile").matchAll(/^COPY (?!--from)(.+) \S+$/gm);
    for (const [, sources = ""] of copied) for (const source of sources.split(" ")) assert.ok(existsSync(join(root, source)), source);
  });

  it("ask for health where it is told", () => {
    const asked = [..."Dockerfile k8s/contextd.yaml".split(" ")].flatMap((file) =>
      [...read(`deploy/${file}`).matchAll(/\/(?:healthz|readyz)\b/g)].map(([path]) => path),
    );

    assert.ok(asked.length >= 4);
    for (const path of asked) assert.ok(paths.has(path), path);
  });

  it("are YAML, and set variables that the daemon reads", () => {
    const compose = parse(read("deploy/docker-compose.yml")) as { services: { contextd: { environment: Record<string, string> } } };
    for (const name of Object.keys(compose.services.contextd.environment)) assert.ok(variables.has(name), name);
    for (const document of parseAllDocuments(read("deploy/k8s/contextd.yaml"))) assert.deepEqual(document.errors, []);
  });

  it("never start two writers on one store", () => {
    const objects = parseAllDocuments(read("deploy/k8s/contextd.yaml")).map((one) => one.toJS() as { kind: string; spec: unknown });
    const deployment = objects.find(({ kind }) => kind === "Deployment")?.spec as { replicas: number; strategy: { type: string } };

    assert.deepEqual([deployment.replicas, deployment.strategy.type], [1, "Recreate"]);
  });
});
