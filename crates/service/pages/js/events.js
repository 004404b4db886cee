// Events: what happens in the index, as it happens.
//
// The stream is read by fetch, as an EventSource cannot send a key.

import { send, start } from "./api.js";
import { byId, documentLink, el, name, notice, number, several, scoreInWords, shown } from "./show.js";
import { onBack, read, write } from "./state.js";

const TYPES = { added: "added", duplicate: "duplicate", removed: "removed", canonical: "canonical" };
const MOST_SHOWN = 500;
// Events that a page begins with.
const FIRST = 100;
const [LEAST_WAIT, MOST_WAIT] = [1000, 15000];

let hidden = new Set();
let isPaused = false;
// The newest last. While the page is paused, others wait.
let events = [];
let waiting = [];
let last = null;
let running = new AbortController();

const compareLink = (a, b) => el("a", { href: `/compare?a=${encodeURIComponent(a)}&b=${encodeURIComponent(b)}` }, "Compare the two");

function happened(event) {
  switch (event.type) {
    case "added":
      return "It is new, and was added.";
    case "duplicate": {
      const found = [`It has ${scoreInWords(event)} beside `, documentLink(event.of), ". "];
      return [found, event.stored ? compareLink(event.id, event.of) : "Its text was not stored."];
    }
    case "removed":
      return "It was removed.";
    case "canonical":
      return ["It stands for its cluster now. Before, it was ", name(event.previous), "."];
    default:
      return "";
  }
}

function row({ number: at, arrived, event }) {
  const isThere = event.type !== "removed" && event.stored !== false;
  return el(
    "tr",
    { "data-type": event.type, hidden: hidden.has(event.type) },
    el("td", { class: "value" }, number(at)),
    el("td", { class: "value" }, arrived),
    el("td", {}, TYPES[event.type] ?? name(String(event.type))),
    el("td", { class: "name" }, isThere ? documentLink(event.id) : name(event.id)),
    el("td", { class: "name" }, happened(event)),
  );
}

function showWaiting() {
  byId("waiting").textContent = isPaused ? `${several(waiting.length, "new event")} ${waiting.length === 1 ? "waits" : "wait"}.` : "";
}

function flush() {
  showWaiting();
  if (isPaused || waiting.length === 0) return;
  const added = waiting.slice(-MOST_SHOWN);
  waiting = [];
  events = [...events, ...added].slice(-MOST_SHOWN);
  byId("events").prepend(...added.map(row).reverse());
  while (byId("events").rows.length > MOST_SHOWN) byId("events").rows[MOST_SHOWN].remove();
}

// One block of the stream: lines of fields.
function take(block, isEarlier) {
  const field = (key) => block.split("\n").find((line) => line.startsWith(key + ":"))?.slice(key.length + 1).trim();
  const [id, data] = [field("id"), field("data")];
  if (!id || !data) return;
  last = id;
  const arrived = isEarlier ? "earlier" : new Date().toLocaleTimeString();
  waiting.push({ number: Number(id.split("-")[1]), arrived, event: JSON.parse(data) });
  if (waiting.length > MOST_SHOWN) waiting.shift();
}

async function readStream(response, isFirst) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  const began = performance.now();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop();
    // The service sends at once what happened before the page was opened.
    blocks.forEach((block) => take(block, isFirst && performance.now() - began < 300));
    flush();
  }
}

// Follows the stream. If it breaks, it goes on behind the last event.
async function follow() {
  running.abort();
  running = new AbortController();
  const { signal } = running;
  let wait = LEAST_WAIT;
  while (!signal.aborted) {
    const from = last ?? read().from;
    try {
      const response = await send("GET", "/v1/events" + (from ? "?from=" + encodeURIComponent(from) : `?last=${FIRST}`), { signal });
      notice("notice", "found", "The page follows the service. New events appear at the top.");
      wait = LEAST_WAIT;
      await readStream(response, last === null);
      throw new Error("The service has ended the stream.");
    } catch (error) {
      if (signal.aborted) return;
      // The service was started again, or the page was away for too long.
      if (error.status === 410) {
        last = null;
        if (read().from) save({ from: "" });
      }
      if (error.status === 401 || error.status === 403) return notice("notice", "error", shown(error.message));
      const sentence = error.status === undefined ? "The connection was lost." : error.message;
      notice("notice", "error", shown(`${sentence} The page tries again in ${several(wait / 1000, "second")}.`));
      await new Promise((done) => setTimeout(done, wait));
      wait = Math.min(2 * wait, MOST_WAIT);
    }
  }
}

function save({ from = read().from, isStep = false } = {}) {
  write({ hide: [...hidden].join(","), paused: isPaused ? "1" : "", from }, {}, isStep);
}

function showState() {
  for (const box of byId("form").elements) if (box.name in TYPES) box.checked = !hidden.has(box.name);
  byId("pause").setAttribute("aria-pressed", String(isPaused));
  for (const one of byId("events").rows) one.hidden = hidden.has(one.dataset.type);
  flush();
}

function restore() {
  const values = read();
  hidden = new Set((values.hide ?? "").split(",").filter((type) => type in TYPES));
  isPaused = values.paused === "1";
  showState();
}

byId("form").addEventListener("change", ({ target }) => {
  hidden[target.checked ? "delete" : "add"](target.name);
  save({ isStep: true });
  showState();
});
byId("pause").addEventListener("click", () => {
  isPaused = !isPaused;
  save({ isStep: true });
  showState();
});
onBack(restore);
restore();
start(follow);
