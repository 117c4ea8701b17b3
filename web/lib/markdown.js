/** An answer as Markdown, for the incident channel. */
export function markdownOf(answer) {
  const line = (citation) => {
    const title = citation.title.replace(/([\\`*_[\]<>])/g, "\\$1").replace(/\s+/g, " ");
    const page = citation.page ? `, page ${citation.page}` : "";
    return `[${citation.n}] ${citation.url ? `[${title}](<${new URL(citation.url, location.origin).href.replace(/[<>\s]/g, encodeURIComponent)}>)` : title}${page}`;
  };
  const doubts = answer.claims
    .filter((claim) => claim.label !== "SUPPORTED")
    .map((claim) => `- ${claim.label.toLowerCase()}: ${claim.text} (${claim.reason})`);
  return [
    `**${answer.question}**`,
    answer.answer,
    ...(doubts.length > 0 ? [`Not certain:\n${doubts.join("\n")}`] : []),
    ...(answer.citations.length > 0 ? [answer.citations.map(line).join("\n")] : []),
    `As of ${answer.asOf} · ${new URL(answer.permalink, location.origin)}`,
  ].join("\n\n");
}
