// What stands between words: punctuation, emoticons, the ends of clauses, and what belongs to a number
// (crates/likely-core/src/analyze/tokens/punctuation.rs).

import {
  APOSTROPHE, MARK, SEPARATOR, TEXT_EMOJI, WORD, classAt, classOf, isDigit, isLone, isNumeric, isPlain, isSpace, widthAt,
} from "./characters.js";

/** Whether a character outside words is punctuation or a symbol, and not white space, a control or a stray mark. */
export function isMark(code) {
  const kind = classOf(code);
  if (kind !== SEPARATOR && kind !== TEXT_EMOJI && kind !== APOSTROPHE) return false;
  const isControl = code < 32 || (code >= 0x7f && code < 0xa0);
  return !(isSpace(code) || isControl || isLone(code) || isInvisible(code));
}

/** Ranges of characters that only format text or are not assigned. */
const INVISIBLE = [
  [0xad, 0xad], [0x61c, 0x61c], [0x200b, 0x200f], [0x202a, 0x202e], [0x2060, 0x206f], [0xfeff, 0xfeff],
  [0xfff0, 0xffff], [0xe000, 0xf8ff], [0xe0000, 0x10ffff],
];

function isInvisible(code) {
  return INVISIBLE.some(([first, last]) => first <= code && code <= last);
}

/** Whether a word is a number: ASCII digits, or numeric characters of any script if the first is not ASCII. */
export function isNumber(word) {
  const test = word.charCodeAt(0) < 0x80 ? isDigit : isNumeric;
  for (let at = 0; at < word.length; at += widthAt(word, at)) if (!test(word.codePointAt(at))) return false;
  return word.length > 0;
}

/** The end of a number whose first digits end at `end`: points, commas, colons, slashes and hyphens between digits are in it. */
export function endOfNumber(text, end) {
  while (end < text.length && ".,:/-".includes(text[end])) {
    let next = end + 1;
    while (next < text.length && isDigit(text.charCodeAt(next))) next += 1;
    const kind = classAt(text, next);
    if (next === end + 1 || (kind !== SEPARATOR && kind !== TEXT_EMOJI)) break;
    end = next;
  }
  return end;
}

const LONGEST_RUN = 4;

/** A number with each digit written as 9, and each run of more than four digits as `9+`. */
export function shapeOfNumber(number) {
  let shape = "";
  let run = 0;
  const close = () => {
    shape += run > LONGEST_RUN ? "9+" : "9".repeat(run);
    run = 0;
  };
  for (const character of number) {
    if (isNumeric(character.codePointAt(0))) {
      run += 1;
    } else {
      close();
      shape += character;
    }
  }
  close();
  return shape;
}

const ENDS = new Set("…–—。，、；：！？．（）「」『』【】·،؛؟۔।॥።՞։¿¡.,;:!?()[]{}");

/** Whether what stands between two words ends a clause: a stop, a comma, a colon, a bracket, a dash or a new paragraph. */
export function endsClause(text, start, end) {
  if (end - start === 1 && text.charCodeAt(start) < 0x80) {
    // The point of a number, as in 3.5, ends nothing.
    if (start > 0 && isDigit(text.charCodeAt(start - 1)) && isDigit(text.charCodeAt(end))) return false;
  }
  let lines = 0;
  for (let at = start; at < end; at += 1) {
    if (ENDS.has(text[at]) || (text[at] === "-" && end - start > 1)) return true;
    if (text[at] === "\n") lines += 1;
  }
  return lines > 1;
}

const EYES = ":;=";
const NOSES = "-'^o~";
const MOUTHS = ")(][}{DdPpoO3/\\|*@$xXsScC";
const WHOLE = ["<3", "</3", "^_^", "-_-", ">_<", "^^"];

const isIn = (set, character) => character !== undefined && set.includes(character);

/** How many characters the emoticon has that may begin at a place; 0 if none does. */
function lengthOfEmoticon(text, at) {
  const [first, second, third] = [text[at], text[at + 1], text[at + 2]];
  const whole = WHOLE.find((each) => text.startsWith(each, at));
  if (whole) return whole.length;
  if (isIn(EYES, first)) {
    if (isIn(NOSES, second) && isIn(MOUTHS, third)) return 3;
    return isIn(MOUTHS, second) ? 2 : 0;
  }
  if (first !== "(" && first !== ")") return 0;
  if (isIn(EYES, second)) return 2;
  return isIn("-'", second) && isIn(EYES, third) ? 3 : 0;
}

/** The end of the emoticon that begins at a place; 0 if none does. */
export function endOfEmoticon(text, at) {
  const end = at + lengthOfEmoticon(text, at);
  if (end === at) return 0;
  const touches = at > 0 && isPlain(text.charCodeAt(at - 1));
  const mouth = text[end - 1];
  const next = classAt(text, end);
  // After a word only a bracket is certainly a mouth (http:/, 3:30), and no word follows a mouth directly.
  return (!touches || mouth === ")" || mouth === "(") && next !== WORD && next !== MARK ? end : 0;
}
