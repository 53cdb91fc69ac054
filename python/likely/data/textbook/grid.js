// Tables of numbers: each has its full value, marks its words where it is pointed at, and arrow keys lead from cell to cell.

import { element, named } from "./dom.js";
import { number } from "./numbers.js";

/** A number: `value` in full for programs, `text` or four digits for people. */
export function figure(value, text = "") {
  const made = element("data", Number.isNaN(value) ? "undefined" : "", text || shownNumber(value));
  made.value = String(value);
  return made;
}

/** A whole number as an exponent. */
const raised = (power) => String(power).replace(/[-\d]/gu, (sign) => (sign === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(sign)]));

/** A number with four digits; infinity as its sign. */
export function shownNumber(value) {
  if (value === null || Number.isNaN(value)) return "0/0";
  if (Number.isFinite(value)) {
    const [digits, power] = number(value).split("e");
    return digits.replace("-", "\u2212") + (power ? `·10${raised(Number(power))}` : "");
  }
  return value > 0 ? "∞" : "−∞";
}

/** What a cell stands for: the words of a term, in the documents of a class if `place` is given. */
export function linked(node, term = "", place = -1) {
  if (term) node.dataset.term = term;
  if (place >= 0) node.dataset.place = String(place);
  return node;
}

/**
 * A table that can be walked through by arrow keys.
 * @param {string} caption @param {(Node | string)[]} head @param {HTMLTableRowElement[]} rows @param {HTMLTableRowElement[]} sums
 */
export function grid(caption, head, rows, sums = []) {
  const top = element("thead", "", row("th", head));
  const table = element("table", "grid", element("caption", "", caption), top, element("tbody", "", ...rows));
  if (sums.length) table.append(element("tfoot", "", ...sums));
  const cells = Array.from(table.querySelectorAll("td, tbody th, tfoot th"));
  cells.forEach((cell, at) => {
    /** @type {HTMLElement} */ (cell).tabIndex = at ? -1 : 0;
  });
  table.addEventListener("keydown", (event) => walk(table, event));
  const scroll = element("div", "scroll", table);
  return scroll;
}

/** A row of cells, each with what it shows, or a cell that was made before. */
export function row(kind, cells) {
  const made = element("tr", "");
  made.append(
    ...cells.map((cell) => (cell instanceof HTMLTableCellElement ? cell : element(/** @type {"td"} */ (kind), "", cell))),
  );
  return made;
}

/** The first cell of a row: a word of the texts. */
export function wordCell(term, place = -1) {
  const cell = linked(element("th", "word", named(term)), term, place);
  cell.scope = "row";
  return cell;
}

/** A cell with a number that comes from the words of a term and a class; zero probabilities are red. */
export function numberCell(value, text, term = "", place = -1, isZero = value === 0) {
  return linked(element("td", isZero ? "zero" : "", figure(value, text)), term, place);
}

function walk(table, event) {
  const cell = event.target.closest("td, th");
  if (!cell) return;
  const rows = Array.from(table.rows).slice(1);
  const at = rows.indexOf(cell.parentElement);
  const [down, right] = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] }[event.key] ?? [0, 0];
  const next = rows[at + down]?.cells[cell.cellIndex + right];
  if (!next || !(down || right)) return;
  event.preventDefault();
  cell.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

/** Marks the words that the pointed or focused cell comes from, wherever the page shows them. */
export function linkWords(page) {
  const point = (event) => {
    const cell = event.target instanceof Element ? event.target.closest("[data-term], [data-place]") : null;
    for (const old of page.querySelectorAll(".linked")) old.classList.remove("linked");
    if (!cell) return;
    const { term, place } = /** @type {HTMLElement} */ (cell).dataset;
    for (const each of page.querySelectorAll("[data-term]")) {
      const other = /** @type {HTMLElement} */ (each).dataset;
      const isSameClass = place === undefined || other.place === undefined || other.place === place;
      if (isSameClass && (term === undefined ? other.place === place : other.term === term)) each.classList.add("linked");
    }
  };
  page.addEventListener("mouseover", point);
  page.addEventListener("focusin", point);
}
