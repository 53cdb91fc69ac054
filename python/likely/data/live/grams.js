// A text goes in; its n-grams of characters come out (crates/likely-core/src/analyze/characters/char_units.rs).

import { isLone, isSpace, lowerCase, widthAt } from "./characters.js";

const REPLACEMENT = 0xfffd;

/** The characters of a text, with white space folded, in words: lists of characters with their places. */
function unitsOf(text, lowercase, within) {
  const words = [];
  let word = [];
  const close = (at) => {
    if (within && word.length) {
      word.push({ text: " ", start: at, end: at });
      words.push(word);
      word = [];
    }
  };
  let before;
  for (let at = 0; at < text.length; ) {
    let end = at + widthAt(text, at);
    let code = text.codePointAt(at);
    if (isLone(code)) code = REPLACEMENT;
    if (isSpace(code)) {
      while (end < text.length && isSpace(text.codePointAt(end))) end += widthAt(text, end);
      if (within) close(at);
      else word.push({ text: " ", start: at, end });
    } else {
      if (within && !word.length) word.push({ text: " ", start: at, end: at });
      const written = lowercase ? lowerCase(code, before, text.codePointAt(end)) : String.fromCodePoint(code);
      for (const character of written) word.push({ text: character, start: at, end });
    }
    before = code;
    at = end;
  }
  close(text.length);
  if (!within) words.push(word);
  return words;
}

/**
 * The n-grams of characters of a text with their places, ordered by where they end.
 *
 * @param {boolean} within whether n-grams stay within words, which have a space before and after them. A word that is
 *   shorter than the shortest n-gram becomes one n-gram.
 */
export function gramsOf(text, [shortest, longest], lowercase, within) {
  const grams = [];
  for (const units of unitsOf(text, lowercase, within)) {
    for (let last = 0; last < units.length; last += 1) {
      const depth = last + 1;
      const least = within && depth === units.length ? Math.min(shortest, depth) : shortest;
      for (let n = least; n <= Math.min(longest, depth); n += 1) {
        const first = depth - n;
        const term = units.slice(first, depth).map((unit) => unit.text).join("");
        grams.push({ term, start: units[first].start, end: units[last].end });
      }
    }
  }
  return grams;
}
