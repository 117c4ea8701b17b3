import { z } from "zod";

/** https, or http on this machine: keys that come another way could be anybody's. */
const Secure = z.url().refine(
  (text) => {
    const { protocol, hostname } = new URL(text);
    return protocol === "https:" || (protocol === "http:" && /^(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})$/.test(hostname));
  },
  { error: "must begin with https://; plain http is accepted for loopback only" },
);

const Values = z.array(z.string().min(1));

const Login = z.strictObject({
  clientId: z.string().min(1).describe("This daemon, as the issuer knows it; ID tokens must be for it."),
  clientSecret: z.string().min(1).optional().describe("`${NAME}`; absent for a public client."),
  redirectUri: Secure.refine((text) => new URL(text).pathname === "/auth/callback", { error: "must end with /auth/callback" }).describe(
    "Where the issuer sends browsers back to: this daemon's address as browsers reach it, and /auth/callback.",
  ),
  scopes: Values.default(["openid", "profile", "email"]).describe(
    "What is asked for; some issuers tell groups only with a scope for them.",
  ),
  hours: z.number().positive().max(720).default(8).describe("How long somebody stays logged in."),
});
export type LoginSettings = z.infer<typeof Login>;

/** `oidc` of the manifest: whose access tokens are taken, and what they allow. */
export const OidcSettings = z.strictObject({
  issuer: Secure.describe("As the tokens' `iss` has it, to the letter."),
  audience: z.union([z.string().min(1), Values.min(1)]).describe("What the tokens' `aud` must name: this daemon."),
  jwksUri: Secure.optional().describe("Where the issuer's keys are; absent: found at its /.well-known/openid-configuration."),
  algorithms: z
    .array(z.enum(["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]))
    .min(1)
    .default(["RS256", "PS256", "ES256", "EdDSA"])
    .describe("Signatures that are taken; secrets shared with the issuer (HS256) and none never are."),
  groupsClaim: z
    .string()
    .min(1)
    .default("groups")
    .describe('Claim with the groups that `visibleTo` names; a dotted path reaches inside ("realm_access.roles").'),
  readers: Values.optional().describe("Groups or scopes that may read; absent: whoever has a valid token."),
  writers: Values.default([]).describe("Groups or scopes that may upload and start runs."),
  admins: Values.default([]).describe("Groups or scopes that may do and see everything."),
  login: Login.optional().describe("Lets people log in on the page; absent: they give a token."),
});
export type OidcSettings = z.infer<typeof OidcSettings>;
