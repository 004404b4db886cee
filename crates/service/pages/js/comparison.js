// The answer of /v1/compare: measures, and both texts with their passages.

import { marked, tint } from "./marked.js";
import { byId, el, name, number, several, shown, similarity } from "./show.js";

// A longer list helps nobody; the texts have all passages.
const MOST_LISTED = 200;
// The characters of a passage that the list quotes.
const MOST_QUOTED = 160;

const MEASURES = [
  ["Jaccard similarity", "jaccard", "shared shingles, divided by all shingles"],
  ["Jaccard similarity by words", "word_jaccard", "shared words, divided by all words"],
  ["Containment of A", "containment_of_a", "share of the shingles of A that are in B"],
  ["Containment of B", "containment_of_b", "share of the shingles of B that are in A"],
  ["Cosine", "cosine", "cosine of the shingles"],
];

function measures({ measures, a, b }) {
  const row = ([title, field, note]) =>
    el("tr", {}, el("th", { scope: "row" }, title), el("td", { class: "value" }, similarity(measures[field])), el("td", { class: "faint" }, note));
  const size = (side, text) =>
    el("tr", {}, el("th", { scope: "row" }, `Size of ${side}`), el("td", { class: "value" }, several(text.tokens, "token")), el("td", { class: "faint" }, several(text.shingles, "distinct shingle")));
  return el("table", {}, el("caption", {}, "How similar the two are"), el("tbody", {}, MEASURES.map(row), size("A", a), size("B", b)));
}

function list({ passages, a }, choose) {
  const characters = Array.from(a.text);
  const item = (passage, index) => {
    const [start, end] = passage.a;
    const quote = characters.slice(start, Math.min(end, start + MOST_QUOTED)).join("") + (end - start > MOST_QUOTED ? " …" : "");
    const button = el("button", { type: "button", class: "number", "aria-label": `Show passage ${index + 1}`, onclick: () => choose(index + 1) }, String(index + 1));
    return el("li", { class: tint(index + 1) }, button, ` ${several(passage.tokens, "token")}: `, el("bdi", { class: "faint", lang: "" }, shown(quote)));
  };
  const rest = passages.length - MOST_LISTED;
  return el(
    "details",
    {},
    el("summary", {}, `List of the passages (${number(passages.length)})`),
    el("ol", { class: "passages" }, passages.slice(0, MOST_LISTED).map(item), rest > 0 ? el("li", { class: "faint" }, `${number(rest)} more are in the texts.`) : null),
  );
}

// Only the text moves, and the page stays where it is.
function scrollTo(box, passage) {
  const [outer, inner] = [box.getBoundingClientRect(), passage.getBoundingClientRect()];
  box.scrollTop += inner.top - outer.top - outer.height / 4;
}

// Lets the reader go through the passages. Returns the bar of buttons, and the function that shows a passage.
function navigation(section, passages, onChoose) {
  const place = el("span", { role: "status" });
  let current = 0;
  const choose = (next, isStep = true) => {
    current = ((next - 1 + passages.length) % passages.length) + 1;
    for (const old of section.querySelectorAll(".current")) old.classList.remove("current");
    for (const passage of section.querySelectorAll(`.passage[data-number="${current}"]`)) {
      passage.classList.add("current");
      scrollTo(passage.closest(".text"), passage);
    }
    place.textContent = `Passage ${number(current)} of ${number(passages.length)}, ${several(passages[current - 1].tokens, "token")}`;
    if (isStep) onChoose(current);
  };
  const button = (text, key, step) =>
    el("button", { type: "button", "aria-keyshortcuts": key, onclick: () => choose(current ? current + step : step > 0 ? 1 : passages.length) }, `${text} (${key})`);
  const buttons = [button("Previous passage", "p", -1), button("Next passage", "n", 1)];
  section.onkeydown = (event) => {
    const at = ["p", "n"].indexOf(event.key);
    if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    buttons[at].click();
  };
  place.textContent = several(passages.length, "shared passage");
  return { bar: el("p", { class: "bar" }, buttons, " ", place), choose };
}

// Fills `section`. `title` heads it, `names` are what A and B are, and `chosen` is the number of the passage that is shown.
export function showComparison(section, answer, { title, names, chosen, onChoose, sentence }) {
  const { passages } = answer;
  const { bar, choose } = navigation(section, passages, onChoose);
  const side = (letter) => {
    const id = `side-${letter}`;
    return el(
      "section",
      { class: "side", "aria-labelledby": id },
      el("h3", { id }, `${letter.toUpperCase()}: `, names[letter]),
      el("div", { class: "text", lang: "", dir: "auto", tabindex: "0", role: "group", "aria-labelledby": id }, marked(letter, answer[letter].text, passages, choose)),
    );
  };
  const note = passages.length
    ? "Equal text is underlined. The keys n and p lead to the next and the previous passage while the focus is in this part of the page."
    : "The two share no passage: no three words or more follow each other in both.";
  section.replaceChildren(
    el("h2", { id: "comparison-title" }, title),
    sentence ? el("p", { class: `verdict ${answer.found ? "found" : ""}` }, sentence) : "",
    measures(answer),
    passages.length ? list(answer, choose) : "",
    el("p", { class: "faint" }, note),
    passages.length ? bar : "",
    el("div", { class: "sides" }, side("a"), side("b")),
  );
  section.hidden = false;
  if (chosen >= 1 && chosen <= passages.length) choose(chosen, false);
}

export const sideName = (id) => (id === null || id === undefined ? "the text" : el("a", { href: "/document?id=" + encodeURIComponent(id) }, name(id)));

export function hideComparison() {
  byId("comparison").hidden = true;
  byId("comparison").replaceChildren();
}
