// What changes while the page is open: the crawl, and audits in the background.

import { report } from "./file.js";
import { byId, el, isolated, number, percent, plain, say, several, size } from "./show.js";
import { brief } from "./words.js";

// Provisional pairs that are shown, the newest first.
const MOST_PAIRS = 20;

export const current = { progress: null, version: 0, compares: false, work: "idle", start: "", pairs: [] };

function sentenceOf({ progress, version, work }) {
  if (work?.failed) return `The audit has failed: ${work.failed}`;
  if (work === "running") return version ? "The audit runs again. The old results are shown until it has ended." : "The audit runs.";
  if (progress?.is_running) return version ? "The crawl goes on. These results are provisional." : "The crawl goes on. Results follow.";
  return "";
}

function bar({ found, fetched, skipped, pairs, bytes, seconds }) {
  const rate = seconds ? `, ${number(Math.round(fetched / seconds))} a second` : "";
  return [
    el("progress", { max: Math.max(found, 1), value: Math.min(fetched, found), "aria-label": "URLs of the crawl" }),
    el("span", {}, `${several(fetched, "URL")} of ${number(found)} found${rate}, ${number(skipped)} skipped, ${size(bytes)}, ${several(pairs, "provisional pair")}`),
  ];
}

function draw() {
  const sentence = sentenceOf(current);
  const isBusy = current.progress?.is_running;
  byId("progress").hidden = !sentence && !isBusy;
  byId("progress").className = current.work?.failed ? "progress error" : "progress";
  byId("progress").replaceChildren(el("strong", {}, plain(sentence)), ...(isBusy ? bar(current.progress) : []));
  if (isBusy) say(`${several(current.progress.fetched, "URL")} fetched, ${several(current.progress.pairs, "provisional pair")}.`, true);
}

// The screen without results: pairs that the crawl has seen so far.
export function waitingScreen() {
  const side = (letter, url) => [el("span", { class: "letter" }, letter), " ", isolated(brief(url))];
  const row = ({ a, b, similarity }) => el("tr", {}, el("td", { class: "value" }, percent(similarity)), el("th", { scope: "row" }, side("A", a), el("br"), side("B", b)));
  const head = el("tr", {}, el("th", { scope: "col", class: "value" }, "Similarity"), el("th", { scope: "col" }, "Pages"));
  const table = el("table", { class: "grid", "aria-labelledby": "seen" }, el("thead", {}, head), el("tbody", {}, current.pairs.map(row)));
  return [
    el("h1", {}, "Audit of ", isolated(current.start)),
    el("p", { class: "verdict" }, "There are no results yet. The audit follows the crawl, and may not confirm these pairs."),
    el("h2", { id: "seen" }, "The latest provisional pairs"),
    current.pairs.length ? el("div", { class: "wide", tabindex: "0", role: "group", "aria-labelledby": "seen" }, table) : el("p", { class: "faint" }, "No pair was seen so far."),
  ];
}

// Calls `onResults` whenever there are other results, and `onPairs` when there are more provisional pairs.
export function follow(onResults, onPairs) {
  if (report) return;
  const events = new EventSource("/api/events");
  events.onmessage = ({ data }) => {
    const { pairs, ...next } = JSON.parse(data);
    const [isFirst, isOther, wasRunning] = [!current.progress, next.version !== current.version, current.work === "running"];
    Object.assign(current, next);
    current.pairs = [...pairs.reverse(), ...current.pairs].slice(0, MOST_PAIRS);
    draw();
    if (wasRunning && next.work === "idle") say("The audit has ended. The results are shown.");
    if (isOther) onResults();
    else if (isFirst || pairs.length) onPairs();
  };
  events.onerror = () => {
    // A program that was started again has another token, and the browser does not ask it twice.
    const isOver = events.readyState === EventSource.CLOSED;
    const sentence = isOver ? "This page is of an earlier run. Open the address that the program has printed." : "The connection to the program was lost. The page tries to connect again.";
    byId("progress").hidden = false;
    byId("progress").className = "progress error";
    byId("progress").replaceChildren(el("strong", {}, sentence));
    say(sentence);
  };
}

