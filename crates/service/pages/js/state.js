// The state of a page is in its address, so it can be sent, and back and forward work.
//
// Short values are in the query. Pasted texts are in the fragment, which a browser does not send to a server or write to its log.

// Longer addresses are cut by many programs.
const MOST_CHARACTERS = 16000;

export const read = () =>
  Object.fromEntries([location.search, location.hash.slice(1)].flatMap((part) => [...new URLSearchParams(part)]));

function encode(values) {
  return new URLSearchParams(Object.entries(values).filter(([, value]) => value !== "" && value !== null && value !== undefined)).toString();
}

export function address(values, texts = {}) {
  const [query, fragment] = [encode(values), encode(texts)];
  const fits = fragment.length <= MOST_CHARACTERS;
  return { fits, path: location.pathname + (query && "?" + query) + (fragment && fits ? "#" + fragment : "") };
}

// Sets the address. Returns whether the texts fit into it. A new step of the history is only made if the reader chose something.
export function write(values, texts = {}, isStep = false) {
  const { fits, path } = address(values, texts);
  if (path !== location.pathname + location.search + location.hash) history[isStep ? "pushState" : "replaceState"](null, "", path);
  return fits;
}

export const onBack = (action) => addEventListener("popstate", action);

export const LONG = "The text is too long for a link: the address of this page is without it.";
