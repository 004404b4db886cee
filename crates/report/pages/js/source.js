// Answers: of the server, or of the report that this page is.

import { answerOfReport, report } from "./file.js";
import { parameters } from "./state.js";

// Why there is no answer, with a sentence for people.
export class Problem extends Error {
  constructor(status, sentence) {
    super(sentence);
    this.status = status;
  }
}

// The status of an answer without results: the audit has not ended yet.
export const NO_RESULTS = 204;

const LOST = "The server does not answer. Is the program still running?";

async function send(path, options) {
  let response;
  try {
    response = await fetch(path, { cache: "no-store", ...options });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem(0, LOST);
  }
  if (response.status === NO_RESULTS && !options.method) throw new Problem(NO_RESULTS, "There are no results yet.");
  if (!response.ok) throw new Problem(response.status, (await response.text()) || LOST);
  return response;
}

export async function ask(path, values = {}, signal) {
  if (!report) return (await send(`/api/${path}?${parameters(values)}`, { signal })).json();
  const answer = answerOfReport(path, values);
  if (answer === null) throw new Problem(404, "The report does not have this.");
  return answer;
}

export const change = (settings) => send("/api/settings", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(settings) });
