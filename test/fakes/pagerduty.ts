import { FakeServer, json, type Reply, type Seen } from "./server.ts";

export interface FakeShift {
  readonly policy: string;
  readonly level: number;
  readonly user: string;
  readonly start: string | null;
  readonly end: string | null;
}

/** PagerDuty's lists of services and on-call shifts, after developer.pagerduty.com/api-reference: offset, limit and more. */
export class FakePagerduty extends FakeServer {
  services: { readonly id: string; readonly name: string; readonly policy: string }[] = [];
  shifts: FakeShift[] = [];

  protected answer({ path, query, headers }: Seen): Reply | null {
    if (headers.authorization !== "Token token=key-of-the-test")
      return json({ error: { code: 2006, message: "Invalid Credentials" } }, 401);
    const offset = Number(query.get("offset") ?? 0);
    const limit = Math.min(Number(query.get("limit") ?? 25), 100);
    const page = (name: string, items: readonly object[]) =>
      json({ [name]: items.slice(offset, offset + limit), limit, offset, more: offset + limit < items.length, total: null });
    if (path === "/services")
      return page(
        "services",
        this.services.map(({ id, name, policy }) => ({
          id,
          name,
          description: null,
          type: "service",
          status: "active",
          html_url: `https://acme.pagerduty.com/service-directory/${id}`,
          created_at: "2025-11-06T11:12:51-05:00",
          escalation_policy: { id: policy, type: "escalation_policy_reference", summary: `Policy ${policy}` },
          teams: [{ id: "T1", type: "team_reference", summary: "Payments" }],
        })),
      );
    if (path !== "/oncalls") return null;
    const [since = "", until = "9"] = [query.get("since") ?? "", query.get("until") ?? "9"];
    const shown = this.shifts.filter(({ start, end }) => (end === null || end > since) && (start === null || start < until));
    return page(
      "oncalls",
      shown.map(({ policy, level, user, start, end }) => ({
        escalation_policy: { id: policy, type: "escalation_policy_reference", summary: `Policy ${policy}` },
        escalation_level: level,
        schedule: start === null ? null : { id: "S1", type: "schedule_reference", summary: "Primary" },
        user: query.getAll("include[]").includes("users")
          ? { id: user, type: "user", name: user, summary: user, email: `${user.split(" ")[0]?.toLowerCase()}@users.example` }
          : { id: user, type: "user_reference", summary: user },
        start,
        end,
      })),
    );
  }
}
