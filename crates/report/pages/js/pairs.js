// Pairs: which two pages share how much.

import { el, isolated, number, percent, score } from "./show.js";
import { table } from "./table.js";
import { BANDS, CLASSES, STATES, bandTitle, brief, pairLink } from "./words.js";

const PAIR_KINDS = [["", "all pairs"], ["to-fix", "not handled"], ["handled", "handled"], ...Object.entries(CLASSES), ...BANDS.map((band) => [band, bandTitle(band)])];

const oneOf = (letter, url) => [el("span", { class: "letter" }, letter), " ", isolated(brief(url))];

const PAIR_COLUMNS = [
  { name: "url", title: "Pages", cell: ({ a, b }) => [pairLink(a, b, oneOf("A", a)), el("br"), oneOf("B", b)] },
  { name: "headline", title: "Similarity", value: true, down: true, cell: ({ headline }) => el("strong", {}, percent(headline)) },
  { title: "Of A", value: true, cell: (pair) => percent(pair.percent[0]) },
  { title: "Of B", value: true, cell: (pair) => percent(pair.percent[1]) },
  { name: "matched", title: "Words", value: true, down: true, cell: ({ matched }) => number(Math.max(...matched)) },
  { title: "Score", value: true, cell: (pair) => score(pair.score) },
  { name: "class", title: "Class", cell: (pair) => CLASSES[pair.class] ?? pair.class },
  { name: "handled", title: "State", cell: ({ handled }) => el("span", { class: `state ${handled ? "done" : "fix"}` }, handled ? STATES[handled] : "not handled") },
];

export const pairTable = (options) => table({ path: "pairs", noun: "pair", columns: options.hasFilter === false ? PAIR_COLUMNS.map((column) => ({ ...column, name: undefined })) : PAIR_COLUMNS, kinds: PAIR_KINDS, first: PAIR_COLUMNS[1], ...options });

export async function pairsScreen() {
  const { section, load } = pairTable({ caption: "Pairs of pages that share passages" });
  await load();
  return { title: "Pairs", nodes: [el("h1", {}, "Pairs"), section], reload: load };
}
