// A text goes in; its terms come out with their places: words and their n-grams, n-grams of characters, or the buckets of
// their hashes (crates/likely-core/src/analyze/spans.rs).

import { gramsOf } from "./grams.js";
import { bucketOf, hashOfPhrase, hashOfTerm } from "./hashing.js";
import { normalized } from "./normalize.js";
import { piecesOf } from "./pieces.js";
import { stemmerOf } from "./stems.js";
import { NEGATED, Words } from "./words.js";

const CHAR_MARK = "char:";
const OPEN_BOX = "\u2423";
const SPACES = /(?:(?!\ufeff)[\s\x1c-\x1f\x85])+/u; // what separates words in Python, too
const MARKS = String.raw`[,.;:!?\-\u2013\u2014\u2026"()[\]{}\u201c\u201d\u201e\u00ab\u00bb]+`;
const AROUND_WORDS = new RegExp(`^${MARKS}|${MARKS}$`, "gu");

/** Cuts texts into terms as the settings of a model say (`preparation` in its file). */
export class Analyzer {
  constructor(settings) {
    const { urls: url, emails: email, mentions: mention, hashtags: hashtag } = settings;
    const treatments = { url, email, mention, hashtag };
    this.settings = settings;
    this.words = new Words({ ...settings, treatments }, stemmerOf(settings.stem));
    this.wanted = {
      punctuation: settings.punctuation === "keep",
      numbers: settings.numbers === "mask",
      breaks: settings.negators.length > 0,
      treatments,
    };
  }

  /** The terms of a text, each with its place in the text in UTF-16 code units. */
  terms(text) {
    const { analyzer, normalize, accents, ngrams, char_ngrams: charNgrams, lowercase } = this.settings;
    const normal = normalized(text, normalize, accents === "strip");
    let terms = [];
    if (analyzer === "word" || analyzer === "both") terms = this.wordTerms(normal.text);
    if (analyzer !== "word") {
      const lengths = analyzer === "both" ? charNgrams : ngrams;
      for (const gram of gramsOf(normal.text, lengths, lowercase, analyzer !== "char")) {
        const term = analyzer === "both" ? CHAR_MARK + gram.term.replaceAll(" ", OPEN_BOX) : gram.term;
        gram.term = this.named(term, () => hashOfTerm(term));
        terms.push(gram);
      }
    }
    for (const term of terms) [term.start, term.end] = normal.place(term.start, term.end);
    return terms;
  }

  wordTerms(text) {
    const words = this.words.counted(text, piecesOf(text, this.wanted));
    const [shortest, longest] = this.settings.ngrams;
    const terms = [];
    for (let last = 0; last < words.length; last += 1) {
      for (let n = shortest; n <= Math.min(longest, last + 1); n += 1) {
        const parts = words.slice(last + 1 - n, last + 1).map((word) => word.term);
        const term = this.named(parts.join(" "), () => parts.map(hashOfTerm).reduce(hashOfPhrase));
        terms.push({ term, start: words[last + 1 - n].start, end: words[last].end });
      }
    }
    return terms;
  }

  /**
   * A term as the text has it at a place: a stem as the word that it was made of. What says more than the word stays: a mask,
   * the mark of a negated word (`spelled` in python/likely/explanation/words.py).
   *
   * @param {string} term
   * @param {string} found the part of the text
   */
  spelled(term, found) {
    const { analyzer, negators } = this.settings;
    if (!found || (analyzer !== "word" && (analyzer !== "both" || term.startsWith(CHAR_MARK)))) return term;
    const parts = term.split(" ");
    const bare = (word) => (this.settings.punctuation === "keep" ? word : word.replace(AROUND_WORDS, ""));
    const words = parts.length > 1 ? found.split(SPACES).map(bare).filter(Boolean) : [found];
    if (parts.length !== words.length) return words.join(" "); // the words of the phrase stand apart in the text
    const before = (part) => (negators.length && part.startsWith(NEGATED) ? NEGATED : "");
    return parts.map((part, at) => (part.startsWith("<") ? part : before(part) + words[at])).join(" ");
  }

  /** The name of a term: as it is, or that of its bucket. */
  named(term, hash) {
    return this.settings.hash_bits ? bucketOf(hash(), this.settings.hash_bits) : term;
  }
}
