/**
 * What a secret looks like. Formats follow what the issuers document (a fixed prefix, an alphabet, a length), so that
 * hashes, trace ids and prose do not match. Every quantifier is bounded or followed by a character outside its class:
 * matching is linear in the text.
 */
export interface SecretRule {
  /** Stands in the replacement: "[redacted github-token]". */
  readonly name: string;
  /** Lower-case substrings, one of which any match contains: texts without them are not searched. */
  readonly hints: readonly string[];
  /** Global; the group named `secret`, or else the whole match, is replaced. */
  readonly pattern: RegExp;
  /** Gives way to any other rule whose secret it starts in. */
  readonly weak?: true;
  /** A last look at the candidate; true means that it is one. */
  readonly accept?: (secret: string, match: RegExpExecArray) => boolean;
}

const START = "(?<![A-Za-z0-9])";

function prefixed(name: string, hint: string, pattern: string): SecretRule {
  return { name, hints: [hint.toLowerCase()], pattern: new RegExp(`${START}${pattern}`, "dg") };
}

/** All of them are tried on a text; finds that overlap become one. */
export const secretRules: readonly SecretRule[] = [
  {
    name: "aws-key-id",
    hints: ["akia", "asia", "abia", "acca"],
    pattern: /(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])/dg,
  },
  {
    // the secret that belongs to a key id has no mark of its own; people write the pair side by side
    name: "aws-secret-key",
    hints: ["akia", "asia"],
    pattern: /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}[\s"',;:|/=-]{1,10}(?<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])/dg,
  },
  prefixed("github-token", "gh", "gh[pousr]_[A-Za-z0-9]{20,255}"),
  prefixed("github-token", "github_pat_", "github_pat_[A-Za-z0-9_]{20,255}"),
  prefixed("gitlab-token", "gl", "gl(?:pat|dt|rt|cbt|ptt|ft|soat)-[A-Za-z0-9_-]{20,255}"),
  prefixed("slack-token", "xox", "xox[abeoprs]-[A-Za-z0-9-]{10,255}"),
  prefixed("slack-token", "xapp-", "xapp-[A-Za-z0-9-]{10,255}"),
  {
    name: "slack-webhook",
    hints: ["hooks.slack.com"],
    pattern: /hooks\.slack\.com\/services\/(?<secret>T[A-Z0-9]{6,20}\/B[A-Z0-9]{6,20}\/[A-Za-z0-9]{16,40})/dg,
  },
  prefixed("stripe-key", "k_", "[spr]k_(?:live|test)_[A-Za-z0-9]{16,255}"),
  prefixed("stripe-webhook-secret", "whsec_", "whsec_[A-Za-z0-9+/]{24,255}"),
  { ...prefixed("model-api-key", "sk-", "sk-[A-Za-z0-9_-]{20,255}"), accept: mixed },
  prefixed("google-api-key", "aiza", "AIza[A-Za-z0-9_-]{35}"),
  prefixed("google-token", "ya29.", "ya29\\.[A-Za-z0-9_-]{20,512}"),
  prefixed("google-client-secret", "gocspx-", "GOCSPX-[A-Za-z0-9_-]{20,64}"),
  prefixed("atlassian-token", "atatt3", "ATATT3[A-Za-z0-9_=-]{40,512}"),
  prefixed("atlassian-token", "atctt3", "ATCTT3[A-Za-z0-9_=-]{40,512}"),
  prefixed("npm-token", "npm_", "npm_[A-Za-z0-9]{36}"),
  prefixed("pypi-token", "pypi-", "pypi-[A-Za-z0-9_-]{50,512}"),
  prefixed("docker-token", "dckr_", "dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,64}"),
  prefixed("hugging-face-token", "hf_", "hf_[A-Za-z0-9]{30,64}"),
  prefixed("vault-token", "hv", "hv[sbr]\\.[A-Za-z0-9_-]{20,512}"),
  prefixed("digitalocean-token", "do", "do[por]_v1_[a-f0-9]{64}"),
  prefixed("sendgrid-key", "sg.", "SG\\.[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{32,64}"),
  prefixed("twilio-key", "sk", "SK[a-f0-9]{32}(?![A-Za-z0-9])"),
  prefixed("shopify-token", "shp", "shp(?:at|ss|ca|pa)_[a-fA-F0-9]{32}"),
  prefixed("grafana-token", "glsa_", "glsa_[A-Za-z0-9]{32}_[a-fA-F0-9]{8}"),
  prefixed("grafana-token", "glc_", "glc_[A-Za-z0-9+/=]{32,400}"),
  prefixed("new-relic-key", "nrak-", "NRAK-[A-Z0-9]{27}"),
  prefixed("databricks-token", "dapi", "dapi[a-f0-9]{32}(?![A-Za-z0-9])"),
  prefixed("linear-key", "lin_", "lin_(?:api|oauth)_[A-Za-z0-9]{32,64}"),
  prefixed("sentry-token", "sntr", "sntr[ysu]_[A-Za-z0-9_+/=]{40,512}"),
  prefixed("age-key", "age-secret-key-1", "AGE-SECRET-KEY-1[A-Z0-9]{50,70}"),
  { name: "telegram-token", hints: [":aa"], pattern: /(?<![A-Za-z0-9])\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])/dg },
  {
    name: "jwt",
    hints: ["eyj"],
    pattern: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,2000}\.eyJ[A-Za-z0-9_-]{8,8000}\.[A-Za-z0-9_-]{8,2000}/dg,
  },
  {
    name: "authorization",
    hints: ["bearer", "basic"],
    pattern: /(?<![A-Za-z0-9])(?:[Bb]earer|BEARER|[Bb]asic|BASIC)[ \t]{1,4}(?<secret>[A-Za-z0-9._~+/-]{16,4000}={0,2})/dg,
    accept: mixed,
  },
  {
    name: "azure-key",
    hints: ["accountkey", "sharedaccesskey", "sharedsecret"],
    pattern: /(?:AccountKey|SharedAccessKey|SharedSecret)[ \t]{0,4}=[ \t]{0,4}(?<secret>[A-Za-z0-9+/]{20,128}={0,2})/dgi,
  },
  {
    // scheme://user:password@host, also without a user; the scheme is left out, since a search for "://" is fast
    name: "password",
    hints: ["://"],
    pattern: /:\/\/[^\s:@/?#"'<>]{0,100}:(?<secret>[^\s/"'<>]{1,200})@(?=[A-Za-z0-9[_.$-])/dg,
    accept: (secret) => !isPlaceholder(secret),
  },
  {
    // password=…, "client_secret": "…", AWS_SECRET_ACCESS_KEY=…, --token …
    name: "password",
    // not "key" alone, which stands in the footer of every ticket
    hints: [
      "pass",
      "pwd",
      "secret",
      "token",
      "credential",
      ...["api", "access", "private", "auth"].flatMap((word) => [`${word}key`, `${word}_key`, `${word}-key`]),
    ],
    pattern: assignment(),
    weak: true,
    accept: acceptAssigned,
  },
];

