// Corrections that the model contradicts although it has learned them: their labels are probably wrong.

import { element, named } from "./dom.js";
import { counted, percent } from "./numbers.js";
import { button, shortened, table } from "./parts.js";
import * as service from "./service.js";
import { attempt, refresh } from "./state.js";

/** The latest entries that are looked at. */
const LOOKED_AT = 200;

/** The numbers of the entries that later ones reverse. */
export function reversedIn(entries) {
  return new Set(entries.flatMap((entry) => [entry.of, entry.undoes]).filter((seq) => seq !== null));
}

/** The corrections that the model contradicts, the most certain contradiction first. */
export async function suspectsIn(signal) {
  const entries = await service.history(LOOKED_AT, null, signal);
  const reversed = reversedIn(entries);
  const learned = entries.filter((entry) => entry.kind === "learn" && !reversed.has(entry.seq));
  const kept = learned.filter((entry) => entry.text !== null);
  if (!kept.length) {
    return [element("p", "remark", learned.length ? "The server does not keep the texts of corrections, so they cannot be checked; --keep-texts keeps them." : "There is nothing to check yet.")];
  }
  const found = await service.predict(kept.map((entry) => entry.text), 1, signal);
  const suspects = kept.map((entry, at) => ({ entry, ...found[at].labels[0] })).filter(({ entry, label }) => label !== entry.label);
  suspects.sort((a, b) => b.probability - a.probability);
  if (!suspects.length) return [element("p", "remark", `None: the model agrees with the last ${counted(kept.length, "correction")}.`)];
  const rows = suspects.slice(0, 20).map(({ entry, label, probability }) => [element("bdi", "", shortened(entry.text, 70)), named(entry.label), element("span", "", named(label), `, ${percent(probability)}`), mover(entry, label)]);
  return [element("p", "", "The model has learned these labels and still says otherwise."), table("suspect-table", ["Text", "Label", "The model says", "Action"], rows)];
}

function mover(entry, label) {
  const move = () => attempt(async () => {
    const outcome = await service.learn(entry.text, label, entry.source ?? "page");
    await refresh(outcome.seq);
  });
  return button("", move, "Move to ", named(label));
}
