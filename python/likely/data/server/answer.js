// An explanation of the server goes in; what pages show of it, and the counts behind its words, come out.

import { element, named, printable } from "./dom.js";
import { number, thousands, times } from "./numbers.js";
import { button } from "./parts.js";
import { nameOf } from "./view.js";

/** Places in code units for places in characters: what Python counts as one may be two in JavaScript. */
export function unitsOf(text) {
  if (!/[\ud800-\udfff]/.test(text)) return (place) => place;
  const places = [];
  let at = 0;
  for (const character of text) {
    places.push(at);
    at += character.length;
  }
  places.push(at);
  return (place) => places[Math.min(place, places.length - 1)];
}

/**
 * @typedef {{classes: import("./state.js").Label[], label: import("./state.js").Label, known: number, all: number, variant: string,
 *   change: {words: string[], label: import("./state.js").Label, probability: number} | null}} Explained
 *   what other parts of the page ask for: the classes, the predicted one, how many terms are known, of all, the variant,
 *   and what would change the answer
 */

/**
 * What the page shows of an explanation.
 *
 * @returns {import("./view.js").Answer & Explained}
 */
export function read(explained, text) {
  const { classes, label, factor, abstains } = explained;
  const place = classes.indexOf(label);
  const rival = explained.rival === null ? null : classes.indexOf(explained.rival);
  const units = unitsOf(text);
  const terms = explained.terms.map((term) => {
    const spans = term.spans.map(([start, end]) => [units(start), units(end)]);
    const weight = rival === null ? 0 : difference(term.contribution, place, rival) * factor;
    return { ...term, spans, weight };
  });
  const known = terms.reduce((sum, term) => sum + term.spans.length, 0);
  const probabilities = explained.calibrated ?? explained.posterior;
  const all = known + explained.unknown_spans.length;
  const { change, variant } = explained;
  return { text, classes, names: classes.map(printable), label, place, rival, probabilities, abstains, terms, known, all, change, variant };
}

/** What a term adds to the score of one class beyond that of another; a score of minus infinity is null. */
export function difference(contribution, a, b) {
  if (contribution[a] === null) return contribution[b] === null ? 0 : -Infinity;
  return contribution[b] === null ? Infinity : contribution[a] - contribution[b];
}

/** The counts behind the weight of the terms under a word: a short table per term. */
export function countsBehind(answer, terms) {
  const shownPlaces = [...new Set([answer.place, answer.rival])].filter((place) => place !== null);
  const isOfOthers = answer.variant.startsWith("complement");
  return terms.map((term) => {
    const side = nameOf(answer, term.weight < 0 ? answer.rival : answer.place);
    const rows = shownPlaces.map((place) => {
      const [count, of] = term.fractions[place];
      const share = of ? number(count / of) : "0";
      return element("li", "", isOfOthers ? "all but " : "", nameOf(answer, place), ": ", element("span", "figure", `${thousands(count)} of ${thousands(of)}`), ` = ${share}`);
    });
    const written = term.written.length ? ` (written ${term.written.map((word) => `“${printable(word)}”`).join(", ")})` : "";
    const says = element("p", "", element("strong", "", named(term.written.length ? term.term : term.word)), written, ` ${times(term.weight) || "decides alone"} for `, side);
    return element("div", "counts", says, element("ul", "", ...rows));
  });
}

/** Fills a place with a button per class, with its key, and, if the server makes new ones, a field for a class that is new. */
export function showChoices(place, classes, chosen, chooses, mayGrow) {
  const focused = [...place.querySelectorAll("button, input")].indexOf(document.activeElement);
  const typed = place.querySelector("input")?.value ?? ""; // an answer may come while a name is typed
  const made = classes.map((label, at) => {
    const key = at < 9 ? element("kbd", "", String(at + 1)) : null;
    const each = button(label === chosen ? "choice chosen" : "choice", () => chooses(label), key, named(label));
    if (label === chosen) each.ariaCurrent = "true";
    return each;
  });
  place.replaceChildren(...made, ...(mayGrow ? [newClass(chooses, classes, typed)] : []));
  const now = place.querySelectorAll("button, input");
  if (focused >= 0) now[Math.min(focused, classes.length, now.length - 1)]?.focus({ preventScroll: true });
}

/** A field for the name of a new class. */
function newClass(chooses, classes, typed) {
  const field = element("input", "");
  field.value = typed;
  field.placeholder = "New class";
  field.setAttribute("aria-label", "Name of a new class");
  field.dir = "auto";
  field.maxLength = 200;
  field.autocomplete = "off";
  const form = element("form", "new-class", field, element("button", "", "Add"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const name = field.value.trim();
    field.value = "";
    if (name) chooses(labelOf(name, classes));
  });
  return form;
}

/** A label as the model has them: an integer if all its classes are integers, else a text. */
export function labelOf(name, classes) {
  const known = classes.find((label) => String(label) === name);
  if (known !== undefined) return known;
  return classes.length && classes.every(Number.isInteger) && /^-?\d{1,15}$/u.test(name) ? Number(name) : name;
}