function assignment(): RegExp {
  const word =
    "passwords?|passwd|passphrase|pwd|(?<![A-Za-z])pass|secrets?|tokens?|api[_-]?key|access[_-]?key|private[_-]?key|secret[_-]?key|auth[_-]?key|credentials?";
  const suffix = "(?:[_-]?(?:key|value|base|prod|dev|staging|test|[0-9]{1,2}))?";
  const between = "(?<close>[\"'`]?)[ \\t]{0,4}(?<sign>=>|:=|=|:)[ \\t]{0,4}";
  const value = "(?:\"(?<dq>[^\"\\n]{3,200})\"|'(?<sq>[^'\\n]{3,200})'|(?<bare>[^\\s\"'`,;&|<>()[\\]{}]{3,200}))";
  return new RegExp(`(?<key>(?:${word})${suffix})${between}${value}`, "dgi");
}

function acceptAssigned(secret: string, match: RegExpExecArray): boolean {
  const { key = "", sign = "", bare } = match.groups ?? {};
  const quoted = bare === undefined;
  const trimmed = secret.replace(/[.,;:!?]{1,3}$/, "");
  if (isPlaceholder(trimmed) || trimmed.toLowerCase() === key.toLowerCase()) return false;
  // a name of a thing, a path, a call, a reference: not the thing itself
  if (/^[A-Za-z_.]{0,80}(?:\(|\[|\$\{|\{\{)/.test(trimmed) || /^(?:\.{0,2}\/|https?:)/.test(trimmed)) return false;
  const isPassword = /pass|pwd/i.test(key);
  // code: a call, a member of something, a variable of the same name; and "pbkdf2-password": "1.2.1"
  if (/[([]/.test(match.input.charAt(match.index + match[0].length))) return false;
  if (!quoted && /^[A-Za-z_$][\w$]{0,80}(?:\.[A-Za-z_$][\w$]{0,80}){1,8}$/.test(trimmed)) return false;
  if (!quoted && /^\w+$/.test(trimmed) && trimmed.toLowerCase().endsWith(key.toLowerCase())) return false;
  if (/^[~^]?\d{1,6}(?:\.\d{1,6}){1,3}$/.test(trimmed)) return false;
  if (quoted && /\s/.test(trimmed)) return false;
  // prose: "Password: the one you chose", "tokens: 4096"
  if (!isPassword && /^[0-9.]+$/.test(trimmed)) return false;
  const loose = sign === ":" && !quoted;
  if (loose) return trimmed.length >= 6 && mixed(trimmed);
  if (isPassword) return trimmed.length >= 3;
  return (trimmed.length >= 8 && mixed(trimmed)) || trimmed.length >= 24;
}

/** Letters and digits both: words and plain numbers are not mixed. */
function mixed(secret: string): boolean {
  return /[0-9]/.test(secret) && /[A-Za-z]/.test(secret);
}

/** Stands for a secret without being one: ${VAR}, $VAR, <password>, ****, xxxx, "changeme-please" is one though. */
function isPlaceholder(secret: string): boolean {
  return (
    /^(?:\$|%|\{|<|\[|\*|@)/.test(secret) ||
    /^(?:x{3,}|\*+|\.{3,}|-+|_+|null|nil|none|true|false|undefined|required|optional|string|redacted|secret|password|token|yes|no)$/i.test(
      secret,
    ) ||
    secret.includes("[redacted") ||
    /^(?:process\.env|os\.environ|env\.|getenv|var\.|secrets\.|vault:|ssm:|arn:)/i.test(secret)
  );
}
