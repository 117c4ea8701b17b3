import { get } from "../lib/api.js";
import { h, show } from "../lib/dom.js";
import { duration, placeIn, withoutTitle } from "../lib/format.js";
import { excerpt, wordSpots } from "../lib/query-words.js";
import { fillWith, marked, sourceTag } from "./parts.js";
import { openCitation } from "./source.js";

function rank(name, value) {
  return h("span", { title: `${name} rank` }, `${name} `, value === null ? "–" : `#${value}`);
}

function hit({ rank: place, chunk, bm25Rank, vectorRank, cosine, rerank }, all, query) {
  const shown = excerpt(withoutTitle(chunk), query, 420);
  return h(
    "li",
    { value: place },
    h(
      "button",
      { type: "button", class: "hit", onclick: () => openCitation(chunk, all, { words: query }) },
      h("b", null, chunk.title),
      h("span", { class: "fine" }, sourceTag(chunk.source), ` ${placeIn(chunk)}`),
      h("span", { class: "snippet" }, marked(shown, wordSpots(shown, query))),
      h(
        "span",
        { class: "fine ranks" },
        rank("words", bm25Rank),
        rank("meaning", vectorRank),
        cosine !== null && h("span", null, `cosine ${cosine.toFixed(2)}`),
        rerank !== null && h("span", null, `rerank ${rerank.toFixed(2)}`),
      ),
    ),
  );
}

/** The search tab; #search=words searches at once. */
export function showSearch(view, words, signal) {
  const field = h("input", {
    type: "search",
    id: "words",
    "data-first": true,
    autocomplete: "off",
    placeholder: "Words, a ticket key, a sha",
    maxlength: 2000,
  });
  field.value = words;
  const corpus = h(
    "select",
    { id: "corpus", "aria-label": "Where to search" },
    [
      ["all", "Everything"],
      ["records", "Records"],
      ["documents", "Documents"],
    ].map(([value, text]) => h("option", { value }, text)),
  );
  const place = h("div", { "aria-live": "polite" });
  let last = new AbortController();
  const search = () => {
    const query = field.value.trim();
    if (query === "") return show(place, h("p", { class: "quiet" }, "Type what to look for."));
    window.history.replaceState(null, "", `/#search=${encodeURIComponent(query)}`);
    last.abort();
    last = new AbortController();
    const gone = AbortSignal.any([signal, last.signal]);
    return fillWith(place, gone, async () => {
      const found = await get(`/api/search?q=${encodeURIComponent(query)}&k=20&corpus=${corpus.value}`, gone);
      const all = found.hits.map((one) => one.chunk);
      const total = Object.values(found.timings).reduce((sum, ms) => sum + ms, 0);
      return [
        found.missing.length > 0 &&
          h(
            "p",
            { class: "note" },
            "Nowhere in the index, letter for letter: ",
            found.missing.map((one) => h("code", null, one)),
          ),
        h("p", { class: "fine" }, `${found.hits.length} ${found.hits.length === 1 ? "passage" : "passages"} in ${duration(total)}`),
        found.hits.length === 0
          ? h("p", { class: "quiet" }, "Nothing was found.")
          : h(
              "ol",
              { class: "hits" },
              found.hits.map((one) => hit(one, all, query)),
            ),
      ];
    });
  };
  corpus.addEventListener("change", search);
  show(
    view,
    h("h1", { class: "aside" }, "Search"),
    h(
      "form",
      {
        class: "ask",
        role: "search",
        onsubmit: (event) => {
          event.preventDefault();
          search();
        },
      },
      h("label", { for: "words" }, "Search passages"),
      h("div", { class: "askbox" }, field, corpus, h("button", { type: "submit", class: "primary" }, "Search")),
    ),
    place,
  );
  if (words !== "") search();
  else field.focus();
}
