import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Path of the Chromium of this machine, or null; CHROMIUM_PATH wins. */
export function chromiumPath(): string | null {
  return [process.env.CHROMIUM_PATH, ...PLACES].find((path) => path !== undefined && path !== "" && existsSync(path)) ?? null;
}

/** Starts it without anything that would reach for the network. */
export function openBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    headless: true,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

const axe = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string }[];
}

/** What axe-core finds wrong on the page as it stands. */
export async function faults(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const violations = await page.evaluate<readonly Violation[]>("axe.run().then((found) => found.violations)");
  return violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes[0]?.html}`);
}
