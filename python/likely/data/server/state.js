// What all parts of the page know: the model as the server last described it, and who wants to hear when it changes.

import { byId, printable } from "./dom.js";
import { counted } from "./numbers.js";
import * as service from "./service.js";

/**
 * @typedef {string | number | boolean} Label
 * @typedef {{can_learn: boolean, why_not: string | null, seq: number, new_classes: boolean}} Learning
 * @typedef {{name: string, documents: number, terms: number, learning: Learning}} Model
 * @typedef {{label: Label, documents: number, share: number, words: {term: string, word: string}[]}} Class
 * @type {{model: Model | null, classes: Class[], order: Label[]}}
 */
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
  const { name, documents, terms, learning } = (known.model = await modelAfter(seq));
  known.classes = await service.classes();
  const now = known.classes.map((each) => each.label);
  known.order = [...known.order.filter((label) => now.includes(label)), ...now.filter((label) => !known.order.includes(label))];
  byId("title").textContent = printable(name);
  document.title = `${printable(name)} – likely`;
  const learns = learning.can_learn ? "" : ` · does not learn: ${learning.why_not ?? "it has no store"}`;
  byId("subtitle").textContent = known.classes.length
    ? `${counted(documents, "document")} · ${counted(known.classes.length, "class", "classes")} · ${counted(terms, "term")}${learns}`
    : `The model is empty. Teach it: give texts and the names of their classes.${learns}`;
  for (const does of listeners) does();
}

/** Shows what went wrong, or hides it again. */
function problem(says = "") {
  byId("problem").hidden = says === "";
  byId("problem").textContent = says;
}

/** Runs something that may go wrong, and shows it if it does: true if it did not. */
export async function attempt(does) {
  try {
    await does();
    problem();
    return true;
  } catch (error) {
    if (error.name === "AbortError") return false;
    if (error.status === undefined) console.error(error);
    problem(error.message + (error.id ? ` (request ${error.id})` : ""));
    return false;
  }
}
