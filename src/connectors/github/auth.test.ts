import assert from "node:assert/strict";
import { createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { describe, it } from "node:test";
import { FakeGithub } from "../../../test/fakes/github.ts";
import { json, type Seen } from "../../../test/fakes/server.ts";
import { failure, Shelf } from "../../../test/support/pulls.ts";
import { GithubConfig } from "./config.ts";
import { github } from "./index.ts";

const { privateKey, publicKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs1", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});

/** Gives out installation tokens that hold for an hour by its clock, to whom the JWT names rightly. */
class FakeApp extends FakeGithub {
  now = Date.now();
  issued = 0;
  private readonly ends = new Map<string, number>();
  protected override answer(seen: Seen) {
    const date = { date: new Date(this.now).toUTCString() };
    const reply = this.issue(seen) ?? super.answer(seen);
    return reply && { ...reply, headers: { ...reply.headers, ...date } };
  }

  private issue({ path, method, headers }: Seen) {
    const jwt = String(headers.authorization).replace("Bearer ", "");
    if (path !== "/app/installations/77/access_tokens") {
      const isValid = (this.ends.get(String(headers.authorization)) ?? 0) > this.now;
      return isValid ? null : json({ message: "Bad credentials" }, 401);
    }
    const [head = "", body = "", signature = ""] = jwt.split(".");
    const claims = JSON.parse(Buffer.from(body, "base64url").toString()) as { iss: string; iat: number; exp: number };
    const isSigned = verify("RSA-SHA256", Buffer.from(`${head}.${body}`), createPublicKey(publicKey), Buffer.from(signature, "base64url"));
    const seconds = this.now / 1_000;
    if (
      method !== "POST" ||
      !isSigned ||
      claims.iss !== "4711" ||
      claims.iat > seconds ||
      claims.exp < seconds ||
      claims.exp > seconds + 600
    )
      return json({ message: "'Expiration time' claim ('exp') is too far in the future" }, 401);
    this.issued += 1;
    this.ends.set(`token installed-${this.issued}`, this.now + 3_600_000);
    return json({ token: `installed-${this.issued}`, expires_at: new Date(this.now + 3_600_000).toISOString(), permissions: {} }, 201);
  }
}

function configOf(fake: FakeApp, key = privateKey): GithubConfig {
  return GithubConfig.parse({
    kind: "github",
    baseUrl: fake.url,
    app: { id: 4711, installationId: 77, privateKey: key },
    repositories: ["acme/shop"],
    include: ["commits"],
  });
}

describe("a GitHub App", () => {
  it("pulls with an installation token that it fetches once", async () => {
    await using fake = await new FakeApp().start();
    fake.commit(30);
    const shelf = new Shelf();

    await shelf.pull(github, configOf(fake, privateKey.replaceAll("\n", "\\n")));

    assert.equal(shelf.records.size, 30);
    assert.equal(fake.issued, 1);
    assert.ok(fake.requests.slice(1).every(({ headers }) => headers.authorization === "token installed-1"));
  });

  it("renews the token before it ends", async () => {
    await using fake = await new FakeApp().start();
    fake.commit(30);
    fake.beforeEach = () => {
      fake.now += 2 * 60_000;
    };
    const shelf = new Shelf();

    await shelf.pull(github, { ...configOf(fake), concurrency: 2 }, { now: () => new Date(fake.now) });

    assert.equal(shelf.records.size, 30);
    assert.ok(fake.issued >= 2 && fake.issued <= 4, `${fake.issued} tokens`);
  });

  it("names itself by GitHub's clock where its own is wrong", async () => {
    await using fake = await new FakeApp().start();
    fake.commit(1);
    fake.now -= 40 * 60_000;
    const shelf = new Shelf();

    await shelf.pull(github, configOf(fake));

    assert.equal(shelf.records.size, 1);
  });

  it("says what GitHub says to a wrong key, and that no key is none, and shows neither", async () => {
    await using fake = await new FakeApp().start();
    const other = generateKeyPairSync("rsa", {
      modulusLength: 2048,
      privateKeyEncoding: { type: "pkcs8", format: "pem" },
      publicKeyEncoding: { type: "spki", format: "pem" },
    });

    const refused = await failure(new Shelf().pull(github, configOf(fake, other.privateKey)));
    const none = await failure(new Shelf().pull(github, configOf(fake, "hunter2")));

    assert.equal(refused.code, "SOURCE_UNAUTHORIZED");
    assert.match(refused.message, /401 to POST \/app\/installations\/77\/access_tokens: .*too far in the future/);
    assert.match(refused.remedy, /private key/);
    assert.equal(none.code, "CONFIG_INVALID");
    for (const error of [refused, none])
      assert.ok(!/PRIVATE KEY-|hunter2/.test(JSON.stringify([error.message, error.remedy, error.detail])));
  });

  it("is told apart from a token in the manifest: exactly one of them", () => {
    const block = { kind: "github", repositories: ["a/b"] };
    assert.equal(GithubConfig.safeParse(block).success, false);
    assert.equal(GithubConfig.safeParse({ ...block, token: "t", app: { id: "1", installationId: "2", privateKey: "k" } }).success, false);
  });
});
