// Drift: how the texts of today compare with what the model has learned.

import { bar, element, named } from "./dom.js";
import { counted, percent, thousands } from "./numbers.js";
import { sentence, table } from "./parts.js";
import * as service from "./service.js";

const ENOUGH = 30; // texts, as for an evaluation

/** The figures of drift. */
export async function drift(signal) {
  const found = await service.drift(signal);
  if (found.texts < ENOUGH) return [element("p", "remark", `${counted(found.texts, "text")} predicted since the server was started: too few yet, at least ${ENOUGH} are needed.`)];
  const rows = found.classes.map((each) => [named(each.label), bar(each.estimated ?? each.predicted ?? 0, each.training), percent(each.training), percent(each.predicted), percent(each.estimated)]);
  return [
    ...(found.warning ? [element("p", "warning", ...sentence(found.warning))] : []),
    unknown(found),
    element("p", "", ...distance(found)),
    table("drift-table", ["Class", "Now (mark: training)", "In training", "Of the answers", "Estimated now"], rows),
    element("p", "remark", `About the last ${counted(found.texts, "text")}${found.abstained ? `, of which ${thousands(found.abstained)} got no answer` : ""}. The estimate corrects the answers for the errors that their probabilities tell of. What this page asks for on its own is not counted.`),
  ];
}

function unknown({ unknown: now, usual }) {
  const said = [element("strong", "", percent(now)), " of the terms are unknown to the model"];
  return element("p", "lead", ...said, usual === null ? "." : `; ${percent(usual)} are usual in texts like those of training.`);
}

function distance({ distance: far }) {
  if (far === null) return [];
  return ["The shares of the classes differ from those of training by ", element("strong", "", percent(far)), " of the texts."];
}
