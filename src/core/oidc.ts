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
});
export type OidcSettings = z.infer<typeof OidcSettings>;
