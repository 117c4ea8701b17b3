/**
 * Names that mean one thing letter for letter: ticket keys, commit shas, versions, error codes, file names.
 * Their tokens are indexed beside the words, and a question that holds one is matched on it.
 * All patterns run in linear time.
 */

export type IdentifierKind = "key" | "sha" | "version" | "code" | "file" | "number";

export interface Identifier {
  readonly kind: IdentifierKind;
  /** As it stands in the text. */
  readonly text: string;
  /** Folded: lower case, "CSCE 221" as "csce~221". The form that is indexed and compared. */
  readonly token: string;
  readonly start: number;
  readonly end: number;
}

/** Letters, digits and the characters that identifiers are joined by. FTS5 is told these same ones (migration 0002). */
const joined = /#?[\p{L}\p{N}](?:[\p{L}\p{N}_.\-/:#@+]*[\p{L}\p{N}])?/gu;
const spacedKey = /(?<![\p{L}\p{N}_\-/.])([A-Z]{2,8}) (\d{2,6}[A-Z]?)(?![\p{L}\p{N}_\-/]|\.\d)/gu;
const separators = /[:/#@]/;
const longest = 200;

const fileEnding =
  /\.(?:adoc|avro|bash|bat|c|cc|cfg|conf|cpp|cs|css|csv|docx?|eml|env|go|gradle|graphql|groovy|gz|h|hcl|hpp|html?|ini|ipynb|jar|java|jpe?g|js|json|jsonl|jsx|kts?|lock|log|lua|md|mjs|mk|od[pst]|patch|pdf|php|pl|png|pptx?|properties|proto|ps1|py|rb|rs|rst|scala|sh|sql|svg|swift|tar|tf|tgz|toml|tsv|tsx?|txt|vue|war|xlsx?|xml|ya?ml|yml|zip)$/i;
const plain = /^[a-z]+$/;
/** Products that are named like a script file. */
const namedLikeFile = /^(?:asp|backbone|chart|d3|ember|express|moment|next|node|nuxt|react|three|vue)\.(?:js|net)$/i;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const errno =
  /^E(?:2BIG|ACCES|ADDRINUSE|ADDRNOTAVAIL|AGAIN|BADF|BUSY|CONNABORTED|CONNREFUSED|CONNRESET|EXIST|FAULT|HOSTDOWN|HOSTUNREACH|INTR|INVAL|IO|ISDIR|LOOP|MFILE|MSGSIZE|NAMETOOLONG|NETDOWN|NETUNREACH|NFILE|NOENT|NOMEM|NOSPC|NOTCONN|NOTDIR|NOTEMPTY|NOTFOUND|NOTSUP|PERM|PIPE|PROTO|ROFS|SRCH|TIMEDOUT|TXTBSY|XDEV)$/;

/** What one joined token is, null when it is an ordinary word or number. */
function kindOf(text: string): IdentifierKind | null {
  // every kind has a digit, a capital or a mark
  if (plain.test(text)) return null;
  if (/^#\d+$/.test(text)) return "number";
  if (fileEnding.test(text) && !namedLikeFile.test(text)) return "file";
  if (uuid.test(text) || /^0x[0-9a-f]+$/i.test(text)) return "code";
  if (/^[\p{L}][\p{L}\p{N}_]*(?:-\d+)+$/u.test(text) && /^[\p{L}\p{N}_]{2}/u.test(text)) return "key";
  if (/^[0-9a-f]{6,40}$/i.test(text) && /\d/.test(text) && /[a-f]/i.test(text)) return "sha";
  if (/^v?\d+(?:\.\d+)+(?:[-+.][0-9a-z.]+)?$/i.test(text) || /^v\d+$/i.test(text)) return "version";
  if (/^[\p{L}\p{N}]+(?:_[\p{L}\p{N}]+)+$/u.test(text)) return "code";
  if (/^[A-Za-z]{1,8}-?\d{2,}[A-Za-z]?$/.test(text) || errno.test(text)) return "code";
  if (/^[A-Z][A-Za-z0-9]*[a-z0-9](?:Exception|Error)$/.test(text)) return "code";
  return null;
}

/** Lower case, compatibility forms unified: the form in which identifiers are compared. */
export function foldIdentifier(text: string): string {
  return text.normalize("NFKC").toLowerCase().replaceAll(" ", "~");
}

/** All identifiers of a text, in order; parts of a joined one follow the whole ("cart/main.go:42" gives "cart/main.go" and "main.go"). */
export function findIdentifiers(text: string): Identifier[] {
  const found: Identifier[] = [];
  for (const match of text.matchAll(joined)) {
    const whole = match[0];
    if (whole.length > longest) continue;
    add(found, whole, match.index);
    if (!separators.test(whole.slice(1))) continue;
    let from = 0;
    for (const part of whole.split(/(?=#)|[:@]/)) {
      const at = whole.indexOf(part, from);
      from = at + part.length;
      if (part.length < whole.length) add(found, part, match.index + at);
      const base = part.slice(part.lastIndexOf("/") + 1);
      if (base.length < part.length) add(found, base, match.index + at + part.length - base.length);
    }
  }
  for (const match of text.matchAll(spacedKey)) {
    found.push({ kind: "key", text: match[0], token: foldIdentifier(match[0]), start: match.index, end: match.index + match[0].length });
  }
  return found.sort((a, b) => a.start - b.start || b.end - a.end);
}

function add(found: Identifier[], text: string, start: number): void {
  const kind = text === "" ? null : kindOf(text);
  if (kind !== null) found.push({ kind, text, token: foldIdentifier(text), start, end: start + text.length });
}

/** Distinct tokens to index for a text. A version is found with and without its "v". */
export function identifierTokens(text: string): string[] {
  const tokens = new Set<string>();
  for (const { kind, token } of findIdentifiers(text)) {
    tokens.add(token);
    if (kind === "version" && token.startsWith("v")) tokens.add(token.slice(1));
  }
  return [...tokens];
}
