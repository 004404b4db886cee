// Settings: change them, and the audit runs again without a new crawl.

import { report } from "./file.js";
import { el, notice, number, percent, say } from "./show.js";
import { ask, change } from "./source.js";

const CONTENT = [
  ["blocks", "Without template", "all text outside of navigation, headers, footers, asides and forms, without template blocks"],
  ["main", "Main content only", "the main content of pages that have one, without template blocks"],
  ["all", "Everything", "all text of the page, template or not"],
];

const WEIGHTS = [
  ["jaccard", "Jaccard similarity of shingles"],
  ["word_jaccard", "Jaccard similarity of words"],
  ["sequence", "Sequence ratio"],
];

function written(settings) {
  const rows = [
    ["Threshold", percent(settings.threshold)],
    ["Text", CONTENT.find(([name]) => name === settings.content)?.[1] ?? settings.content],
    ["Words of a shingle", number(settings.shingle)],
    ["Fewest words of a page", number(settings.least_words)],
    ["Matched words that always make a pair", settings.background === null ? "none" : number(settings.background)],
    ["What else does not count", settings.fold.join(", ") || "nothing"],
    ["Stop words", number(settings.stop_words.length)],
    ...WEIGHTS.map(([name, title]) => [`Weight: ${title}`, String(settings.weights[name])]),
    ["Pairs of mostly template pages", settings.template_pairs ? "reported" : "not reported"],
    ["Blocks switched by hand", number(Object.keys(settings.blocks).length)],
  ];
  const row = ([title, value]) => el("tr", {}, el("th", { scope: "row" }, title), el("td", {}, value));
  return el("table", { class: "facts" }, el("tbody", {}, rows.map(row)));
}

function form(settings) {
  const threshold = el("input", { id: "threshold", type: "range", min: "5", max: "100", step: "1", value: String(Math.round(settings.threshold * 100)) });
  const output = el("output", { for: "threshold" }, `${threshold.value} %`);
  threshold.addEventListener("input", () => (output.textContent = `${threshold.value} %`));
  const least = el("input", { id: "least-words", type: "number", min: "0", max: "100000", step: "1", required: true, value: String(settings.least_words) });
  const choice = ([name, title, note]) => {
    const radio = el("input", { type: "radio", name: "content", value: name, checked: name === settings.content });
    return el("label", { class: "choice" }, radio, el("span", {}, title, el("span", { class: "faint" }, `: ${note}`)));
  };
  const weights = WEIGHTS.map(([name, title]) => {
    const control = el("input", { id: `weight-${name}`, type: "number", min: "0", max: "100", step: "0.05", required: true, value: String(settings.weights[name]) });
    return { name, control, field: el("p", { class: "weight" }, el("label", { for: control.id }, title), control) };
  });
  const template = el("input", { type: "checkbox", checked: settings.template_pairs });
  const answer = el("div", { role: "status" });
  async function apply(event) {
    event.preventDefault();
    const content = event.target.elements.content.value;
    const wanted = { threshold: Number(threshold.value) / 100, least_words: Number(least.value), content, template_pairs: template.checked };
    wanted.weights = Object.fromEntries(weights.map(({ name, control }) => [name, Number(control.value)]));
    try {
      await change(wanted);
      answer.replaceChildren(notice("found", "The audit runs again. The old results are shown until it has ended."));
      say("The audit runs again.");
    } catch (error) {
      answer.replaceChildren(notice("error", error.message));
    }
  }
  const onResults = () => answer.firstChild && answer.replaceChildren(notice("found", "The audit has ended. All screens show its results."));
  const built = el(
    "form",
    { class: "settings", onsubmit: apply },
    el("fieldset", {}, el("legend", {}, "Threshold"), el("label", { for: "threshold" }, "The share of a page that must be in another page"), el("p", { class: "slider" }, threshold, output)),
    el("fieldset", {}, el("legend", {}, "Text that is compared"), CONTENT.map(choice)),
    el("fieldset", {}, el("legend", {}, "Short pages"), el("label", { for: "least-words" }, "Pages with fewer words are too short to judge"), least, el("label", { class: "choice" }, template, "Report pairs of pages with little text but template")),
    el("fieldset", {}, el("legend", {}, "Weights of the combined score"), weights.map(({ field }) => field)),
    el("button", {}, "Audit again"),
    answer,
  );
  return { built, onResults };
}

export async function settingsScreen() {
  const settings = await ask("settings");
  const sentence = report ? "This report is a file. The audit was made with these settings." : "Changes need no new crawl.";
  const { built, onResults } = report ? { built: written(settings) } : form(settings);
  return { title: "Settings", onResults, nodes: [el("h1", {}, "Settings"), el("p", { class: "faint" }, sentence), built] };
}
