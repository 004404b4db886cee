// The requests of the page, as commands that can be copied.

import { HIDDEN, byId, el } from "./show.js";

// One entry for each method and path, the latest first.
const MOST = 6;
const entries = new Map();

const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

// Hidden characters are escaped, so the command that is shown is the one that is copied.
const escaped = (character) => "\\u" + character.charCodeAt(0).toString(16).padStart(4, "0");

export const json = (value) => JSON.stringify(value).replace(HIDDEN, escaped);

function command(method, path, body, hasKey) {
  const parts = ["curl -s", quoted(location.origin + path)];
  if (method !== "GET" && body === undefined) parts.push("-X " + method);
  if (hasKey) parts.push('-H "Authorization: Bearer $KEY"');
  if (body !== undefined) parts.push("-H 'Content-Type: application/json'", "--data-binary " + quoted(json(body)));
  return parts.join(" ");
}

async function copy(text, pre, button) {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    // Without TLS a browser gives no access to the clipboard.
    getSelection().selectAllChildren(pre);
    button.textContent = "Selected: press Ctrl+C";
  }
  setTimeout(() => (button.textContent = "Copy"), 2000);
}

function entry() {
  const [pre, took] = [el("pre", { tabindex: "0", "aria-label": "Command" }), el("span", { class: "took" })];
  const button = el("button", { type: "button", onclick: () => copy(pre.textContent, pre, button) }, "Copy");
  return { pre, took, item: el("li", {}, pre, button, " ", took) };
}

export function record({ method, path, body, hasKey, status, milliseconds }) {
  const id = method + path.split("?")[0];
  const found = entries.get(id) ?? entry();
  entries.delete(id);
  entries.set(id, found);
  const text = command(method, path, body, hasKey);
  // An unchanged command stays selected.
  if (found.pre.textContent !== text) found.pre.textContent = text;
  found.took.textContent = status ? `${status} after ${milliseconds} ms` : "no answer";
  if (!found.item.isConnected) byId("requests").prepend(found.item);
  while (entries.size > MOST) {
    const [oldest, { item }] = entries.entries().next().value;
    item.remove();
    entries.delete(oldest);
  }
}
