// A table whose rows are sorted, filtered and cut by the server. What is chosen is in the address.

import { debounce, el, notice, number, plain, say, several } from "./show.js";
import { NO_RESULTS, ask } from "./source.js";
import { read, write } from "./state.js";

const SIZES = [50, 100, 250, 500];
const CHOSEN = ["q", "show", "sort", "order", "page", "size"];

// The head of a column. Columns with a name can be sorted: `sorted` says by which one they are, and whether downwards.
function headCell({ name, title, value, down }, sorted, choose) {
  const kind = value ? "value" : null;
  if (!name) return el("th", { scope: "col", class: kind }, title);
  const isChosen = sorted.name === name;
  const next = isChosen ? (sorted.isDown ? "asc" : "desc") : down ? "desc" : "asc";
  const arrow = isChosen ? (sorted.isDown ? "▼" : "▲") : "";
  const button = el("button", { type: "button", class: "sort", "data-column": name, onclick: () => choose({ sort: name, order: next }) }, title, " ", el("span", { class: "arrow", "aria-hidden": "true" }, arrow));
  return el("th", { scope: "col", class: kind, "aria-sort": isChosen ? (sorted.isDown ? "descending" : "ascending") : null }, button);
}

function bodyRow(columns, row) {
  const cell = (column, index) => el(index === 0 ? "th" : "td", { class: column.value ? "value" : (column.kind ?? null), scope: index === 0 ? "row" : null }, column.cell(row));
  return el("tr", {}, columns.map(cell));
}

// Fills an element anew. The button that has the focus keeps it, if it is still there.
function refill(element, nodes, find) {
  const focused = element.contains(document.activeElement) ? document.activeElement : null;
  element.replaceChildren(...nodes);
  if (focused) find(focused)?.focus();
}

function fillPager(pager, { page, size, total }, choose) {
  const pages = Math.max(1, Math.ceil(total / size));
  const step = (text, to, isThere) => el("button", { type: "button", disabled: !isThere, onclick: () => choose({ page: to }) }, text);
  const place = el("span", {}, `Page ${number(page)} of ${number(pages)}`);
  const nodes = [step("First", 1, page > 1), step("Previous", page - 1, page > 1), place, step("Next", page + 1, page < pages), step("Last", pages, page < pages)];
  refill(pager, nodes, (old) => nodes.find((node) => node.textContent === old.textContent && !node.disabled) ?? nodes.find((node) => node.disabled === false));
  pager.hidden = pages === 1;
}

function countSentence({ page, size, total, all, rows, note }, noun) {
  const from = (page - 1) * size + 1;
  const of = total === all ? several(all, noun) : `${number(total)} of ${several(all, noun)}`;
  const sentence = rows.length === 0 ? `There is no ${noun} here.` : total > rows.length ? `${number(from)} to ${number(from + rows.length - 1)} of ${of}` : of;
  return note ? `${sentence.replace(/\.$/, "")}. ${note}` : sentence;
}

// The controls above a table.
function filters(path, kinds, values, choose) {
  const search = el("input", { type: "search", id: `${path}-q`, value: values.q ?? "", spellcheck: "false", autocomplete: "off" });
  const show = el("select", { id: `${path}-show` }, (kinds ?? []).map(([name, title]) => el("option", { value: name }, title)));
  const rows = el("select", { id: `${path}-size` }, SIZES.map((count) => el("option", {}, String(count))));
  show.value = values.show ?? "";
  rows.value = values.size ?? "50";
  search.addEventListener("input", debounce(250, () => choose({ q: search.value }, false)));
  show.addEventListener("change", () => choose({ show: show.value }));
  rows.addEventListener("change", () => choose({ size: rows.value === "50" ? "" : rows.value }));
  const field = (label, control) => el("span", { class: "field" }, el("label", { for: control.id }, label), control);
  return el("form", { class: "filters", role: "search", onsubmit: (event) => event.preventDefault() }, field("Search", search), kinds ? field("Show", show) : null, field("Rows", rows));
}

// A table of `path`. `columns` are { name, title, cell, value, down }: `value` aligns numbers, and `down` columns descend at first. `first`
// is the column that sorts without a choice, `kinds` are [name, title] of the filter, and `extra` goes with every request. `take` takes the
// list out of an answer, and `initial` is a list that is there already.
export function table({ path, caption, noun, columns, kinds, first, extra = {}, take = (answer) => answer, hasFilter = true, initial = null }) {
  let values = read().values;
  let running = new AbortController();
  const [head, body] = [el("tr"), el("tbody")];
  const status = el("p", { class: "faint count", role: "status" });
  const pager = el("p", { class: "pager" });

  function choose(change, isStep = true) {
    values = { ...values, page: "", ...change };
    write(read().screen, values, isStep);
    return load();
  }

  function draw(list) {
    const name = values.sort || first.name;
    const isDown = values.order ? values.order === "desc" : Boolean(columns.find((column) => column.name === name)?.down);
    const cells = columns.map((column) => headCell(column, { name, isDown }, choose));
    refill(head, cells, (old) => head.querySelector(`[data-column="${old.dataset.column}"]`));
    body.replaceChildren(...list.rows.map((row) => bodyRow(columns, row)));
    status.replaceChildren(countSentence(list, noun));
    fillPager(pager, list, choose);
  }

  async function load() {
    running.abort();
    running = new AbortController();
    const { signal } = running;
    body.parentElement.setAttribute("aria-busy", "true");
    try {
      const chosen = Object.fromEntries(CHOSEN.map((name) => [name, values[name]]));
      const answer = await ask(path, { ...chosen, ...extra }, signal);
      if (!signal.aborted) draw(take(answer));
    } catch (error) {
      if (error.name === "AbortError") return;
      if (error.status === NO_RESULTS) throw error;
      body.replaceChildren(el("tr", {}, el("td", { colspan: columns.length }, notice("error", plain(error.message)))));
      say(error.message);
    } finally {
      if (!signal.aborted) body.parentElement.removeAttribute("aria-busy");
    }
  }

  const id = `${path}-caption`;
  const grid = el("table", { class: "grid list", "aria-labelledby": id }, el("thead", {}, head), body);
  const section = el("section", {}, hasFilter ? filters(path, kinds, values, choose) : null, el("h2", { id, class: "caption" }, caption), el("div", { class: "wide", tabindex: "0", role: "group", "aria-labelledby": id }, grid), status, pager);
  if (initial) draw(initial);
  return { section, load };
}
