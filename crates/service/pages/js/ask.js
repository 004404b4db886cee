// Ask: is a text new, a duplicate or a copy, which documents are similar, and which passages are shared?

import { ask, start, stopwatch } from "./api.js";
import { hideComparison, showComparison, sideName } from "./comparison.js";
import { byId, debounce, documentLink, el, name, notice, number, several, score, scoreInWords, shown, webLink } from "./show.js";
import { LONG, address, onBack, read, write } from "./state.js";

const MOST_MATCHES = 20;
const LABELS = { text: "Text", html: "HTML", id: "Id", url: "URL" };

let state = { kind: "text", value: "", match: "", passage: 0 };
let running = new AbortController();

const isLong = () => state.kind === "text" || state.kind === "html";

function parts(changes = {}) {
  const { kind, value, match, passage } = { ...state, ...changes };
  const short = { kind: kind === "text" ? "" : kind, match, passage: passage || "" };
  return isLong() ? [short, { text: value }] : [{ ...short, of: value }];
}

function save(isStep) {
  const [values, texts] = parts();
  byId("link-note").textContent = write(values, texts, isStep) ? "" : LONG;
}

function restore() {
  const { kind = "text", text = "", of = "", match = "", passage = "0" } = read();
  state = { kind: kind in LABELS ? kind : "text", value: "", match, passage: Number(passage) || 0 };
  state.value = isLong() ? text : of;
  document.querySelector(`input[value="${state.kind}"]`).checked = true;
  showKind();
  return answer();
}

function showKind() {
  byId("long").hidden = !isLong();
  byId("short").hidden = isLong();
  byId("text-label").textContent = byId("name-label").textContent = LABELS[state.kind];
  byId(isLong() ? "text" : "name").value = state.value;
}

function headline(checked, similar) {
  const count = similar.matches.length;
  const best = checked?.match;
  if (best) {
    const kind = best.copy ? "Copy: " : "Duplicate: ";
    const reason = best.copy ? " has the same shingles, equally often." : ` has ${scoreInWords(best)}.`;
    return [el("strong", {}, kind), documentLink(best.id), reason];
  }
  if (checked) return [el("strong", {}, "New: "), "no document of the index is similar to this text."];
  return count ? `${count === MOST_MATCHES ? "At least " : ""}${several(count, "other document")} of the index ${count === 1 ? "is" : "are"} similar to it.` : "No other document of the index is similar to it.";
}

function showVerdict(checked, similar) {
  const { candidates, nearest, matches } = similar;
  const reason = matches.length
    ? `${several(candidates, "document")} ${candidates === 1 ? "has" : "have"} a sketch that matches.`
    : nearest
      ? [`${several(candidates, "document")} ${candidates === 1 ? "has" : "have"} a sketch that matches. The nearest is `, documentLink(nearest.id), ` with ${scoreInWords(nearest)}.`]
      : "No document has a sketch that matches, so there is no candidate.";
  const capped = similar.capped && "There are more candidates than a text is compared with, so a similar document may be missing.";
  notice("verdict", matches.length ? "found" : "", headline(checked, similar), reason, capped);
}

function row(match, rank) {
  const { path } = address(...parts({ match: match.id, passage: 0 }));
  const choose = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    Object.assign(state, { match: match.id, passage: 0 });
    save(true);
    answer();
  };
  const isChosen = match.id === state.match || (!state.match && rank === 0);
  return el(
    "tr",
    { class: isChosen ? "chosen" : "" },
    el("td", { class: "value" }, number(rank + 1)),
    el("td", { class: "name" }, documentLink(match.id), match.title ? [" ", name(match.title)] : null, match.url ? [el("br"), webLink(match.url)] : null),
    el("td", { class: "value" }, score(match)),
    el("td", {}, match.copy ? "copy" : "duplicate"),
    el("td", {}, el("a", { href: path, onclick: choose, "aria-current": isChosen ? "true" : null, "aria-label": `Show the passages of rank ${rank + 1}` }, isChosen ? "shown" : "show")),
  );
}

function showMatches(similar) {
  byId("similar").hidden = similar.matches.length === 0;
  // The row that has the focus is made again.
  const focused = byId("matches").contains(document.activeElement);
  byId("matches").replaceChildren(...similar.matches.map(row));
  if (focused) byId("matches").querySelector("[aria-current]")?.focus();
}

async function compare(selected, similar, signal) {
  const { matches, nearest } = similar;
  const best = matches.find((match) => match.id === state.match) ?? matches[0] ?? nearest;
  if (!best) return hideComparison();
  const compared = await ask("POST", "/v1/compare", { body: { a: selected, b: { id: best.id } }, signal });
  showComparison(byId("comparison"), compared, {
    title: matches.length ? "Shared passages" : "Why the nearest candidate does not count as similar",
    names: { a: compared.a.id === null ? "your text" : sideName(compared.a.id), b: sideName(best.id) },
    sentence: compared.sentence,
    chosen: state.passage,
    onChoose: (passage) => ((state.passage = passage), save(false)),
  });
}

async function answer() {
  running.abort();
  running = new AbortController();
  const { signal } = running;
  const value = isLong() ? state.value : state.value.trim();
  byId("took").textContent = "";
  if (value.trim() === "") {
    byId("similar").hidden = true;
    hideComparison();
    return notice("verdict", "", "Paste a text, or name a document.");
  }
  const selected = { [state.kind]: value };
  const main = byId("main");
  main.setAttribute("aria-busy", "true");
  try {
    const took = stopwatch();
    const check = isLong() ? ask("POST", "/v1/check", { body: selected, signal }) : null;
    const [checked, similar] = await Promise.all([check, ask("POST", "/v1/similar", { body: { ...selected, k: MOST_MATCHES, explain: true }, signal })]);
    byId("took").textContent = "after " + took();
    showVerdict(checked, similar);
    showMatches(similar);
    await compare(selected, similar, signal);
  } catch (error) {
    if (error.name === "AbortError") return;
    byId("similar").hidden = true;
    hideComparison();
    notice("verdict", "error", shown(error.message));
  } finally {
    if (!signal.aborted) main.removeAttribute("aria-busy");
  }
}

// Long enough that no request is sent between two letters.
const answerSoon = debounce(250, () => {
  save(false);
  answer();
});

function edit(event) {
  Object.assign(state, { value: event.target.value, match: "", passage: 0 });
  answerSoon();
}

byId("text").addEventListener("input", edit);
byId("name").addEventListener("input", edit);
byId("form").addEventListener("submit", (event) => event.preventDefault());
byId("form").addEventListener("change", (event) => {
  if (event.target.name !== "kind") return;
  const wasLong = isLong();
  state = { kind: event.target.value, value: state.value, match: "", passage: 0 };
  // A text stays when it is taken for HTML, and is not an id.
  if (wasLong !== isLong()) state.value = "";
  showKind();
  save(true);
  answer();
});
onBack(restore);
// Typed before this module was loaded.
const typed = byId("text").value;
start(restore);
if (typed && !state.value) edit({ target: Object.assign(byId("text"), { value: typed }) });
