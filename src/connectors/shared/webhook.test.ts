import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { describe, it } from "node:test";
import { delivery } from "../../../test/fakes/server.ts";
import { confluenceWebhook } from "../confluence/webhook.ts";
import { githubWebhook } from "../github/webhook.ts";
import { jiraWebhook } from "../jira/webhook.ts";
import { isSignedBy } from "./signature.ts";

const SECRET = "It's a Secret to Everybody";
const bytes = (text: string) => new TextEncoder().encode(text);

describe("isSignedBy", () => {
  it("accepts GitHub's published test vector", () => {
    const header = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";

    assert.equal(isSignedBy(bytes("Hello, World!"), header, SECRET), true);
    assert.equal(isSignedBy(bytes("Hello, World?"), header, SECRET), false);
    assert.equal(isSignedBy(bytes("Hello, World!"), header, "another secret"), false);
  });

  it("refuses absent, short, long and unprefixed signatures without a throw", () => {
    const hex = createHmac("sha256", SECRET).update("x").digest("hex");
    for (const header of [undefined, null, "", "sha256=", hex, `sha1=${hex}`, `sha256=${hex.slice(2)}`, `sha256=${hex}00`, "sha256=zz"]) {
      assert.equal(isSignedBy(bytes("x"), header, SECRET), false);
    }
    assert.equal(isSignedBy(bytes("x"), `sha256=${createHmac("sha256", "").update("x").digest("hex")}`, ""), false);
  });
});

describe("deliveries", () => {
  it("of a push to GitHub name its commits and the documents it touched", () => {
    const { headers, body } = delivery("webhook-github-push");

    assert.equal(githubWebhook.isSigned(headers, body, SECRET), true);
    assert.equal(githubWebhook.deliveryId(headers), "7e0f6a10-5a55-11f1-8e5e-0242ac120002");
    assert.deepEqual(githubWebhook.records(headers, body), ["github:commit:60a6322b33b6ea509bd254ea44b593bfc91ef2b1"]);
  });

  it("of GitHub tell a comment on a pull request from one on an issue, and branches from the default one", () => {
    const repository = { full_name: "acme/shop", default_branch: "main" };
    const read = (payload: object) => githubWebhook.records({}, bytes(JSON.stringify({ repository, ...payload })));
    const commits = [{ id: "a1", added: ["docs/new.md"], removed: [".github/CODEOWNERS"], modified: ["src/x.ts"] }];

    assert.deepEqual(read({ issue: { number: 3, pull_request: {} } }), ["github:pull:shop#3"]);
    assert.deepEqual(read({ issue: { number: 4 } }), ["github:issue:shop#4"]);
    assert.deepEqual(read({ deployment: { id: 5 }, deployment_status: { id: 6, state: "success" } }), ["github:deployment:shop#5"]);
    assert.deepEqual(read({ workflow_run: { id: 9, conclusion: "failure" } }), ["github:check:shop#9"]);
    assert.deepEqual(read({ ref: "refs/heads/main", commits }), [
      "github:commit:a1",
      "github:file:acme/shop/docs/new.md",
      "github:file:acme/shop/.github/CODEOWNERS",
    ]);
    assert.deepEqual(read({ ref: "refs/heads/topic", commits }), ["github:commit:a1"]);
  });

  it("of Jira name the issue, also by the key of before a move", () => {
    const { headers, body } = delivery("webhook-jira-issue-updated");
    const moved = { issue: { key: "NEW-1" }, changelog: { items: [{ field: "Key", fromString: "OLD-7", toString: "NEW-1" }] } };

    assert.equal(jiraWebhook.isSigned(headers, body, SECRET), true);
    assert.equal(jiraWebhook.deliveryId(headers), "3b1c8e0e-77c1-4f5f-9a53-0f8d2b9d1f11");
    assert.deepEqual(jiraWebhook.records(headers, body), ["jira:INC-201"]);
    assert.deepEqual(jiraWebhook.records({}, bytes(JSON.stringify(moved))), ["jira:NEW-1", "jira:OLD-7"]);
  });

  it("of Confluence are known by a fixed header or a signature", () => {
    const body = bytes('{"page":{"id":80012}}');
    const signature = `sha256=${createHmac("sha256", SECRET).update(body).digest("hex")}`;

    assert.equal(confluenceWebhook.isSigned({ "x-contextd-secret": SECRET }, body, SECRET), true);
    assert.equal(confluenceWebhook.isSigned({ "x-contextd-secret": "guess" }, body, SECRET), false);
    assert.equal(confluenceWebhook.isSigned({ "x-hub-signature": signature }, body, SECRET), true);
    assert.equal(confluenceWebhook.isSigned({}, body, SECRET), false);
    assert.deepEqual(confluenceWebhook.records({}, body), ["confluence:page:80012"]);
  });

  it("that are no JSON, or about something else, name nothing", () => {
    for (const webhook of [githubWebhook, jiraWebhook, confluenceWebhook]) {
      for (const text of ["", "{", "null", "[]", '{"zen":"Keep it logically awesome."}'])
        assert.deepEqual(webhook.records({}, bytes(text)), []);
    }
  });
});
