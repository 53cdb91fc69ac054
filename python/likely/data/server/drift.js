// Drift: how the texts of today compare with what the model has learned.

import { counted, element, named, percent, table } from "./dom.js";
import * as service from "./service.js";

/** How the answers since the start of the server compare with what was learned. */
export async function showDrift(place) {
  const found = await service.metrics();
  const value = (name) => found.find((each) => each.name === name)?.value ?? 0;
  const texts = value("likely_known_share_count");
  if (!texts) {
    place.replaceChildren(element("p", "remark", "No text was predicted since the server was started."));
    return;
  }
  const predicted = new Map();
  for (const { name, labels, value: many } of found) if (name === "likely_predictions_total" && !labels.kind) predicted.set(labels.class, many);
  const rows = found.filter((each) => each.name === "likely_training_share").map(({ labels, value: share }) => [named(labels.class), element("span", "figure", percent(share)), element("span", "figure", percent((predicted.get(labels.class) ?? 0) / texts))]);
  const unknown = 1 - value("likely_known_share_sum") / texts;
  place.replaceChildren(
    element("p", "", `${counted(texts, "text")} predicted since this process was started. `, element("strong", "", percent(unknown)), " of their terms are unknown to the model."),
    table("drift-table", ["Class", "Share in training", "Share of the answers"], rows),
  );
}
