// A model file and texts go in; classes, probabilities and the evidence of each word come out.

import { looksLikeMail } from "./mail.js";
import { Probabilities } from "./probabilities.js";
import { Analyzer } from "./terms.js";
import { Weights } from "./weights.js";

export const FORMAT = 1;

/** A model that classifies texts as `likely` does. */
export class Classifier {
  /** @param {object} file the content of model.json, as `likely export` writes it */
  constructor(file) {
    if (file.format !== FORMAT) throw new Error(`this is not a model that \`likely export\` has written in format ${FORMAT}`);
    this.labels = file.labels;
    this.analyzer = new Analyzer(file.preparation);
    this.weights = new Weights(file);
    this.probabilities = new Probabilities(file);
    this.rejectLabel = file.decision.reject_label;
  }

  /**
   * The class of a text.
   *
   * @param {string} text
   * @returns {{label: *, isUnsure: boolean, isImpossible: boolean, isRawMail: boolean, place: number, rival: number | null,
   *   probabilities: number[], known: number, terms: number,
   *   evidence: {term: string, word: string, weight: number, spans: [number, number][]}[]}}
   *   `label` is the predicted class, or the reject label (null, if there is none) if the model abstains; `place` is its
   *   place among `labels` in any case. `isImpossible` says that every class is impossible (alpha = 0), so that the rest
   *   says nothing; `isRawMail`, that the text looks like a raw message and the model has learned decoded ones.
   *   `known` is the number of terms that the model knows, of all `terms`. `evidence` has
   *   an element per known term: the word that the text has for it, its places, and by how much it speaks for the
   *   predicted class against its best rival, calibrated if the model is.
   */
  classify(text) {
    const terms = this.analyzer.terms(text);
    const document = this.weights.document(terms);
    const scores = this.weights.scores(document);
    const logs = this.probabilities.logs(scores, document.length);
    const place = this.probabilities.decided(scores, logs);
    const isUnsure = this.probabilities.isUnsure(logs, document.length, place);
    const rival = this.rivalOf(scores, place);
    return {
      label: isUnsure ? this.rejectLabel : this.labels[place],
      isUnsure,
      isImpossible: this.probabilities.isImpossible(scores),
      isRawMail: this.analyzer.settings.mail && looksLikeMail(text),
      place,
      rival,
      probabilities: logs.map(Math.exp),
      known: document.known,
      terms: document.terms,
      evidence: rival === null ? [] : this.evidence(text, document, place, rival, scores),
    };
  }

  /** The place of the best class besides the predicted one; null if there is only one class. */
  rivalOf(scores, place) {
    let best = null;
    scores.forEach((score, at) => {
      if (at !== place && (best === null || score > scores[best])) best = at;
    });
    return best;
  }

  evidence(text, document, place, rival, scores) {
    const factor = this.probabilities.factor(scores, document.length);
    return document.found.map((each) => {
      const word = this.analyzer.spelled(each.term, text.slice(...each.spans[0]));
      const mine = this.weights.contribution(each, place);
      const theirs = this.weights.contribution(each, rival);
      return { term: each.term, word, weight: mine === theirs ? 0 : factor * (mine - theirs), spans: each.spans };
    });
  }
}
