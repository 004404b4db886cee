// Overview: how much of the site is duplicate, and where to begin.

import { histogram, wordsBar } from "./chart.js";
import { CHANGES } from "./changes.js";
import { clusterTable } from "./clusters.js";
import { report } from "./file.js";
import { el, isolated, number, several, size, webLink } from "./show.js";
import { ask } from "./source.js";
import { link } from "./state.js";
import { BANDS, CLASSES, STATES, bandTitle } from "./words.js";

const figure = (value, title, screen, values, kind = "") => el("li", { class: kind }, el("a", { href: link(screen, values) }, el("strong", {}, number(value)), el("span", {}, title)));

function figures(summary) {
  const handled = summary.handled.reduce((sum, { count }) => sum + count, 0);
  return el(
    "ul",
    { class: "figures" },
    figure(summary.to_fix, "pages to fix", "pages", { show: "to-fix" }, summary.to_fix ? "fix" : ""),
    figure(handled, "pages handled", "pages", { show: "handled" }),
    figure(summary.clusters, "clusters", "clusters"),
    figure(summary.pairs, "pairs", "pairs"),
    figure(summary.pages, "pages", "pages"),
    figure(summary.broken, "broken links", "links", { show: "broken" }, summary.broken ? "fix" : ""),
  );
}

const entry = (title, count, screen, values) => el("tr", {}, el("th", { scope: "row" }, values ? el("a", { href: link(screen, values) }, title) : title), el("td", { class: "value" }, typeof count === "number" ? number(count) : count));

const countTable = (title, rows) => el("table", { class: "grid" }, el("caption", {}, title), el("tbody", {}, rows));

const bandTable = ({ bands }) => countTable("Pairs by band", BANDS.map((name) => entry(bandTitle(name), bands.find((band) => band.name === name)?.count ?? 0, "pairs", { show: name })));

const classTable = ({ classes }) => (classes.length ? countTable("Pairs by class", classes.map(({ name, count }) => entry(CLASSES[name] ?? name, count, "pairs", { show: name }))) : null);

const changeTable = ({ changes }) => (changes?.length ? countTable("Since the earlier crawl", changes.map(({ name, count }) => entry(CHANGES[name] ?? name, count, "changes", { show: name }))) : null);

function tables(summary) {
  const handled = summary.handled.map(({ name, count }) => entry(STATES[name] ?? name, count, "pages", { show: "handled" }));
  const skipped = summary.skipped.map(({ name, count }) => entry(isolated(name), count, "skipped", { show: name }));
  return el(
    "div",
    { class: "tables" },
    changeTable(summary),
    countTable("Repeated pages", [entry("to fix", summary.to_fix, "pages", { show: "to-fix" }), handled]),
    countTable("Other pages", [
      entry("too short to judge", summary.short, "pages", { show: "short" }),
      entry("mostly template", summary.mostly_common, "pages", { show: "mostly-common" }),
      entry("need JavaScript", summary.needs_scripts, "pages", { show: "needs-scripts" }),
      entry("template blocks", summary.template_blocks, "blocks", {}),
      entry("median time", `${number(summary.milliseconds)} ms`),
      entry("median size", size(summary.bytes)),
    ]),
    countTable("Not audited", [skipped, entry("broken links", summary.broken, "links", { show: "broken" }), entry("redirects", summary.redirects, "links", { show: "redirect" })]),
  );
}

export async function overviewScreen() {
  const summary = await ask("overview");
  const title = ["Duplicate content of ", webLink(summary.start)];
  const sentence = summary.to_fix ? `${several(summary.to_fix, "page")} ${summary.to_fix === 1 ? "repeats" : "repeat"} another page, and search engines are not told which one counts.` : "No page repeats another one, unless the site handles it.";
  const top = summary.top.length ? clusterTable({ caption: "The largest clusters to fix", hasFilter: false, initial: { rows: summary.top, all: summary.clusters, total: summary.top.length, page: 1, size: 50 } }).section : null;
  return {
    title: "Overview",
    nodes: [
      el("h1", {}, title),
      el("p", { class: `verdict ${summary.to_fix ? "" : "found"}` }, sentence),
      report?.left_out.length ? el("p", { class: "faint" }, "This report is a file. ", report.left_out.join(" ")) : null,
      wordsBar(summary.shares, summary.counts),
      figures(summary),
      el("div", { class: "sides-by-side" }, histogram(summary.histogram, summary.threshold), bandTable(summary), classTable(summary)),
      top,
      tables(summary),
    ],
  };
}
