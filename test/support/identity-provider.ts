import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair } from "jose";
import { Provider } from "oidc-provider";

/** A client that the provider knows, with the secret that only it has. */
export const CLIENT = { id: "contextd", secret: "a secret of this test alone, long enough" } as const;

export interface IdentityProvider extends AsyncDisposable {
  readonly issuer: string;
  /** Opens it for the client, whose address is known once it listens. */
  register(redirectUri: string): Promise<void>;
}

/**
 * A real OpenID Connect provider on loopback: whoever fills its form in is logged in, with the groups that stand here.
 * Groups are told by userinfo alone, PKCE is demanded.
 */
export async function identityProvider(groups: Readonly<Record<string, readonly string[]>>): Promise<IdentityProvider> {
  let handle: RequestListener = (_req, res) => void res.writeHead(503).end();
  const server = createServer((req, res) => handle(req, res));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    async register(redirectUri) {
      const { privateKey } = await generateKeyPair("RS256", { extractable: true });
      const provider = new Provider(issuer, {
        jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: "RS256", use: "sig", kid: "one" } as never] },
        clients: [
          {
            client_id: CLIENT.id,
            client_secret: CLIENT.secret,
            redirect_uris: [redirectUri],
            token_endpoint_auth_method: "client_secret_post",
          },
        ],
        cookies: { keys: ["one"] },
        pkce: { required: () => true },
        claims: { openid: ["sub"], profile: ["name"], groups: ["groups"] },
        features: { devInteractions: { enabled: true } },
        findAccount: (_ctx, id) => ({
          accountId: id,
          claims: () => ({ sub: id, name: `${id[0]?.toUpperCase()}${id.slice(1)}`, groups: [...(groups[id] ?? [])] }),
        }),
      });
      handle = provider.callback();
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
