// The confusion matrix: a press on a cell lists its documents; the arrow keys move between cells, Escape leads back.

import { highlighted, report } from "./documents.js";
import { byId, element, find, named } from "./dom.js";
import { counted, thousands } from "./numbers.js";

{
  const matrix = byId("matrix", HTMLTableElement), place = byId("cell");
  const cells = [...matrix.querySelectorAll("button")], rows = [...matrix.tBodies[0].rows];
  const name = (at) => (at < 0 ? "no answer" : report.labels[at]);

  // One cell of the matrix is in the order of the Tab key: the one that was chosen last.
  const reach = (button) => cells.forEach((each) => { each.tabIndex = each === button ? 0 : -1; });

  const item = ([row, probability, ofGold, rival, pieces], right) => {
    const figures = right ? ` ${probability}` : ` ${probability} against ${ofGold} for the label`;
    const verdict = element("p", "verdict", `Row ${thousands(row)}:${figures}`);
    if (right && rival !== null) verdict.append("; words against ", named(rival));
    return element("li", "document", verdict, element("p", "", highlighted(pieces)));
  };

  const show = (key) => {
    const [gold, predicted] = key.split(",").map(Number);
    const examples = report.cells[key] || [], total = report.totals[key] || 0;
    const heading = element("h3", "", "Labelled ", named(name(gold)), ", predicted ", named(name(predicted)));
    const order = gold === predicted ? "the least sure first" : "the worst first";
    const which = examples.length < total ? `${examples.length} of them, ${order}` : order;
    const list = element("ol", "documents", ...examples.map((each) => item(each, gold === predicted)));
    place.replaceChildren(heading, element("p", "remark", `${counted(total, "document")}; ${which}.`), list);
    for (const each of cells) {
      each.setAttribute("aria-pressed", String(each.dataset.cell === key));
      if (each.dataset.cell === key) reach(each);
    }
    place.focus({ preventScroll: true });
    place.scrollIntoView({ block: "nearest" });
  };

  for (const button of document.querySelectorAll("button")) {
    if (button.dataset.cell) button.addEventListener("click", () => show(button.dataset.cell));
  }

  const beside = (button, down, across) => {
    let row = rows.indexOf(button.closest("tr")), column = button.closest("td").cellIndex;
    for (;;) {
      row += down;
      column += across;
      const cell = rows[row]?.cells[column];
      if (!cell || cell.tagName !== "TD") return null;
      const found = cell.querySelector("button");
      if (found && found.offsetParent) return found;
    }
  };
  const arrows = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  matrix.addEventListener("keydown", (event) => {
    const [arrow, from] = [arrows[event.key], cells.find((each) => each === event.target)];
    if (!arrow || !from) return;
    event.preventDefault();
    const next = beside(from, ...arrow);
    if (!next) return;
    reach(next);
    next.focus();
  });
  place.addEventListener("keydown", (event) => {
    if (event.key === "Escape") find(matrix, "[tabindex='0']").focus();
  });
  if (cells.length) reach(cells[0]);

  const onlyErrors = byId("only-errors", HTMLInputElement);
  onlyErrors?.addEventListener("change", () => matrix.classList.toggle("only-errors", onlyErrors.checked));
}
