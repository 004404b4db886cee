// A pair: two pages side by side, with all shared passages.

import { marked, tint } from "./marked.js";
import { el, number, percent, score, several, shown, webLink } from "./show.js";
import { ask } from "./source.js";
import { link, read, write } from "./state.js";
import { CLASSES, clusterLink, heading } from "./words.js";

// A longer list helps nobody. The texts have all passages.
const MOST_LISTED = 200;
// The characters of a passage that the list quotes.
const MOST_QUOTED = 160;

function scores({ pair }) {
  const [least, most] = pair.sequence;
  const sequence = least === most ? score(least) : `${score(least)} to ${score(most)}`;
  const rows = [
    ["Of A in B", percent(pair.percent[0]), `${several(pair.matched[0], "word")} in common passages`],
    ["Of B in A", percent(pair.percent[1]), `${several(pair.matched[1], "word")} in common passages`],
    ["Combined score", score(pair.score), "weighted mean of the next three"],
    ["Jaccard similarity", score(pair.jaccard), "shared shingles, divided by all shingles"],
    ["Jaccard similarity by words", score(pair.word_jaccard), "shared words, divided by all words"],
    ["Sequence ratio", sequence, "words in the same order"],
    ["Containment", score(pair.containment), "share of the smaller set of shingles"],
    ["Class", CLASSES[pair.class] ?? pair.class, ""],
  ];
  const row = ([title, value, note]) => el("tr", {}, el("th", { scope: "row" }, title), el("td", { class: "value" }, value), el("td", { class: "faint" }, note));
  return el("details", { open: true }, el("summary", {}, "All scores"), el("table", { class: "facts" }, el("tbody", {}, rows.map(row))));
}

function list({ passages, sides }, choose) {
  const characters = Array.from(sides[0].text);
  const item = ({ places, words }, index) => {
    const [start, end] = places[0];
    const quote = characters.slice(start, Math.min(end, start + MOST_QUOTED)).join("") + (end - start > MOST_QUOTED ? " …" : "");
    const button = el("button", { type: "button", class: "number", "aria-label": `Show passage ${index + 1}`, onclick: () => choose(index + 1) }, String(index + 1));
    return el("li", { class: tint(index + 1) }, button, ` ${several(words, "word")}: `, el("bdi", { class: "faint", lang: "" }, shown(quote)));
  };
  const rest = passages.length - MOST_LISTED;
  return el("details", {}, el("summary", {}, `List of the passages (${number(passages.length)})`), el("ol", { class: "passages" }, passages.slice(0, MOST_LISTED).map(item), rest > 0 ? el("li", { class: "faint" }, `${number(rest)} more are in the texts.`) : null));
}

// Scrolls the other text in step: the last passage at the top of one text is at the same height in the other.
function keepInStep(boxes, isOn) {
  const top = (box, span) => span.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop;
  let moved = null;
  const anchors = (from, to) => {
    const spans = [...from.querySelectorAll(".passage")].map((span) => [top(from, span), top(to, to.querySelector(`[data-number="${span.dataset.number}"]`))]);
    return [[0, 0], ...spans, [from.scrollHeight, to.scrollHeight]];
  };
  const follow = (from, to) => {
    if (moved === from) return void (moved = null);
    if (!isOn()) return;
    const line = from.clientHeight / 4;
    const places = anchors(from, to);
    const index = places.findLastIndex(([at]) => at <= from.scrollTop + line);
    const [[at, there], next] = [places[Math.max(0, index)], places[index + 1]];
    const room = next && next[1] > there && next[0] > at ? (next[1] - there) / (next[0] - at) : 1;
    const target = Math.round(there + (from.scrollTop + line - at) * Math.min(room, 1) - line);
    const before = to.scrollTop;
    to.scrollTop = from.scrollTop === 0 ? 0 : target;
    if (to.scrollTop !== before) moved = to;
  };
  boxes.forEach((box, side) => box.addEventListener("scroll", () => follow(box, boxes[1 - side])));
  // The other text moves on its own for a moment.
  return (box, place) => {
    moved = box;
    box.scrollTop = place;
  };
}

