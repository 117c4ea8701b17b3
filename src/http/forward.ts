import type { Answer } from "../core/answer.ts";
import { channelText } from "../core/channel.ts";
import type { Log } from "../core/connector.ts";

const TIMEOUT_MS = 10_000;

/**
 * Answers as one message for a channel: `{text}` is what Slack, Mattermost and others take at an incoming webhook.
 * @see https://docs.slack.dev/messaging/formatting-message-text/
 */
export function channelMessage(answers: readonly Answer[]): { readonly text: string } {
  const parts = answers.map((answer) => {
    const sources = answer.citations.map(({ n, title, url }) => {
      const name = channelText(title).replace(/\s+/g, " ").slice(0, 120);
      return `[${n}] ${url !== null && /^https?:\/\/[^<>|\s]+$/.test(url) ? `<${url}|${name.replaceAll("|", "/")}>` : name}`;
    });
    return [`*${channelText(answer.question)}*`, channelText(answer.answer), ...sources].join("\n");
  });
  return { text: parts.join("\n\n") };
}

/** Posts what alerts were answered with to a channel. A channel that fails is a warning: the alert itself has arrived. */
export async function forward(
  answers: readonly Answer[],
  url: string,
  io: { readonly fetch: typeof fetch; readonly log: Log },
): Promise<void> {
  if (answers.length === 0) return;
  try {
    const reply = await io.fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(channelMessage(answers)),
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!reply.ok) io.log.warn({ status: reply.status }, "channel refused the answer to an alert");
    await reply.body?.cancel();
  } catch (error) {
    io.log.warn({ error: error instanceof Error ? error.message : String(error) }, "channel could not be reached");
  }
}
