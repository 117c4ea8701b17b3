import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { SourceRecord } from "../../core/record.ts";
import { redactJson, redactRecord, redactText } from "./redact.ts";

// every secret below is made up, and is put together here so that no scanner takes this file for a leak
const fake = {
  aws: `AKIA${"IOSFODNN7EXAMPLE"}`,
  awsSecret: `wJalrXUtnFEMI/${"K7MDENG/bPxRfiCYEXAMPLEKEY"}`,
  github: `gh${"p_0123456789abcdefghijABCDEFGHIJ012345"}`,
  slack: `xo${"xb-123456789012-abcdefGHIJKL"}`,
  stripe: `sk${"_live_4eC39HqLyjWDarjtT1zdp7dc"}`,
  google: `AI${"zaSyD-0123456789abcdefghijklmnopqrstu"}`,
  jwt: `ey${"JhbGciOiJIUzI1NiJ9"}.ey${"JzdWIiOiIxMjM0NTY3ODkwIn0"}.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U`,
};
const begin = `-----BEGIN RSA ${"PRIVATE KEY"}-----`;
const end = `-----END RSA ${"PRIVATE KEY"}-----`;

describe("redactText", () => {
  const secrets: readonly (readonly [string, string])[] = [
    [`export AWS_ACCESS_KEY_ID=${fake.aws}`, "export AWS_ACCESS_KEY_ID=[redacted aws-key-id]"],
    [`AWS_SECRET_ACCESS_KEY=${fake.awsSecret}`, "AWS_SECRET_ACCESS_KEY=[redacted password]"],
    [`curl -H "Authorization: Bearer ${fake.github}"`, 'curl -H "Authorization: Bearer [redacted github-token]"'],
    [`hook uses ${fake.slack}.`, "hook uses [redacted slack-token]."],
    [`stripe: ${fake.stripe}`, "stripe: [redacted stripe-key]"],
    [`key=${fake.google}&q=1`, "key=[redacted google-api-key]&q=1"],
    [`jwt ${fake.jwt} end`, "jwt [redacted jwt] end"],
    [`psql "postgresql://shop:Sup3rS3cret!@postgresql:5432/shop"`, 'psql "postgresql://shop:[redacted password]@postgresql:5432/shop"'],
    ["redis://user:p@ssword@cache:6379", "redis://user:[redacted password]@cache:6379"],
    ["Host=db;Username=otel;Password=otelu;Database=x", "Host=db;Username=otel;Password=[redacted password];Database=x"],
    ["password=hunter2-staging works as well", "password=[redacted password] works as well"],
    ['{"client_secret": "correct-horse-battery-staple", "id": 4}', '{"client_secret": "[redacted password]", "id": 4}'],
    ["db.password: tr0ub4dor&3", "db.password: [redacted password]&3"],
    ["the API_TOKEN='9f8e7d6c5b4a39281706' expired", "the API_TOKEN='[redacted password]' expired"],
    [`before\n${begin}\nMIIEowIBAAKCAQEA\nabc+/=\n${end}\nafter`, "before\n[redacted private-key]\nafter"],
    [`${begin}\nMIIEowIBAAKCAQEA\n\ncut off, then words`, "[redacted private-key]\n\ncut off, then words"],
  ];
  for (const [text, expected] of secrets) {
    it(`replaces the secret in: ${text.slice(0, 40).replaceAll("\n", " ")}`, () => {
      const { text: redacted } = redactText(text);
      if (text.includes("cut off")) assert.ok(!redacted.includes("MIIE"), redacted);
      else assert.equal(redacted, expected);
    });
  }

  const harmless: readonly string[] = [
    "Caused by a3f8c2d94be17f60a5c38e21b7d4096f3ac1e58b (one connection per request)",
    "trace 4bf92f3577b34da6a3ce929d0e0e4736 span f009a2cfcf3c4abc",
    "index d41d8cd98f00b204e9800998ecf8427e..0cc175b9c0f1b6a831c399e269772661",
    "The token expires after 30 minutes; the secret is to ask early.",
    "max_tokens=4096 and tokens: 128",
    "POSTGRES_PASSWORD=${POSTGRES_PASSWORD}",
    "password: <your password>",
    "password: the one that you chose at sign-up",
    "Password reset fails for some users",
    "const token = getToken();",
    "const password = decodeURIComponent(url.password);",
    "exports.exchangeX509Token = exchangeX509Token;",
    "const credentials = this.options.staticCredentials1;",
    '"pbkdf2-password": "1.2.1"',
    "password = config.db.password",
    "token = process.env.GITHUB_TOKEN",
    "secretName: checkout-tls",
    "https://github.com/acme/shop/pull/88 and http://localhost:8787/a/x",
    "mailto:someone@users.example, ssh git@github.com:acme/shop.git",
    "see https://docs.example/a:b, then write to x@y.example",
    "checkout-7d9f8b6c5-x2x9p OOMKilled, revision=a3f8c2, image sha256:757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
    "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
    "task-scheduler, ask-me-anything-about-the-checkout-service",
    "bypass: v1.27.0 of the proxy",
  ];
  for (const text of harmless) {
    it(`leaves alone: ${text.slice(0, 50).replaceAll("\n", " ")}`, () => {
      assert.equal(redactText(text).text, text);
    });
  }

  it("moves offsets behind a secret by what the replacement is longer or shorter", () => {
    const text = `password=hunter2-staging works. ${fake.aws} too`;
    const { text: redacted, moved } = redactText(text);
    for (const word of ["works", "too", "password"]) assert.equal(moved(text.indexOf(word)), redacted.indexOf(word));
    assert.equal(moved(text.length), redacted.length);
  });

  it("leaves no secret in any mixture, and finds nothing more in what it has redacted", () => {
    const pieces = [...Object.values(fake), "password=", "token: ", "://a:", "@b ", "\n", '"', " words ", begin, end, "secret_key='"];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), (parts) => {
        const { text } = redactText(parts.join(" "));
        for (const secret of Object.values(fake)) assert.ok(secret === fake.awsSecret || !text.includes(secret), text);
        assert.equal(redactText(text).text, text);
      }),
      { numRuns: 300 },
    );
  });

  it("takes time linear in the text, also for texts made to slow it down", () => {
    const hard = ["a://", "password=", "eyJ", "-----BEGIN PRIVATE KEY-----", "token: ", "x://y:", "Bearer ", "sk-", "pass", "a.", "key_"];
    for (const piece of hard) {
      const time = (times: number) => {
        const text = piece.repeat(times);
        const started = performance.now();
        redactText(text);
        return performance.now() - started;
      };
      time(1000);
      // not a race against the clock: quadratic work would take minutes here
      assert.ok(time(100_000) < 20_000, piece);
    }
  });
});

