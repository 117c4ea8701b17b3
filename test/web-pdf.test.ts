import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { documents } from "../src/connectors/documents/index.ts";
import { silent } from "../src/core/connector.ts";
import type { SourceRecord } from "../src/core/record.ts";
import { chunkRecord } from "../src/docsearch/chunk.ts";
import type { HttpServer } from "../src/http/server.ts";
import { appDouble } from "./support/app-double.ts";
import { chromiumPath, openBrowser } from "./support/browser.ts";
import { testServer } from "./support/server.ts";

const chromium = chromiumPath();
const absent = "Chromium is not installed (apt-get install chromium, or CHROMIUM_PATH)";
const skip = chromium === null && process.env.CI !== "true" ? absent : false;
const axe = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");
const TOKEN = "a-token-long-enough-for-a-test";

/** A box on the screen, in pixels. */
interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

describe("a citation of a PDF on the web page", { skip }, () => {
  const root = mkdtempSync(join(tmpdir(), "contextd-web-pdf-"));
  const contexts: BrowserContext[] = [];
  const complaints: string[] = [];
  const ranges: (string | null)[] = [];
  let server: HttpServer;
  let browser: Browser;
  let url = "";

  before(async () => {
    if (chromium === null) throw new Error(absent);
    copyFileSync(new URL("../data/sample/documents/architecture.pdf", import.meta.url), join(root, "architecture.pdf"));
    copyFileSync(new URL("../data/sample/documents/architecture.pdf", import.meta.url), join(root, "lost.pdf"));
    copyFileSync(new URL("../src/connectors/documents/fixtures/scanned.pdf", import.meta.url), join(root, "scanned.pdf"));
    const records: SourceRecord[] = [];
    const io = { fetch, signal: new AbortController().signal, log: silent, now: () => new Date(0), root };
    for await (const one of documents.pull(documents.config.parse({ kind: "documents", path: root, name: "", ocr: true }), io, null))
      if (one.type === "record") records.push(one.record);
    rmSync(join(root, "lost.pdf"));
    server = testServer(appDouble({ records, cut: chunkRecord }), { token: TOKEN, requireToken: true });
    ({ url } = await server.start());
    browser = await openBrowser(chromium);
  });

  after(async () => {
    for (const context of contexts) await context.close();
    await browser?.close();
    await server?.stop();
    rmSync(root, { recursive: true });
  });

  /** The drawer of the first hit for some words, as somebody with a token sees it. */
  async function openHit(words: string, title: string, width = 1280): Promise<Page> {
    const context = await browser.newContext({ viewport: { width, height: 900 }, reducedMotion: "reduce", bypassCSP: false });
    contexts.push(context);
    await context.addInitScript(`sessionStorage.setItem("contextd.token", ${JSON.stringify(TOKEN)})`);
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type()) && !/status of 404/.test(message.text())) complaints.push(message.text());
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(url)) complaints.push(`request to ${request.url()}`);
      if (request.url().includes("/api/originals/")) ranges.push(request.headers().range ?? null);
    });
    await page.goto(`${url}/#search=${encodeURIComponent(words)}`);
    await page.locator(".hit", { hasText: title }).first().click();
    await page.locator("dialog[open] .drawer-body p").last().waitFor({ state: "attached" });
    return page;
  }

  /** How dark the canvas is inside a box of the screen: text is, blank paper is not. */
  function inkIn(page: Page, box: Box): Promise<number> {
    return page.evaluate(`(() => {
      const canvas = document.querySelector("dialog canvas");
      const at = canvas.getBoundingClientRect();
      const [sx, sy] = [canvas.width / at.width, canvas.height / at.height];
      const box = ${JSON.stringify(box)};
      const { data } = canvas.getContext("2d").getImageData(
        Math.round((box.x - at.x) * sx), Math.round((box.y - at.y) * sy), Math.round(box.width * sx), Math.round(box.height * sy));
      let dark = 0;
      for (let i = 0; i < data.length; i += 4) if (data[i] < 128) dark += 1;
      return dark / (data.length / 4);
    })()`);
  }

  it("opens the page as a picture, with a mark over each cited line and no other", async () => {
    const page = await openHit("redis session caching 30-minute TTL", "architecture.pdf");
    await page.locator("dialog .marks > *").first().waitFor();

    assert.equal(await page.locator("dialog .page-tools [role=status]").textContent(), "Page 2 of 4");
    const marks = await page.locator("dialog .marks > *").all();
    const boxes = (await Promise.all(marks.map((mark) => mark.boundingBox()))).filter((box): box is Box => box !== null);
    assert.ok(boxes.length >= 3);
    for (const box of boxes) assert.ok((await inkIn(page, box)) > 0.02, JSON.stringify(box));
    // right of the shortest line, within the text's width, there is nothing but paper
    const widest = Math.max(...boxes.map((box) => box.x + box.width));
    const short = boxes.reduce((least, box) => (box.width < least.width ? box : least));
    const beside = { ...short, x: short.x + short.width + 2, width: widest - short.x - short.width - 4 };
    assert.equal(await inkIn(page, beside), 0);
    assert.match((await page.locator("dialog figcaption").textContent()) ?? "", /redis handles session caching with a 30-minute TTL/);
  });

  it("goes to other pages, which bear no mark, larger and back to the text by keyboard", async () => {
    const page = await openHit("redis session caching 30-minute TTL", "architecture.pdf");
    await page.locator("dialog .marks > *").first().waitFor();
    const width = (await page.locator("dialog canvas").boundingBox())?.width ?? 0;

    await page.locator("dialog button", { hasText: "›" }).focus();
    await page.keyboard.press("Enter");
    await page.locator("dialog [role=status]", { hasText: "Page 3 of 4" }).waitFor();
    await page.locator("dialog .marks:not(:has(*))").waitFor({ state: "attached" });
    await page.locator("dialog button", { hasText: "Enlarge" }).focus();
    await page.keyboard.press("Space");
    assert.ok(((await page.locator("dialog canvas").boundingBox())?.width ?? 0) > width * 1.5);
    await page.locator("dialog button", { hasText: "Text" }).focus();
    await page.keyboard.press("Enter");

    await page.locator("dialog .paragraph.cited").waitFor({ state: "visible" });
    assert.equal(await page.locator("dialog canvas").isVisible(), false);
    await page.keyboard.press("Escape");
    assert.equal(await page.locator("dialog[open]").count(), 0);
  });

  it("fetches the file only when it is to be shown, and with who asks for it", async () => {
    ranges.length = 0;
    const page = await openHit("redis session caching 30-minute TTL", "architecture.pdf", 390);
    await page.locator("dialog .paragraph.cited").waitFor({ state: "visible" });
    assert.deepEqual(ranges, []);

    await page.locator("dialog button", { hasText: "Page" }).click();
    await page.locator("dialog .marks > *").first().waitFor();
    assert.ok(ranges.length > 0);
    assert.equal((await fetch(`${url}/api/originals/${encodeURIComponent("doc:architecture.pdf")}`)).status, 401);
  });

  it("shows the text where the file is gone, and says why", async () => {
    const page = await openHit("redis session caching 30-minute TTL", "lost.pdf");
    await page.locator("dialog .note", { hasText: "The page cannot be shown" }).waitFor();

    assert.ok(await page.locator("dialog .paragraph.cited").isVisible());
  });

  it("says of a scan that it was read by OCR, and marks its lines in the picture", async () => {
    const page = await openHit("promote the standby with ledgerctl", "scanned.pdf");
    await page.locator("dialog .marks > *").first().waitFor();

    assert.match((await page.locator("dialog .read").getAttribute("title")) ?? "", /OCR\), confidence \d\d %/);
    for (const mark of await page.locator("dialog .marks > *").all()) {
      const box = await mark.boundingBox();
      assert.ok(box !== null && (await inkIn(page, box)) > 0.02, JSON.stringify(box));
    }
  });

  it("has no fault that axe-core knows, and makes the browser complain of nothing", async () => {
    const page = await openHit("redis session caching 30-minute TTL", "architecture.pdf");
    await page.locator("dialog .marks > *").first().waitFor();
    await page.evaluate(axe);
    const violations = await page.evaluate<readonly { readonly id: string }[]>("axe.run().then((found) => found.violations)");

    assert.deepEqual(
      violations.map(({ id }) => id),
      [],
    );
    assert.deepEqual(complaints, []);
  });
});
