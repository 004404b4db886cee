// Lines over the last five minutes.

import { el, svg } from "./show.js";

export const SPAN = 300;
const [HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [200, 48, 8, 8, 22];
const INTERVALS = 4;

// The least of 1, 2, 5, 10, … that is not below `value`: a scale with round numbers.
function round(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= value * (1 - 1e-9));
}

export const brief = (value) => (value === null ? "–" : value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(1) : value === 0 ? "0" : value.toPrecision(2));

// A line breaks where there is no value.
function path(points, x, y) {
  let isOpen = false;
  return points
    .map(([time, value]) => {
      const step = value === null ? "" : `${isOpen ? "L" : "M"}${x(time).toFixed(1)} ${y(value).toFixed(1)}`;
      isOpen = value !== null;
      return step;
    })
    .join("");
}

// Draws `series`, each { title, points: [[seconds, value or null]] }, up to the second `now`.
export function draw(box, series, now) {
  const width = box.clientWidth;
  const values = series.flatMap(({ points }) => points.map(([, value]) => value ?? 0));
  // Without any value the scale ends at 4: labels of a few characters fit beside the chart.
  const step = round((Math.max(0, ...values) || INTERVALS) / INTERVALS);
  const x = (time) => LEFT + ((time - now + SPAN) / SPAN) * (width - LEFT - RIGHT);
  const y = (value) => HEIGHT - BOTTOM - (value / (step * INTERVALS)) * (HEIGHT - TOP - BOTTOM);
  const line = (level) => [
    svg("line", { class: level ? "grid" : "axis", x1: LEFT, x2: width - RIGHT, y1: y(level * step), y2: y(level * step) }),
    svg("text", { class: "count", x: LEFT - 6, y: y(level * step) + 4 }, brief(level * step)),
  ];
  const place = (minutes) => svg("text", { class: "place", x: x(now - minutes * 60), y: HEIGHT - 4 }, minutes ? `−${minutes} min` : "");
  const now_ = svg("text", { class: "count", x: width - RIGHT, y: HEIGHT - 4 }, "now");
  const curves = series.map(({ points }, index) => svg("path", { class: `curve s${index + 1}`, d: path(points, x, y) }));
  const latest = series.map(({ title, points }) => `${title} ${brief(points.at(-1)?.[1] ?? null)}`).join(", ");
  const levels = Array.from({ length: INTERVALS + 1 }, (_, level) => line(level));
  const picture = svg("svg", { width, height: HEIGHT, role: "img", "aria-label": `Now: ${latest}` }, levels, [4, 3, 2, 1].map(place), now_, curves);
  const key = ({ title, points }, index) => el("span", {}, el("span", { class: `key s${index + 1}` }), ` ${title} `, el("strong", {}, brief(points.at(-1)?.[1] ?? null)));
  box.replaceChildren(picture, el("div", { class: "legend" }, series.map(key)));
}
