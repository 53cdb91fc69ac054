// The terms of a text go in; the score of each class comes out, by the linear form of all variants of naive Bayes:
//
//     score_c = bias_c + factor_c * sum over known terms t of v_t * (base_c * scale_t + delta_tc)
//
// See python/likely/weighing/variants/ and crates/likely-core/src/score/.

import { Sum } from "./sums.js";

const GRID = 2 ** -40;

/** How a number was written: in 32 or 64 bits, or as a multiple of a small number. */
const READ = {
  single: Math.fround,
  double: (value) => value,
  grid: (value) => value * GRID,
};

/** A table of numbers: the distinct ones and the place of each, or all of them. */
function readTable({ values, places, kind }) {
  const numbers = values.map((value) => (value === null ? -Infinity : READ[kind](value)));
  return Float64Array.from(places ? places.map((place) => numbers[place]) : numbers);
}

/** Minus infinity is written as null, because JSON has no infinite numbers. */
export const readNumbers = (list) => list.map((number) => number ?? -Infinity);

export class Weights {
  constructor(file) {
    const { weights } = file;
    const names = weights.terms === "" ? [] : weights.terms.split("\n");
    this.places = new Map(names.map((name, place) => [name, place]));
    this.value = weights.value;
    this.hasUnitLength = weights.unit_length;
    this.isAbsentImpossible = weights.absent === null;
    this.bias = readNumbers(weights.bias);
    this.base = weights.base;
    this.factor = weights.factor;
    this.scales = weights.scales && readTable(weights.scales);
    this.rests = weights.rests && readTable(weights.rests);
    this.starts = new Uint32Array(names.length + 1);
    weights.lengths.forEach((length, at) => {
      this.starts[at + 1] = this.starts[at] + length;
    });
    this.classes = Uint32Array.from(weights.classes);
    this.deltas = readTable(weights.deltas);
    if (weights.times_scale && this.scales) this.scaleDeltas();
  }

  /** Learned weights are written without the scales of their terms. */
  scaleDeltas() {
    this.scales.forEach((scale, place) => {
      for (let cell = this.starts[place]; cell < this.starts[place + 1]; cell += 1) this.deltas[cell] *= scale;
    });
  }

  /**
   * The known terms of a text, each with its places in the text and its value v_t; the number of all terms; and the sum of
   * all v_t times their scales.
   *
   * @param {{term: string, start: number, end: number}[]} terms
   */
  document(terms) {
    const byPlace = new Map();
    let known = 0;
    for (const { term, start, end } of terms) {
      const place = this.places.get(term);
      if (place === undefined) continue;
      known += 1;
      const seen = byPlace.get(place);
      if (seen) seen.spans.push([start, end]);
      else byPlace.set(place, { place, term, spans: [[start, end]], value: 1 });
    }
    const scale = (place) => (this.scales ? this.scales[place] : 1);
    const found = Array.from(byPlace.values());
    for (const each of found) each.value = this.valueOf(each.spans.length);
    if (this.hasUnitLength) {
      const squares = new Sum();
      for (const { place, value } of found) squares.add((value * scale(place)) ** 2);
      for (const each of found) each.value /= Math.sqrt(squares.total);
    }
    const length = new Sum();
    for (const { place, value } of found) length.add(value * scale(place));
    return { found, known, terms: terms.length, length: length.total };
  }

  /** What a term counts in a text, from how often it occurs. */
  valueOf(count) {
    if (this.value === "presence") return 1;
    return this.value === "damped" ? 1 + Math.log(count) : count;
  }

  /** The scores of a document (a result of `document`), one per class. */
  scores({ found, length }) {
    const sums = this.bias.map(() => new Sum());
    const hits = this.bias.map(() => 0);
    const rest = new Sum();
    for (const { place, value } of found) {
      const common = this.rests ? this.rests[place] : 0;
      rest.add(value * common);
      for (let cell = this.starts[place]; cell < this.starts[place + 1]; cell += 1) {
        const to = this.classes[cell];
        sums[to].add(value * (this.deltas[cell] - common));
        hits[to] += 1;
      }
    }
    return sums.map((sum, to) => {
      if (this.isAbsentImpossible && hits[to] < found.length) return -Infinity;
      sum.add(rest.sum);
      sum.add(rest.error);
      sum.addTimes(length, this.base[to]);
      if (this.factor[to] !== 1) return this.bias[to] + this.factor[to] * sum.total;
      sum.add(this.bias[to]);
      return sum.total;
    });
  }

  /** What a known term adds to the score of a class. */
  contribution({ place, value }, to) {
    let delta = this.rests ? this.rests[place] : this.isAbsentImpossible ? -Infinity : 0;
    for (let cell = this.starts[place]; cell < this.starts[place + 1]; cell += 1) {
      if (this.classes[cell] === to) delta = this.deltas[cell];
    }
    const scale = this.scales ? this.scales[place] : 1;
    return this.factor[to] * value * (this.base[to] * scale + delta);
  }
}
