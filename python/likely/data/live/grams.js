// A text goes in; its n-grams of characters come out (crates/likely-core/src/analyze/characters/char_units.rs).

import { isLone, isSpace, lowerCase, widthAt } from "./characters.js";

const REPLACEMENT = 0xfffd;

/** Characters of which n-grams are made: their text, where each begins in it, and their places in the original text. */
class Units {
  text = "";
  offsets = [0];
  starts = [];
  ends = [];

  push(character, start, end) {
    this.text += character;
    this.offsets.push(this.text.length);
    this.starts.push(start);
    this.ends.push(end);
  }

  get length() {
    return this.starts.length;
  }
}

/** The characters of a text, with white space folded: of each word, or of the whole text. */
function unitsOf(text, lowercase, within) {
  const words = [];
  let word = new Units();
  const close = (at) => {
    if (!within || !word.length) return;
    word.push(" ", at, at);
    words.push(word);
    word = new Units();
  };
  let before;
  for (let at = 0; at < text.length; ) {
    let end = at + widthAt(text, at);
    let code = text.codePointAt(at);
    if (isLone(code)) code = REPLACEMENT;
    if (isSpace(code)) {
      while (end < text.length && isSpace(text.codePointAt(end))) end += widthAt(text, end);
      if (within) close(at);
      else word.push(" ", at, end);
    } else {
      if (within && !word.length) word.push(" ", at, at);
      const written = lowercase ? lowerCase(code, before, text.codePointAt(end)) : String.fromCodePoint(code);
      for (const character of written) word.push(character, at, end);
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
    for (let end = 1; end <= units.length; end += 1) {
      const least = within && end === units.length ? Math.min(shortest, end) : shortest;
      for (let n = least; n <= Math.min(longest, end); n += 1) {
        const first = end - n;
        const term = units.text.slice(units.offsets[first], units.offsets[end]);
        grams.push({ term, start: units.starts[first], end: units.ends[end - 1] });
      }
    }
  }
  return grams;
}
