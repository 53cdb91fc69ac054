// An answer goes in; bars, the marked text and what stands around them come out: the same on every page.

import { bar, byId, element, named, placeAfter } from "./dom.js";
import { stretches } from "./highlight.js";
import { counted, percent, thousands, times } from "./numbers.js";

/**
 * A known term: the word that the text has for it, by how much it speaks for the answer against its rival, and its places in
 * code units.
 * @typedef {{term: string, word: string, weight: number, spans: [number, number][]}} Evidence
 *
 * An answer: the names of the classes as they are shown, the places of the predicted class and of the best other one.
 * @typedef {{text: string, names: string[], probabilities: number[], place: number, rival: number | null, abstains: boolean,
 *   terms: Evidence[]}} Answer
 */

const SHOWN_CLASSES = 6;
/** Longer texts are classified as a whole, but only their beginning is shown with its words marked. */
const SHOWN_TEXT = 20000;
/** Weaker evidence is not marked. */
const FAINTEST = 0.05;

/** The name of a class. */
export const nameOf = (answer, place) => named(answer.names[place]);

/** The answer in one line. */
export function verdict(answer) {
  const [name, share] = [element("strong", "", nameOf(answer, answer.place)), percent(answer.probabilities[answer.place])];
  return answer.abstains ? ["No answer: the model is not sure enough of ", name, `, ${share}.`] : [name, `, ${share}`];
}

/** Fills a place with a row per class, the most probable first; most of many are folded. `before` has earlier probabilities. */
export function showBars(place, answer, before = []) {
  const { probabilities } = answer;
  const order = probabilities.map((_, at) => at).sort((a, b) => probabilities[b] - probabilities[a] || a - b);
  const rows = order.map((at) => {
    const name = element("span", "class-name", nameOf(answer, at));
    const share = element("span", "class-share", percent(probabilities[at]));
    return element("li", at === answer.place ? "class-row best" : "class-row", name, bar(probabilities[at], before[at]), share);
  });
  const rest = element("details", "", element("summary", "", counted(rows.length - SHOWN_CLASSES, "more class", "more classes")));
  rest.append(element("ol", "class-rows", ...rows.slice(SHOWN_CLASSES)));
  rest.open = place.querySelector("details")?.open ?? false;
  place.replaceChildren(element("ol", "class-rows", ...rows.slice(0, SHOWN_CLASSES)));
  if (rows.length > SHOWN_CLASSES) place.append(rest);
}

/** What the marks mean. */
export function legend(answer) {
  if (answer.rival === null) return [];
  const [forIt, against] = [element("mark", "p3", "marked like this"), element("mark", "c3", "like this")];
  const [label, rival] = [nameOf(answer, answer.place), nameOf(answer, answer.rival)];
  const [rest, other] = [restOf(answer), nameOf(answer, restOf(answer) < 0 ? answer.rival : answer.place)];
  const says = [" Besides the words, the prior (and any absent words) speaks ", times(rest), " for ", other, "."];
  const more = Math.abs(rest) > 0.005 && times(rest) ? says : [];
  return ["Words ", forIt, " speak for ", label, ", words ", against, " for ", rival, ".", ...more];
}

/** What decides besides the words: with their weights, it makes the log-odds of the answer against its rival. */
export function restOf({ probabilities, place, rival, terms }) {
  return Math.log(probabilities[place] / probabilities[rival]) - terms.reduce((sum, { weight }) => sum + weight, 0);
}

/**
 * Fills a place with the text, its evidence marked. One mark is in the order of the Tab key; arrows, Home and End lead to the
 * others. `shows` gets the terms behind a mark when it is pointed at, focused or pressed.
 */
export function showMarked(place, answer, shows) {
  const { text, terms } = answer;
  const shown = text.slice(0, SHOWN_TEXT);
  const evidence = terms.map((term) => ({ ...term, spans: term.spans.filter(([, end]) => end <= shown.length) }));
  const marks = [];
  let at = 0;
  let pointed = null;
  let stop = null;
  const nodes = stretches(shown, evidence.filter((term) => term.spans.length)).map(({ text: stretch, strength }) => {
    const start = at;
    at += stretch.length;
    if (Math.abs(strength) < FAINTEST || stretch.trim() === "") return stretch;
    const level = Math.min(4, 1 + Math.floor(4 * Math.abs(strength)));
    const mark = element("mark", `${strength > 0 ? "p" : "c"}${level} word`, stretch);
    mark.role = "button";
    mark.ariaLabel = `${stretch}, for ${answer.names[strength > 0 ? answer.place : answer.rival]}`;
    mark.tabIndex = marks.length ? -1 : 0;
    const points = () => {
      pointed?.classList.remove("pointed");
      pointed = mark;
      mark.classList.add("pointed");
      shows(terms.filter((term) => term.spans.some(([first, end]) => first <= start && start < end)));
    };
    mark.addEventListener("mouseenter", points);
    mark.addEventListener("click", points);
    mark.addEventListener("focus", () => {
      stop.tabIndex = -1;
      stop = mark;
      mark.tabIndex = 0;
      points();
    });
    stop ??= mark;
    marks.push(mark);
    return mark;
  });
  place.onkeydown = (event) => {
    const at = marks.indexOf(event.target);
    const to = event.key === "Enter" || event.key === " " ? at : placeAfter(event, at, marks.length);
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    if (to === at) marks[at].click();
    else marks[to].focus();
  };
  if (shown !== text) nodes.push(element("em", "", ` … and ${counted(text.length - shown.length, "more character")}`));
  place.replaceChildren(...nodes);
}

/** How much of the text the model knows. */
export function knownShare(known, terms) {
  if (!terms) return "The text has no words: only the prior decides.";
  if (!known) return "The model knows none of these words: only the prior decides.";
  return `The model knows ${thousands(known)} of the ${counted(terms, "term")} of this text.`;
}
