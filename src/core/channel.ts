/**
 * A text as the incoming webhooks of Slack, Mattermost and others take it, with Slack's own signs taken out of it, so
 * that what stands in a record can neither mention a channel nor make a link.
 * @see https://docs.slack.dev/messaging/formatting-message-text/
 */
export function channelText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
