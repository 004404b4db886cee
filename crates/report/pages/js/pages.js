// Pages: all pages in a table.

import { el, number, percent, shown, size } from "./show.js";
import { table } from "./table.js";
import { clusterLink, pageCell, state } from "./words.js";

const PAGE_SHOWN = [
  ["", "all pages"],
  ["to-fix", "to fix"],
  ["handled", "handled"],
  ["primary", "primary pages"],
  ["duplicates", "in a cluster"],
  ["pairs", "in a pair"],
  ["short", "too short to judge"],
  ["mostly-common", "mostly template"],
  ["needs-scripts", "need JavaScript"],
  ["noindex", "noindex"],
  ["not-in-sitemap", "not in a sitemap"],
];

const shareColumn = (title, name) => ({ name, title, value: true, down: true, cell: (page) => percent(page[name]) });
const countColumn = (title, name) => ({ name, title, value: true, down: true, cell: (page) => number(page[name]) });

const PAGE_COLUMNS = [
  { name: "url", title: "Page", cell: ({ url, title }) => pageCell(url, title) },
  { name: "state", title: "State", cell: (page) => (page.state ? state(page.state) : page.short ? "short" : "–") },
  shareColumn("Duplicate", "duplicate"),
  shareColumn("Common", "common"),
  shareColumn("Unique", "unique"),
  countColumn("Words", "words"),
  countColumn("Pairs", "pairs"),
  { name: "cluster", title: "Cluster", value: true, down: true, cell: ({ cluster, url }) => (cluster ? clusterLink(url, number(cluster)) : "–") },
  { name: "status", title: "Status", value: true, cell: ({ status }) => (status ? String(status) : "–") },
  { name: "depth", title: "Depth", value: true, cell: ({ depth }) => (depth === null ? "–" : number(depth)) },
  countColumn("Links in", "links_in"),
  countColumn("Links out", "links_out"),
  { name: "power", title: "Power", value: true, down: true, cell: ({ power }) => power.toFixed(1) },
  { name: "milliseconds", title: "Time", value: true, down: true, cell: ({ milliseconds }) => `${number(milliseconds)} ms` },
  { name: "first_byte", title: "First byte", value: true, down: true, cell: ({ first_byte }) => `${number(first_byte)} ms` },
  { name: "bytes", title: "Size", value: true, down: true, cell: ({ bytes }) => size(bytes) },
  { name: "language", title: "Language", cell: ({ language }) => (language ? shown(language) : "–") },
];

export async function pagesScreen() {
  const { section, load } = table({ path: "pages", caption: "All pages of the audit", noun: "page", columns: PAGE_COLUMNS, kinds: PAGE_SHOWN, first: PAGE_COLUMNS[0] });
  await load();
  return { title: "Pages", nodes: [el("h1", {}, "Pages"), section], reload: load };
}
