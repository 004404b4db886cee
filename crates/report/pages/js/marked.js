// A text in which the passages that it shares with another text are marked, by colour, number and underline.

import { el, shown } from "./show.js";

// Passages use the tints in turn.
const TINTS = 6;

export const tint = (place) => `t${((place - 1) % TINTS) + 1}`;

// The nodes of one side, 0 or 1. Places are in characters (Unicode scalar values), and those of a string are not.
export function marked(side, text, passages, onNumber) {
  const characters = Array.from(text);
  const slice = (start, end) => shown(characters.slice(start, end).join(""));
  const order = passages.map((passage, index) => ({ passage, place: index + 1 }));
  order.sort((x, y) => x.passage.places[side][0] - y.passage.places[side][0]);
  const nodes = [];
  let at = 0;
  for (const { passage, place } of order) {
    nodes.push(slice(at, passage.places[side][0]));
    at = passage.places[side][0];
    const label = `Passage ${place}; show it in ${side === 0 ? "B" : "A"} too`;
    const button = el("button", { type: "button", class: "number", "aria-label": label, onclick: () => onNumber(place) }, String(place));
    const span = el("span", { class: `passage ${tint(place)}`, "data-number": place }, button);
    for (const equal of passage.equal) {
      const [start, end] = equal[side];
      span.append(...slice(at, start), el("mark", {}, slice(start, end)));
      at = end;
    }
    span.append(el("span", { class: "end", "aria-hidden": "true" }, "⟧"));
    nodes.push(span);
  }
  nodes.push(slice(at, characters.length));
  return nodes.flat();
}
