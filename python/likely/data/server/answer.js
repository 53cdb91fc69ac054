// An explanation of the server goes in; bars, the marked text and the words behind it come out.

import { button, byId, counted, element, named, number, percent } from "./dom.js";
import { stretches } from "./highlight.js";

const SHOWN_CLASSES = 6;
/** Longer texts are classified as a whole, but only their beginning is shown with its words marked. */
const SHOWN_TEXT = 20000;
/** Weaker evidence is not marked. */
const FAINTEST = 0.05;

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

/** What the page shows of an explanation: places of classes, probabilities, and evidence for the answer against its rival. */
export function read(explained, text) {
  const probabilities = explained.calibrated ?? explained.posterior;
  const place = explained.classes.indexOf(explained.label);
  const rival = explained.rival === null ? null : explained.classes.indexOf(explained.rival);
  const units = unitsOf(text);
  const terms = explained.terms.map((term) => {
    const spans = term.spans.map(([start, end]) => [units(start), units(end)]);
    const weight = rival === null ? 0 : difference(term.contribution, place, rival) * explained.factor;
    return { ...term, spans, weight };
  });
  return { ...explained, text, probabilities, place, rivalPlace: rival, terms };
}

/** What a term adds to the score of one class beyond that of another; a score of minus infinity is null. */
export function difference(contribution, a, b) {
  if (contribution[a] === null) return contribution[b] === null ? 0 : -Infinity;
  return contribution[b] === null ? Infinity : contribution[a] - contribution[b];
}

/** A row per class, the most probable first; most of many classes are folded. `before` has earlier probabilities by class. */
export function bars(answer, before = null) {
  const order = answer.classes.map((_, at) => at).sort((a, b) => answer.probabilities[b] - answer.probabilities[a] || a - b);
  const rows = order.map((at) => {
    const bar = element("span", "share-bar");
    bar.style.setProperty("--share", answer.probabilities[at]);
    bar.ariaHidden = "true"; // the number beside it says the same
    const was = before?.get(answer.classes[at]);
    if (was !== undefined) {
      bar.classList.add("with-before");
      bar.style.setProperty("--before", was);
    }
    return element("li", at === answer.place ? "class-row best" : "class-row", element("span", "class-name", named(answer.classes[at])), bar, element("span", "class-share", percent(answer.probabilities[at])));
  });
  const first = element("ol", "class-rows", ...rows.slice(0, SHOWN_CLASSES));
  if (rows.length <= SHOWN_CLASSES) return [first];
  const rest = element("details", "", element("summary", "", `${rows.length - SHOWN_CLASSES} more classes`), element("ol", "class-rows", ...rows.slice(SHOWN_CLASSES)));
  rest.open = byId("bars").querySelector("details")?.open ?? false;
  return [first, rest];
}

/** The answer in one line. */
export function verdict(answer) {
  const share = percent(answer.probabilities[answer.place]);
  if (answer.abstains) return ["No answer: the model is not sure enough of ", element("strong", "", named(answer.label)), `, ${share}.`];
  return [element("strong", "", named(answer.label)), `, ${share}`];
}

export function legend(answer) {
  if (answer.rival === null) return [];
  return ["Words ", element("mark", "p3", "marked like this"), " speak for ", named(answer.label), ", words ", element("mark", "c3", "like this"), " for ", named(answer.rival), "."];
}

/** The text with its evidence marked. `shows` is called with the terms behind a mark when it is pointed at or focused. */
export function marked(answer, shows) {
  const shown = answer.text.slice(0, SHOWN_TEXT);
  const spans = answer.terms.map((term) => ({ ...term, spans: term.spans.filter(([, end]) => end <= shown.length) }));
  const behind = termsByPlace(shown.length, spans);
  let at = 0;
  const nodes = stretches(shown, spans.filter((term) => term.spans.length)).map(({ text, strength }) => {
    const start = at;
    at += text.length;
    if (Math.abs(strength) < FAINTEST || text.trim() === "") return text;
    const level = Math.min(4, 1 + Math.floor(4 * Math.abs(strength)));
    const mark = element("mark", `${strength > 0 ? "p" : "c"}${level} word`, text);
    mark.tabIndex = 0;
    const terms = behind(start);
    for (const kind of ["mouseenter", "focus", "click"]) mark.addEventListener(kind, () => shows(terms, mark));
    return mark;
  });
  return shown === answer.text ? nodes : [...nodes, element("em", "", ` … and ${counted(answer.text.length - shown.length, "more character")}`)];
}

/** A function from a place in the text to the terms that cover it. */
function termsByPlace(length, terms) {
  const starts = Array.from({ length }, () => null);
  for (const term of terms) for (const [start, end] of term.spans) for (let at = start; at < end; at += 1) (starts[at] ??= new Set()).add(term);
  return (place) => [...(starts[place] ?? [])];
}

/** How strong evidence is, as the factor of the odds. */
export function factor(weight) {
  if (!Number.isFinite(weight)) return "decides alone";
  const times = Math.exp(Math.abs(weight));
  return times < 1e6 ? `×${times < 10 ? times.toFixed(1) : number(Math.round(times))}` : `×10^${Math.round(Math.log10(times))}`;
}

/** The counts behind the weight of the terms under a word: a short table per term. */
export function countsBehind(answer, terms) {
  const shownPlaces = [...new Set([answer.place, answer.rivalPlace])].filter((place) => place !== null);
  return terms.map((term) => {
    const side = term.weight >= 0 ? answer.label : answer.rival;
    const rows = shownPlaces.map((place) => {
      const [count, of] = term.fractions[place];
      return element("li", "", named(answer.classes[place]), ": ", element("span", "figure", `${number(count)} of ${number(of)}`), ` = ${likelihood(count / of)}`);
    });
    return element("div", "counts", element("p", "", element("strong", "", named(term.term)), term.written.length ? ` (written ${term.written.map((word) => `“${word}”`).join(", ")})` : "", ` ${factor(term.weight)} for `, named(side)), element("ul", "", ...rows));
  });
}

/** P(term|class) with two digits that count. */
function likelihood(value) {
  if (!(value > 0)) return "0";
  return value >= 0.001 ? percent(value) : value.toExponential(1);
}

/** How much of the text the model knows. */
export function knownShare(answer) {
  if (!answer.terms.length && !answer.unknown.length) return "The text has no words, so that only the prior decides.";
  if (!answer.terms.length) return "The model knows none of these words, so that only the prior decides.";
  return `The model knows ${Math.round(100 * answer.known)} % of the terms of this text.`;
}

/** Fills a place with a button per class, with its key, and a field for a class that is new. */
export function showChoices(place, classes, chosen, chooses) {
  const focused = [...place.querySelectorAll("button, input")].indexOf(document.activeElement);
  const typed = place.querySelector("input")?.value ?? ""; // an answer may come while a name is typed
  const made = classes.map((label, at) => {
    const key = at < 9 ? element("kbd", "", String(at + 1)) : null;
    const each = button(label === chosen ? "choice chosen" : "choice", () => chooses(label), key, named(label));
    if (label === chosen) each.ariaCurrent = "true";
    return each;
  });
  place.replaceChildren(...made, newClass(chooses, classes, typed));
  if (focused >= 0) place.querySelectorAll("button, input")[Math.min(focused, classes.length)].focus({ preventScroll: true });
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
