/** Where GitHub looks for CODEOWNERS; the first that is there counts. */
export const codeownersPaths = [".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"] as const;

/** Files whose text says something of services: Markdown documents, service catalogues and compose files. */
const documents = /\.(?:md|mdx|markdown)$/i;
const catalogues = /^(?:catalog-info|(?:docker-)?compose(?:[.-][\w.-]+)?)\.ya?ml$/i;
/** What others wrote, or what only repeats the commits. */
const passedOver = /(?:^|\/)(?:node_modules|vendor|third_party|\.git|dist|build)\/|(?:^|\/)(?:CHANGELOG|LICENSE|CODE_OF_CONDUCT)\.md$/i;

/** Whether a file of the tree becomes a record. */
export function isPulledFile(path: string): boolean {
  if ((codeownersPaths as readonly string[]).includes(path)) return true;
  if (passedOver.test(path)) return false;
  return documents.test(path) || catalogues.test(path.slice(path.lastIndexOf("/") + 1));
}
