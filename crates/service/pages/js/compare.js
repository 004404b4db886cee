// Compare: two documents or texts side by side.

import { ask, start, stopwatch } from "./api.js";
import { hideComparison, showComparison, sideName } from "./comparison.js";
import { byId, debounce, notice, shown } from "./show.js";
import { LONG, onBack, read, write } from "./state.js";

const FIELDS = ["a", "b", "text-a", "text-b"];

let passage = 0;
let running = new AbortController();

function save(isStep) {
  const [a, b, textA, textB] = FIELDS.map((id) => byId(id).value);
  const texts = { "text-a": a ? "" : textA, "text-b": b ? "" : textB };
  byId("link-note").textContent = write({ a, b, passage: passage || "" }, texts, isStep) ? "" : LONG;
}

function restore() {
  const values = read();
  for (const id of FIELDS) byId(id).value = values[id] ?? "";
  passage = Number(values.passage) || 0;
  return answer();
}

// The document or the text of a side, or null if it has neither.
function selected(side) {
  const [id, text] = [byId(side).value.trim(), byId("text-" + side).value];
  return id ? { id } : text.trim() ? { text } : null;
}

async function answer() {
  running.abort();
  running = new AbortController();
  const { signal } = running;
  const [a, b] = [selected("a"), selected("b")];
  byId("took").textContent = "";
  if (!a || !b) {
    hideComparison();
    return notice("notice", "", a ? "Give a document or a text for B." : b ? "Give a document or a text for A." : "Give two documents or texts.");
  }
  const took = stopwatch();
  byId("main").setAttribute("aria-busy", "true");
  try {
    const compared = await ask("POST", "/v1/compare", { body: { a, b }, signal });
    byId("took").textContent = "after " + took();
    notice("notice", compared.found ? "found" : "", compared.sentence);
    showComparison(byId("comparison"), compared, {
      title: "Comparison",
      names: { a: sideName(compared.a.id), b: sideName(compared.b.id) },
      chosen: passage,
      onChoose: (number) => ((passage = number), save(false)),
    });
  } catch (error) {
    if (error.name === "AbortError") return;
    hideComparison();
    notice("notice", "error", shown(error.message));
  } finally {
    if (!signal.aborted) byId("main").removeAttribute("aria-busy");
  }
}

const answerSoon = debounce(300, () => {
  passage = 0;
  save(false);
  answer();
});

for (const id of FIELDS) byId(id).addEventListener("input", answerSoon);
byId("form").addEventListener("submit", (event) => event.preventDefault());
onBack(restore);
start(restore);
