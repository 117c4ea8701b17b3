import { channelText } from "../core/channel.ts";
import type { Log } from "../core/connector.ts";
import type { ScheduleDeps, ScheduleProblem } from "./schedule.ts";

const TIMEOUT_MS = 10_000;
/** Waits before the second and the third try. */
const WAITS_MS = [2_000, 10_000];
const MOST_FAILURES = 5;
const MOST_CHARS = 300;

/** What is posted: `text` is all that Slack and its like read, the rest is for programs. */
export interface Notice {
  readonly text: string;
  readonly event: "index.failed" | "index.partial";
  readonly name: string;
  readonly runId: string | null;
  readonly at: string;
  readonly failures: ScheduleProblem["failures"];
}

/** A problem of a planned run as a message; a long list and long texts are cut. */
export function noticeOf({ status, runId, failures }: ScheduleProblem, name: string, at: string): Notice {
  const shown = failures.slice(0, MOST_FAILURES).map((one) => ({ ...one, message: one.message.slice(0, MOST_CHARS) }));
  const more = failures.length - shown.length;
  const what = status === "failed" ? "failed; what was indexed before is still served" : "ended without a part of its sources";
  const lines = [
    `contextd (${name}): the scheduled index run ${what}.`,
    ...shown.map(({ source, code, message }) => `• ${source}: ${message} (${code})`),
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
  return { text: channelText(lines.join("\n")), event: `index.${status}`, name, runId, at, failures: shown };
}

/**
 * Posts a notice, at most three times: again where the network, the server (5xx) or a rate limit (429) stood in the way.
 * The address is a secret (whoever has it may post), so it is neither logged nor thrown.
 * @returns whether it arrived
 */
export async function postNotice(
  notice: Notice,
  url: string,
  io: { readonly fetch: typeof fetch; readonly wait: ScheduleDeps["wait"]; readonly log: Log },
  signal: AbortSignal,
): Promise<boolean> {
  for (const wait of [...WAITS_MS, null]) {
    const outcome = await post(notice, url, io.fetch, signal);
    if (outcome === "taken") return true;
    const again = outcome === "unreachable" || outcome === 429 || outcome >= 500;
    if (!again || wait === null || signal.aborted) {
      io.log.warn({ outcome }, "the notice of a failed run was not taken");
      return false;
    }
    try {
      await io.wait(wait, signal);
    } catch {
      return false; // asked to stop
    }
  }
  return false;
}

async function post(notice: Notice, url: string, fetcher: typeof fetch, signal: AbortSignal): Promise<"taken" | "unreachable" | number> {
  try {
    const reply = await fetcher(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(notice),
      redirect: "error",
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await reply.body?.cancel();
    return reply.ok ? "taken" : reply.status;
  } catch {
    // the error's text could hold the address
    return "unreachable";
  }
}
