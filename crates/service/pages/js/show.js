// Elements made of data. Texts, ids and metadata may be hostile, so they only ever become text nodes.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

export const el = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);
export const svg = (name, attributes = {}, ...children) => fill(document.createElementNS(SVG, name), attributes, children);
export const byId = (id) => document.getElementById(id);

// Control characters, which have no picture, and characters that reorder the text around them.
export const HIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f]/gu;

// A text in which hidden characters are replaced by their names.
export function shown(text) {
  const nodes = [];
  let at = 0;
  for (const { 0: character, index } of text.matchAll(HIDDEN)) {
    const name = "U+" + character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
    nodes.push(text.slice(at, index), el("span", { class: "hidden" }, name));
    at = index + character.length;
  }
  return [...nodes, text.slice(at)].filter((node) => node !== "");
}

// A name inside a sentence: its direction does not reorder the sentence.
export const name = (text) => el("bdi", {}, shown(text));

export const documentLink = (id) => el("a", { href: "/document?id=" + encodeURIComponent(id) }, name(id));

// Other schemes, such as javascript:, are shown and are no links.
export function webLink(url) {
  let scheme = "";
  try {
    scheme = new URL(url).protocol;
  } catch {
    // It is no whole URL.
  }
  const isWeb = scheme === "http:" || scheme === "https:";
  return isWeb ? el("a", { href: url, rel: "noopener noreferrer" }, name(url)) : name(url);
}

// How near two documents are: their similarity, or the bits in which their fingerprints differ.
export const score = ({ similarity: value, hamming }) => (value === undefined ? several(hamming, "bit") : similarity(value));
export const scoreInWords = (one) => (one.hamming === undefined ? "a similarity of " : "a fingerprint that differs in ") + score(one);
// Rounded down: only equal sets show 1.000.
export const similarity = (value) => (Math.floor(value * 1000 + 1e-9) / 1000).toFixed(3);

export const number = (value) => value.toLocaleString("en");

export const several = (count, noun) => `${number(count)} ${noun}${count === 1 ? "" : "s"}`;

export function time(seconds) {
  const date = new Date(seconds * 1000);
  return el("time", { datetime: date.toISOString() }, date.toLocaleString());
}

// A message to the reader in the box of that id: nodes, or paragraphs of nodes.
export function notice(id, kind, ...paragraphs) {
  const box = byId(id);
  box.className = `verdict ${kind}`;
  box.replaceChildren(...paragraphs.filter(Boolean).map((nodes) => el("p", {}, nodes)));
}

export function debounce(milliseconds, action) {
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(action, milliseconds);
  };
}
