// Drift: how the texts of today compare with what the model has learned.

import { counted, counts, element, named, number, sentence, table } from "./dom.js";
import * as service from "./service.js";

/** Fills a place with the figures of drift. */
export async function showDrift(place) {
  const found = await service.drift();
  if (!found.texts) {
    place.replaceChildren(element("p", "remark", "No text was predicted since the server was started."));
    return;
  }
  const rows = found.classes.map((each) => [named(each.label), bar(each.estimated ?? each.predicted, each.training), counts(each.training), counts(each.predicted), counts(each.estimated)]);
  place.replaceChildren(
    ...(found.warning ? [element("p", "warning", ...sentence(found.warning))] : []),
    unknown(found),
    element("p", "", ...distance(found)),
    table("drift-table", ["Class", "Now (mark: training)", "In training", "Of the answers", "Estimated now"], rows),
    element("p", "remark", `About the last ${counted(found.texts, "text")}${found.abstained ? `, of which ${number(found.abstained)} got no answer` : ""}. The estimate corrects the answers for the errors that their probabilities tell of. What this page asks for on its own is not counted.`),
  );
}

function unknown({ unknown: now, usual }) {
  const said = [element("strong", "", counts(now)), " of the terms are unknown to the model"];
  return element("p", "lead", ...said, usual === null ? "." : `; ${counts(usual)} are usual in texts like those of training.`);
}

function distance({ distance: far }) {
  if (far === null) return [];
  return ["The shares of the classes differ from those of training by ", element("strong", "", counts(far)), " of the texts."];
}

function bar(share, mark) {
  const made = element("span", "share-bar with-before");
  made.style.setProperty("--share", share ?? 0);
  made.style.setProperty("--before", mark);
  made.ariaHidden = "true";
  return made;
}
