// A document and its cluster.

import { ask, start, stopwatch } from "./api.js";
import { byId, documentLink, el, name, notice, number, several, score, scoreInWords, shown, time, webLink } from "./show.js";
import { onBack, read, write } from "./state.js";

const POLICIES = {
  first: "it was added first",
  "shortest-url": "it has the shortest URL",
  "longest-text": "it has the longest text",
  priority: "it has the highest priority",
};

let running = new AbortController();

const row = (title, ...value) => el("tr", {}, el("th", { scope: "row" }, title), el("td", {}, value));

function showAbout({ id, url, title, priority, meta, added, expires }) {
  const known = (value, shape) => (value === null || value === undefined ? el("span", { class: "faint" }, "none") : shape(value));
  byId("about").replaceChildren(
    row("Id", name(id)),
    row("Title", known(title, name)),
    row("URL", known(url, webLink)),
    row("Added", added === null ? el("span", { class: "faint" }, "not known") : time(added)),
    row("Expires", expires === null ? el("span", { class: "faint" }, "never") : time(expires)),
    row("Priority", known(priority, String)),
    row("Metadata", known(meta, (meta) => el("pre", { class: "meta", lang: "", tabindex: "0", "aria-label": "Metadata" }, shown(JSON.stringify(meta, null, 2))))),
  );
  byId("links").replaceChildren(el("a", { href: "/?kind=id&of=" + encodeURIComponent(id) }, "Similar documents"));
}

const compareLink = (a, b) => el("a", { href: `/compare?a=${encodeURIComponent(a)}&b=${encodeURIComponent(b)}` }, "compare");

function member(document, canonical) {
  const { id, added, title, url } = document;
  const isCanonical = id === canonical;
  return el(
    "tr",
    { class: isCanonical ? "chosen" : "" },
    el("td", { class: "name" }, documentLink(id), isCanonical ? el("strong", {}, " canonical") : null, title ? [" ", name(title)] : null, url ? [el("br"), webLink(url)] : null),
    el("td", { class: "value" }, score(document)),
    el("td", {}, added === null ? "not known" : time(added)),
    el("td", {}, isCanonical ? "" : compareLink(canonical, id)),
  );
}

function showCluster({ canonical, policy, least_similarity, most_hamming, count, members }) {
  const farthest = { similarity: least_similarity, hamming: most_hamming };
  const heads = [["Member", ""], ["Similarity", "value"], ["Added", ""], ["Passages", ""]];
  const head = el("tr", {}, heads.map(([title, kind]) => el("th", { scope: "col", class: kind }, title)));
  const sentence =
    count === 1
      ? "No other document is in its cluster."
      : ["The cluster has ", several(count, "member"), ". Its canonical document is ", documentLink(canonical), `, because ${POLICIES[policy] ?? policy}. The farthest member has ${scoreInWords(farthest)}.`];
  const cut = count > members.length ? el("p", { class: "faint" }, `The table has the first ${number(members.length)} members.`) : "";
  const table = el("div", { class: "wide", tabindex: "0", role: "group", "aria-labelledby": "cluster-title" }, el("table", { class: "grid" }, el("thead", {}, head), el("tbody", {}, members.map((one) => member(one, canonical)))));
  byId("cluster").replaceChildren(el("p", {}, sentence), cut, table);
}

// The cluster, or why there is none.
async function cluster(id, mode, signal) {
  if (mode === "unique") {
    const sentence = "This service runs in the mode unique: it stores no near-duplicates, so there are no clusters. With --mode all it stores them.";
    return byId("cluster").replaceChildren(el("p", {}, sentence));
  }
  try {
    showCluster(await ask("GET", `/v1/documents/${encodeURIComponent(id)}/cluster`, { signal }));
  } catch (error) {
    if (error.name === "AbortError") throw error;
    byId("cluster").replaceChildren(el("p", {}, shown(error.message)));
  }
}

async function answer() {
  running.abort();
  running = new AbortController();
  const { signal } = running;
  const { id = "" } = read();
  byId("id").value = id;
  if (id === "") {
    byId("document").hidden = true;
    return notice("notice", "", "Give the id of a document.");
  }
  byId("main").setAttribute("aria-busy", "true");
  try {
    const took = stopwatch();
    const path = `/v1/documents/${encodeURIComponent(id)}?include=text`;
    // In the mode unique there is no cluster to ask for.
    const [found, { mode }] = await Promise.all([ask("GET", path, { signal }), ask("GET", "/v1/index", { signal })]);
    await cluster(id, mode, signal);
    byId("took").textContent = "after " + took();
    showAbout(found);
    byId("text").replaceChildren(...shown(found.text === undefined ? "The index stores no texts." : found.text));
    byId("document").hidden = false;
    notice("notice", "found", ["The index has the document ", name(id), "."]);
  } catch (error) {
    if (error.name === "AbortError") return;
    byId("document").hidden = true;
    notice("notice", "error", shown(error.message));
  } finally {
    if (!signal.aborted) byId("main").removeAttribute("aria-busy");
  }
}

byId("form").addEventListener("submit", (event) => {
  event.preventDefault();
  write({ id: byId("id").value.trim() }, {}, true);
  answer();
});
onBack(answer);
start(answer);
