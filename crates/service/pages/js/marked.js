// A text in which the passages that it shares with another text are marked.

import { el, shown } from "./show.js";

// Passages use the tints in turn.
const TINTS = 6;

export const tint = (number) => `t${((number - 1) % TINTS) + 1}`;

// The nodes of one side, `a` or `b`. Places of the service are in characters (Unicode scalar values), and those of a string are not.
export function marked(side, text, passages, onNumber) {
  const characters = Array.from(text);
  const other = side === "a" ? "b" : "a";
  const slice = (start, end) => shown(characters.slice(start, end).join(""));
  const order = passages.map((passage, index) => ({ passage, number: index + 1 }));
  order.sort((x, y) => x.passage[side][0] - y.passage[side][0]);
  const nodes = [];
  let at = 0;
  for (const { passage, number } of order) {
    nodes.push(slice(at, passage[side][0]));
    at = passage[side][0];
    const label = `Passage ${number}; show it in ${other.toUpperCase()} too`;
    const button = el("button", { type: "button", class: "number", "aria-label": label, onclick: () => onNumber(number) }, String(number));
    const span = el("span", { class: `passage ${tint(number)}`, "data-number": number }, button);
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
