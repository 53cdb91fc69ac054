// The pieces of a text go in; what they are counted as comes out: in lower case, masked, stemmed or negated, or nothing for
// a stop word (crates/likely-core/src/analyze/words/preparation.rs).

import { SINGLE, WORD, classAt, lowerCased } from "./characters.js";
import { shapeOfNumber } from "./punctuation.js";

export const NEGATED = "NOT_";
const UNSEEN = /[\u00ad\u2060]/g;

const straight = (word) => word.replaceAll("\u2019", "'");

/** Whether a piece is a word that can be stemmed and negated, and not punctuation, an emoji or a mask. */
function isWord(surface) {
  const kind = classAt(surface, 0);
  return (kind === WORD || kind === SINGLE) && !/[/@.]/.test(surface);
}

/** Prepares the words of texts as the settings of a model say. */
export class Words {
  constructor(settings, stem) {
    this.lowercase = settings.lowercase;
    this.treatments = settings.treatments;
    this.stopWords = new Set(settings.stop_words);
    this.negators = new Set(settings.negators);
    this.stem = stem;
  }

  /** The terms of some pieces of a text with their places, without stop words. */
  counted(text, pieces) {
    const terms = [];
    let isNegating = false;
    for (const piece of pieces) {
      if (piece.isBroken) isNegating = false;
      const surface = this.surface(piece.kind, text.slice(piece.start, piece.end));
      const isNegator = this.negators.size > 0 && this.negators.has(lowerCased(straight(surface)));
      const canChange = isWord(surface);
      const counted = (this.stem && canChange && this.stem(surface)) || surface;
      if (!this.stopWords.has(straight(counted))) {
        const term = isNegating && canChange && !isNegator ? NEGATED + counted : counted;
        terms.push({ term, start: piece.start, end: piece.end });
      }
      isNegating ||= isNegator;
    }
    return terms;
  }

  /** A piece before stop words and stemming. */
  surface(kind, piece) {
    if (kind === "number") return `<number:${shapeOfNumber(piece)}>`;
    if (this.treatments[kind] === "mask") return `<${kind}>`;
    const word = piece.replace(UNSEEN, "") || piece;
    return this.lowercase ? lowerCased(word) : word;
  }
}
