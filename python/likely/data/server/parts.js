// Parts of the page that only the server has.

import { element, printable } from "./dom.js";
import { thousands } from "./numbers.js";

/** A button that does something. */
export function button(className, does, ...children) {
  const made = element("button", className, ...children);
  made.type = "button";
  made.addEventListener("click", does);
  return made;
}

/** The beginning of a text on one line in which nothing is hidden. */
export function shortened(text, length = 80) {
  const line = text.slice(0, 8 * length).replace(/\s+/gu, " ").trim();
  const characters = [...printable(line)];
  return characters.length > length ? `${characters.slice(0, length - 1).join("")}…` : line;
}

/** A sentence of the server as parts of a paragraph: it begins with a capital, and what stands in backquotes is code. */
export function sentence(text) {
  const whole = printable(`${text[0].toUpperCase()}${text.slice(1)}${/[.!?]$/u.test(text) ? "" : "."}`);
  return whole.split("`").map((part, at) => (at % 2 ? element("code", "", part) : part));
}

/** A table with a head: rows are lists of cells, each an element, a text or a number. */
export function table(className, heads, rows) {
  const head = element("tr", "");
  heads.forEach((each, at) => {
    const cell = element("th", typeof rows[0]?.[at] === "number" ? "figure" : "", each);
    cell.scope = "col";
    head.append(cell);
  });
  const body = rows.map(([first, ...rest]) => {
    const cell = element("th", "", first);
    cell.scope = "row";
    const cells = rest.map((each, at) => {
      const made = typeof each === "number" ? element("td", "figure", thousands(each)) : element("td", "", each);
      made.dataset.head = heads[at + 1]; // where the screen is narrow, rows become cards
      return made;
    });
    return element("tr", "", cell, ...cells);
  });
  const made = element("div", "scroll", element("table", className, element("thead", "", head), element("tbody", "", ...body)));
  made.tabIndex = 0; // so that it can be scrolled from the keyboard
  return made;
}

/** Runs a function some time after the last call. */
export function debounced(wait, runs) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(runs, wait);
  };
}
