// Labelled texts go in; counts, probabilities and decisions come out, each with the numbers that it was made of. The sums and the
// posterior are those of exported pages (probabilities.js, sums.js), the words too (terms.js).

import { largest, logPosterior } from "./probabilities.js";
import { Sum } from "./sums.js";
import { Analyzer } from "./terms.js";

/**
 * What a reader has chosen.
 * @typedef {{variant: "multinomial" | "binary" | "bernoulli", alpha: number, prior: "counted" | "uniform" | number[],
 *   preparation: object}} Choices
 * A labelled text.
 * @typedef {{text: string, label: string}} Row
 */

const sumOf = (numbers) => {
  const sum = new Sum();
  for (const number of numbers) sum.add(number);
  return sum.total;
};

/** How often each term occurs in a list of terms. */
export function frequencies(terms) {
  const found = new Map();
  for (const { term } of terms) found.set(term, (found.get(term) ?? 0) + 1);
  return found;
}

/** The counts of a table of texts, and what follows from them. */
export class Counted {
  /** @param {Row[]} rows @param {Choices} choices */
  constructor(rows, choices) {
    this.choices = choices;
    this.analyzer = new Analyzer(choices.preparation);
    this.labels = Array.from(new Set(rows.map(({ label }) => label))).sort();
    this.documents = rows.map(({ text, label }) => {
      const terms = this.analyzer.terms(text);
      return { text, place: this.labels.indexOf(label), terms, counts: frequencies(terms) };
    });
    this.sizes = this.labels.map((_, place) => this.documents.filter((each) => each.place === place).length);
    this.counts = this.perClass((count) => (choices.variant === "multinomial" ? count : 1));
    this.vocabulary = Array.from(this.counts.keys());
    this.totals = this.labels.map((_, place) => sumOf(this.vocabulary.map((term) => this.counts.get(term)[place])));
  }

  /** Per term, in the order in which terms occur first, a number per class: what its documents add. */
  perClass(adds) {
    const found = new Map();
    for (const { place, counts } of this.documents) {
      for (const [term, count] of counts) {
        if (!found.has(term))
          found.set(
            term,
            this.labels.map(() => 0),
          );
        found.get(term)[place] += adds(count);
      }
    }
    return found;
  }

  get isBernoulli() {
    return this.choices.variant === "bernoulli";
  }

  /** P(c). */
  prior(place) {
    const { prior } = this.choices;
    if (prior === "uniform") return 1 / this.labels.length;
    return prior === "counted" ? this.sizes[place] / this.documents.length : prior[place];
  }

  /** P(w|c) as what stands above and below the line, before alpha is added: (count + alpha) / (total + alpha times `times`). */
  fraction(term, place) {
    const count = this.counts.get(term)?.[place] ?? 0;
    if (this.isBernoulli) return { count, total: this.sizes[place], times: 2 };
    return { count, total: this.totals[place], times: this.vocabulary.length };
  }

  /** P(w|c); not a number where it is 0/0. */
  probability(term, place) {
    const { count, total, times } = this.fraction(term, place);
    const { alpha } = this.choices;
    return (count + alpha) / (total + alpha * times);
  }

  /** How many times each known term of a text counts, and the unknown terms. */
  read(text) {
    const found = frequencies(this.analyzer.terms(text));
    const known = new Map();
    const unknown = [];
    for (const [term, count] of found) {
      if (!this.counts.has(term)) unknown.push(term);
      else known.set(term, this.choices.variant === "multinomial" ? count : 1);
    }
    return { known, unknown };
  }

  /**
   * The factors of P(c) P(text|c) after the prior: a term, how many times it is a factor, and its probability per class. A
   * Bernoulli model has a factor for each word of the vocabulary: 1 - P(w|c) for those that are not in the text (IIR 13.3).
   */
  factors(text) {
    const { known } = this.read(text);
    const terms = this.isBernoulli ? this.vocabulary : Array.from(known.keys());
    return terms.map((term) => {
      const isThere = known.has(term);
      const own = this.labels.map((_, place) => this.probability(term, place));
      const probabilities = isThere ? own : own.map((probability) => 1 - probability);
      return { term, isThere, times: isThere ? known.get(term) : 1, probabilities };
    });
  }

  /** The decision on a text: logs of the joint and conditional probabilities, and the posterior. */
  decide(text) {
    const factors = this.factors(text);
    const likelihood = this.labels.map((_, place) =>
      sumOf(factors.map(({ times, probabilities }) => times * Math.log(probabilities[place]))),
    );
    const joint = likelihood.map((log, place) => log + Math.log(this.prior(place)));
    const isPossible = joint.some((log) => log > -Infinity);
    const posterior = isPossible ? logPosterior(joint, joint).map(Math.exp) : null;
    return { factors, likelihood, joint, posterior, place: largest(joint) };
  }

  /** The product of all factors as a computer multiplies them: it underflows where the sum of the logarithms does not. */
  product(text, place, repeats) {
    let product = this.prior(place);
    for (let repeat = 0; repeat < repeats && product > 0; repeat += 1) {
      for (const { times, probabilities } of this.factors(text)) product *= probabilities[place] ** times;
    }
    return product;
  }

  /** Words drawn by P(w|c), as the class would write them. */
  generated(place, words, random) {
    return Array.from({ length: words }, () => {
      let left = random();
      const found = this.vocabulary.find((term) => {
        left -= this.probability(term, place) / (this.isBernoulli ? this.sureness(place) : 1);
        return left < 0;
      });
      return found ?? this.vocabulary.at(-1);
    });
  }

  /** The sum of P(w|c) over all words: 1, but for Bernoulli models, whose words are events of their own. */
  sureness(place) {
    return sumOf(this.vocabulary.map((term) => this.probability(term, place)));
  }

  /** tf-idf of each term of a document, (1 + log tf) log(N / df), with logarithms to a base. */
  tfIdf(document, base) {
    const log = (value) => Math.log(value) / Math.log(base);
    return Array.from(document.counts, ([term, tf]) => {
      const df = this.documents.filter(({ counts }) => counts.has(term)).length;
      return { term, tf, df, weight: (1 + log(tf)) * log(this.documents.length / df) };
    });
  }
}
