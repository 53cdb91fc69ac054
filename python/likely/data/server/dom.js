// Small parts of which the page is made. Texts are never read as HTML.

export const byId = (id) => document.getElementById(id);

/** An element with a class and children: elements or texts. */
export function element(name, className, ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** A button that does something. */
export function button(className, does, ...children) {
  const made = element("button", className, ...children);
  made.type = "button";
  made.addEventListener("click", does);
  return made;
}

/** Controls, and the marks that turn the direction of text around, so that they can be seen. */
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu; // joiners belong to words and emoji

const shown = (text) => text.replace(UNSEEN, (found) => `\\u{${found.codePointAt(0).toString(16)}}`);

/** A text without line breaks in which nothing is hidden. */
export function printable(value) {
  const text = shown(String(value));
  return text.trim() === "" ? `“${text}”` : text;
}

/** A label or a term: isolated, so that its direction does not change that of its neighbours. */
export const named = (value) => element("bdi", "", printable(value));

/** The beginning of a text on one line in which nothing is hidden. */
export function shortened(text, length = 80) {
  const line = text.slice(0, 8 * length).replace(/\s+/gu, " ").trim();
  const characters = [...shown(line)];
  return characters.length > length ? `${characters.slice(0, length - 1).join("")}…` : line;
}

/** A sentence of the server as parts of a paragraph: it begins with a capital, and what stands in backquotes is code. */
export function sentence(text) {
  const whole = shown(`${text[0].toUpperCase()}${text.slice(1)}${/[.!?]$/u.test(text) ? "" : "."}`);
  return whole.split("`").map((part, at) => (at % 2 ? element("code", "", part) : part));
}

/** A probability in per cent; it is never rounded to certainty. */
export function percent(share) {
  if (share > 0.9999) return ">\u00a099.99\u00a0%";
  if (share < 0.0005) return "<\u00a00.1\u00a0%";
  return `${rounded(100 * share, share > 0.999 ? 2 : 1)}\u00a0%`;
}

/** A share of what was counted: here, all and none are what they say; "–" if there is none. */
export function counts(share) {
  if (share === null) return "–";
  return share === 0 || share === 1 ? `${100 * share}\u00a0%` : percent(share);
}

/** A number with this many decimals; one in the middle goes to the even digit, as in the report. */
function rounded(value, decimals) {
  const places = 10 ** decimals;
  const scaled = value * places;
  // Only a multiple of 1/4 (of 1/8) can be in the middle of two numbers with one (two) decimals.
  const isMiddle = Number.isInteger(value * 2 ** (decimals + 1)) && Math.abs(scaled % 1) === 0.5;
  return (isMiddle ? (2 * Math.round(scaled / 2)) / places : value).toFixed(decimals);
}

/** A number for people. */
export function number(value) {
  return value.toLocaleString("en", { maximumFractionDigits: Number.isInteger(value) ? 0 : 2 });
}

/** A count with its noun. */
export function counted(value, noun, plural = `${noun}s`) {
  return `${number(value)} ${value === 1 ? noun : plural}`;
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
      const made = typeof each === "number" ? element("td", "figure", number(each)) : element("td", "", each);
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
