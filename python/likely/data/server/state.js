// What all parts of the page know: the model as the server last described it, and who wants to hear when it changes.

import { byId, counted, printable } from "./dom.js";
import * as service from "./service.js";

export const known = { model: null, classes: [], order: [] };

const listeners = new Set();

/** Calls a function whenever the model may have changed. */
export function onChange(does) {
  listeners.add(does);
}

/** The labels in the order of their keys: a new one is the last, so that the key of no other one changes. */
export const labels = () => known.order;

/** The model as it is after an entry. Of several processes, another one may answer, which learns of it a moment later. */
async function modelAfter(seq) {
  for (let tries = 1; ; tries += 1) {
    const found = await service.model();
    if (found.learning.seq >= seq || tries === 20) return found;
    await new Promise((done) => setTimeout(done, 25));
  }
}

/** Asks what the model is now, shows it in the head of the page, and tells all who want to hear. */
export async function refresh(seq = 0) {
  known.model = await modelAfter(seq);
  known.classes = await service.classes();
  const now = known.classes.map((each) => each.label);
  known.order = [...known.order.filter((label) => now.includes(label)), ...now.filter((label) => !known.order.includes(label))];
  const { name, documents, terms, learning } = known.model;
  byId("title").textContent = printable(name);
  document.title = `${printable(name)} – likely`;
  const learns = learning.can_learn ? "" : ` · does not learn: ${learning.why_not ?? "it has no store"}`;
  byId("subtitle").textContent = known.classes.length
    ? `${counted(documents, "document")} · ${counted(known.classes.length, "class", "classes")} · ${counted(terms, "term")}${learns}`
    : `The model is empty. Teach it: give texts and the names of their classes.${learns}`;
  for (const does of listeners) does();
}

/** Shows what went wrong, or hides it again. */
export function problem(error = null) {
  if (error?.name === "AbortError") return;
  const place = byId("problem");
  place.hidden = error === null;
  place.textContent = error === null ? "" : error.message + (error.id ? ` (request ${error.id})` : "");
}

/** Runs something that may go wrong, and shows it if it does: true if it did not. */
export async function attempt(does) {
  try {
    await does();
    problem();
    return true;
  } catch (error) {
    if (error.status === undefined && error.name !== "AbortError") console.error(error);
    problem(error);
    return false;
  }
}
