/** Text for a place in HTML, inside an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** HTML that was built from escaped parts; the only thing that `html` puts in as it is. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | null | readonly Part[];

function render(part: Part): string {
  if (part === null) return "";
  if (part instanceof Html) return part.text;
  if (typeof part === "string" || typeof part === "number") return escapeHtml(String(part));
  return part.map(render).join("");
}

/** A template whose values are escaped, so that no record's text can become markup. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.map((text, at) => text + render(parts[at] ?? null)).join(""));
}

/** A link's target when it is one that may be followed (http, https, or a path of ours), else null. */
export function safeUrl(url: string | null): string | null {
  if (url === null) return null;
  if (/^\/(?!\/)/.test(url)) return url;
  return URL.canParse(url) && ["http:", "https:"].includes(new URL(url).protocol) ? url : null;
}
