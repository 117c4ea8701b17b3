import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { HttpServer } from "../src/http/server.ts";
import { appDouble } from "./support/app-double.ts";
import { testServer } from "./support/server.ts";

const Target = z.object({
  url: z.string(),
  root_selector: z.string(),
  columns: z.array(z.object({ selector: z.string(), text: z.string() })),
});
const Dashboard = z.looseObject({
  panels: z.array(z.looseObject({ title: z.string(), targets: z.array(Target) })),
  annotations: z.looseObject({ list: z.array(z.looseObject({ target: Target.optional() })) }),
  templating: z.looseObject({ list: z.array(z.looseObject({ name: z.string(), query: z.unknown() })) }),
});

const file = fileURLToPath(new URL("../grafana/contextd-services.json", import.meta.url));
const text = readFileSync(file, "utf8");
const dashboard = Dashboard.parse(JSON.parse(text));

describe("the Grafana dashboard", () => {
  let url = "";
  let server: HttpServer;

  before(async () => {
    server = testServer(appDouble());
    ({ url } = await server.start());
  });
  after(() => server.stop());

  /** The rows that a query gets, with its variables as Grafana would put them in. */
  async function rows(target: z.infer<typeof Target>): Promise<Record<string, unknown>[]> {
    const path = target.url
      .replaceAll("${service:percentencode}", encodeURIComponent("checkout-api"))
      .replaceAll("${__from}", "1773100800000")
      .replaceAll("${__to}", "1773281400000");
    assert.doesNotMatch(path, /\$/, "a variable that Grafana does not fill");
    const reply = await fetch(`${url}${path}`);
    assert.equal(reply.status, 200, path);
    const body = (await reply.json()) as Record<string, Record<string, unknown>[]>;
    return body[target.root_selector] ?? [];
  }

  it("finds every column that its panels, variable and annotations ask for", async () => {
    const variable = dashboard.templating.list.find((one) => one.name === "service");
    const query = z.object({ infinityQuery: Target }).parse(variable?.query).infinityQuery;
    const targets = [
      ...dashboard.panels.flatMap((panel) => panel.targets),
      ...dashboard.annotations.list.flatMap((one) => one.target ?? []),
      query,
    ];
    assert.equal(targets.length, 8);
    for (const target of targets) {
      const [first] = await rows(target);
      assert.ok(first !== undefined, `${target.url} gives no row`);
      for (const { selector } of target.columns) assert.ok(selector in first, `${target.url} has no ${selector}`);
    }
  });

  it("passes names and the time range on whole", () => {
    const links: string[] = [];
    JSON.parse(text, (key, value: unknown) => {
      if (key === "url" && typeof value === "string" && value.startsWith("${contextd}")) links.push(value);
      return value;
    });

    assert.ok(links.length >= 5);
    for (const link of links) assert.match(link, /\/s\/\$\{[^}]*:percentencode\}\?from=\$\{__from\}&to=\$\{__to\}$/);
  });
});
