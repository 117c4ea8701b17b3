import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import { type CryptoKey, exportJWK, exportSPKI, generateKeyPair, type JWK, SignJWT, UnsecuredJWT } from "jose";
import type { ContextError } from "../core/errors.ts";
import { OidcSettings } from "../core/oidc.ts";
import type { VerifyToken } from "./auth.ts";
import { oidcVerifier } from "./oidc.ts";

const NOW = new Date("2026-03-12T02:10:00Z");
const seconds = NOW.getTime() / 1000;

/** An identity provider with keys of this test, that counts how often it is asked for them. */
describe("access tokens of an identity provider", () => {
  const keys = new Map<string, { readonly sign: CryptoKey; readonly public: CryptoKey; readonly jwk: JWK }>();
  let published: string[] = [];
  let asked = 0;
  let down = false;
  let issuer = "";
  const provider = createServer((req, res) => {
    if (down) {
      res.writeHead(503).end();
      return;
    }
    res.setHeader("content-type", "application/json");
    if (req.url === "/.well-known/openid-configuration") {
      res.end(JSON.stringify({ issuer, jwks_uri: `${issuer}/keys` }));
      return;
    }
    asked += 1;
    res.end(JSON.stringify({ keys: published.map((kid) => keys.get(kid)?.jwk) }));
  });

  before(async () => {
    for (const [kid, alg] of [
      ["first", "RS256"],
      ["second", "ES256"],
      ["stranger", "RS256"],
    ] as const) {
      const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
      keys.set(kid, { sign: privateKey, public: publicKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: "sig" } });
    }
    published = ["first"];
    await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
    issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  });
  after(() => void provider.close());

  function verifier(more: Partial<Record<keyof OidcSettings, unknown>> = {}, cooldownMs = 0): VerifyToken {
    const settings = OidcSettings.parse({ issuer, audience: "contextd", ...more });
    return oidcVerifier(settings, { fetch, now: () => NOW, cooldownMs });
  }

  function token(claims: Readonly<Record<string, unknown>> = {}, kid = "first", alg = "RS256"): Promise<string> {
    const key = keys.get(kid);
    assert.ok(key);
    return new SignJWT({ iss: issuer, aud: "contextd", sub: "ann", exp: seconds + 600, groups: ["sre"], ...claims })
      .setProtectedHeader({ alg, kid, typ: "at+jwt" })
      .sign(key.sign);
  }

  async function refused(presented: string, detail: RegExp, verify = verifier()): Promise<void> {
    await assert.rejects(
      async () => verify(presented),
      (error: ContextError) => error.code === "UNAUTHORIZED" && detail.test(error.message),
    );
  }

  it("stand for their subject, with its groups and the best scope they give", async () => {
    const verify = verifier({ writers: ["docs:write"], admins: ["platform"] });

    assert.deepEqual(await verify(await token()), { name: "oidc ann", scope: "read", groups: ["sre"] });
    assert.deepEqual(await verify(await token({ scope: "openid docs:write" })), { name: "oidc ann", scope: "write", groups: ["sre"] });
    assert.equal((await verify(await token({ groups: ["platform"] })))?.scope, "admin");
    assert.deepEqual((await verify(await token({ groups: "sre sales" })))?.groups, ["sre", "sales"]);
    assert.deepEqual((await verify(await token({ groups: undefined })))?.groups, []);
    const nested = verifier({ groupsClaim: "realm_access.roles" });
    assert.deepEqual((await nested(await token({ realm_access: { roles: ["sre", 7] } })))?.groups, ["sre"]);
  });

  it("may be kept to readers", async () => {
    const verify = verifier({ readers: ["staff"] });

    await refused(await token(), /none of its groups or scopes may read/, verify);
    assert.equal((await verify(await token({ groups: ["staff"] })))?.scope, "read");
  });

  it("are refused when expired, not valid yet, of another audience or issuer, or without a subject or an end", async () => {
    await refused(await token({ exp: seconds - 6 }), /expired \(2026-03-12T02:09:54/);
    await refused(await token({ nbf: seconds + 6 }), /not valid yet/);
    await refused(await token({ aud: "wiki" }), /another audience/);
    await refused(await token({ iss: "https://idp.example" }), /another issuer/);
    await refused(await token({ sub: undefined }), /sub/);
    await refused(await token({ exp: undefined }), /exp/);
    assert.equal((await verifier()(await token({ exp: seconds - 4, nbf: seconds + 4 })))?.name, "oidc ann");
  });

  it("are refused unsigned, signed with a published key as a secret, by a stranger, or changed", async () => {
    const claims = { iss: issuer, aud: "contextd", sub: "mallory", exp: seconds + 600, groups: ["sre"] };
    const unsigned = new UnsecuredJWT(claims).encode();
    const spki = new TextEncoder().encode(await exportSPKI(keys.get("first")?.public as CryptoKey));
    const confused = await new SignJWT(claims).setProtectedHeader({ alg: "HS256", kid: "first" }).sign(spki);
    const good = await token();
    const [head = "", , signature = ""] = good.split(".");
    const body = Buffer.from(JSON.stringify({ ...claims, groups: ["platform"] })).toString("base64url");

    await refused(unsigned, /signed in a way|not a signed/);
    await refused(confused, /signed in a way/);
    await refused(await token({}, "stranger"), /does not publish/);
    await refused(`${head}.${body}.${signature}`, /signature does not fit/);
    await refused(await token({}, "first"), /signed in a way/, verifier({ algorithms: ["ES256"] }));
    await refused("e30.e30.e30", /not a signed JWT|signed in a way/);
  });

  it("are no business of it when they are no JWT", async () => {
    assert.equal(await verifier()("ctx_abcdef"), null);
    assert.equal(await verifier()("a.b"), null);
  });

  it("of a key that is new are taken at once; keys are fetched once for many, and not anew for every unknown one", async () => {
    asked = 0;
    const verify = verifier();
    for (let i = 0; i < 5; i++) await verify(await token());
    assert.equal(asked, 1);

    published = ["second"];
    assert.equal((await verify(await token({}, "second", "ES256")))?.name, "oidc ann");
    assert.equal(asked, 2);
    await refused(await token(), /does not publish/, verify);
    published = ["first"];

    asked = 0;
    const patient = verifier({}, 60_000);
    for (let i = 0; i < 5; i++) await refused(await token({}, "stranger"), /does not publish/, patient);
    assert.ok(asked <= 2, `asked ${asked} times`);
  });

  it("cannot be checked while the provider is away: that is no fault of the token, and passes", async () => {
    const verify = verifier();
    down = true;
    const away = (error: ContextError) => error.code === "IDENTITY_UNAVAILABLE" && error.status === 503;

    await assert.rejects(async () => verify(await token()), away);
    down = false;
    assert.equal((await verify(await token()))?.name, "oidc ann");
    down = true;
    assert.equal((await verify(await token()))?.name, "oidc ann", "by the keys at hand");
    down = false;

    const posing = verifier({ issuer: `${issuer}/other`, jwksUri: undefined });
    await assert.rejects(async () => posing(await token()), away);
  });

  it("are taken over https or loopback only", () => {
    assert.throws(() => OidcSettings.parse({ issuer: "http://idp.example", audience: "x" }), /https/);
    assert.throws(() => OidcSettings.parse({ issuer: "https://idp.example", audience: "x", algorithms: ["HS256"] }));
    assert.throws(() => OidcSettings.parse({ issuer: "https://idp.example", audience: "x", algorithms: ["none"] }));
  });
});
