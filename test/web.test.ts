import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import type { HttpServer } from "../src/http/server.ts";
import { appDouble } from "./support/app-double.ts";
import { chromiumPath, faults, openBrowser } from "./support/browser.ts";
import { testServer } from "./support/server.ts";

const chromium = chromiumPath();
const absent = "Chromium is not installed (apt-get install chromium, or CHROMIUM_PATH)";

/** In CI the browser must be there; elsewhere its absence is said and skipped. */
const skip = chromium === null && process.env.CI !== "true" ? absent : false;

async function textOf(place: Locator): Promise<string> {
  return (await place.textContent()) ?? "";
}

describe("the web page in a real browser", { skip }, () => {
  const app = appDouble();
  const root = mkdtempSync(join(tmpdir(), "contextd-web-"));
  let server: HttpServer;
  let browser: Browser;
  let url = "";
  const opened: BrowserContext[] = [];
  const complaints: string[] = [];

  before(async () => {
    if (chromium === null) throw new Error(absent);
    server = testServer(app, { uploads: { root } });
    ({ url } = await server.start());
    browser = await openBrowser(chromium);
  });

  after(async () => {
    for (const context of opened) await context.close();
    await browser?.close();
    await server?.stop();
    rmSync(root, { recursive: true });
  });

  async function open(path: string, options: { width?: number; dark?: boolean } = {}): Promise<Page> {
    const context = await browser.newContext({
      viewport: { width: options.width ?? 1280, height: 860 },
      colorScheme: options.dark ? "dark" : "light",
      reducedMotion: "reduce",
      // axe is put into the page by us; the page's own policy stands in all other respects
      bypassCSP: false,
    });
    opened.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error" && !/status of (4|5)\d\d|ERR_/.test(message.text())) complaints.push(message.text());
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(url) && !request.url().startsWith("data:")) complaints.push(`request to ${request.url()}`);
    });
    await page.goto(`${url}${path}`);
    return page;
  }

  async function askFor(page: Page, question: string): Promise<void> {
    await page.locator("#question").fill(question);
    await page.keyboard.press("Enter");
  }

  it("shows a draft as being checked, and takes it back as soon as a check says no", async () => {
    const page = await open("/");
    const usual = app.ask;
    const seen = Promise.withResolvers<void>();
    const withdrawn = Promise.withResolvers<void>();
    app.ask = async function* (question, options) {
      yield { type: "token", text: "Redis takes 90 seconds." };
      await seen.promise;
      yield { type: "stage", name: "verify", ms: 1, detail: { ok: false } };
      await withdrawn.promise;
      return yield* usual.call(app, question, options);
    };

    try {
      await askFor(page, "What is the capital of France?");
      await page.locator(".draft", { hasText: "Redis takes 90 seconds." }).waitFor();
      assert.match(await textOf(page.locator(".working")), /Being checked:/);
      seen.resolve();
      await page.locator(".working", { hasText: "taken back" }).waitFor();
      assert.equal(await textOf(page.locator(".draft")), "");
    } finally {
      seen.resolve();
      withdrawn.resolve();
      app.ask = usual;
    }
  });

  it("asks, shows each sentence with its verdict, and opens the exact paragraph behind a number", async () => {
    const page = await open("/");
    await page.keyboard.press("Escape");
    await page.keyboard.press("/");
    await askFor(page, "Why is checkout broken?");

    await page.locator(".sentence").nth(4).waitFor();
    assert.match(await textOf(page.locator(".sentences")), /owner of checkout-api is Rahul Sharma/);
    assert.equal(await page.locator('.sentence[data-label="SUPPORTED"]').count(), 4);
    assert.match(await textOf(page.locator('.sentence[data-label="UNCERTAIN"]')), /roll-out/);

    await page.locator(".sentence .cite", { hasText: "2" }).click();
    await page.locator("dialog[open] mark").waitFor();
    await page.locator(".paragraph").nth(2).waitFor();
    const dialog = page.locator("dialog[open]");
    assert.equal(await textOf(dialog.locator("mark")), "The owner of checkout-api is Rahul Sharma");
    assert.match(await textOf(dialog), /depends on redis for sessions[\s\S]*replica takes over/);
    assert.match((await dialog.locator("a.button").getAttribute("href")) ?? "", /^https:\/\/example\.com\/confluence/);

    await page.keyboard.press("ArrowRight");
    await page.locator("dialog[open] .paragraph.cited", { hasText: "Caused by a3f8c2" }).waitFor();
    await page.keyboard.press("Escape");
    assert.equal(await page.locator("dialog[open]").count(), 0);
    assert.match(page.url(), /#q=Why%20is%20checkout%20broken%3F$/);
  });

  it("marks the place that a sentence was made from where its words stand nowhere", async () => {
    const page = await open("/#q=Why%20is%20checkout%20broken%3F");
    await page.locator(".sentence .cite", { hasText: "5" }).first().click();
    await page.locator("dialog[open] mark").waitFor();

    const cited = await textOf(page.locator("dialog[open] .paragraph.cited"));
    assert.equal(await textOf(page.locator("dialog[open] mark")), cited.slice(0, 8).trim());
  });

  it("marks nothing where the source says it in other words, and closes the drawer when the page changes", async () => {
    const page = await open("/#q=Why%20is%20checkout%20broken%3F");
    await page.locator(".sentence .cite", { hasText: "1" }).first().click();
    await page.locator("dialog[open] .paragraph.cited").waitFor();
    assert.equal(await page.locator("dialog mark").count(), 0);

    await page.evaluate("location.hash = '#services'");
    await page.locator("h1", { hasText: "Services" }).waitFor();
    assert.equal(await page.locator("dialog[open]").count(), 0);
  });

  it("draws the graph around the answer, each line with the place that states it", async () => {
    const page = await open("/#q=Why%20is%20checkout%20broken%3F");
    await page.locator(".graph .node").first().waitFor();

    assert.equal(await page.locator('.graph .node[data-kind="ticket"]').count(), 1);
    const labels = await page.locator(".graph .edge-label:not(.crowded)").all();
    const boxes = await Promise.all(labels.map((label) => label.boundingBox()));
    const clashes = boxes.flatMap((one, at) =>
      boxes.slice(at + 1).filter((other) => one && other && Math.abs(one.y - other.y) < 5 && Math.abs(one.x - other.x) < 10),
    );
    assert.ok(labels.length > 0);
    assert.deepEqual(clashes, []);
    await page.locator('.legend label[data-kind="ticket"] input').uncheck();
    assert.equal(await page.locator('.graph .node[data-kind="ticket"]').count(), 0);
    await page.locator('.graph .node[aria-label="service redis"]').focus();
    await page.keyboard.press("Enter");
    assert.match(await textOf(page.locator(".picked")), /redis/);
    await page.locator('.graph .edge[data-kind="owns"] .hit').first().dispatchEvent("click");
    await page.locator(".picked button").first().click();
    await page.locator("dialog[open] mark").waitFor();
    await page.keyboard.press("Escape");
    await page.locator("summary", { hasText: "The same as a list" }).click();
    await page.getByRole("button", { name: "source: Rahul Sharma owns checkout-api" }).press("Enter");
    await page.locator("dialog[open] mark").waitFor();
  });

  it("shows a record's markup as text and runs none of it", async () => {
    const page = await open("/#q=Show%20the%20hostile%20ticket");
    await page.locator(".cite").first().click();
    await page.locator("dialog[open] .paragraph.cited").waitFor();

    assert.match(await textOf(page.locator("dialog[open] .paragraph.cited")), /<script>window\.hacked = 1<\/script><img src="x" onerror/);
    assert.match(await textOf(page.locator(".sentences")), /<script>/);
    await page.locator("dialog[open] button", { hasText: "Whole record" }).click();
    await page.locator("dialog[open] details").waitFor();
    assert.match(await textOf(page.locator("dialog[open] mark")), /<script>window/);
    await page.locator("dialog[open] summary").click();
    await page.locator("dialog[open] pre", { hasText: "jira:JR-666" }).waitFor();
    assert.equal(await page.evaluate("typeof window.hacked"), "undefined");
    assert.equal(await page.locator("main img, dialog img, main script").count(), 0);

    await page.goto(`${url}/s/${encodeURIComponent("<img src=x onerror=alert(1)>")}`);
    await page.locator("h1", { hasText: "<img src=x" }).waitFor();
    assert.equal(await page.locator("main img").count(), 0);
  });

  it("shows a refusal in its exact words, and what was looked for", async () => {
    const page = await open("/#q=What%20is%20the%20capital%20of%20France%3F");
    await page.locator(".refusal").waitFor();

    assert.equal(
      await textOf(page.locator(".verbatim")),
      "The provided documents do not contain enough information to answer this question.",
    );
    assert.match(await textOf(page.locator(".answer")), /Below is what was looked for[\s\S]*Nothing for log errors of payments in 48 h/);
    assert.equal(await page.locator(".sentences").count(), 0);
  });

  it("promises no list of what was looked for where there is none", async () => {
    const page = await open("/");
    await page.route("**/api/ask", async (route) => {
      const reply = await route.fetch();
      await route.fulfill({ response: reply, body: (await reply.text()).replace(/"lookedFor":\[[^\]]*\]/, '"lookedFor":[]') });
    });
    await askFor(page, "What is the capital of France?");
    await page.locator(".refusal").waitFor();

    assert.match(await textOf(page.locator(".refusal")), /Nothing that was indexed answers it\.(?! Below)/);
  });

  it("begins with what is broken: its ticket, its owner and what changed in 48 hours", async () => {
    const page = await open("/");
    await page.locator(".broken dd").first().waitFor();

    const broken = page.locator(".broken");
    assert.equal(await broken.count(), 1);
    assert.match(await textOf(broken), /checkout-api[\s\S]*JR-441[\s\S]*38 min ago[\s\S]*OwnerRahul Sharma[\s\S]*48 h[\s\S]*a3f8c2d/);
    await broken.locator("button").click();
    await page.locator(".sentences").waitFor();
    assert.equal(await page.locator("#question").inputValue(), "Why is checkout-api broken?");
  });

  it("says so where nothing is known to be broken", async () => {
    const page = await open("/#services");
    await page.route("**/api/services?*", async (route) => {
      const reply = await route.fetch();
      const { services, total } = await reply.json();
      await route.fulfill({ json: { services: services.map((one: object) => ({ ...one, openIncidents: 0 })), total } });
    });
    const runs = (list: readonly object[]) =>
      page.route("**/api/index/runs?*", (route) => route.fulfill({ json: { runs: list, running: null } }));
    const ended = { id: "r", status: "partial", startedAt: "2026-03-12T02:00:00.000Z", report: { failures: [{ source: "jira" }] } };
    await runs([ended]);
    await page.goto(`${url}/`);
    await page.locator(".now p").first().waitFor();
    assert.match(
      await textOf(page.locator(".now")),
      /None of 9 services has an open incident that is known[\s\S]*Sources read 12 Mar( 2026)? 02:00 UTC, not all of jira/,
    );

    await runs([]);
    await page.reload();
    await page.locator(".now p", { hasText: "Nothing is indexed yet" }).waitFor();
    assert.doesNotMatch(await textOf(page.locator(".now")), /None of/);
  });

  it("joins the questions of a tab, and says how a follow-up was understood", async () => {
    const page = await open("/");
    const usual = app.ask;
    const sessions: (string | undefined)[] = [];
    app.ask = async function* (question, options) {
      sessions.push(options.session);
      const answer = yield* usual.call(app, question, options);
      return question === "Who owns it?" ? { ...answer, standalone: "Who owns checkout?" } : answer;
    };
    try {
      await askFor(page, "Why is checkout broken?");
      await page.locator(".sentences").waitFor();
      await askFor(page, "Who owns it?");
      await page.locator(".told", { hasText: "Understood as Who owns checkout?" }).waitFor();

      const other = await open("/#q=Who%20owns%20redis%3F");
      await other.locator(".sentences").waitFor();
    } finally {
      app.ask = usual;
    }

    assert.match(page.url(), /#q=Who%20owns%20checkout%3F$/);
    const [first, second, third] = sessions;
    assert.match(first ?? "", /^[0-9a-f]{24}$/);
    assert.equal(second, first);
    assert.notEqual(third, first);
  });

  it("goes back to the question before, and from the first one to the start", async () => {
    const page = await open("/");
    await askFor(page, "Who owns checkout?");
    await page.locator(".sentences", { hasText: "Rahul" }).waitFor();
    await askFor(page, "What is the capital of France?");
    await page.locator(".refusal").waitFor();

    await page.goBack();
    await page.locator(".sentences", { hasText: "Rahul" }).waitFor();
    assert.equal(await page.locator("#question").inputValue(), "Who owns checkout?");
    await page.goBack();
    await page.locator(".examples").waitFor();
    assert.equal(await page.locator("#question").inputValue(), "");
    await page.goForward();
    await page.locator(".sentences", { hasText: "Rahul" }).waitFor();
  });

  it("leads from an answer to the service's page and to what was not asked of it yet", async () => {
    const page = await open("/#q=Who%20owns%20checkout%3F");
    await page.locator(".next a").first().waitFor();

    await page.locator(".next a", { hasText: "broken" }).waitFor();
    assert.deepEqual(await page.locator(".next a").allTextContents(), [
      "All about checkout-api",
      "Why is checkout-api broken?",
      "What changed in checkout-api in the last 48 hours?",
      "What depends on checkout-api?",
    ]);
    await page.locator(".next a", { hasText: "All about" }).click();
    await page.locator("h1", { hasText: "checkout-api" }).waitFor();
  });

  it("tells a screen reader the answer's words, without marks, and how many sources it has", async () => {
    const page = await open("/#q=Who%20owns%20checkout%3F");
    await page.locator(".sentences").waitFor();

    const news = page.locator("main > [role=status]");
    await news.filter({ hasText: "sources." }).waitFor();
    assert.doesNotMatch(await textOf(news), /\[\d/);
    assert.match(await textOf(news), /owner of checkout-api is Rahul Sharma/);
    assert.equal(await page.locator("[aria-live] .answer").count(), 0);
  });

  it("offers the nearest passages where it refuses", async () => {
    const page = await open("/#q=What%20is%20the%20capital%20of%20France%3F");
    await page.locator(".refusal a").click();

    await page.locator("#words").waitFor();
    assert.equal(await page.locator("#words").inputValue(), "What is the capital of France?");
  });

  it("folds a long list of sources", async () => {
    const page = await open("/");
    const usual = app.ask;
    app.ask = async function* (question, options) {
      const answer = yield* usual.call(app, question, options);
      const [one] = answer.citations;
      assert.ok(one !== undefined);
      const citations = Array.from({ length: 300 }, (_, at) => ({ ...one, n: at + 1 }));
      return { ...answer, citations, answer: citations.map(({ n }) => `Fact ${n} holds [${n}].`).join(" "), claims: [] };
    };
    try {
      await askFor(page, "Who owns checkout?");
      await page.locator(".sources summary", { hasText: "288 more sources" }).waitFor();
    } finally {
      app.ask = usual;
    }

    assert.equal(await page.locator(".sources li:visible").count(), 12);
    await page.locator(".sources summary").click();
    assert.equal(await page.locator(".sources li:visible").count(), 300);
  });

  it("says that it is indexing for the first time, and shows what is broken once it has", async () => {
    const context = await browser.newContext();
    opened.push(context);
    const page = await context.newPage();
    let isReady = false;
    const reason = { code: "INDEX_EMPTY", message: "Nothing is indexed yet.", remedy: "Wait." };
    await page.route("**/readyz", (route) =>
      isReady ? route.continue() : route.fulfill({ status: 503, json: { ready: false, reasons: [reason] } }),
    );
    await page.route("**/api/index/runs?*", (route) => route.fulfill({ json: { runs: [], running: "run-1" } }));
    await page.route("**/api/services?*", (route) =>
      isReady ? route.continue() : route.fulfill({ json: { services: [], total: 0, next: null } }),
    );
    await page.goto(`${url}/`);
    await page.locator("#state a", { hasText: "Indexing for the first time" }).waitFor();
    await page.locator(".examples").waitFor();
    assert.equal(await page.locator(".broken").count(), 0);

    isReady = true;
    await page.locator("#state", { hasText: "Ready" }).waitFor();
    await page.locator(".broken").waitFor();
  });

  it("takes its example from the services that are there", async () => {
    const page = await open("/");
    await page.locator(".examples button").first().waitFor();

    assert.equal(await page.locator("#question").getAttribute("placeholder"), await textOf(page.locator(".examples button").first()));
  });

  it("says what broke, and keeps the question when the daemon cannot be reached", async () => {
    const page = await open("/#q=is%20the%20store%20down%3F");
    await page.locator(".problem").waitFor();
    assert.match(await textOf(page.locator(".problem")), /since 02:07 UTC/);

    await page.context().setOffline(true);
    await askFor(page, "Who owns checkout?");
    await page.locator(".problem", { hasText: "does not answer" }).waitFor();
    assert.equal(await page.locator("#question").inputValue(), "Who owns checkout?");
    assert.match(await textOf(page.locator("#state")), /Not reachable/);
    await page.context().setOffline(false);
    await page.locator("#state", { hasText: "Ready" }).waitFor();
    await page.locator(".problem button", { hasText: "Try again" }).click();
    await page.locator(".sentences").waitFor();
  });

  it("tells an internal error with its request id and no more", async () => {
    const page = await open("/#q=please%20explode");
    await page.locator(".problem").waitFor();

    const text = await textOf(page.locator(".problem"));
    assert.match(text, /INTERNAL[\s\S]*request/);
    assert.doesNotMatch(text, /secret internal text/);
  });

  it("keeps earlier questions on this device and brings them back with the arrow key", async () => {
    const page = await open("/");
    await askFor(page, "Who owns redis?");
    await page.locator(".sentences").waitFor();
    await page.goto(`${url}/`);
    await page.locator(".history", { hasText: "Who owns redis?" }).waitFor();
    await page.locator("#question").focus();
    await page.keyboard.press("ArrowUp");

    assert.equal(await page.locator("#question").inputValue(), "Who owns redis?");
  });

  it("replays an answer at its permalink", async () => {
    const page = await open("/#q=Who%20owns%20checkout%3F");
    await page.locator(".sentences").waitFor();
    await page.locator(".actions a", { hasText: "Permalink" }).click();
    await page.locator("h1", { hasText: "Who owns checkout?" }).waitFor();

    await page.locator(".note", { hasText: "have not changed" }).waitFor();
    assert.ok((await page.locator(".cite").count()) > 0);
  });

  it("opens a service whose link was cut at a sign", async () => {
    const page = await open("/s/tim's #2a?from=1773273600000&to=1773281400000");
    await page.locator("h1", { hasText: "tim's #2a" }).waitFor();

    assert.match(await textOf(page.locator("header.past")), /12 Mar 2026 00:00/);
  });

  it("shows services, search hits and index runs", async () => {
    const page = await open("/#services");
    await page.locator("tbody tr").first().waitFor();
    await page.locator("#filter").fill("jonas");
    assert.equal(await page.locator("tbody tr").count(), 1);

    await page.goto(`${url}/#search=redis`);
    await page.locator(".hits li").first().waitFor();
    await page.locator(".hit").first().click();
    await page.locator("dialog[open] .paragraph.cited").waitFor();
    await page.keyboard.press("Escape");

    await page.goto(`${url}/#index`);
    await page.locator("button", { hasText: "Index now" }).click();
    await page.locator("tbody tr", { hasText: "done" }).first().waitFor();
  });

  it("takes an upload, says what became of it, and takes it out again", async () => {
    const page = await open("/#documents");
    await page.locator(".drop").waitFor();
    await page.locator("#files").setInputFiles([
      { name: "runbook.md", mimeType: "text/markdown", buffer: Buffer.from("When redis fails over, wait 20 seconds.") },
      { name: "tool.exe", mimeType: "application/pdf", buffer: Buffer.from("MZ") },
    ]);
    await page.locator(".entries", { hasText: "not kept: tool.exe is a program" }).waitFor();
    await page.locator("tbody tr", { hasText: "runbook.md" }).waitFor();
    assert.equal(await page.locator("tbody tr").count(), 1);

    await page.goto(`${url}/#search=fails%20over`);
    await page.locator(".hits", { hasText: "wait 20 seconds" }).waitFor();
    await page.goto(`${url}/#documents`);
    await page.locator("button", { hasText: "Remove" }).click();
    await page.locator(".quiet", { hasText: "Nothing was uploaded here yet" }).waitFor();
    assert.equal(app.record("doc:uploads/runbook.md"), null);
  });

  it("fits a phone: nothing is wider than the screen, numbers are big enough to touch", async () => {
    const page = await open("/#q=Why%20is%20checkout%20broken%3F", { width: 390 });
    await page.locator(".graph .node").first().waitFor();
    for (const path of ["", "/s/checkout-api", "/#services", "/#documents", "/#index"]) {
      if (path !== "") await page.goto(`${url}${path}`);
      await page.locator("h1:not(.aside), .sentences").first().waitFor();
      assert.ok(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path);
      if (path === "/s/checkout-api") {
        const tops = await page
          .locator(".panel")
          .evaluateAll((panels: { offsetTop: number; textContent: string }[]) =>
            panels.toSorted((a, b) => a.offsetTop - b.offsetTop).map((panel) => panel.textContent.slice(0, 9)),
          );
        assert.deepEqual(tops.slice(0, 4), ["Open inci", "Owner 1Ra", "Before 1M", "Time line"]);
      }
      if (path === "/#services") {
        await page.locator("tbody tr").first().waitFor();
        assert.ok(await page.evaluate("(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector('.scroll'))"));
        assert.equal(await page.locator("tbody td").nth(4).getAttribute("data-head"), "Needed by");
      }
    }
    await page.goto(`${url}/#q=Why%20is%20checkout%20broken%3F`);
    const box = await page.locator(".cite").first().boundingBox();
    assert.ok(box !== null && box.height >= 23 && box.width >= 24, JSON.stringify(box));
  });

  it("has no fault that axe-core knows, by day and by night", async () => {
    for (const dark of [false, true]) {
      const page = await open("/", { dark });
      await page.locator(".examples").waitFor();
      assert.deepEqual(await faults(page), []);
      await askFor(page, "Why is checkout broken?");
      await page.locator(".graph .node").first().waitFor();
      assert.deepEqual(await faults(page), []);
      await page.locator(".cite").first().click();
      await page.locator("dialog[open] .paragraph").nth(1).waitFor();
      assert.deepEqual(await faults(page), []);
      await page.keyboard.press("Escape");
      for (const [path, there] of [
        ["/s/checkout-api", ".graph .node"],
        ["/#services", "tbody tr"],
        ["/#search=redis", ".hits li"],
        ["/#documents", ".drop"],
        ["/#index", "main tfoot"],
        ["/#q=capital%20of%20France", ".refusal"],
        ["/docs", ".op"],
      ] as const) {
        await page.goto(`${url}${path}`);
        await page.locator(there).first().waitFor();
        assert.deepEqual(await faults(page), [], path);
      }
    }
  });

  it("asks nothing of any other host and makes the browser complain of nothing", () => {
    assert.deepEqual(complaints, []);
  });
});
