// A character goes in; its class and its lower case come out, as the kernel knows them, whatever the browser knows.
//
// A character is a code point. Half of a surrogate pair that stands alone is a separator.

import { CAPITALS, KINDS, NEWER, RUNS } from "./unicode.js";

/** The classes of characters (crates/likely-core/src/analyze/characters/char_class.rs). */
export const SEPARATOR = 0;
export const WORD = 1;
export const MARK = 2;
export const SINGLE = 3;
export const EMOJI = 4;
export const TEXT_EMOJI = 5;
export const REGIONAL = 6;
export const SKIN_TONE = 7;
export const JOINER = 8;
export const APOSTROPHE = 9;

const CLASS = 15;
const ALPHABETIC = 16;
const NUMERIC = 32;
const COMBINES = 64;
const ACCENT = 128;

const kinds = readKinds();
const capitals = readCapitals();
const compatible = readNewer();

function readKinds() {
  const numbers = new Uint8Array(0x110000);
  let at = 0;
  for (const [, length, letter] of RUNS.matchAll(/([0-9a-z]+)([A-Z])/g)) {
    const end = at + parseInt(length, 36);
    numbers.fill(KINDS[letter.charCodeAt(0) - 65], at, end);
    at = end;
  }
  return numbers;
}

function readCapitals() {
  const small = new Map();
  for (const ladder of CAPITALS.split(" ")) {
    const [first, step, count, more] = ladder.split(",").map((number) => parseInt(number, 36));
    for (let at = 0; at < count; at += 1) small.set(first + at * step, first + at * step + more);
  }
  return small;
}

function readNewer() {
  const entries = NEWER.split(" ").map((entry) => entry.split(",").map((number) => parseInt(number, 36)));
  return new Map(entries.map(([code, ...form]) => [code, String.fromCodePoint(...form)]));
}

/** The compatible form of a character that the browser may not know yet, else the character. */
export const compatibleForm = (character) => compatible.get(character.codePointAt(0)) ?? character;

/** The class of a character. */
export function classOf(code) {
  return kinds[code] & CLASS;
}

/** The class of the character that starts at a place; a separator at the end of the text. */
export function classAt(text, at) {
  return at < text.length ? kinds[text.codePointAt(at)] & CLASS : SEPARATOR;
}

/** How many code units the character that starts at a place has. */
export function widthAt(text, at) {
  return text.codePointAt(at) > 0xffff ? 2 : 1;
}

/** Where the character that ends before a place starts. */
export function startBefore(text, at) {
  return at >= 2 && text.codePointAt(at - 2) > 0xffff ? at - 2 : at - 1;
}

export const isAlphabetic = (code) => (kinds[code] & ALPHABETIC) !== 0;
export const isNumeric = (code) => (kinds[code] & NUMERIC) !== 0;
/** Whether a character combines with the one before it when a text is normalized. */
export const combines = (code) => (kinds[code] & COMBINES) !== 0;
export const isAccent = (code) => (kinds[code] & ACCENT) !== 0;

/** Half of a surrogate pair that stands alone. */
export const isLone = (code) => code >= 0xd800 && code <= 0xdfff;

export const isDigit = (code) => code >= 48 && code <= 57;
export const isLetter = (code) => (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
/** Whether a character is a letter or digit of ASCII. */
export const isPlain = (code) => isDigit(code) || isLetter(code);

/** White space, which Unicode does not change any more. */
export function isSpace(code) {
  if (code < 0x85) return code === 32 || (code >= 9 && code <= 13);
  return (
    code === 0x85 || code === 0xa0 || code === 0x1680 || (code >= 0x2000 && code <= 0x200a) || code === 0x2028 ||
    code === 0x2029 || code === 0x202f || code === 0x205f || code === 0x3000
  );
}

const BIG_SIGMA = 0x3a3;
const FINAL_SIGMA = "\u03c2";
const DOTTED_I = 0x130;

/** The lower case of a character between two others, which are undefined at the bounds of a text. */
export function lowerCase(code, before, after) {
  if (code === BIG_SIGMA && isAlphabetic(before) && !isAlphabetic(after)) return FINAL_SIGMA;
  if (code === DOTTED_I) return "i\u0307";
  return String.fromCodePoint(capitals.get(code) ?? code);
}

/** A word in lower case. */
export function lowerCased(word) {
  let lower = "";
  let before;
  for (let at = 0; at < word.length; ) {
    const code = word.codePointAt(at);
    at += code > 0xffff ? 2 : 1;
    lower += lowerCase(code, before, word.codePointAt(at));
    before = code;
  }
  return lower;
}
