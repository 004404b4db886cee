// Elements made of data. Texts, titles and URLs are hostile, so they only ever become text nodes.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const el = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);
export const svg = (name, attributes = {}, ...children) => fill(document.createElementNS(SVG, name), attributes, children);
export const byId = (id) => document.getElementById(id);

// Control characters, which have no picture, and characters that reorder the text around them.
const HIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f]/gu;

const codeName = (character) => "U+" + character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");

// A text in which hidden characters are replaced by their names.
export function shown(text) {
  const nodes = [];
  let at = 0;
  for (const { 0: character, index } of text.matchAll(HIDDEN)) {
    nodes.push(text.slice(at, index), el("span", { class: "hidden" }, codeName(character)));
    at = index + character.length;
  }
  return [...nodes, text.slice(at)].filter((node) => node !== "");
}

// The same for titles of the window and names of controls, which have no elements.
export const plain = (text) => text.replace(HIDDEN, (character) => `⟨${codeName(character)}⟩`);

// A name inside a sentence: its direction does not reorder the sentence.
export const isolated = (text) => el("bdi", {}, shown(text));

// Other schemes, such as javascript:, are shown and are no links.
export function webLink(url, text = url) {
  let scheme = "";
  try {
    scheme = new URL(url).protocol;
  } catch {
    // It is no whole URL.
  }
  const isWeb = scheme === "http:" || scheme === "https:";
  return isWeb ? el("a", { href: url, rel: "noopener noreferrer", target: "_blank" }, isolated(text)) : isolated(url);
}

export const number = (value) => value.toLocaleString("en");
export const several = (count, noun) => `${number(count)} ${noun}${count === 1 ? "" : "s"}`;

// Rounded down: only equal texts show 100 %.
export const percent = (share) => (share === null || share === undefined ? "–" : `${Math.floor(share * 1000 + 1e-9) / 10} %`);

export const score = (value) => (Math.floor(value * 1000 + 1e-9) / 1000).toFixed(3);

export function size(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

// A message of the page to the reader.
export const notice = (kind, ...nodes) => el("p", { class: `verdict ${kind}`, role: kind === "error" ? "alert" : null }, nodes);

let announcedAt = 0;

// Says something to those who listen, once in a while if it is about progress.
export function say(sentence, isProgress = false) {
  if (isProgress && Date.now() - announcedAt < 15000) return;
  announcedAt = Date.now();
  byId("said").textContent = sentence;
}

// Runs `action` at most once in this time, however often it is called.
export function throttle(milliseconds, action) {
  let timer = null;
  return () => {
    timer ??= setTimeout(() => ((timer = null), action()), milliseconds);
  };
}

export function debounce(milliseconds, action) {
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(action, milliseconds);
  };
}
