// One page: its words, its blocks and its pairs.

import { wordsBar } from "./chart.js";
import { report } from "./file.js";
import { pairTable } from "./pairs.js";
import { el, isolated, number, shown, size, webLink } from "./show.js";
import { ask } from "./source.js";
import { link } from "./state.js";
import { ROLES, clusterLink, heading, state } from "./words.js";

const fact = (title, value, note) => el("tr", {}, el("th", { scope: "row" }, title), el("td", {}, value), note === undefined ? null : el("td", { class: "faint" }, note));

function facts({ page, compared, canonical, handled }) {
  const cluster = page.cluster ? [state(page.state), " ", clusterLink(page.url, `cluster of ${number(page.cluster)} pages`)] : "in no cluster";
  return el(
    "table",
    { class: "facts" },
    el("caption", {}, "Facts"),
    el(
      "tbody",
      {},
      fact("URL", webLink(page.url)),
      fact("Repetition", [cluster, handled ? [el("br"), handled] : null]),
      page.primary && page.primary !== page.url ? fact("Primary page", el("a", { href: link("page", { url: page.primary }) }, isolated(page.primary))) : null,
      compared === null ? null : fact("Words that are compared", `${number(compared)} of ${number(page.words)}${page.short ? ": too few to judge" : ""}${page.mostly_common ? ", as nearly all of it is template" : ""}`),
      page.needs_scripts ? fact("JavaScript", "It has scripts and little text. A browser may show more of it.") : null,
      fact("Status", page.status || "–"),
      canonical ? fact("Canonical", webLink(canonical)) : null,
      fact("Search engines", `${page.noindex ? "noindex" : "may index it"}, ${page.in_sitemap ? "in a sitemap" : "in no sitemap"}`),
      fact("Links", `${number(page.links_in)} in, ${number(page.links_out)} out, ${page.depth === null ? "no link from the start" : `depth ${page.depth}`}, power ${page.power.toFixed(1)}`),
      fact("Time", `${number(page.milliseconds)} ms, first byte after ${number(page.first_byte)} ms`),
      fact("Size", size(page.bytes)),
      page.language ? fact("Language", shown(page.language)) : null,
    ),
  );
}

// A text with marks at its shared parts. Places are in characters (Unicode scalar values).
function withMarks(text, ranges) {
  const characters = Array.from(text);
  const slice = (start, end) => shown(characters.slice(start, end).join(""));
  const nodes = [];
  let at = 0;
  for (const [start, end] of ranges) {
    nodes.push(slice(at, start), el("mark", {}, slice(start, end)));
    at = end;
  }
  return [...nodes, slice(at, characters.length)];
}

const block = ({ text, role, area, compared, shared }) =>
  el("div", { class: compared ? "block t1" : "block off" }, compared ? null : el("span", { class: "role" }, `${ROLES[role] ?? role} (${area}): `), el("span", { lang: "", dir: "auto" }, withMarks(text, shared)));

// Any two pages can be compared, to see why they are no pair.
function compareForm(url) {
  const other = el("input", { id: "other", type: "url", required: true, placeholder: "URL of another page", spellcheck: "false", autocomplete: "off" });
  const submit = (event) => (event.preventDefault(), (location.hash = link("pair", { a: url, b: other.value.trim() })));
  return el("form", { class: "filters", onsubmit: submit }, el("span", { class: "field" }, el("label", { for: "other" }, "Compare with"), other), el("button", {}, "Why a pair, or why not?"));
}

export async function pageScreen(values) {
  const answer = await ask("page", { url: values.url, page: values.page, size: values.size });
  const { page, pairs, blocks, marked: compared, note } = answer;
  const others = compared === 1 ? "the most similar page" : `one of the ${compared} most similar pages`;
  const sentence = `${compared ? `Underlined text is on ${others} too. ` : ""}Blocks that are not compared are grey, with the reason. `;
  const of = pairTable({ path: "page", caption: "Pairs of this page", extra: { url: values.url }, take: (next) => next.pairs, hasFilter: false, initial: pairs });
  return {
    title: page.title || page.url,
    nodes: [
      el("h1", {}, heading(page.title, page.url)),
      wordsBar([page.duplicate, page.common, page.unique], answer.counts),
      facts(answer),
      of.section,
      report ? null : compareForm(page.url),
      el("h2", {}, "Text"),
      el("p", { class: "faint" }, blocks.length ? sentence : null, note),
      blocks.length ? el("div", { class: "text alone", tabindex: "0", role: "group", "aria-label": "Text of the page" }, blocks.map(block)) : null,
    ],
  };
}
