// The state of the page is in the fragment of its address: `#/screen?values`. It can be sent, back and forward work, and a browser sends
// it to no server.

const FIRST_SCREEN = "overview";

export function read() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  return { screen: path || FIRST_SCREEN, values: Object.fromEntries(new URLSearchParams(query)) };
}

const isSet = ([, value]) => value !== "" && value !== null && value !== undefined && value !== false;

export const parameters = (values) => new URLSearchParams(Object.entries(values).filter(isSet)).toString();

// The address of a screen.
export function link(screen, values = {}) {
  const query = parameters(values);
  return `#/${screen}${query && "?" + query}`;
}

// Sets the address without showing the screen again. A step of the history is made if the reader chose something.
export function write(screen, values, isStep) {
  const next = link(screen, values);
  if (next !== location.hash) history[isStep ? "pushState" : "replaceState"](null, "", next);
}
