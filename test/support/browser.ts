import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

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
