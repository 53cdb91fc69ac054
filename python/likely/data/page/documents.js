// The data of the page, and documents with highlighted words. Texts become text nodes, never markup.

import { byId, element } from "./dom.js";

export const report = JSON.parse(byId("report-data").textContent);

/** A text in pieces, each followed by its shade: above 0 it speaks for the predicted class, below 0 for the other one. */
export function highlighted(pieces) {
  const parts = [];
  for (let at = 0; at < pieces.length; at += 2) {
    const [text, shade] = pieces.slice(at, at + 2);
    parts.push(shade ? element("mark", `${shade > 0 ? "p" : "c"}${Math.abs(shade)}`, text) : text);
  }
  return element("bdi", "text", ...parts);
}
