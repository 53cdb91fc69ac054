// A text goes in; all its pieces come out in order: words, numbers, punctuation, emoticons, URLs and the like. Each piece
// has a start, an end, a kind, and whether a clause ended before it (crates/likely-core/src/analyze/tokens/pieces.rs).

import { isAlphabetic, isDigit, isNumeric, isPlain, widthAt } from "./characters.js";
import { entitiesOf } from "./entities.js";
import { endOfEmoticon, endOfNumber, endsClause, isMark, isNumber } from "./punctuation.js";
import { tokensOf } from "./tokens.js";

/**
 * The pieces of a text.
 *
 * @param {string} text
 * @param {{punctuation: boolean, numbers: boolean, breaks: boolean, treatments: Object<string, string>}} wanted which pieces
 *   there are besides words; `treatments` says for each kind of entity whether it is split into words, kept or masked
 */
export function piecesOf(text, wanted) {
  const isWanted = Object.values(wanted.treatments).some((treatment) => treatment !== "split");
  const entities = isWanted ? entitiesOf(text).filter(({ kind }) => wanted.treatments[kind] !== "split") : [];
  const words = tokensOf(text);
  if (!entities.length && !wanted.punctuation && !wanted.numbers) return plainPieces(text, words, wanted.breaks);
  return new Pieces(text, entities, wanted).read(words);
}

/** The pieces of a text that has only words. */
function plainPieces(text, words, breaks) {
  let at = 0;
  return words.map(([start, end]) => {
    const isBroken = breaks && endsClause(text, at, start);
    at = end;
    return { start, end, kind: "word", isBroken };
  });
}

class Pieces {
  constructor(text, entities, wanted) {
    this.text = text;
    this.entities = entities;
    this.wanted = wanted;
    this.found = [];
    this.nextEntity = 0;
    /** How far the text has been read. */
    this.at = 0;
    this.isBroken = false;
  }

  read(words) {
    const { text } = this;
    for (const [first, end] of words) {
      this.readGap(first);
      let start = first;
      if (start < this.at) {
        // An entity or an emoticon has taken the beginning of this word.
        start = this.at;
        while (start < end && text[start] === "'") start += 1;
        if (start >= end) continue;
      }
      this.readWord(start, end);
    }
    this.readGap(text.length);
    return this.found;
  }

  push(start, end, kind) {
    this.found.push({ start, end, kind, isBroken: this.isBroken });
    this.isBroken = false;
    this.at = end;
  }

  readWord(start, end) {
    const { text, wanted } = this;
    const first = text.charCodeAt(start);
    if (wanted.numbers && (isDigit(first) || first >= 0x80) && isNumber(text.slice(start, end))) {
      this.push(start, endOfNumber(text, end), "number");
      return;
    }
    this.push(start, end, "word");
    this.isBroken = wanted.breaks && !beginsWord(text, start) && endsClause(text, start, end);
  }

  readGap(until) {
    const { text, entities } = this;
    while (this.nextEntity < entities.length) {
      const { start, end, kind } = entities[this.nextEntity];
      if (start > until || (start === until && until === text.length)) break;
      this.nextEntity += 1;
      this.readMarks(start);
      // A number or an emoticon may have taken its beginning.
      if (start >= this.at) this.push(start, end, kind);
    }
    this.readMarks(until);
  }

  readMarks(until) {
    const { text, wanted } = this;
    const isOneSpace = until === this.at + 1 && text[this.at] === " ";
    if (this.at < until && !isOneSpace) {
      if (wanted.breaks) this.isBroken ||= endsClause(text, this.at, until);
      if (wanted.punctuation) this.pushMarks(until);
    }
    this.at = Math.max(this.at, until);
  }

  pushMarks(until) {
    const { text } = this;
    // The end of a clause counts for the word after the punctuation.
    const { isBroken } = this;
    this.isBroken = false;
    while (this.at < until) {
      const { at } = this;
      const code = text.codePointAt(at);
      const end = code <= 32 ? 0 : endOfEmoticon(text, at);
      if (end) this.push(at, end, "mark");
      else if (code > 32 && isMark(code)) this.push(at, at + widthAt(text, at), "mark");
      else this.at += widthAt(text, at);
    }
    this.isBroken = isBroken;
  }
}

/** Whether a letter or a digit is here: a mark within a word, as in Armenian, ends no clause. */
function beginsWord(text, start) {
  const code = text.codePointAt(start);
  return isPlain(code) || (code >= 0x80 && (isAlphabetic(code) || isNumeric(code)));
}
