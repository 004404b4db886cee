// The screens, and which of them is shown.

import { changesScreen } from "./changes.js";
import { clusterScreen, clustersScreen } from "./clusters.js";
import { report } from "./file.js";
import { current, follow, waitingScreen } from "./live.js";
import { blocksScreen, linksScreen, skippedScreen } from "./lists.js";
import { overviewScreen } from "./overview.js";
import { pageScreen } from "./page.js";
import { pagesScreen } from "./pages.js";
import { pairScreen } from "./pair.js";
import { pairsScreen } from "./pairs.js";
import { settingsScreen } from "./settings.js";
import { byId, el, notice, plain, throttle } from "./show.js";
import { NO_RESULTS } from "./source.js";
import { link, read } from "./state.js";

// Screens of the menu: the name in addresses, and the title.
const MENU = [
  ["overview", "Overview"],
  ["clusters", "Clusters"],
  ["pairs", "Pairs"],
  ["pages", "Pages"],
  ["blocks", "Template blocks"],
  ["skipped", "Skipped"],
  ["links", "Links"],
  ["changes", "Changes"],
  ["settings", "Settings"],
];

const SCREENS = { overview: overviewScreen, clusters: clustersScreen, cluster: clusterScreen, pairs: pairsScreen, pair: pairScreen, pages: pagesScreen, page: pageScreen, blocks: blocksScreen, changes: changesScreen, skipped: skippedScreen, links: linksScreen, settings: settingsScreen };

// The menu entry of a screen that is in none.
const PARENTS = { cluster: "clusters", pair: "pairs", page: "pages" };

let shownScreen = {};
let asked = 0;

function drawMenu(screen) {
  const chosen = PARENTS[screen] ?? screen;
  const isCompared = report ? report.overview.changes !== null : current.compares;
  const entries = MENU.filter(([name]) => name !== "changes" || isCompared);
  byId("screens").replaceChildren(...entries.map(([name, title]) => el("a", { href: link(name), "aria-current": name === chosen ? "page" : null }, title)));
}

async function build(screen, values) {
  try {
    return await (SCREENS[screen] ?? overviewScreen)(values);
  } catch (error) {
    if (error.status === NO_RESULTS) return { title: "Crawl", nodes: waitingScreen(), isWaiting: true };
    return { title: "Error", nodes: [el("h1", {}, "This cannot be shown"), notice("error", plain(error.message))] };
  }
}

// Shows the screen of the address. A reader who came by a link begins at its top.
async function showScreen(isNew) {
  const { screen, values } = read();
  const turn = ++asked;
  drawMenu(screen);
  byId("main").setAttribute("aria-busy", "true");
  const built = await build(screen, values);
  if (turn !== asked) return;
  shownScreen = built;
  byId("main").removeAttribute("aria-busy");
  byId("main").replaceChildren(...built.nodes.flat(Infinity).filter(Boolean));
  document.title = `${plain(built.title)} – Lookalike`;
  if (isNew) {
    scrollTo(0, 0);
    byId("main").focus({ preventScroll: true });
  }
  built.onShown?.();
}

// Other results: a table is filled again, and keeps its controls. A form is left alone.
function refresh() {
  drawMenu(read().screen);
  if (read().screen === "settings" && !shownScreen.isWaiting) return shownScreen.onResults?.();
  if (shownScreen.reload && !shownScreen.isWaiting) shownScreen.reload();
  else showScreen(false);
}

const showPairs = throttle(500, () => shownScreen.isWaiting && !current.version && showScreen(false));

// The token of the address is in a cookie now. Nobody shall send it on by accident.
if (new URLSearchParams(location.search).has("token")) history.replaceState(null, "", location.pathname + location.hash);

// The fragment of the address holds the state, so the link must not replace it.
byId("skip").addEventListener("click", (event) => (event.preventDefault(), byId("main").focus()));
addEventListener("hashchange", () => showScreen(true));
addEventListener("keydown", (event) => shownScreen.onKey?.(event));
showScreen(false);
follow(refresh, showPairs);
