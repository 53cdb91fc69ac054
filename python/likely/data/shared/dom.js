// Small parts of which pages are made. Texts are never read as HTML.

/**
 * An element that the page has, by its id; the class is for the type check.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @param {new () => T} [kind]
 */
export const byId = (id, kind) => /** @type {T} */ (document.getElementById(id));

/** The first element in a place that a selector finds; the place has one.
 * @type {(place: ParentNode, selector: string) => HTMLElement} */
export const find = (place, selector) => /** @type {HTMLElement} */ (place.querySelector(selector));

/**
 * An element with a class and children: elements or texts.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {string} kind
 * @param {(Node | string | null)[]} children
 */
export function element(name, kind, ...children) {
  const made = document.createElement(name);
  if (kind) made.className = kind;
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** Controls, and the marks that turn the direction of text around; joiners belong to words and emoji. */
const HIDDEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** A text in which nothing is hidden, as `printable` in python/likely/terminal.py writes it. */
export const printable = (value) => String(value).replace(HIDDEN, (found) => {
  const code = Number(found.codePointAt(0)).toString(16);
  const [sign, width] = code.length < 3 ? ["x", 2] : code.length < 5 ? ["u", 4] : ["U", 8];
  return `\\${sign}${code.padStart(width, "0")}`;
});

/** A label or a term: isolated, so that its direction does not change that of its neighbours. */
export const named = (value) => element("bdi", "", String(value).trim() === "" ? `“${printable(value)}”` : printable(value));

/** A bar for a share; the number beside it says the same. `mark` is another share, which is a line in it. */
export function bar(share, mark = undefined) {
  const made = element("span", mark === undefined ? "share-bar" : "share-bar with-mark");
  made.style.setProperty("--share", share);
  if (mark !== undefined) made.style.setProperty("--mark", mark);
  made.ariaHidden = "true";
  return made;
}

/** The place among so many things to which a key leads: an arrow, Home or End; undefined for other keys. */
export function placeAfter({ key, altKey, ctrlKey, metaKey }, at, many) {
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: many - 1 }[key];
  return to === undefined || altKey || ctrlKey || metaKey ? undefined : (to + many) % many;
}
