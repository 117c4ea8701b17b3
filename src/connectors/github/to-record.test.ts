import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { GithubCommit, GithubContent, GithubIssue, GithubPull } from "./payload.ts";
import { commitToRecord, contentToRecord, issueToRecord, pullToRecord } from "./to-record.ts";

const site = { repository: "acme/shop", names: new Map([["rsharma", "Rahul Sharma"]]) };
const sha = "a3f8c2d94be17f60a5c38e21b7d4096f3ac1e58b";
const signed = { name: "Rahul Sharma", email: "r@users.example", date: "2026-03-11T22:40:00Z" };

function commit(more: object = {}) {
  return commitToRecord(
    GithubCommit.parse({
      sha,
      commit: { message: "redis: no pool (#88)\n\nFixes JR-1", author: signed, committer: signed },
      author: null,
      ...more,
    }),
    site,
  );
}

describe("commitToRecord", () => {
  it("keeps the author of a commit whose address has no account", () => {
    assert.deepEqual(commit().author, { name: "Rahul Sharma", email: "r@users.example" });
  });

  it("lists both names of a renamed file", () => {
    const { fields, body } = commit({ files: [{ filename: "b/new.ts", previous_filename: "a/old.ts", status: "renamed" }] });

    assert.deepEqual(fields.files, ["b/new.ts", "a/old.ts"]);
    assert.ok(body.endsWith("Changed files: b/new.ts, a/old.ts"));
  });

  it("marks bots by account type and by name", () => {
    assert.equal(commit({ author: { login: "renovate[bot]", type: "Bot" } }).bot, true);
    assert.equal(commit({ author: { login: "rsharma", type: "User" } }).bot, false);
  });
});

describe("pullToRecord", () => {
  const pull = (more: object) =>
    pullToRecord(
      GithubPull.parse({ number: 88, title: "No pool", state: "open", user: { login: "rsharma" }, merge_commit_sha: sha, ...more }),
      site,
    );

  it("names the merge commit only when it was merged: before that it is GitHub's trial merge", () => {
    assert.equal(pull({}).fields.mergeSha, undefined);
    assert.equal(pull({ state: "closed", merged_at: "2026-03-11T22:40:00Z" }).fields.mergeSha, sha);
  });

  it("takes display names from the accounts that are known", () => {
    assert.match(
      pull({ requested_reviewers: [{ login: "miyer" }] }).body,
      /\nAuthor: Rahul Sharma \(@rsharma\)\n(?:.*\n)*?Reviewers: @miyer/,
    );
  });

  it("notes the place of fenced code and headings", () => {
    const { body, fields } = pull({ body: "## Why\n\nFaster.\n\n```js\n# no heading\nrun()\n```\n\nDone." });

    assert.deepEqual(
      fields.headings?.map((one) => one.text),
      ["Why"],
    );
    assert.equal(body.slice(fields.code?.[0]?.start, fields.code?.[0]?.end), "```js\n# no heading\nrun()\n```");
  });
});

describe("issueToRecord", () => {
  it("carries the key that the graph knows it by", () => {
    const record = issueToRecord(
      GithubIssue.parse({ number: 7, title: "Broken", state: "closed", state_reason: "not_planned", labels: [{ name: "sev1" }] }),
      site,
    );

    assert.equal(record.id, "github:issue:shop#7");
    assert.deepEqual(
      [record.fields.key, record.fields.open, record.fields.resolution, record.fields.severity],
      ["shop#7", false, "not_planned", "SEV1"],
    );
  });
});

describe("contentToRecord", () => {
  const file = (more: object) =>
    contentToRecord(
      GithubContent.parse({ type: "file", path: "docs/a.md", encoding: "base64", content: btoa("# A\n\ntext"), ...more }),
      site,
      {
        updatedAt: "2026-01-01T00:00:00Z",
      },
    );

  it("decodes text and passes over what is none: too large, binary, not UTF-8", () => {
    assert.ok(file({})?.body.startsWith("# A\n\ntext"));
    assert.equal(file({ encoding: "none", content: "" }), null);
    assert.equal(file({ content: btoa("a\u0000b") }), null);
    assert.equal(file({ content: btoa("\u00ff\u00fe") }), null);
  });
});