describe("redactRecord", () => {
  it("moves headings, code and the end of the prose along", () => {
    const prose = `Title\n\npassword=hunter2-staging\n\nSteps\n\nmake push`;
    const record: SourceRecord = {
      id: "jira:A-1",
      source: "jira",
      kind: "ticket",
      title: `Title password=hunter2-staging`,
      url: null,
      author: null,
      bot: false,
      createdAt: null,
      updatedAt: "2026-01-01T00:00:00Z",
      body: `${prose}\n\nStatus: Open`,
      proseEnd: prose.length,
      fields: {
        headings: [{ at: prose.indexOf("Steps"), level: 2, text: "Steps" }],
        code: [{ start: prose.indexOf("make"), end: prose.length }],
        changes: [{ at: "2026-01-01T00:00:00Z", field: "description", from: `token=${fake.github}`, to: null }],
      },
    };

    const redacted = redactRecord(record);

    assert.equal(redacted.body.slice(redacted.fields.headings?.[0]?.at).slice(0, 5), "Steps");
    const [code] = redacted.fields.code ?? [];
    assert.equal(redacted.body.slice(code?.start, code?.end), "make push");
    assert.equal(redacted.body.slice(redacted.proseEnd), "\n\nStatus: Open");
    assert.ok(!JSON.stringify(redacted).includes("hunter2"));
    assert.ok(!JSON.stringify(redacted).includes(fake.github));
  });
});

describe("redactJson", () => {
  it("replaces what stands under a telling key, whatever it looks like", () => {
    assert.deepEqual(redactJson({ db: { password: "letmein", user: "shop" }, api_key: "abc", tokens: 5, key: "JR-441" }), {
      db: { password: "[redacted password]", user: "shop" },
      api_key: "[redacted password]",
      tokens: 5,
      key: "JR-441",
    });
  });
});
