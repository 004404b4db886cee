// Clusters: pages that can stand for each other, and which of them to keep.

import { el, isolated, number, percent, plain, score, several } from "./show.js";
import { ask } from "./source.js";
import { link } from "./state.js";
import { table } from "./table.js";
import { CLASSES, REASONS, brief, clusterLink, heading, pageCell, pairLink, state } from "./words.js";

const CLUSTER_KINDS = [
  ["", "all clusters"],
  ["to-fix", "to fix"],
  ["handled", "handled"],
];

const CLUSTER_COLUMNS = [
  { name: "primary", title: "Primary page", cell: ({ primary, title }) => [clusterLink(primary, heading(title, brief(primary))), el("span", { class: "address" }, isolated(brief(primary)))] },
  { name: "pages", title: "Pages", value: true, down: true, cell: ({ pages }) => number(pages) },
  { name: "to_fix", title: "To fix", value: true, down: true, cell: (cluster) => (cluster.to_fix ? el("strong", {}, number(cluster.to_fix)) : "0") },
  { name: "least", title: "Least similarity", value: true, cell: ({ least }) => percent(least) },
  { name: "words", title: "Words", value: true, down: true, cell: ({ words }) => number(words) },
  { name: "reason", title: "Why this page", cell: ({ reason }) => REASONS[reason] ?? reason },
];

export const clusterTable = (options) => table({ path: "clusters", noun: "cluster", columns: options.hasFilter === false ? CLUSTER_COLUMNS.map((column) => ({ ...column, name: undefined })) : CLUSTER_COLUMNS, kinds: CLUSTER_KINDS, first: CLUSTER_COLUMNS[1], ...options });

export async function clustersScreen() {
  const { section, load } = clusterTable({ caption: "Clusters of pages with the same content" });
  await load();
  return { title: "Clusters", nodes: [el("h1", {}, "Clusters"), section], reload: load };
}

const MEMBERS = (primary) => [
  { title: "Page", cell: ({ url, title }) => pageCell(url, title) },
  { title: "State", cell: (member) => state(member.is_primary ? "primary" : (member.handled ?? "to-fix")) },
  { title: "In the primary", value: true, cell: ({ percent: shares }) => (shares ? percent(shares[0]) : "–") },
  { title: "Primary in it", value: true, cell: ({ percent: shares }) => (shares ? percent(shares[1]) : "–") },
  { title: "Score", value: true, cell: (member) => (member.score === null ? "–" : score(member.score)) },
  { title: "Class", cell: (member) => (member.class ? CLASSES[member.class] : "–") },
  { title: "Words", value: true, cell: ({ words }) => number(words) },
  { title: "Power", value: true, cell: ({ power }) => power.toFixed(1) },
  { title: "Compare", cell: ({ url, is_primary }) => (is_primary ? "" : pairLink(primary, url, "side by side", `Compare ${url} with the primary page side by side`)) },
];

// Steps of the matrix, as the bands of pairs.
const level = (share) => (share === null ? "none" : share >= 0.95 ? "h5" : share >= 0.8 ? "h4" : share >= 0.6 ? "h3" : share >= 0.4 ? "h2" : "h1");

function matrix({ urls, shares, note }) {
  const cell = (share, row, column) => {
    if (row === column) return el("td", { class: "value self" }, "–");
    const label = `${percent(share)} of page ${row + 1} is in page ${column + 1}`;
    const text = share === null ? "·" : String(Math.floor(share * 100 + 1e-9));
    return el("td", { class: `value ${level(share)}`, title: label }, pairLink(urls[row], urls[column], text, label));
  };
  const head = (_, index) => el("th", { scope: "col", class: "value" }, String(index + 1));
  const row = (url, index) => el("tr", {}, el("th", { scope: "row", title: plain(url) }, `${index + 1} `, isolated(brief(url))), shares[index].map((share, column) => cell(share, index, column)));
  const grid = el("table", { class: "grid matrix", "aria-labelledby": "matrix-caption" }, el("thead", {}, el("tr", {}, el("td", {}), urls.map(head))), el("tbody", {}, urls.map(row)));
  return [
    el("h2", { id: "matrix-caption" }, "Similarity matrix"),
    el("div", { class: "wide", tabindex: "0", role: "group", "aria-labelledby": "matrix-caption" }, grid),
    el("p", { class: "faint" }, "A cell says how many percent of the page of its row are in the page of its column. ", note),
  ];
}

export async function clusterScreen(values) {
  const cluster = await ask("cluster", { url: values.of, page: values.page, size: values.size });
  const members = table({
    path: "cluster",
    caption: several(cluster.pages, "page"),
    noun: "page",
    columns: MEMBERS(cluster.primary),
    first: {},
    extra: { url: values.of },
    take: (answer) => answer.members,
    hasFilter: false,
    initial: cluster.members,
  });
  return {
    title: "Cluster",
    nodes: [
      el("h1", {}, "Cluster of ", heading(cluster.title, cluster.primary)),
      el("div", { class: `verdict ${cluster.to_fix ? "" : "found"}` }, el("p", {}, "Keep ", el("a", { href: link("page", { url: cluster.primary }) }, isolated(cluster.primary)), ". ", cluster.reason), el("p", {}, cluster.action)),
      members.section,
      cluster.matrix ? matrix(cluster.matrix) : null,
    ],
  };
}
