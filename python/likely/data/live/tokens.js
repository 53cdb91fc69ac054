// A text goes in; the places of its words, of single characters of unspaced scripts, and of emoji come out
// (crates/likely-core/src/analyze/tokens/rules.rs).

import {
  APOSTROPHE, EMOJI, JOINER, MARK, REGIONAL, SINGLE, SKIN_TONE, TEXT_EMOJI, WORD, classAt, widthAt,
} from "./characters.js";

const EMOJI_STYLE = "\ufe0f";
const KEYCAP = "\ufe0f\u20e3";

/** The tokens of a text: pairs of start and end. */
export function tokensOf(text) {
  const found = [];
  for (let at = 0; at < text.length; ) {
    const width = widthAt(text, at);
    const end = endOfToken(text, at, at + width);
    if (end > 0) found.push([at, end]);
    at = end || at + width;
  }
  return found;
}

/** The end of the token that begins with the character from `at` to `next`, or 0 if none begins there. */
function endOfToken(text, at, next) {
  switch (classAt(text, at)) {
    case WORD:
      return endOfWord(text, next);
    case SINGLE:
      return endOfMarks(text, next);
    case EMOJI:
    case SKIN_TONE:
      return endOfEmoji(text, next);
    case TEXT_EMOJI:
      return text.startsWith(EMOJI_STYLE, next) ? endOfEmoji(text, next) : 0;
    case REGIONAL:
      return classAt(text, next) === REGIONAL ? next + widthAt(text, next) : next;
    default:
      return (text[at] === "#" || text[at] === "*") && text.startsWith(KEYCAP, next) ? endOfMarks(text, next) : 0;
  }
}

function endOfWord(text, at) {
  for (;;) {
    const kind = classAt(text, at);
    if (kind !== WORD && kind !== MARK) {
      if (kind !== APOSTROPHE && kind !== JOINER) return at;
      const next = classAt(text, at + widthAt(text, at));
      // Bengali and Kannada write a joiner before a vowel killer.
      if (next !== WORD && !(kind === JOINER && next === MARK)) return at;
    }
    at += widthAt(text, at);
  }
}

function endOfMarks(text, at) {
  while (classAt(text, at) === MARK) at += widthAt(text, at);
  return at;
}

function endOfEmoji(text, at) {
  for (;;) {
    const kind = classAt(text, at);
    if (kind === MARK || kind === SKIN_TONE) {
      at += widthAt(text, at);
      continue;
    }
    if (kind !== JOINER) return at;
    const after = at + widthAt(text, at);
    const next = classAt(text, after);
    if (next !== EMOJI && next !== TEXT_EMOJI) return at;
    at = after + widthAt(text, after);
  }
}