function side(index, { url, title, words, left_out, text }, passages, choose) {
  const id = `side-${index}`;
  const letter = "AB"[index];
  const note = `${several(words, "word")}${left_out ? `, and ${number(left_out)} of template that are not compared` : ""}`;
  const box = el("div", { class: "text", lang: "", dir: "auto", tabindex: "0", role: "group", "aria-labelledby": id }, marked(index, text, passages, choose));
  const section = el("section", { class: "side", "aria-labelledby": id }, el("h2", { id }, `${letter}: `, el("a", { href: link("page", { url }) }, heading(title, url))), el("p", { class: "address" }, webLink(url)), el("p", { class: "faint" }, note), box);
  return { section, box };
}

// Both texts, and the bar that leads through their passages.
function texts({ sides, passages }, chosen) {
  const place = el("span", { role: "status" });
  const inStep = el("input", { type: "checkbox", id: "in-step", checked: read().values.step !== "0" });
  inStep.addEventListener("change", () => write("pair", { ...read().values, step: inStep.checked ? "" : "0" }, false));
  let current = 0;
  let boxes = [];
  let move = () => {};
  const choose = (next, isStep = true) => {
    current = ((next - 1 + passages.length) % passages.length) + 1;
    boxes.forEach((box) => {
      box.querySelector(".current")?.classList.remove("current");
      const span = box.querySelector(`[data-number="${current}"]`);
      span.classList.add("current");
      move(box, box.scrollTop + span.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 4);
    });
    place.textContent = `Passage ${number(current)} of ${number(passages.length)}, ${several(passages[current - 1].words, "word")}`;
    if (!isStep) return;
    // Both texts may be below the screen, or one below the other.
    boxes[0].closest(".sides").scrollIntoView({ block: "nearest" });
    write("pair", { ...read().values, passage: current }, false);
  };
  const button = (text, key, step) => el("button", { type: "button", "aria-keyshortcuts": key, onclick: () => choose(current ? current + step : step > 0 ? 1 : passages.length) }, `${text} (${key})`);
  const buttons = [button("Previous", "p", -1), button("Next", "n", 1)];
  const built = sides.map((one, index) => side(index, one, passages, choose));
  boxes = built.map(({ box }) => box);
  move = keepInStep(boxes, () => inStep.checked);
  place.textContent = several(passages.length, "shared passage");
  const note = passages.length ? "Equal text is underlined. The keys n and p lead to the next and the previous passage." : "They share no passage that counts.";
  const section = el("section", { "aria-label": "Both texts" }, passages.length ? list({ passages, sides }, choose) : null, el("p", { class: "faint" }, note), passages.length ? el("p", { class: "bar" }, buttons, el("label", {}, inStep, " scroll in step"), " ", place) : null, el("div", { class: "sides" }, built.map(({ section: one }) => one)));
  const onKey = (event) => {
    const at = ["p", "n"].indexOf(event.key);
    const writes = event.target.closest?.("input:not([type=checkbox]), select, textarea");
    if (at >= 0 && passages.length && !writes && !event.ctrlKey && !event.metaKey && !event.altKey) buttons[at].click();
  };
  const shows = chosen >= 1 && chosen <= passages.length;
  return { section, onKey, onShown: () => shows && choose(chosen, false) };
}

export async function pairScreen(values) {
  const answer = await ask("pair", { a: values.a, b: values.b });
  const [a, b] = answer.sides;
  const { section, onKey, onShown } = a.text === null ? {} : texts(answer, Number(values.passage) || 0);
  const kind = answer.is_reported && !answer.pair.handled ? "" : "found";
  return {
    title: "Pair",
    onKey,
    onShown,
    nodes: [
      el("h1", {}, answer.is_reported ? "Two pages with common content" : "Two pages that are no pair"),
      el("div", { class: `verdict ${kind}` }, answer.why.map((sentence) => el("p", {}, shown(sentence)))),
      a.text === null ? el("ul", { class: "plain" }, el("li", {}, "A: ", webLink(a.url)), el("li", {}, "B: ", webLink(b.url))) : null,
      answer.is_reported ? el("p", {}, clusterLink(a.url, "The cluster of A")) : null,
      scores(answer),
      section,
    ],
  };
}
