// Charts: SVG, with the same figures as text.

import { el, number, percent, several, svg } from "./show.js";

const PARTS = [
  ["duplicate", "duplicate"],
  ["common", "common (template)"],
  ["unique", "unique"],
];

// Duplicate, common and unique words as one bar.
export function wordsBar(shares, counts) {
  let at = 0;
  const part = ([name], index) => {
    const x = at;
    at += shares[index] * 100;
    return svg("rect", { class: name, x: `${x}%`, width: `${shares[index] * 100}%`, y: 0, height: 28 });
  };
  const label = PARTS.map(([, title], index) => `${percent(shares[index])} ${title}`).join(", ");
  const key = ([name, title], index) => el("span", {}, el("span", { class: `key ${name}` }), ` ${title} `, el("strong", {}, percent(shares[index])), el("span", { class: "faint" }, ` ${several(counts[index], "word")}`));
  return el("figure", { class: "chart words" }, svg("svg", { width: "100%", height: 28, role: "img", "aria-label": label }, PARTS.map(part)), el("figcaption", { class: "legend" }, PARTS.map(key)));
}

const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [400, 190, 46, 24, 10];

// The least of 1, 2.5, 5, 10, … that is not below `value`: a scale with round numbers.
function round(target) {
  const power = 10 ** Math.floor(Math.log10(target));
  return [1, 2.5, 5, 10].map((step) => step * power).find((step) => step >= target * (1 - 1e-9));
}

const briefCount = (value) => (value >= 1e6 ? `${value / 1e6}M` : value >= 1e3 ? `${value / 1e3}k` : String(value));

// Pairs by similarity.
export function histogram(counts, threshold) {
  const step = Math.max(1, round(Math.max(4, ...counts) / 4));
  const inner = WIDTH - LEFT - 8;
  const x = (share) => LEFT + share * inner;
  const y = (count) => HEIGHT - BOTTOM - (count / (4 * step)) * (HEIGHT - BOTTOM - TOP);
  const from = (index) => Math.round((index * 100) / counts.length);
  const title = (index) => `${from(index)} to ${from(index + 1)} %: ${several(counts[index], "pair")}`;
  const bar = (count, index) => count > 0 && svg("rect", { class: "value", x: x(index / counts.length) + 1, width: inner / counts.length - 2, y: Math.min(y(count), y(0) - 1.5), height: Math.max(y(0) - y(count), 1.5) }, svg("title", {}, title(index)));
  const level = (index) => [svg("line", { class: index ? "grid" : "axis", x1: LEFT, x2: WIDTH - 8, y1: y(index * step), y2: y(index * step) }), svg("text", { class: "count", x: LEFT - 6, y: y(index * step) + 4 }, briefCount(index * step))];
  const place = (share) => svg("text", { class: "place", x: Math.min(x(share), WIDTH - 18), y: HEIGHT - 6 }, `${share * 100} %`);
  const limit = svg("line", { class: "limit", x1: x(threshold), x2: x(threshold), y1: TOP, y2: y(0) });
  const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: "100%", role: "img", "aria-label": `${several(counts.reduce((sum, count) => sum + count, 0), "pair")} by similarity; the table below has the figures` }, [0, 1, 2, 3, 4].map(level), [0, 0.2, 0.4, 0.6, 0.8, 1].map(place), counts.map(bar), limit);
  const row = (count, index) => count > 0 && el("tr", {}, el("th", { scope: "row" }, `${from(index)} to ${from(index + 1)} %`), el("td", { class: "value" }, number(count)));
  const table = el("table", { class: "grid" }, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Similarity"), el("th", { scope: "col", class: "value" }, "Pairs"))), el("tbody", {}, counts.map(row).reverse()));
  return el("figure", { class: "chart" }, el("figcaption", {}, "Pairs by similarity"), picture, el("p", { class: "legend" }, el("span", {}, el("span", { class: "key limit" }), ` threshold ${percent(threshold)}`)), el("details", {}, el("summary", {}, "The figures"), table));
}
