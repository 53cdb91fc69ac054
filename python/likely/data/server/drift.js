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
    element("p", "remark", `The last ${counted(found.texts, "text")}${found.abstained ? `, ${thousands(found.abstained)} without an answer` : ""}. The estimate corrects the answers for the errors that the probabilities imply. Requests that this page makes by itself are not counted.`),
  ];
}

function unknown({ unknown: now, usual }) {
  const said = [element("strong", "", percent(now)), " of the terms are unknown to the model"];
  return element("p", "lead", ...said, usual === null ? "." : `; ${percent(usual)} is usual in texts like the training data.`);
}

function distance({ distance: far }) {
  if (far === null) return [];
  return ["The class shares differ from the training data by ", element("strong", "", percent(far)), " of the texts."];
}
