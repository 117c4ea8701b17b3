import { z } from "zod";
import type { RecordId } from "../../core/record.ts";
import { deliveryOf, isSignedBy } from "../shared/signature.ts";
import type { Webhook } from "../shared/webhook.ts";
import { isPulledFile } from "./files.ts";

const names = z.array(z.string()).catch([]);
const numbered = z.object({ number: z.int().positive(), pull_request: z.unknown().optional() }).optional();

const Delivery = z.object({
  repository: z.object({ full_name: z.string(), default_branch: z.string().optional() }),
  ref: z.string().optional(),
  commits: z.array(z.object({ id: z.string(), added: names, removed: names, modified: names })).optional(),
  pull_request: numbered,
  issue: numbered,
  release: z.object({ tag_name: z.string() }).optional(),
  deployment: z.object({ id: z.int().positive() }).optional(),
  workflow_run: z.object({ id: z.int().positive() }).optional(),
});

/** Deliveries of GitHub: push, pull_request and its reviews, issues and their comments, release, deployment_status, workflow_run. */
export const githubWebhook: Webhook = {
  isSigned: (headers, raw, secret) => isSignedBy(raw, headers["x-hub-signature-256"], secret),

  deliveryId: (headers) => headers["x-github-delivery"] ?? null,

  records(_headers, raw) {
    const parsed = Delivery.safeParse(deliveryOf(raw));
    if (!parsed.success) return [];
    const { repository, ref, commits = [], pull_request: pull, issue, release, deployment, workflow_run: run } = parsed.data;
    const name = repository.full_name.slice(repository.full_name.lastIndexOf("/") + 1);
    const ids: RecordId[] = commits.map((commit): RecordId => `github:commit:${commit.id}`);
    if (ref === `refs/heads/${repository.default_branch}`) {
      const files = commits.flatMap((commit) => [...commit.added, ...commit.removed, ...commit.modified]);
      ids.push(...files.filter(isPulledFile).map((path): RecordId => `github:file:${repository.full_name}/${path}`));
    }
    if (pull) ids.push(`github:pull:${name}#${pull.number}`);
    // a comment on a pull request comes as one on an issue
    if (issue) ids.push(`github:${issue.pull_request ? "pull" : "issue"}:${name}#${issue.number}`);
    if (deployment) ids.push(`github:deployment:${name}#${deployment.id}`);
    if (run) ids.push(`github:check:${name}#${run.id}`);
    if (release) ids.push(`github:release:${name}@${release.tag_name}`);
    return [...new Set(ids)];
  },
};
