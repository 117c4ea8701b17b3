import { h } from "../lib/dom.js";
import { clip, placeIn, withoutTitle } from "../lib/format.js";
import { sourceTag } from "./parts.js";
import { openCitation } from "./source.js";

/** Sources shown at first; a long list has more, folded. */
const FIRST_SOURCES = 12;

/** The list of an answer's sources, each with what the answer took from it. */
export function sources(answer, changed) {
  if (answer.citations.length === 0) return null;
  // a source opened from the list shows all that the answer took from it
  const shown = { evidence: answer.claims.flatMap(({ evidence = [] }) => evidence) };
  const more = answer.citations.slice(FIRST_SOURCES);
  const source = (citation) => {
    const change = changed?.find((one) => one.n === citation.n);
    return h(
      "li",
      { value: citation.n },
      h(
        "button",
        { type: "button", class: "source", onclick: () => openCitation(citation, answer.citations, { changed: change, claim: shown }) },
        h("span", { class: "number" }, citation.n),
        h(
          "span",
          { class: "source-text" },
          h("b", null, clip(citation.title, 110)),
          h(
            "span",
            { class: "fine" },
            sourceTag(citation.source),
            ` ${placeIn(citation)}`,
            change && h("em", { class: "changed" }, change.change === "gone" ? " removed since" : " edited since"),
          ),
          h("span", { class: "snippet" }, clip(withoutTitle(citation), 180)),
        ),
      ),
    );
  };
  return h(
    "section",
    { class: "sources", "aria-labelledby": "sources-title" },
    h("h2", { id: "sources-title" }, "Sources"),
    h("ol", null, answer.citations.slice(0, FIRST_SOURCES).map(source)),
    more.length > 0 &&
      h(
        "details",
        null,
        h("summary", null, `${more.length} more ${more.length === 1 ? "source" : "sources"}`),
        h("ol", null, more.map(source)),
      ),
  );
}
