import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { OidcSettings } from "../src/core/oidc.ts";
import type { Caller } from "../src/http/auth.ts";
import { Login } from "../src/http/login.ts";
import type { HttpServer } from "../src/http/server.ts";
import { appDouble } from "./support/app-double.ts";
import { chromiumPath, faults, openBrowser } from "./support/browser.ts";
import { CLIENT, type IdentityProvider, identityProvider } from "./support/identity-provider.ts";
import { testServer } from "./support/server.ts";

const chromium = chromiumPath();
const absent = "Chromium is not installed (apt-get install chromium, or CHROMIUM_PATH)";
const skip = chromium === null && process.env.CI !== "true" ? absent : false;

const tokens: Record<string, Caller> = {
  weak: { name: "weak", scope: "read", groups: [] },
  strong: { name: "strong", scope: "admin", groups: [] },
};

describe("who is asked who they are, in a real browser", { skip }, () => {
  const app = appDouble();
  let provider: IdentityProvider;
  let server: HttpServer;
  let browser: Browser;
  let url = "";
  let now = new Date();
  const opened: BrowserContext[] = [];

  before(async () => {
    if (chromium === null) throw new Error(absent);
    provider = await identityProvider({ ann: ["engineering", "sre"], bob: ["sales"] });
    const client = {
      clientId: CLIENT.id,
      clientSecret: CLIENT.secret,
      redirectUri: "http://127.0.0.1/auth/callback",
      scopes: ["openid", "profile", "groups"],
    };
    const settings = OidcSettings.parse({
      issuer: provider.issuer,
      audience: "contextd",
      readers: ["engineering"],
      writers: ["sre"],
      login: client,
    });
    assert.ok(settings.login);
    // where it listens is known when it does
    const login = {
      ...settings.login,
      get redirectUri() {
        return `${url}/auth/callback`;
      },
    };
    server = testServer(app, {
      requireToken: true,
      tokens: { verify: (token) => tokens[token] ?? null, list: () => [1] },
      login: new Login(settings, login, { fetch, now: () => now }),
    });
    ({ url } = await server.start());
    await provider.register(`${url}/auth/callback`);
    browser = await openBrowser(chromium);
  });

  after(async () => {
    for (const context of opened) await context.close();
    await browser?.close();
    await server?.stop();
    await provider?.[Symbol.asyncDispose]();
  });

  async function open(path: string): Promise<Page> {
    const context = await browser.newContext({ reducedMotion: "reduce" });
    opened.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    await page.goto(`${url}${path}`);
    return page;
  }

  async function logIn(page: Page, name: string): Promise<void> {
    await page.locator("a", { hasText: "Log in" }).click();
    await page.locator('input[name="login"]').fill(name);
    await page.locator('input[name="password"]').fill("anything");
    await page.locator('button[type="submit"]').click();
    await page.locator("button", { hasText: "Continue" }).click();
  }

  it("come back from the identity provider to where they were, ask, and log out", async () => {
    const page = await open("/#q=Who%20owns%20checkout%3F");
    await page.locator("a", { hasText: "Log in" }).waitFor();
    assert.deepEqual(await faults(page), []);
    app.viewers.length = 0;

    await logIn(page, "ann");
    await page.locator(".sentences").waitFor();

    assert.equal(page.url(), `${url}/#q=Who%20owns%20checkout%3F`);
    assert.equal(await page.locator("#who .name").textContent(), "Ann");
    assert.deepEqual(await faults(page), []);
    assert.deepEqual(app.viewers.at(-1), { groups: ["engineering", "sre"] });
    // those of the provider are of the same host here
    const own = (await page.context().cookies(url)).filter(({ name }) => name.startsWith("contextd"));
    const [session] = own;
    assert.deepEqual([session?.name, session?.httpOnly, session?.sameSite, own.length], ["contextd", true, "Lax", 1]);
    // a tab's conversation has a number; who talks is for no script to read
    const held = await page.evaluate<[string, string[]]>("[document.cookie, Object.keys(sessionStorage)]");
    assert.deepEqual(held, ["", ["contextd.session"]]);
    const conversation = await page.evaluate("sessionStorage.getItem('contextd.session')");

    await page.locator("#who button").click();
    await page.locator("h2", { hasText: "Who are you?" }).waitFor();
    assert.notEqual(await page.evaluate("sessionStorage.getItem('contextd.session')"), conversation);
    const asked = await fetch(`${url}/api/services`, { headers: { cookie: `contextd=${session?.value}` } });
    assert.equal(asked.status, 401, "the session is over, not only forgotten");
  });

  it("are told why they may not read", async () => {
    const page = await open("/");
    await logIn(page, "bob");

    await page.locator(".note", { hasText: "none of its groups or scopes may read here" }).waitFor();
    assert.deepEqual(await faults(page), []);
    assert.equal(
      (await page.context().cookies(url)).some(({ name }) => name === "contextd"),
      false,
    );
  });

  it("may turn back at the provider", async () => {
    const page = await open("/");
    await page.locator("a", { hasText: "Log in" }).click();
    await page.locator("a", { hasText: "Cancel" }).click();

    await page.locator(".note", { hasText: "refused the login" }).waitFor();
    await page.locator("a", { hasText: "Log in" }).waitFor();
  });

  it("are asked again when their time is over", async () => {
    const page = await open("/");
    await logIn(page, "ann");
    await page.locator("#who .name").waitFor();
    now = new Date(now.getTime() + 8 * 3_600_000 + 1_000);
    await page.reload();

    await page.locator("h2", { hasText: "Who are you?" }).waitFor();
    now = new Date();
  });

  it("cannot be logged in by somebody else's link, nor sent to another site", async () => {
    const begun = await fetch(`${url}/auth/login`, { redirect: "manual" });
    const state = new URL(begun.headers.get("location") ?? "").searchParams.get("state");
    const stolen = await fetch(`${url}/auth/callback?code=x&state=${state}`, { redirect: "manual" });
    const away = await fetch(`${url}/auth/login?to=${encodeURIComponent("//evil.example")}`, { redirect: "manual" });

    assert.match(decodeURIComponent(stolen.headers.get("location") ?? ""), /^\/#login=This login was not begun here/);
    assert.equal(stolen.headers.get("set-cookie"), null);
    assert.equal(away.status, 400);
  });

  it("give a token instead, hear that it is wrong or too weak, and give a better one", async () => {
    const page = await open("/#services");
    await page.locator("#token").fill("wrong");
    await page.keyboard.press("Enter");
    await page.locator("h2", { hasText: "The token was not accepted" }).waitFor();
    await page.locator(".problem", { hasText: "not known here, or was revoked" }).waitFor();
    await page.locator("#token").fill("weak");
    await page.keyboard.press("Enter");
    await page.locator("tbody tr").first().waitFor();

    await page.goto(`${url}/#index`);
    await page.locator("button", { hasText: "Index now" }).click();
    await page.locator(".problem", { hasText: "needs the scope write; you have read" }).waitFor();
    await page.locator("summary", { hasText: "Use another token" }).click();
    await page.locator("#token").fill("strong");
    await page.keyboard.press("Enter");
    await page.locator("tbody tr", { hasText: "done" }).first().waitFor();
  });
});
