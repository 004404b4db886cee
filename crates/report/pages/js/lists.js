// Lists: template blocks, skipped URLs, and links that lead to no page.

import { report } from "./file.js";
import { el, isolated, number, plain, say, shown, webLink } from "./show.js";
import { ask, change } from "./source.js";
import { table } from "./table.js";
import { brief, pageLink } from "./words.js";

const DECISIONS = { template: "template", scored: "compared", partly: "template on some pages" };
const SWITCHES = [
  ["", "by the audit"],
  ["true", "compared"],
  ["false", "switched off"],
];

function blockSwitch({ id, sample, switched }) {
  if (report) return switched === null ? "by the audit" : switched ? "compared" : "switched off";
  const control = el("select", { "aria-label": `How the block “${plain(sample.slice(0, 60))}” counts` }, SWITCHES.map(([name, title]) => el("option", { value: name }, title)));
  control.value = switched === null ? "" : String(switched);
  control.addEventListener("change", async () => {
    try {
      await change({ blocks: { [id]: control.value === "" ? null : control.value === "true" } });
      say("The audit runs again with this block changed.");
    } catch (error) {
      say(error.message);
    }
  });
  return control;
}

const BLOCKS = [
  { name: "sample", title: "Start of the block", cell: ({ sample }) => el("span", { class: "sample", lang: "", dir: "auto" }, shown(sample)) },
  { title: "Use", cell: blockSwitch },
  { name: "pages", title: "Pages", value: true, down: true, cell: ({ pages }) => number(pages) },
  { name: "clusters", title: "Clusters", value: true, down: true, cell: ({ clusters }) => number(clusters) },
  { name: "words", title: "Words", value: true, down: true, cell: ({ words }) => number(words) },
  { name: "area", title: "Area", cell: ({ area }) => area },
  { name: "decision", title: "Decision", cell: ({ decision }) => DECISIONS[decision] ?? decision },
  { title: "Reason", kind: "reason", cell: ({ reason }) => isolated(reason) },
];

// `kindsOf` makes the kinds of the filter of the summary.
const screen = (title, sentence, list, kindsOf) => async () => {
  const kinds = kindsOf ? kindsOf(await ask("overview")) : list.kinds;
  const { section, load } = table({ ...list, kinds });
  await load();
  return { title, nodes: [el("h1", {}, title), el("p", { class: "faint" }, sentence), section], reload: load };
};

export const blocksScreen = screen("Template blocks", "Blocks of text that many pages have. Template does not count as duplicate content." + (report ? "" : " Decide otherwise here, and the audit runs again without a new crawl."), {
  path: "blocks",
  caption: "Blocks that many pages have",
  noun: "block",
  columns: BLOCKS,
  kinds: [["", "all blocks"], ["template", "template"], ["partly", "template on some pages"], ["scored", "compared"], ["switched", "switched by you"]],
  first: BLOCKS[2],
});

const from = (url) => (url ? pageLink(url, isolated(brief(url))) : "–");

const SKIPPED = [
  { name: "url", title: "URL", cell: ({ url }) => webLink(url) },
  { name: "rule", title: "Rule", cell: ({ rule }) => isolated(rule) },
  { name: "detail", title: "Exact rule", kind: "reason", cell: ({ detail }) => isolated(detail) },
  { name: "from", title: "Found on", kind: "reason", cell: (one) => from(one.from) },
];

const rules = ({ skipped }) => [["", "all rules"], ...skipped.map(({ name, count }) => [name, `${plain(name)} (${number(count)})`])];

const skippedList = { path: "skipped", caption: "Skipped URLs", noun: "skipped URL", columns: SKIPPED, first: SKIPPED[0] };

export const skippedScreen = screen("Skipped", "URLs that were found and are not in the audit, each with the rule that says so.", skippedList, rules);

const LINKS = [
  { name: "url", title: "Link", cell: ({ url }) => webLink(url) },
  { name: "kind", title: "Kind", cell: ({ kind }) => el("span", { class: `state ${kind === "broken" ? "fix" : "done"}` }, kind) },
  { name: "status", title: "Status", cell: ({ status, problem }) => [status === null ? "–" : String(status), problem ? el("span", { class: "address" }, isolated(problem)) : null] },
  { name: "target", title: "Leads to", kind: "reason", cell: ({ target }) => (target ? webLink(target) : "–") },
  { name: "pages", title: "Pages with it", value: true, down: true, cell: ({ pages }) => number(pages) },
  { title: "Some of them", kind: "reason", cell: ({ from: pages }) => el("ul", { class: "plain" }, pages.slice(0, 3).map((url) => el("li", {}, from(url)))) },
];

export const linksScreen = screen("Links", "Links that do not lead to a page: broken ones, and redirects.", {
  path: "links",
  caption: "Broken links and redirects",
  noun: "link",
  columns: LINKS,
  kinds: [["", "all of them"], ["broken", "broken"], ["redirect", "redirects"]],
  first: LINKS[1],
});
