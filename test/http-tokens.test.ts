import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ContextError } from "../src/core/errors.ts";
import { appDouble } from "./support/app-double.ts";
import { raw, serve } from "./support/http.ts";
import { testServer } from "./support/server.ts";

describe("tokens", () => {
  const scopes: Record<string, "read" | "write" | "admin"> = { "r-token": "read", "w-token": "write" };

  it("are needed beyond loopback, and the daemon says so before it listens", async () => {
    const server = testServer(appDouble(), { host: "0.0.0.0" });

    await assert.rejects(server.start(), (error: ContextError) => error.code === "CONFIG_INVALID" && /CONTEXTD_TOKEN/.test(error.remedy));
  });

  it("guard each route: none, one that is malformed or wrong, each that is too small, each that is large enough", async () => {
    const { url, server } = await serve(appDouble(), {
      token: "s3cret",
      requireToken: true,
      tokens: {
        verify: (token) => (scopes[token] === undefined ? null : { name: token, scope: scopes[token], groups: [] }),
        list: () => [],
      },
    });
    const document = (await (await fetch(`${url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { security?: unknown[]; description?: string }>>;
    };
    const call = (method: string, path: string, authorization?: string): Promise<Response> =>
      fetch(`${url}${path.replace(/\{\w+\}/, "x")}`, {
        method: method.toUpperCase(),
        headers: { accept: "application/json", ...(authorization === undefined ? {} : { authorization }) },
      });
    const rank = ["read", "write", "admin"] as const;
    const open: string[] = [];
    let guarded = 0;
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, { security, description }] of Object.entries(methods)) {
        const where = `${method} ${path}`;
        if (security !== undefined) {
          open.push(where);
          continue;
        }
        guarded += 1;
        const needed = rank.findIndex((scope) => description?.includes(`Scope: ${scope}`));
        assert.notEqual(needed, -1, `${where} says which scope it needs`);
        for (const authorization of [
          undefined,
          "Bearer wrong",
          "Bearer",
          "Bearer ",
          "Basic czNjcmV0",
          "s3cret",
          "Bearer s3cret x",
          "bearer S3CRET",
        ]) {
          const reply = await call(method, path, authorization);
          const what = `${where} with ${authorization}`;
          assert.equal(reply.status, 401, what);
          assert.match(reply.headers.get("www-authenticate") ?? "", /^Bearer/, what);
          assert.equal(reply.headers.get("content-type"), "application/problem+json; charset=utf-8", what);
          await reply.body?.cancel();
        }
        for (const [token, has] of [
          ["r-token", 0],
          ["w-token", 1],
          ["s3cret", 2],
        ] as const) {
          const reply = await call(method, path, `Bearer ${token}`);
          assert.equal(reply.status === 403, has < needed, `${where} with ${token}: ${reply.status}`);
          assert.notEqual(reply.status, 401, `${where} with ${token}`);
          await reply.body?.cancel();
        }
      }
    }
    assert.ok(guarded >= 18, `${guarded} are guarded`);
    // these hold no data, ask for a token by themselves, or for a signature
    assert.deepEqual(open.sort(), [
      "get /",
      "get /a/{id}",
      "get /auth/callback",
      "get /auth/login",
      "get /auth/me",
      "get /healthz",
      "get /readyz",
      "get /s/{service}",
      "post /auth/logout",
      "post /hooks/confluence",
      "post /hooks/github",
      "post /hooks/jira",
    ]);
    for (const path of ["/a/x", "/s/checkout-api"]) {
      for (const authorization of [undefined, "Bearer wrong"]) assert.equal((await call("get", path, authorization)).status, 401, path);
    }
    for (const name of ["confluence", "github", "jira"])
      assert.equal((await call("post", `/hooks/${name}`, "Bearer s3cret")).status, 404, "no secret");
    await server.stop();
  });

  it("do not show in a page that is opened without one", async () => {
    const { port, server } = await serve(appDouble(), { token: "s3cret", requireToken: true });
    const page = await raw(port, "/s/checkout-api", { accept: "text/html" });

    assert.equal(page.status, 200);
    assert.doesNotMatch(page.text, /Rahul|JR-441/);
    await server.stop();
  });

  it("that are wrong are refused on loopback too", async () => {
    const { url, server } = await serve();

    assert.equal((await fetch(`${url}/api/services`, { headers: { authorization: "Bearer x" } })).status, 401);
    assert.equal((await fetch(`${url}/api/services`, { headers: { authorization: "Basic x" } })).status, 401);
    await server.stop();
  });
});
