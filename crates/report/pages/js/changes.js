// Changes since an earlier audit.

import { report } from "./file.js";
import { el, isolated, number, webLink } from "./show.js";
import { ask } from "./source.js";
import { table } from "./table.js";
import { CLASSES, STATES, brief, pageLink, pairLink } from "./words.js";

export const CHANGES = {
  "pair-new": "new pair to fix",
  "pair-fixed": "fixed pair",
  "pair-changed": "changed pair",
  "page-removed": "removed page",
  "page-changed": "changed page",
  "page-added": "new page",
};

// A report has some pairs only.
const hasPair = ({ a, b }) => !report || report.pairs.rows.some((pair) => pair.a === a && pair.b === b);

function pages(row) {
  const { a, b, is_there: isThere } = row;
  if (b === null) return isThere ? pageLink(a, isolated(brief(a))) : webLink(a, brief(a));
  const side = (letter, url) => [el("span", { class: "letter" }, letter), " ", isolated(brief(url))];
  return [isThere && hasPair(row) ? pairLink(a, b, side("A", a)) : side("A", a), el("br"), side("B", b)];
}

const titleOf = (names, name) => (name === null ? null : (names[name] ?? name).replace("handled: ", ""));

const step = (before, now) => (before === now ? (now ?? "–") : `${before ?? "none"} → ${now ?? "none"}`);

const COLUMNS = [
  { name: "a", title: "Pages", cell: pages },
  { name: "change", title: "Change", down: true, cell: ({ change }) => el("span", { class: `state ${change === "pair-new" ? "fix" : change === "pair-fixed" ? "keep" : "done"}` }, CHANGES[change] ?? change) },
  { title: "Class", cell: (row) => step(titleOf(CLASSES, row.class_before), titleOf(CLASSES, row.class_now)) },
  { title: "Handled", cell: (row) => step(titleOf(STATES, row.handled_before), titleOf(STATES, row.handled_now)) },
];

export async function changesScreen() {
  const { changes } = await ask("overview");
  const kinds = (changes ?? []).map(({ name, count }) => [name, `${CHANGES[name] ?? name} (${number(count)})`]);
  const { section, load } = table({ path: "changes", caption: "Pages and pairs that differ", noun: "change", columns: COLUMNS, kinds: [["", "all changes"], ...kinds], first: COLUMNS[1] });
  await load();
  return { title: "Changes", nodes: [el("h1", {}, "Changes"), el("p", { class: "faint" }, "What differs from the earlier crawl, by the same settings. A pair is new if it is to fix now and was not, and fixed if it was to fix and is gone or handled. All other differences of pairs are changes."), section], reload: load };
}
