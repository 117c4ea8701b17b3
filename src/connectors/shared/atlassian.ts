import { z } from "zod";
import type { Io } from "../../core/connector.ts";
import { authorizationOf } from "./authorization.ts";
import type { Answered } from "./http-errors.ts";
import { Transport } from "./transport.ts";

/** What jira.js and confluence.js ask of a client of one's own. */
interface Request {
  readonly url: string;
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
  readonly searchParams?: Readonly<Record<string, unknown>> | undefined;
}

/** Whose token it is, as the manifest says it for both products. */
export const accountEmail = z
  .string()
  .min(3)
  .optional()
  .describe(
    "The account of an API token. Without it the token is sent as a bearer token: OAuth, or a personal access token of Data Center.",
  );

export interface AtlassianConfig {
  readonly baseUrl: string;
  readonly email?: string | undefined;
  readonly token: string;
  readonly maxRequests: number;
  readonly concurrency: number;
  readonly timeoutSeconds: number;
}

/**
 * A client for the endpoint functions of jira.js and confluence.js that goes through our transport.
 * The packages' own clients know no timeout, no abort and no Retry-After, follow redirects to other hosts, and lose a
 * whole page of results to one value that their schemas do not expect; the endpoint functions themselves only build
 * requests. Answers come back as unknown JSON and are checked by our own schemas, item by item.
 */
export interface AtlassianClient {
  readonly transport: Transport;
  sendRequest<T>(request: Request): Promise<T>;
}

/**
 * A client of one product.
 * @param scopes that the token needs, for the remedy of a refusal
 * @param tries of each request; the transport's own number unless told
 */
export function atlassianClient(product: string, scopes: string, config: AtlassianConfig, io: Io, tries?: number): AtlassianClient {
  const transport = new Transport({
    io,
    product,
    baseUrl: config.baseUrl,
    headers: { accept: "application/json", authorization: authorizationOf(config.email, config.token) },
    limits: config,
    explain: (answered) => explain(answered, scopes, config),
    ...(tries === undefined ? {} : { tries }),
  });
  return {
    transport,
    async sendRequest<T>(request: Request): Promise<T> {
      const url = `${config.baseUrl}${request.url}${queryOf(request.searchParams ?? {})}`;
      const hasBody = request.body !== undefined && request.body !== null;
      return (await transport.json(url, {
        method: request.method ?? "GET",
        headers: { ...request.headers, ...(hasBody ? { "content-type": "application/json" } : {}) },
        ...(hasBody ? { body: JSON.stringify(request.body) } : {}),
      })) as T;
    },
  };
}

/** Lists repeat their key, as both products read them. */
function queryOf(parameters: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) query.append(name, String(one));
    }
  }
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}

function explain(
  answered: Answered,
  scopes: string,
  config: AtlassianConfig,
): { readonly message?: string; readonly remedy?: string } | null {
  if (answered.status === 401 && /scope does not match/i.test(answered.text)) {
    return { message: "the token lacks a scope.", remedy: `Give the token the scope ${scopes}; renewing it does not help.` };
  }
  if (answered.status === 401) {
    return {
      remedy:
        config.email === undefined
          ? "Renew the OAuth access token, or the personal access token of Data Center; an API token needs the account's email beside it in the manifest."
          : "Make a new API token at https://id.atlassian.com/manage-profile/security/api-tokens, and check that the email is of the same account.",
    };
  }
  if (answered.status === 403)
    return { remedy: `Give the account access to what is named in the manifest, and the token the scope ${scopes}.` };
  if (answered.status === 404)
    return { remedy: "Check the base URL and the name in the manifest; what an account may not see answers 404, too." };
  return null;
}
