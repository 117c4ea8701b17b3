import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { createApp } from "../app.ts";
import { parseManifest } from "../config/manifest.ts";
import { SourceConfig } from "../connectors/registry.ts";
import type { App } from "../core/app.ts";
import type { Log } from "../core/connector.ts";
import { openStore } from "../store/open.ts";

const Fragment = z.object({
  now: z.string().optional(),
  aliases: z.record(z.string(), z.array(z.string())).default({}),
  sourcePaths: z.record(z.string(), z.array(z.string())).default({}),
});

export interface World {
  readonly app: App;
  readonly now: string | undefined;
}

/**
 * A world folder (README, Evaluation) as a running daemon over a store in memory: its records as the APIs would give them,
 * aliases and source paths from manifest-fragment.json, indexed to the end.
 * @param options.aliases false: without the fragment's names, to see what is learned from the records alone
 */
export async function buildWorldApp(
  path: string,
  options: {
    readonly log: Log;
    readonly signal: AbortSignal;
    readonly aliases?: boolean;
    readonly env?: Readonly<Record<string, string | undefined>>;
  },
): Promise<World> {
  const file = join(path, "manifest-fragment.json");
  const fragment = Fragment.parse(existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {});
  const names = options.aliases === false ? {} : { aliases: fragment.aliases, sourcePaths: fragment.sourcePaths };
  const manifest = parseManifest(
    JSON.stringify({
      name: "world",
      ...(fragment.now === undefined ? {} : { now: fragment.now }),
      sources: [{ kind: "records", path: resolve(path) }],
      ...names,
    }),
    SourceConfig,
    {},
    file,
  );
  const app = createApp({ manifest, root: path, store: openStore(":memory:"), env: options.env ?? {}, log: options.log });
  const run = app.index({ signal: options.signal });
  while (!(await run.next()).done);
  return { app, now: fragment.now };
}
