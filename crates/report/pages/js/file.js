// A report has the answers of the server in it. Lists are filtered, sorted and cut here, by the same rules as on the server.

import { byId } from "./show.js";

const embedded = byId("data");
export const report = embedded && JSON.parse(embedded.textContent);

if (report) {
  const row = (cells) => Object.fromEntries(report.columns.map((name, index) => [name, cells[index]]));
  report.pages.rows = report.pages.rows.map(row);
}

const isHandled = (state) => Boolean(state) && state !== "primary" && state !== "to-fix";

const PAGE_KINDS = {
  duplicates: (page) => page.cluster > 0,
  "to-fix": (page) => page.state === "to-fix",
  handled: (page) => isHandled(page.state),
  primary: (page) => page.state === "primary",
  pairs: (page) => page.pairs > 0,
  short: (page) => page.short,
  "mostly-common": (page) => page.mostly_common,
  "needs-scripts": (page) => page.needs_scripts,
  noindex: (page) => page.noindex,
  "not-in-sitemap": (page) => !page.in_sitemap,
};

// Of each list: the texts that are searched, the kinds of rows, the columns that ascend at first, and the order without a choice.
const LISTS = {
  pages: { texts: (row) => [row.url, row.title], isOf: (row, kind) => PAGE_KINDS[kind]?.(row) ?? true, first: "url" },
  clusters: { texts: (row) => [row.primary, row.title], isOf: (row, kind) => (kind === "to-fix") === row.to_fix > 0, first: "pages", ascends: ["primary", "least", "reason"], descends: true },
  pairs: {
    texts: (row) => [row.a, row.b],
    isOf: (row, kind) => (kind === "to-fix" ? !row.handled : kind === "handled" ? Boolean(row.handled) : row.class === kind || row.band === kind),
    first: "headline",
    ascends: ["url", "class", "handled"],
    descends: true,
  },
  blocks: { texts: (row) => [row.sample], isOf: (row, kind) => (kind === "switched" ? row.switched !== null : row.decision === kind), first: "pages", ascends: ["sample", "area", "decision"], descends: true },
  skipped: { texts: (row) => [row.url, row.detail], isOf: (row, kind) => row.rule === kind, first: "url" },
  changes: { texts: (row) => [row.a, row.b ?? ""], isOf: (row, kind) => row.change === kind, first: "change", ascends: ["a"], descends: true },
  links: { texts: (row) => [row.url, row.target ?? ""], isOf: (row, kind) => row.kind === kind, first: "kind", descending: ["pages"] },
};

const value = (row, column) => (column === "matched" ? Math.max(...row.matched) : column === "url" ? (row.url ?? row.a) : row[column]);

function order(x, y) {
  if (x === y) return 0;
  if (x === null || x === undefined) return -1;
  if (y === null || y === undefined) return 1;
  return x < y ? -1 : 1;
}

function listed(name, { q = "", show = "", sort = "", order: direction = "", page = 1, size: rowsOfPage = 50 }) {
  const { texts, isOf, first, ascends = [], descends = false, descending = [] } = LISTS[name];
  const { rows, all, note } = report[name];
  const wanted = q.trim().toLowerCase();
  const isWanted = (row) => (show === "" || show === "all" || isOf(row, show)) && (wanted === "" || texts(row).some((text) => text.toLowerCase().includes(wanted)));
  const column = sort || first;
  const isDown = direction ? direction === "desc" : descending.includes(column) || (descends && !ascends.includes(column));
  const sign = isDown ? -1 : 1;
  const found = rows.filter(isWanted).sort((x, y) => sign * order(value(x, column), value(y, column)));
  const pages = Math.max(1, Math.ceil(found.length / rowsOfPage));
  const at = Math.min(Math.max(1, Number(page) || 1), pages);
  return { total: found.length, all, page: at, size: rowsOfPage, rows: found.slice((at - 1) * rowsOfPage, at * rowsOfPage), note };
}

// The pairs of a page, as far as the report has them.
function ofPage(url) {
  const page = report.pages.rows.find((row) => row.url === url);
  if (!page) return null;
  const rows = report.pairs.rows.filter((pair) => pair.a === url || pair.b === url);
  const words = [page.duplicate, page.common, page.unique].map((share) => Math.round(share * page.words));
  return { page, counts: words, compared: null, canonical: null, handled: null, blocks: [], marked: 0, note: "The report has no texts of single pages.", pairs: { total: rows.length, all: page.pairs, page: 1, size: Math.max(1, rows.length), rows, note: rows.length < page.pairs ? "The report has the most similar pairs of the site only." : null } };
}

// The cluster of a page. The report has similarities of the first clusters only, and the members of all.
function ofCluster(url) {
  const primary = report.pages.rows.find((row) => row.url === url)?.primary ?? url;
  const whole = report.cluster.find((cluster) => cluster.primary === primary);
  if (whole) return whole;
  const pages = report.pages.rows.filter((row) => row.primary === primary);
  const own = pages.find((row) => row.state === "primary");
  if (!own) return null;
  const member = (row) => ({ ...row, is_primary: row === own, percent: null, score: null, class: null, handled: isHandled(row.state) ? row.state : null });
  const rows = [own, ...pages.filter((row) => row !== own)].map(member);
  const toFix = pages.filter((row) => row.state === "to-fix").length;
  return { primary, title: own.title, pages: pages.length, to_fix: toFix, reason: "", action: "The report does not have the similarities of this cluster.", members: { total: rows.length, all: rows.length, page: 1, size: rows.length, rows, note: null }, matrix: null };
}

// The answer to a request, or null if the report has none.
export function answerOfReport(path, values) {
  if (path in LISTS) return listed(path, values);
  if (path === "page") return ofPage(values.url);
  if (path === "cluster") return ofCluster(values.url);
  if (path === "pair") {
    const has = ({ sides }) => [values.a, values.b].every((url) => sides.some((side) => side.url === url));
    const row = report.pairs.rows.find((pair) => [values.a, values.b].every((url) => pair.a === url || pair.b === url));
    return report.pair.find(has) ?? (row && withoutTexts(row)) ?? null;
  }
  return report[path] ?? null;
}

function withoutTexts(pair) {
  const side = (url, title) => ({ url, title, text: null });
  return { sides: [side(pair.a, pair.title_a), side(pair.b, pair.title_b)], pair, is_reported: true, why: [pair.handled_sentence ? `The site handles it. ${pair.handled_sentence}` : "To fix: the site does not say which of the two counts.", "The report does not have the texts of this pair."], passages: [] };
}
