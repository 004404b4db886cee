// Index: the plan, the size and the readiness of the index, and live charts.

import { ask, send, start } from "./api.js";
import { SPAN, brief, draw } from "./chart.js";
import { buckets, parse, quantile, since, sum } from "./metrics.js";
import { byId, el, name, notice, number, shown } from "./show.js";
import { onBack, read, write } from "./state.js";

const EVERY_MILLISECONDS = 2000;
const CHECK = "POST /v1/check";
const DECISIONS = { New: "new", Duplicate: "duplicate", Unchanged: "unchanged", Conflict: "other text" };
const MODES = { unique: "are not stored", all: "are stored" };
const OWN = /^GET \/(metrics|v1\/index|assets\/.*|document|compare|index|events)?$/;

// Readings of /metrics, the oldest first: { at, samples }.
let readings = [];
let timer;
let route = CHECK;
let isPaused = false;

const isOthers = ({ route }) => !OWN.test(route);

// What `rate` makes of each reading and the one before it.
const series = (title, rate) => ({
  title,
  points: readings.slice(1).map((later, index) => [later.at, rate(later, readings[index])]),
});

const perSecond = (name, accept) => (later, earlier) => (sum(later.samples, name, accept) - sum(earlier.samples, name, accept)) / (later.at - earlier.at);

function percentile(share, name, own) {
  return (later, earlier) => {
    const [now, before] = [later, earlier].map(({ samples }) => buckets(samples, name, own));
    const seconds = quantile(since(now, before), share);
    return seconds === null ? null : seconds * 1000;
  };
}

function drawAll() {
  const now = readings.at(-1)?.at ?? 0;
  const decision = ([kind, title]) => series(title, perSecond("decisions_total", (labels) => labels.decision === kind));
  draw(byId("requests-chart"), [
    series("checks", perSecond("requests_total", (labels) => labels.route === CHECK)),
    series("all", perSecond("requests_total", isOthers)),
    series("errors", perSecond("requests_total", (labels) => isOthers(labels) && Number(labels.status) >= 400)),
  ], now);
  const times = (name, own) => [series("median", percentile(0.5, name, own)), series("99th percentile", percentile(0.99, name, own))];
  draw(byId("time-chart"), times("request_duration_seconds", (labels) => labels.route === route), now);
  draw(byId("sync-chart"), times("sync_duration_seconds", () => true), now);
  draw(byId("decisions-chart"), Object.entries(DECISIONS).map(decision), now);
}

function figure(id, value) {
  document.querySelector(`[data-figure="${id}"]`).textContent = value;
}

// Of a copy: whom it follows, and how far it is.
function showCopy({ follows, lag, not_following, not_ready }) {
  byId("copy").hidden = follows === null;
  if (follows === null) return;
  const isReported = not_ready !== null && not_ready.includes(not_following);
  notice(
    "copy",
    not_following === null ? "found" : "error",
    ["This is a read-only copy. It follows ", name(follows), "."],
    lag === null ? "It has not had all changes since it was started." : `It had all changes ${brief(lag)} seconds ago.`,
    not_following !== null && !isReported && shown(`It gets no changes now: ${not_following}.`),
  );
}

function showIndex({ plan, mode, canonical, ttl, not_ready, ...sizes }, samples) {
  for (const id of ["documents", "sequence", "waiting", "runs", "memtables"]) figure(id, number(sizes[id]));
  for (const id of ["threshold", "measure", "shingle"]) figure(id, plan[id] ?? "none");
  figure("search", plan.bits ? `SimHash of ${plan.bits} bits, ${plan.hamming} of which may differ` : `MinHash of ${plan.num_perm} values, ${plan.bands} × ${plan.rows} bands`);
  // Rounded down: less than 1 does not become 1.
  figure("recall", plan.threshold === null ? "all within this distance" : plan.recall === null ? "not known for this measure" : (Math.floor(plan.recall * 1e5) / 1e5).toString());
  figure("mode", MODES[mode] ?? mode);
  figure("canonical", canonical);
  figure("ttl", ttl === null ? "never, unless a request says so" : `after ${number(ttl)} s`);
  const checks = sum(samples, "candidates_count");
  figure("candidates", checks ? brief(sum(samples, "candidates_sum") / checks) : "–");
  figure("merges", number(sum(samples, "merges_total")));
  figure("compared", number(sum(samples, "compared_total")));
  figure("capped", number(sum(samples, "capped_total")));
  if (not_ready) notice("notice", "error", shown(`The service is not ready: ${not_ready}.`));
  else if (!byId("notice").classList.contains("found")) notice("notice", "found", `The service is ready: the index is in memory, and ${sizes.follows === null ? "changes are written" : "questions are answered"}.`);
  showCopy({ not_ready, ...sizes });
}

function showRoutes(samples) {
  const routes = [...new Set((samples.get("requests_total") ?? []).map(({ labels }) => labels.route))].sort();
  const cells = (route) => {
    const own = (labels) => labels.route === route;
    const times = buckets(samples, "request_duration_seconds", own);
    const milliseconds = (share) => brief((quantile(times, share) ?? 0) * 1000) + " ms";
    const errors = sum(samples, "requests_total", (labels) => own(labels) && Number(labels.status) >= 400);
    return [number(sum(samples, "requests_total", own)), number(errors), milliseconds(0.5), milliseconds(0.99)];
  };
  const row = (title, values) => el("tr", {}, el("th", { scope: "row" }, title), values.map((value) => el("td", { class: "value" }, value)));
  byId("routes").replaceChildren(...routes.map((route) => row(route, cells(route))));
  const decided = (kind) => number(sum(samples, "decisions_total", (labels) => labels.decision === kind));
  byId("decisions").replaceChildren(...Object.entries(DECISIONS).map(([kind, title]) => row(title, [decided(kind)])));
  const known = new Set([...byId("route").options].map((option) => option.value));
  byId("route").append(...[...routes, route].filter((name) => !known.has(name) && !OWN.test(name)).map((name) => el("option", { value: name }, name)));
  byId("route").value = route;
}

async function poll() {
  clearTimeout(timer);
  try {
    const [index, response] = await Promise.all([ask("GET", "/v1/index"), send("GET", "/metrics")]);
    const reading = { at: performance.now() / 1000, samples: parse(await response.text()) };
    const before = readings.at(-1);
    // The service was started again: its counters begin at 0.
    if (before && sum(before.samples, "requests_total") > sum(reading.samples, "requests_total")) readings = [];
    readings = [...readings, reading].filter(({ at }) => at >= reading.at - SPAN);
    showIndex(index, reading.samples);
    showRoutes(reading.samples);
    drawAll();
  } catch (error) {
    notice("notice", "error", shown(error.message));
  }
  if (!isPaused) timer = setTimeout(poll, EVERY_MILLISECONDS);
}

function restore() {
  const values = read();
  route = values.route || CHECK;
  isPaused = values.paused === "1";
  byId("pause").setAttribute("aria-pressed", String(isPaused));
  return poll();
}

function save() {
  write({ route: route === CHECK ? "" : route, paused: isPaused ? "1" : "" }, {}, true);
  restore();
}

byId("route").addEventListener("change", (event) => ((route = event.target.value), save()));
byId("pause").addEventListener("click", () => ((isPaused = !isPaused), save()));
addEventListener("resize", drawAll);
drawAll();
onBack(restore);
start(restore);
