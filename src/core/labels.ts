/**
 * Labels of the stated fields in a record's footer, declared once: connectors write them (`composeBody`),
 * extraction points at them (`fieldSpan`), so that a citation can show the line that states a fact.
 */
export const labels = {
  // tickets
  key: "Key",
  formerKeys: "Former keys",
  type: "Type",
  status: "Status",
  priority: "Priority",
  severity: "Severity",
  components: "Components",
  affected: "Affected services",
  labels: "Labels",
  assignee: "Assignee",
  reporter: "Reporter",
  resolution: "Resolution",
  opened: "Opened",
  started: "Impact start",
  resolved: "Resolved",
  links: "Links",
  fixVersions: "Fix versions",
  sprint: "Sprint",
  // code
  author: "Author",
  date: "Date",
  repository: "Repository",
  commit: "Commit",
  number: "Number",
  merged: "Merged",
  mergeCommit: "Merge commit",
  reviewers: "Reviewers",
  changedFiles: "Changed files",
  path: "Path",
  branch: "Branch",
  environment: "Environment",
  workflow: "Workflow",
  // pages
  space: "Space",
  ancestors: "Under",
  updated: "Updated",
  // logs
  level: "Level",
  service: "Service",
  pod: "Pod",
  trace: "Trace",
  exception: "Exception",
  revision: "Revision",
  count: "Occurrences",
  firstSeen: "First seen",
  lastSeen: "Last seen",
  laterTraces: "Later traces",
  // on-call schedules
  teams: "Teams",
  // documents
  missing: "Not read",
} as const;
