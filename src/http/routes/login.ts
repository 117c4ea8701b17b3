import { z } from "zod";
import { ContextError, toContextError } from "../../core/errors.ts";
import { scopes } from "../auth.ts";
import { type Context, defineRoute } from "../route.ts";

const local = z
  .string()
  .max(2_000)
  // "//elsewhere" and "/\elsewhere" lead to another host
  .regex(/^\/(?![/\\])/, "must be a path of this daemon")
  .default("/");

function required({ login }: Context): NonNullable<Context["login"]> {
  if (login !== null) return login;
  throw new ContextError("NOT_FOUND", "Nobody logs in here.", { remedy: "Set oidc.login in the manifest, or use a token." });
}

export const begin = defineRoute({
  method: "get",
  path: "/auth/login",
  scope: "public",
  summary: "Sends the browser to the identity provider, to come back to `to`.",
  query: z.strictObject({ to: local }),
  replies: { 302: { about: "To the identity provider" } },
  async handle({ query, res }, context) {
    const { url, cookie } = await required(context).begin(query.to);
    res.setHeader("Set-Cookie", cookie).setHeader("Cache-Control", "no-store").redirect(302, url);
  },
});

export const callback = defineRoute({
  method: "get",
  path: "/auth/callback",
  scope: "public",
  summary: "Where the identity provider sends the browser back to.",
  query: z.looseObject({}),
  replies: { 302: { about: "To the page that the login began at, or to one that says why it failed" } },
  async handle({ req, res }, context) {
    const login = required(context);
    res.setHeader("Cache-Control", "no-store");
    try {
      const { to, cookies } = await login.finish(req);
      res.setHeader("Set-Cookie", [...cookies]).redirect(302, to);
    } catch (thrown) {
      const { code, message, remedy } = toContextError(thrown);
      context.log.warn({ code, error: message }, "login failed");
      res.redirect(302, `/#login=${encodeURIComponent(`${message} ${remedy}`)}`);
    }
  },
});

export const logout = defineRoute({
  method: "post",
  path: "/auth/logout",
  scope: "public",
  summary: "Ends the session here; the identity provider's own goes on.",
  replies: { 204: { about: "It is over" } },
  handle({ req, res }, context) {
    res.setHeader("Set-Cookie", required(context).sessions.end(req)).status(204).end();
  },
});

export const who = defineRoute({
  method: "get",
  path: "/auth/me",
  scope: "public",
  summary: "Whether one can log in here, and who is.",
  replies: {
    200: {
      about: "Who asks, as far as it is known",
      schema: z.object({ login: z.boolean(), name: z.string().nullable(), scope: z.enum(scopes).nullable(), groups: z.array(z.string()) }),
    },
  },
  handle({ req, res }, { login }) {
    const session = login?.sessions.find(req) ?? null;
    res.setHeader("Cache-Control", "no-store");
    res.json({
      login: login !== null,
      name: session?.label ?? null,
      scope: session?.caller.scope ?? null,
      groups: [...(session?.caller.groups ?? [])],
    });
  },
});
