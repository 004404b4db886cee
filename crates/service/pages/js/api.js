// Requests to the service, with the key of the reader if the service wants one.

import { json, record } from "./requests.js";
import { byId } from "./show.js";

const STORED = "lookalike-key";

let key = stored();
let asksAgain = () => {};

// A browser may refuse to store anything. The key then lives as long as the page.
function stored() {
  try {
    return sessionStorage.getItem(STORED) ?? "";
  } catch {
    return "";
  }
}

function useKey(next) {
  key = next;
  try {
    sessionStorage.setItem(STORED, next);
  } catch {
    // See above.
  }
  byId("forget").hidden = next === "";
}

// An answer that is an error, with a sentence for people.
export class Problem extends Error {
  constructor(status, detail) {
    super(/[.!?]$/.test(detail) ? detail : detail + ".");
    this.message = this.message[0].toUpperCase() + this.message.slice(1);
    this.status = status;
  }
}

async function problem(response) {
  const body = await response.json().catch(() => ({}));
  const found = new Problem(response.status, body.detail ?? `the service has answered with status ${response.status}`);
  if (response.status === 401 || body.code === "forbidden") askForKey(key === "" ? "This service needs a key." : found.status === 401 ? "The service does not know this key." : found.message);
  return found;
}

function askForKey(sentence) {
  const form = byId("key-form");
  if (form.hidden || byId("key-problem").textContent !== sentence) byId("key-problem").textContent = sentence;
  if (form.hidden) {
    form.hidden = false;
    byId("key").focus();
  }
}

// Sends a request, and throws a problem if it fails.
export async function send(method, path, { body, signal } = {}) {
  const headers = {};
  if (key) headers.authorization = "Bearer " + key;
  if (body !== undefined) headers["content-type"] = "application/json";
  const start = performance.now();
  const request = { method, path, body, hasKey: key !== "" };
  const finish = (status) => record({ ...request, status, milliseconds: Math.ceil(performance.now() - start) });
  let response;
  try {
    response = await fetch(path, { method, headers, signal, body: body === undefined ? undefined : json(body), cache: "no-store" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    finish(0);
    throw new Problem(0, "the service does not answer");
  }
  finish(response.status);
  if (!response.ok) throw await problem(response);
  return response;
}

export const ask = async (method, path, options) => (await send(method, path, options)).json();

// Reads the bytes of a whole answer, and says how long all took.
export function stopwatch() {
  const start = performance.now();
  return () => `${Math.ceil(performance.now() - start)} ms`;
}

// Starts a page: `action` asks, now and whenever there is another key.
export function start(action) {
  asksAgain = action;
  byId("forget").hidden = key === "";
  byId("forget").addEventListener("click", () => (useKey(""), asksAgain()));
  byId("key-form").addEventListener("submit", (event) => {
    event.preventDefault();
    try {
      // A header has no other characters.
      new Headers({ authorization: byId("key").value });
    } catch {
      return askForKey("A key has no such characters.");
    }
    useKey(byId("key").value.trim());
    byId("key").value = "";
    byId("key-form").hidden = true;
    asksAgain();
  });
  // The fragment of the address holds texts, so the link must not replace it.
  byId("skip").addEventListener("click", (event) => (event.preventDefault(), byId("main").focus()));
  action();
}
