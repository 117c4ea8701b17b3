/** A token as the Authorization header carries it: basic authentication of the user, or without one a bearer token. */
export function authorizationOf(user: string | undefined, token: string): string {
  return user === undefined ? `Bearer ${token}` : `Basic ${Buffer.from(`${user}:${token}`, "utf8").toString("base64")}`;
}
