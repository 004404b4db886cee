// What names of lists mean, in words, and links to screens.

import { el, isolated, plain } from "./show.js";
import { link } from "./state.js";

export const CLASSES = {
  exact: "exact copy",
  near: "near-duplicate",
  substantial: "substantial",
  contained: "one contains the other",
  reordered: "other order",
  partial: "partial",
  "template-only": "template only",
};

export const BANDS = ["95-100", "80-95", "60-80", "40-60", "0-40"];
export const bandTitle = (band) => band.replace("-", "–") + " %";

export const STATES = {
  primary: "keep",
  "to-fix": "to fix",
  canonical: "handled: canonical",
  "same-canonical": "handled: same canonical",
  hreflang: "handled: hreflang",
  noindex: "handled: noindex",
};

export const REASONS = {
  "canonical-target": "named as canonical",
  "own-canonical": "names no other page",
  "in-sitemap": "in the sitemap",
  indexable: "may be indexed",
  power: "more power",
  "short-url": "shorter URL",
  "first-url": "first in the alphabet",
};

export const ROLES = {
  scored: "compared",
  template: "template, on many pages",
  area: "template by its area",
  "outside-main": "outside of the main content",
  off: "switched off",
};

export const state = (name) => (name ? el("span", { class: `state ${name === "to-fix" ? "fix" : name === "primary" ? "keep" : "done"}` }, STATES[name] ?? name) : "–");

// Longer titles and URLs fill a screen, and say no more.
const MOST_SHOWN = 160;

const clip = (text) => (text.length <= MOST_SHOWN ? text : Array.from(text.slice(0, 2 * MOST_SHOWN)).slice(0, MOST_SHOWN).join("") + "…");

// The title of a page, or its URL.
export const heading = (title, url) => isolated(clip(title.trim() || url));

// The part of a URL behind its host, which is the same for most pages.
export function brief(url) {
  const path = url.replace(/^https?:\/\/[^/]*/i, "");
  return clip(path === "" || path === "/" ? url : path);
}

export const pageLink = (url, text) => el("a", { href: link("page", { url }) }, text);

// A page in a table: its title leads to its screen, and its address is below.
export const pageCell = (url, title) => [pageLink(url, heading(title, brief(url))), title.trim() ? el("span", { class: "address" }, isolated(brief(url))) : null];

export const pairLink = (a, b, text, label) => el("a", { href: link("pair", { a, b }), "aria-label": label && plain(label) }, text);
export const clusterLink = (of, text) => el("a", { href: link("cluster", { of }) }, text);
