// How good the model is on the test data of the server: the main figures, of which moment they are, and the way to the report.

import { button, byId, counted, counts, element, named, number, sentence } from "./dom.js";
import * as service from "./service.js";
import { attempt } from "./state.js";

/** While the server measures, it is asked this often, in milliseconds. */
const AGAIN = 700;

let timer = 0;

/** Fills a place with the evaluation, and looks again while it is being made. */
export async function showEvaluation(place) {
  clearTimeout(timer);
  show(place, await service.evaluation());
}

function show(place, found) {
  const isMeasuring = found.state === "measuring";
  if (isMeasuring) timer = setTimeout(() => byId("look").hidden || attempt(() => showEvaluation(place)), AGAIN);
  // The same is not shown twice: a screen reader would read it again.
  const key = JSON.stringify({ ...found, report: null });
  if (place.dataset.shown === key && place.firstChild) {
    const link = place.querySelector("#open-report");
    if (found.report && link) link.href = found.report; // the new one is valid for longer
    return;
  }
  place.dataset.shown = key;
  const hadFocus = place.contains(document.activeElement) ? document.activeElement.id : null;
  place.replaceChildren(...partsOf(place, found, isMeasuring));
  place.ariaBusy = String(isMeasuring);
  if (hadFocus) byId(hadFocus)?.focus();
}

function partsOf(place, found, isMeasuring) {
  if (found.state === "off") return [element("p", "remark", "The server has no test data. Start it with --test-data and a file of labelled texts to see here how good the model is.")];
  const again = button("", () => attempt(async () => show(place, await service.measure())), isMeasuring ? "Measuring …" : "Measure again");
  again.id = "measure";
  again.setAttribute("aria-disabled", String(isMeasuring)); // not disabled: it keeps the focus
  if (!found.figures && isMeasuring) return [element("p", "remark", "The model is measured on the test data. This page shows the result as soon as it is there.")];
  if (!found.figures) return [element("p", "warning", ...sentence(`the model could not be measured: ${found.problem}`)), element("p", "choices", again)];
  return [...headline(found.figures), ...found.figures.warnings.map((each) => element("p", "warning", ...sentence(each))), moment(found), actions(found, again)];
}

function headline(figures) {
  const between = figures.low === null ? "" : ` (95 % interval ${counts(figures.low)} to ${counts(figures.high)})`;
  const lead = element("p", "lead", "Right for ", element("strong", "", counts(figures.accuracy)), ` of ${counted(figures.documents, "text")}${between}.`);
  const bar = element("span", "share-bar with-before wide");
  bar.style.setProperty("--share", figures.accuracy);
  bar.style.setProperty("--before", figures.majority);
  bar.ariaHidden = "true";
  const baseline = element("p", "remark", `The mark is at ${counts(figures.majority)}: the most frequent class, answered every time.`);
  const shown = [["Macro F1", counts(figures.macro_f1)], ["Log-loss", decimal(figures.log_loss)], ["Calibration error", decimal(figures.calibration_error)]];
  const list = element("dl", "figures", ...shown.map(([name, value]) => element("div", "", element("dt", "", name), element("dd", "", value))));
  return [lead, bar, baseline, list];
}

const decimal = (value) => (value === null ? "–" : value.toFixed(3));

/** Of which moment the figures are, and how much was taught since. */
function moment({ figures, entry }) {
  const time = element("time", "", new Date(figures.time).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" }));
  time.dateTime = figures.time;
  const since = entry - figures.entry;
  const age = since > 0 ? `Since then the history has grown by ${counted(since, "entry", "entries")}.` : "The model has learned nothing since.";
  return element("p", "remark", "Measured on ", named(figures.data), " at ", time, `, in ${number(figures.seconds)} s. ${age}`);
}

function actions(found, again) {
  const parts = [again];
  if (found.report) {
    const link = element("a", "button", "Open the report");
    link.href = found.report;
    link.target = "_blank";
    link.rel = "noopener";
    link.id = "open-report";
    parts.unshift(link);
  } else parts.push(element("span", "remark", "The whole report needs a learn token, because it quotes texts."));
  return element("p", "choices", ...parts);
}
